// SPDX-License-Identifier: MIT
// Loudness, by the tones of the standards.

#include "loudness.h"
#include "test.h"

#include <complex.h>
#include <math.h>

#define PI 3.14159265358979323846

typedef struct {
  double seconds, level; // dB below full scale
} Part;

// A sine on every channel, part by part.
static double loudness_of(double rate, uint32_t channels, double frequency, const Part* parts,
                          size_t count, double gain) {
  JwLoudness* const l = jw_loudness_create(rate, channels);
  assert_non_null(l);
  uint64_t n = 0;
  for (size_t p = 0; p < count; ++p) {
    for (uint64_t i = 0; i < (uint64_t)(parts[p].seconds * rate); ++i, ++n) {
      double frame[2];
      frame[0] = frame[1] =
          pow(10.0, parts[p].level / 20.0) * sin(2.0 * PI * frequency * (double)n / rate);
      assert_true(jw_loudness_take(l, frame, 1));
    }
  }
  const double found = jw_loudness_of(l, gain);
  jw_loudness_destroy(l);
  return found;
}

// BS.1770-4: 0 dB of 997 Hz on one channel is -3.01 LKFS.  The filters at other rates are warped,
// by 1e-3 dB there.
static void the_tone_of_the_standard_is_as_loud_as_it_says(void** state) {
  (void)state;
  static const double rates[] = {44100.0, 48000.0, 96000.0};
  const Part tone = {5.0, 0.0};
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    assert_true(fabs(loudness_of(rates[i], 1, 997.0, &tone, 1, 1.0) + 3.01) < 0.02);
    assert_true(fabs(loudness_of(rates[i], 2, 997.0, &tone, 1, 0.1) + 20.0) < 0.02);
  }
}

// EBU Tech 3341, cases 1, 3, 4 and 5: 1 kHz in stereo; each within 0.1 LU, as it demands.
static void gates_leave_out_what_the_standard_leaves_out(void** state) {
  (void)state;
  const Part one[] = {{20.0, -23.0}};
  const Part three[] = {{10.0, -36.0}, {60.0, -23.0}, {10.0, -36.0}};
  const Part four[] = {{10.0, -72.0}, {10.0, -36.0}, {60.0, -23.0}, {10.0, -36.0}, {10.0, -72.0}};
  const Part five[] = {{20.0, -26.0}, {20.1, -20.0}, {20.0, -26.0}};
  assert_true(fabs(loudness_of(48000.0, 2, 1000.0, one, 1, 1.0) + 23.0) < 0.1);
  assert_true(fabs(loudness_of(48000.0, 2, 1000.0, three, 3, 1.0) + 23.0) < 0.1);
  assert_true(fabs(loudness_of(48000.0, 2, 1000.0, four, 5, 1.0) + 23.0) < 0.1);
  assert_true(fabs(loudness_of(48000.0, 2, 1000.0, five, 3, 1.0) + 23.0) < 0.1);
}

// |H(f)|^2 of one filter of BS.1770-4, whose tables are for 48 kHz.
static double power_of(const double b[3], const double a[2], double frequency) {
  const double complex z = cexp(-I * 2.0 * PI * frequency / 48000.0);
  const double h = cabs((b[0] + b[1] * z + b[2] * z * z) / (1.0 + a[0] * z + a[1] * z * z));
  return h * h;
}

// The standard's own coefficients; 0.01 dB for the start of the tone and blocks of parts of periods.
static void tones_are_weighted_as_the_tables_of_the_standard_say(void** state) {
  (void)state;
  static const double shelf[2][3] = {{1.53512485958697, -2.69169618940638, 1.19839281085285},
                                     {-1.69065929318241, 0.73248077421585}};
  static const double high[2][3] = {{1.0, -2.0, 1.0}, {-1.99004745483398, 0.99007225036621}};
  static const double tones[] = {20.0, 40.0, 100.0, 400.0, 1500.0, 2500.0, 8000.0, 16000.0};
  const Part tone = {8.0, -6.0};
  for (size_t i = 0; i < sizeof tones / sizeof tones[0]; ++i) {
    const double power = 0.5 * pow(10.0, -0.6) * power_of(shelf[0], shelf[1], tones[i])
                         * power_of(high[0], high[1], tones[i]);
    const double found = loudness_of(48000.0, 1, tones[i], &tone, 1, 1.0);
    if (fabs(found - (-0.691 + 10.0 * log10(power))) > 0.01) {
      fail_msg("%g Hz: %g instead of %g", tones[i], found, -0.691 + 10.0 * log10(power));
    }
  }
}

// Two channels add their powers: each for itself, and the same tone on both 3.01 dB above it.
static void channels_are_weighted_apart(void** state) {
  (void)state;
  const Part tone = {2.0, -20.0};
  const double one = loudness_of(44100.0, 1, 500.0, &tone, 1, 1.0);
  assert_true(fabs(loudness_of(44100.0, 2, 500.0, &tone, 1, 1.0) - one - 10.0 * log10(2.0)) < 1e-9);
  assert_true(fabs(loudness_of(44100.0, 1, 500.0, &tone, 1, 2.0) - one - 20.0 * log10(2.0)) < 1e-9);
}

static void silence_and_a_moment_have_none(void** state) {
  (void)state;
  const Part silence = {2.0, -1000.0}, moment = {0.39, 0.0};
  assert_true(loudness_of(48000.0, 1, 1000.0, &silence, 1, 1.0) == -HUGE_VAL);
  assert_true(loudness_of(48000.0, 1, 1000.0, &moment, 1, 1.0) == -HUGE_VAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tone_of_the_standard_is_as_loud_as_it_says),
      cmocka_unit_test(gates_leave_out_what_the_standard_leaves_out),
      cmocka_unit_test(tones_are_weighted_as_the_tables_of_the_standard_say),
      cmocka_unit_test(channels_are_weighted_apart),
      cmocka_unit_test(silence_and_a_moment_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
