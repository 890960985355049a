// SPDX-License-Identifier: MIT
// What is measured in sounds that are known.

#include "feature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#define RATE 44100.0
#define FRAMES 66150u // 1.5 s
#define PI 3.14159265358979323846

static float sound[FRAMES];

static void silence(void) {
  for (uint32_t i = 0; i < FRAMES; ++i) {
    sound[i] = 0.0f;
  }
}

// A sine that fades by 60 dB in `t60` seconds; infinite: not at all.
static void add(double frequency, double amplitude, double t60) {
  for (uint32_t i = 0; i < FRAMES; ++i) {
    const double t = i / RATE;
    sound[i] += (float)(amplitude * exp(-6.907755278982137 * t / t60)
                        * sin(2.0 * PI * frequency * t + frequency));
  }
}

static JwFeatures measure(void) {
  JwFeatures features;
  assert_int_equal(jw_features_measure(sound, FRAMES, 1, RATE, &features), JW_STATUS_OK);
  return features;
}

static void is_within(JwMeasured found, double wanted, double most) {
  assert_true(found.uncertainty >= 0.0);
  assert_true(found.uncertainty <= most);
  // Three standard deviations, and a hundredth of the largest allowed where nothing scatters
  assert_true(fabs(found.value - wanted) <= 3.0 * found.uncertainty + 0.01 * most);
}

// The pitch of a steady sine is found within five cents (pitch.c), 0.3 %.
static void a_sine_has_its_frequency(void** state) {
  (void)state;
  silence();
  add(440.3, 0.5, INFINITY);
  const JwFeatures f = measure();
  assert_true(fabs(f.f0.value - 440.3) < 440.3 * 0.003);
  // (1) of partials.c: 0.02 of 44100/65536 Hz
  is_within(f.partials[0], 440.3, 0.05);
  is_within(f.levels[0], 20.0 * log10(0.5), 0.2);
  assert_true(isnan(f.partials[1].value));
}

static void stretched_partials_give_their_inharmonicity(void** state) {
  (void)state;
  const double b[] = {0.0, 1e-5, 1e-4, 6e-4};
  for (int n = 0; n < 4; ++n) {
    silence();
    for (int k = 1; k <= 14; ++k) {
      add(147.0 * k * sqrt(1.0 + b[n] * k * k), 0.3 / k, 2.5);
    }
    const JwFeatures f = measure();
    is_within(f.inharmonicity, b[n], 2e-6);
    is_within(f.partials[9], 1470.0 * sqrt(1.0 + 100.0 * b[n]), 0.1);
  }
}

static void every_octave_fades_as_it_was_made(void** state) {
  (void)state;
  silence();
  for (uint32_t band = 0; band < JW_FEATURE_BANDS; ++band) {
    add(jw_feature_band(band), 0.1, 1.6 - 0.2 * band);
  }
  const JwFeatures f = measure();
  for (uint32_t band = 0; band < JW_FEATURE_BANDS; ++band) {
    const double wanted = 1.6 - 0.2 * band;
    // Neighbours leak into a band by the window's side lobes, 31 dB below: one in a hundred
    is_within(f.t60[band], wanted, 0.03 * wanted);
    assert_true(fabs(f.t60[band].value - wanted) < 0.03 * wanted);
  }
}

static void what_does_not_fade_has_no_t60(void** state) {
  (void)state;
  silence();
  add(1000.0, 0.5, INFINITY);
  assert_true(isnan(measure().t60[3].value));
}

static void the_centroid_lies_between_two_sines(void** state) {
  (void)state;
  silence();
  add(1000.0, 0.2, INFINITY);
  add(3000.0, 0.2, INFINITY);
  const JwFeatures f = measure();
  for (uint32_t i = 0; i < JW_FEATURE_STRETCHES; ++i) {
    // Equal power at 1 and 3 kHz; a Hann window of 2048 spreads each evenly
    assert_true(fabs(f.centroid[i].value - 2000.0) < 10.0);
    assert_true(f.centroid[i].uncertainty < 10.0);
  }
}

// BS.1770: a sine of 997 Hz and full scale in one channel is -3.01 LKFS.
static void loudness_is_that_of_the_standard(void** state) {
  (void)state;
  silence();
  add(997.0, 1.0, INFINITY);
  const JwFeatures f = measure();
  assert_true(fabs(f.loudness.value + 3.01) < 0.02);
  assert_true(f.loudness.uncertainty < 0.02);
}

static void silence_has_nothing(void** state) {
  (void)state;
  silence();
  const JwFeatures f = measure();
  const double* const numbers = (const double*)&f;
  for (size_t i = 0; i < sizeof f / sizeof(double); ++i) {
    assert_true(isnan(numbers[i]));
  }
}

static void short_and_empty_sounds_have_nothing_to_say(void** state) {
  (void)state;
  silence();
  add(440.0, 0.5, 1.0);
  for (uint32_t frames = 0; frames < 3000; frames += frames < 4 ? 1 : 997) {
    JwFeatures f;
    assert_int_equal(jw_features_measure(sound, frames, 1, RATE, &f), JW_STATUS_OK);
    assert_true(isnan(f.loudness.value));
  }
}

static void what_is_not_finite_is_refused(void** state) {
  (void)state;
  JwFeatures f;
  silence();
  sound[100] = NAN;
  assert_int_equal(jw_features_measure(sound, FRAMES, 1, RATE, &f), JW_STATUS_BAD_VALUE);
  sound[100] = 0.0f;
  assert_int_equal(jw_features_measure(sound, FRAMES, 1, INFINITY, &f), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_features_measure(sound, FRAMES, 1, 0.0, &f), JW_STATUS_BAD_VALUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sine_has_its_frequency),
      cmocka_unit_test(stretched_partials_give_their_inharmonicity),
      cmocka_unit_test(every_octave_fades_as_it_was_made),
      cmocka_unit_test(what_does_not_fade_has_no_t60),
      cmocka_unit_test(the_centroid_lies_between_two_sines),
      cmocka_unit_test(loudness_is_that_of_the_standard),
      cmocka_unit_test(silence_has_nothing),
      cmocka_unit_test(short_and_empty_sounds_have_nothing_to_say),
      cmocka_unit_test(what_is_not_finite_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
