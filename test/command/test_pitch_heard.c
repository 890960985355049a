// SPDX-License-Identifier: MIT
// The pitch that is heard: tones of known frequency, and sounds that have none.

#include "../test.h"

#include "../../tools/pitch.h"

#include <math.h>
#include <stdlib.h>

#define TAU 6.283185307179586

typedef double (*Sound)(double t, double f);

static double heard(Sound sound, double frequency, double rate) {
  enum { BLOCK = 1000 };
  static double frames[2 * BLOCK];
  JwPitch* const pitch = jw_pitch_create(rate, 2);
  assert_non_null(pitch);
  for (uint32_t at = 0; at < (uint32_t)(1.5 * rate); at += BLOCK) {
    for (uint32_t i = 0; i < BLOCK; ++i) {
      frames[2 * i] = sound((at + i) / rate, frequency);
      frames[2 * i + 1] = 0.3 * frames[2 * i];
    }
    assert_true(jw_pitch_take(pitch, frames, BLOCK));
  }
  const double result = jw_pitch_of(pitch);
  jw_pitch_destroy(pitch);
  return result;
}

static double partials(double t, double f) {
  double sum = 0.0;
  for (int p = 1; p <= 12; ++p) {
    sum += sin(TAU * p * f * t + p * p) * exp(-2.0 * p * t) / p;
  }
  return sum;
}
static double second_only(double t, double f) {
  return 0.05 * sin(TAU * f * t) + sin(TAU * 2.0 * f * t) + sin(TAU * 3.0 * f * t);
}
static double sine(double t, double f) {
  return exp(-t) * sin(TAU * f * t);
}
static double silence(double t, double f) {
  return 0.0 * t * f;
}
static double noise(double t, double f) {
  (void)t, (void)f;
  return (double)rand() / RAND_MAX - 0.5;
}
// A chord of three that no common period below 25 Hz holds together.
static double plate(double t, double f) {
  return sin(TAU * f * t) + sin(TAU * 2.38 * f * t + 1.0) + sin(TAU * 3.89 * f * t + 2.0)
         + sin(TAU * 5.21 * f * t);
}

static void tones_are_heard_within_five_cents(void** state) {
  (void)state;
  static const Sound sounds[] = {partials, second_only, sine};
  static const double rates[] = {32000.0, 44100.0, 96000.0};
  double worst = 0.0;
  for (int i = 0; i < 3 * 3 * 12; ++i) {
    const double f = 40.0 * exp2(i / 9 / 2.2);
    if (sounds[i % 3] == second_only && f > 800.0) {
      continue; // Without its fundamental a high tone may be taken for the octave below
    }
    const double pitch = heard(sounds[i % 3], f, rates[i / 3 % 3]);
    const double cents = fabs(1200.0 * log2(pitch / f));
    if (!(cents < 5.0)) {
      fail_msg("sound %d of %g Hz at %g: heard %g", i % 3, f, rates[i / 3 % 3], pitch);
    }
    worst = fmax(worst, cents);
  }
  print_message("# within %.2g cents\n", worst);
}

static void what_has_no_pitch_is_not_given_one(void** state) {
  (void)state;
  srand(1);
  assert_true(isnan(heard(noise, 100.0, 44100.0)));
  assert_true(isnan(heard(silence, 100.0, 44100.0)));
  assert_true(isnan(heard(plate, 173.0, 44100.0)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tones_are_heard_within_five_cents),
      cmocka_unit_test(what_has_no_pitch_is_not_given_one),
  };
  return cmocka_run_group_tests_name("pitch-heard", tests, NULL, NULL);
}
