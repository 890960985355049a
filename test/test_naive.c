// SPDX-License-Identifier: MIT
// The plain C that the benchmark compares with moves as the engine does when that follows the
// papers' rules.
//
// Both take the same steps in exact numbers; what differs is rounding.  Let U be the largest
// displacement.  A step of a grid adds up at most 18 products whose coefficients sum to less than 4
// in magnitude (2 - 20 mu^2 and its like), so it errs by less than 18 eps/2 * 4 U = 36 eps U; the
// engine rounds coefficients to 2^-50 = 4 eps of 1, which errs by as much again.  An error made in
// a step is a change of velocity, and the schemes conserve energy or lose it, so that it grows at
// most in proportion to the steps that follow.  Over n steps
//
//   |difference| <= 72 eps U n^2/2
//
// and a contact, being passive too, carries an error on but does not multiply it while it neither
// opens nor closes at another sample.  At n = 2048 that is 3.4e-8 U.  Newton's steps of the bow end
// below 1e-7 m/s with an error of the square of that.  A factor or sign that is wrong in one place
// makes a difference of the order of U.

#include "test.h"

#include "bench.h"

#include <float.h>
#include <math.h>

#define FRAMES 2048

static void expect_the_same_motion(JwNaive* naive, JwBenchWorld* world) {
  static double plain[FRAMES], ours[FRAMES];
  jw_naive_run(naive, plain);
  jw_bench_world_listen(world, ours);
  double largest = 0.0, difference = 0.0;
  for (uint32_t i = 0; i < FRAMES; ++i) {
    largest = fmax(largest, fabs(ours[i]));
    difference = fmax(difference, fabs(ours[i] - plain[i]));
  }
  print_message("# largest %g, difference %g of it\n", largest, difference / largest);
  assert_true(largest > 1e-7);               // It moves,
  assert_true(jw_naive_stored(naive) > 0.0); // and collided
  assert_true(difference <= 72.0 * DBL_EPSILON * largest * (0.5 * FRAMES * FRAMES));
  jw_naive_free(naive);
  jw_bench_world_free(world);
}

static void the_string_over_a_barrier_moves_as_printed(void** state) {
  (void)state;
  expect_the_same_motion(jw_naive_barrier(FRAMES, false),
                         jw_bench_barrier(FRAMES, JW_BENCH_PUBLISHED));
}

static void asking_first_changes_nothing(void** state) {
  (void)state;
  static double out[2][FRAMES];
  for (int ask = 0; ask < 2; ++ask) {
    JwNaive* const naive = jw_naive_barrier(FRAMES, ask);
    jw_naive_run(naive, out[ask]);
    jw_naive_free(naive);
  }
  assert_memory_equal(out[0], out[1], sizeof out[0]);
}

static void the_small_tromba_moves_as_printed(void** state) {
  (void)state;
  static const uint32_t points[3] = {101, 20, 10};
  expect_the_same_motion(jw_naive_tromba(points, FRAMES),
                         jw_bench_tromba(points, FRAMES, JW_BENCH_PUBLISHED));
}

static void the_large_tromba_moves_as_printed(void** state) {
  (void)state;
  static const uint32_t points[3] = {226, 130, 13};
  expect_the_same_motion(jw_naive_tromba(points, FRAMES),
                         jw_bench_tromba(points, FRAMES, JW_BENCH_PUBLISHED));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_string_over_a_barrier_moves_as_printed),
      cmocka_unit_test(asking_first_changes_nothing),
      cmocka_unit_test(the_small_tromba_moves_as_printed),
      cmocka_unit_test(the_large_tromba_moves_as_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
