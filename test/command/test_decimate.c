// SPDX-License-Identifier: MIT
// From the world's rate to the rate that is heard.

#include "decimate.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

// 110 dB, 3.2e-6, is what the window is designed for; Kaiser's formulas are fits, good to a few dB:
// here a factor of 2 is allowed.  They put the edges at (0.5 -+ 0.0444) of the rate.
#define RIPPLE 6.4e-6

static void passes_what_is_heard_and_stops_what_would_fold(void** state) {
  (void)state;
  static const uint32_t factors[] = {2, 3, 4, 8, 64};
  for (size_t i = 0; i < sizeof factors / sizeof factors[0]; ++i) {
    JwDecimator* const d = jw_decimator_create(factors[i], 1, 16);
    assert_non_null(d);
    for (double f = 0.0; f <= 0.455; f += 0.001) {
      assert_true(fabs(jw_decimator_gain(d, f) - 1.0) < RIPPLE);
    }
    for (double f = 0.545; f <= 0.5 * factors[i]; f += 0.001) {
      assert_true(fabs(jw_decimator_gain(d, f)) < RIPPLE);
    }
    // Half the rate is half way down: a windowed sinc is symmetric there.
    assert_true(fabs(jw_decimator_gain(d, 0.5) - 0.5) < 1e-3);
    jw_decimator_destroy(d);
  }
}

// Push `total` frames of a sine in uneven pieces; outputs into `out`.
static uint32_t push_sine(JwDecimator* d, double frequency, uint64_t total, double* out) {
  double block[64];
  double* const channels[] = {block};
  uint32_t frames = 0;
  for (uint64_t at = 0; at < total;) {
    const uint32_t wanted = 1 + (uint32_t)(at * 7 % 64);
    const uint32_t count = total - at < wanted ? (uint32_t)(total - at) : wanted;
    for (uint32_t i = 0; i < count; ++i) {
      block[i] = sin(2.0 * PI * frequency * (double)(at + i) / d->factor);
    }
    frames += jw_decimator_push(d, channels, count, out + frames);
    at += count;
  }
  return frames;
}

static void keeps_a_sine_in_place(void** state) {
  (void)state;
  double out[400];
  JwDecimator* const d = jw_decimator_create(4, 1, 64);
  const uint32_t frames = push_sine(d, 0.11, jw_decimator_needs(d, 300), out);
  assert_int_equal(frames, 300);
  // From the first row on, because a sine turned around its start is the sine: no delay, no change
  // but the ripple.
  for (uint32_t j = 0; j < frames; ++j) {
    assert_true(fabs(out[j] - sin(2.0 * PI * 0.11 * j)) < RIPPLE);
  }
  jw_decimator_destroy(d);
}

static void does_not_depend_on_the_pieces(void** state) {
  (void)state;
  double pieces[400], whole[400], input[2000];
  double* const channels[] = {input};
  JwDecimator* const a = jw_decimator_create(3, 1, 64);
  JwDecimator* const b = jw_decimator_create(3, 1, 2000);
  const uint64_t total = jw_decimator_needs(a, 200);
  for (uint32_t i = 0; i < total; ++i) {
    input[i] = sin(2.0 * PI * 0.2 * i / 3.0);
  }
  assert_int_equal(push_sine(a, 0.2, total, pieces), 200);
  assert_int_equal(jw_decimator_push(b, channels, (uint32_t)total, whole), 200);
  for (uint32_t j = 0; j < 200; ++j) {
    assert_true(pieces[j] == whole[j]);
  }
  jw_decimator_destroy(a);
  jw_decimator_destroy(b);
}

static void a_factor_of_one_changes_nothing(void** state) {
  (void)state;
  double left[] = {1.0, -0.5, 1e-300}, right[] = {2.0, 3.0, 4.0}, out[8];
  double* const channels[] = {left, right};
  JwDecimator* const d = jw_decimator_create(1, 2, 3);
  assert_int_equal(jw_decimator_needs(d, 3), 3);
  assert_int_equal(jw_decimator_push(d, channels, 3, out), 3);
  for (int i = 0; i < 3; ++i) {
    assert_true(out[2 * i] == left[i] && out[2 * i + 1] == right[i]);
  }
  jw_decimator_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_what_is_heard_and_stops_what_would_fold),
      cmocka_unit_test(keeps_a_sine_in_place),
      cmocka_unit_test(does_not_depend_on_the_pieces),
      cmocka_unit_test(a_factor_of_one_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
