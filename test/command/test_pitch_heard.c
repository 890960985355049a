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

// A tone until `t` seconds of 1.5, then what has no pitch, or another tone; as loud in its own way.
static double tone_then(double t, double until, double first, double other, double loud) {
  return t < until ? sin(TAU * first * t)
                   : loud * (other > 0.0 ? sin(TAU * other * t) : 2.4 * noise(t, 0.0));
}
static double mostly_tone(double t, double f) {
  return tone_then(t, 0.9, f, 0.0, 1.0);
}
static double mostly_noise(double t, double f) {
  return tone_then(t, 0.5, f, 0.0, 1.0);
}
static double loud_tone_first(double t, double f) {
  return tone_then(t, 0.5, f, 1.7 * f, 0.1);
}
static double loud_tone_last(double t, double f) {
  return tone_then(t, 1.0, f / 1.7, f, 10.0);
}
static double three_tones(double t, double f) {
  return t < 0.5 ? sin(TAU * f * t) : tone_then(t, 1.0, 1.7 * f, 2.6 * f, 1.0);
}

// The noise has 2.4^2/12 of power, the tone 1/2, at a rate at which nothing is averaged away: what
// counts is whose energy is more.
static void a_pitch_is_that_of_most_of_the_energy(void** state) {
  (void)state;
  srand(2);
  assert_true(fabs(heard(mostly_tone, 220.0, 11025.0) - 220.0) < 0.5);
  assert_true(isnan(heard(mostly_noise, 220.0, 11025.0)));
  assert_true(fabs(heard(loud_tone_first, 220.0, 11025.0) - 220.0) < 0.5);
  assert_true(fabs(heard(loud_tone_last, 220.0, 11025.0) - 220.0) < 0.5);
  assert_true(isnan(heard(three_tones, 220.0, 11025.0)));
}

// How far the pitches of the windows are from that of all, by their energy: two tones 20 cents apart of equal length and loudness are 10
// cents apart from their middle, where the median is one of them: 0 for its half, 20 cents for the other.
static double loudness = 1.0;
static double two_near(double t, double f) {
  return loudness * sin(TAU * (t < 0.75 ? f : f * exp2(20.0 / 1200.0)) * t);
}
static double three_soft(double t, double f) {
  return loudness * three_tones(t, f);
}

static double spread(Sound sound, double frequency) {
  JwPitch* const pitch = jw_pitch_create(11025.0, 1);
  assert_non_null(pitch);
  for (int i = 0; i < 16500; ++i) {
    const double frame[1] = {sound(i / 11025.0, frequency)};
    assert_true(jw_pitch_take(pitch, frame, 1));
  }
  const double result = jw_pitch_spread(pitch);
  jw_pitch_destroy(pitch);
  return result;
}

// In sounds of any level: what is heard depends on shares of the energy alone.
static void levels_make_no_difference(void** state) {
  (void)state;
  for (loudness = 1e-6; loudness < 1e7; loudness *= 1e3) {
    assert_true(isnan(heard(three_soft, 220.0, 11025.0)));
    assert_true(fabs(heard(two_near, 220.0, 11025.0) - 221.3) < 1.8);
    // Half of 20 cents of 220 Hz are 1.28 Hz; the windows across the change have neither
    const double away = spread(two_near, 220.0);
    if (!(away > 0.9 && away < 1.7)) {
      fail_msg("spread of %g Hz at %g", away, loudness);
    }
    assert_true(isnan(spread(three_soft, 220.0)));
  }
  loudness = 1.0;
  assert_true(spread(sine, 220.0) < 0.05);
}

// Channels are summed: what they have against each other is not heard in the sum.
static void channels_are_heard_together(void** state) {
  (void)state;
  srand(3);
  JwPitch* const pitch = jw_pitch_create(44100.0, 2);
  assert_non_null(pitch);
  for (int i = 0; i < 44100; ++i) {
    const double tone = sin(TAU * 330.0 * i / 44100.0), other = 5.0 * noise(0.0, 0.0);
    assert_true(jw_pitch_take(pitch, (const double[]){tone + other, tone - other}, 1));
  }
  assert_true(fabs(jw_pitch_of(pitch) - 330.0) < 0.5);
  jw_pitch_destroy(pitch);
}

// A quarter of a second is the least that is looked at; before it there is nothing to say.
static void what_is_too_short_has_no_pitch(void** state) {
  (void)state;
  for (int length = 8000; length <= 12000; length += 4000) {
    JwPitch* const pitch = jw_pitch_create(44100.0, 1);
    assert_non_null(pitch);
    for (int i = 0; i < length; ++i) {
      assert_true(jw_pitch_take(pitch, (const double[]){sin(TAU * 330.0 * i / 44100.0)}, 1));
    }
    assert_true(isnan(jw_pitch_of(pitch)) == (length < 11025));
    jw_pitch_destroy(pitch);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tones_are_heard_within_five_cents),
      cmocka_unit_test(what_has_no_pitch_is_not_given_one),
      cmocka_unit_test(a_pitch_is_that_of_most_of_the_energy),
      cmocka_unit_test(levels_make_no_difference),
      cmocka_unit_test(channels_are_heard_together),
      cmocka_unit_test(what_is_too_short_has_no_pitch),
  };
  return cmocka_run_group_tests_name("pitch-heard", tests, NULL, NULL);
}
