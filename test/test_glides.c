// SPDX-License-Identifier: MIT
// What built-in instruments that stretch, or have modes of almost one pitch, do over time: measured in
// what is heard.

#include "test.h"

#include <jawari/builtin.h>
#include <jawari/play.h>

#include <math.h>
#include <stdlib.h>

#define RATE 44100.0

// A scene as it is written, at the command's rate, as one channel; the caller frees it.
static float* heard(const char* name, uint32_t frames) {
  JwInstrumentDef def = jw_instrument_default();
  def.name = name, def.rate = RATE, def.gain = 1.0, def.channels = JW_CHANNELS_MONO;
  def.score = true;
  JwInstrument* instrument = NULL;
  assert_int_equal(jw_instrument_create(&def, &instrument), JW_STATUS_OK);
  float* const out = (float*)calloc(frames, sizeof(float));
  assert_non_null(out);
  float* const channels[1] = {out};
  const JwPlayerBlock block = {channels, NULL, frames, NULL, 0};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  jw_instrument_destroy(instrument);
  return out;
}

// How much of a frequency there is from frame `from` on, under Hann's window.
static double share_of(const float* sound, uint32_t from, uint32_t count, double frequency) {
  const double turn = 2.0 * acos(-1.0) * frequency / RATE;
  double c = 1.0, s = 0.0, sums[2] = {0.0, 0.0};
  for (uint32_t i = 0; i < count; ++i) {
    const double w = 0.5 - 0.5 * cos(2.0 * acos(-1.0) * i / count);
    sums[0] += w * sound[from + i] * c;
    sums[1] += w * sound[from + i] * s;
    const double next = c * cos(turn) - s * sin(turn);
    s = c * sin(turn) + s * cos(turn);
    c = next;
  }
  return hypot(sums[0], sums[1]) / count;
}

// The frequency of the largest share between two.
static double peak_between(const float* sound, uint32_t from, uint32_t count, double low,
                           double high) {
  double best = low, most = 0.0;
  for (double f = low; f <= high; f += 0.05) {
    const double share = share_of(sound, from, count, f);
    best = share > most ? f : best;
    most = fmax(most, share);
  }
  return best;
}

// Modes (1, 2) and (2, 1) of a supported plate: (pi/2)(m^2/a^2 + n^2/b^2) sqrt(D/rH).
static double plate_mode(double m, double n) {
  const double young = 1.1e11, rho = 8800.0, nu = 0.34, thickness = 7.2e-3;
  return 0.5 * acos(-1.0) * (m * m / (0.71 * 0.71) + n * n / (0.699 * 0.699)) * thickness
         * sqrt(young / (12.0 * rho * (1.0 - nu * nu)));
}

// Five seconds under Hann's window tell two pitches apart that are 0.8 Hz or more from each other.
static void a_great_gong_breathes(void** state) {
  (void)state;
  enum { FROM = 13230, COUNT = 220500 }; // From 0.3 s on
  float* const sound = heard("gong-ageng", FROM + COUNT);
  const double theory[2] = {plate_mode(2, 1), plate_mode(1, 2)};
  double found[2], share[2];
  for (int i = 0; i < 2; ++i) {
    found[i] = peak_between(sound, FROM, COUNT, theory[i] - 0.8, theory[i] + 0.8);
    share[i] = share_of(sound, FROM, COUNT, found[i]);
  }
  print_message("# %.2f and %.2f Hz (%.2f, %.2f without its stretch), %.1f dB apart\n", found[0],
                found[1], theory[0], theory[1], 20.0 * log10(share[1] / share[0]));
  assert_true(fabs(found[0] - theory[0]) < 0.1 && fabs(found[1] - theory[1]) < 0.1);
  assert_true(found[1] - found[0] > 2.0
              && found[1] - found[0] < 3.0);           // Its text: 2.3 times a second
  assert_true(fabs(log10(share[1] / share[0])) < 0.3); // Within 6 dB: it fades to a third and less
  free(sound);
}

// Cents above G2 of the strongest pitch near it within 0.12 s.
static double cents_at(const float* sound, double time) {
  const uint32_t count = (uint32_t)(0.12 * RATE);
  const double f = peak_between(sound, (uint32_t)(time * RATE), count, 95.0, 103.0);
  return 1200.0 * log2(f / 97.9989);
}

// Slapped hardest at 2.5 s: sharp by a third of a semitone, and down at its pitch a second later.
static void a_slapped_string_glides_down(void** state) {
  (void)state;
  float* const sound = heard("slap-bass", 4 * 44100);
  const double first = cents_at(sound, 2.55), last = cents_at(sound, 3.6);
  print_message("# %.1f cents sharp, then %.1f\n", first, last);
  assert_true(first > 20.0 && first < 45.0 && fabs(last) < 5.0);
  free(sound);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_great_gong_breathes),
      cmocka_unit_test(a_slapped_string_glides_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
