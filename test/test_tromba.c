// The tromba marina: harmonics, rattle, ledger.  docs/tromba.md describes the instrument.

#include "test.h"

#include "builtin.h"
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define RATE 48000

enum { COUNT = RATE + RATE / 4, FROM = RATE / 2 }; // Played for 1.25 s, looked at from 0.5 s

typedef struct {
  JwScene* scene;
  JwWorld* world;
  JwPlayer* player;
} Stage;

static void set(Stage* stage, const char* name)
{
  assert_non_null(jw_builtin_find(name));
  assert_int_equal(jw_builtin_parse(jw_builtin_find(name), &stage->scene), JW_STATUS_OK);
  jw_scene_mute(stage->scene);
  JwWorldDef def = jw_scene_world(stage->scene);
  def.sample_rate = RATE;
  def.channels = 1;
  def.ledger = true;
  assert_int_equal(jw_scene_build(stage->scene, &def, &stage->world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(stage->world), JW_STATUS_OK);
  const JwPlayerDef player = {stage->scene, stage->world, NULL};
  char error[JW_ERROR_SIZE] = "";
  stage->player = NULL;
  if (jw_player_create(&player, &stage->player, error)) {
    fail_msg("%s: %s", name, error);
  }
}

static void clear(Stage* stage)
{
  jw_player_destroy(stage->player);
  jw_world_destroy(stage->world);
  jw_scene_destroy(stage->scene);
}

static float out[COUNT];

// Play a key from silence.
static void play(const char* name, int key, int velocity, JwEnergy* energy)
{
  Stage stage;
  set(&stage, name);
  float* const channels[1] = {out};
  const JwPlayerEvent on = {0, {0x90, (uint8_t)key, (uint8_t)velocity}, 3};
  const JwPlayerBlock block = {channels, NULL, COUNT, &on, 1};
  assert_int_equal(jw_player_run(stage.player, &block), JW_STATUS_OK);
  *energy = jw_world_energy(stage.world);
  clear(&stage);
}

// ---------------------------------------------------------------- what was heard

// Component at f of `count` samples from `start`, Hann window.
static void component(uint32_t start, uint32_t count, double f, double result[2])
{
  result[0] = result[1] = 0.0;
  for (uint32_t n = 0; n < count; ++n) {
    const double w = 0.5 - 0.5 * cos(2.0 * PI * (n + 0.5) / count), angle = 2.0 * PI * f * (start + n) / RATE;
    result[0] += w * out[start + n] * cos(angle);
    result[1] -= w * out[start + n] * sin(angle);
  }
}

// Frequency of the component near f: its phase in two halves.  Good for 1/(2 x 0.375 s) = 1.3 Hz to either
// side at first, so f is first moved to the strongest of its neighbours.
static double pitch_near(double f)
{
  const uint32_t half = (COUNT - FROM) / 2;
  double best = 0.0, at = f, c[2];
  for (double near = f * 0.97; near <= f * 1.03; near += 1.0) {
    component(FROM, COUNT - FROM, near, c);
    if (hypot(c[0], c[1]) > best) {
      best = hypot(c[0], c[1]);
      at = near;
    }
  }
  for (int pass = 0; pass < 3; ++pass) {
    double a[2], b[2];
    component(FROM, half, at, a);
    component(FROM + half, half, at, b);
    at += remainder(atan2(b[1], b[0]) - atan2(a[1], a[0]), 2.0 * PI) / (2.0 * PI) * RATE / half;
  }
  return at;
}

// Strength at f against that at the open string's neighbouring harmonics: which of them sounds.
static double clearness(double f, double f0)
{
  double own[2], below[2], above[2];
  component(FROM, COUNT - FROM, f, own);
  component(FROM, COUNT - FROM, f - f0, below);
  component(FROM, COUNT - FROM, f + f0, above);
  return hypot(own[0], own[1]) / fmax(hypot(below[0], below[1]), hypot(above[0], above[1]));
}

// Share of the power above 2 kHz, by a one-pole high-pass taken twice.
static double brightness(void)
{
  const double a = exp(-2.0 * PI * 2000.0 / RATE);
  double x1 = 0.0, y1 = 0.0, x2 = 0.0, y2 = 0.0, high = 0.0, all = 0.0;
  for (uint32_t n = 0; n < COUNT; ++n) {
    y1 = a * (y1 + out[n] - x1);
    x1 = out[n];
    y2 = a * (y2 + y1 - x2);
    x2 = y1;
    if (n >= FROM) {
      high += y2 * y2;
      all += (double)out[n] * out[n];
    }
  }
  return high / all;
}

// ---------------------------------------------------------------- claims

static const int keys[17] = {0, 36, 48, 55, 60, 64, 67, 70, 72, 74, 76, 77, 79, 80, 82, 83, 84};

// Stiffness of the gut string: B = pi^2 E I / (T L^2) with L the part that sounds; mode n lies at
// n f0 sqrt((1 + B n^2)/(1 + B)).  Ten cents is what is asked; the bow and the bridge move a note by a few.
static void harmonics_2_to_16_speak_within_10_cents(void** state)
{
  (void)state;
  const double sounding = 0.868 * 1.9, bending = 5e9 * PI * 1e-12 / 4.0, tension = 189.4;
  const double b = PI * PI * bending / (tension * sounding * sounding);
  const double f0 = sqrt(tension / (1300.0 * PI * 1e-6)) / (2.0 * sounding) * sqrt(1.0 + b);
  double worst = 0.0;
  for (int n = 2; n <= 16; ++n) {
    const double expected = n * f0 * sqrt((1.0 + b * n * n) / (1.0 + b));
    JwEnergy energy;
    play("tromba-soft", keys[n], 90, &energy);
    const double f = pitch_near(expected), cents = 1200.0 * log2(f / expected);
    print_message("# %2d: %.2f Hz, %+.1f cents, %.0f times its neighbours\n", n, f, cents, clearness(f, f0));
    assert_true(fabs(cents) < 10.0);
    assert_true(clearness(f, f0) > 3.0); // 10 dB: it is this harmonic that sounds
    assert_true(energy.worst_residual < 1e-10);
    worst = fmax(worst, fabs(cents));
  }
  print_message("# open string %.2f Hz; at most %.1f cents off\n", f0, worst);
}

static void the_loose_foot_adds_what_is_bright(void** state)
{
  (void)state;
  JwEnergy energy;
  play("tromba-soft", keys[3], 100, &energy);
  const double soft = brightness();
  play("tromba", keys[3], 110, &energy);
  const double rattle = brightness();
  assert_true(energy.worst_residual < 1e-10);
  play("tromba-loud", keys[3], 110, &energy);
  const double loud = brightness();
  print_message("# above 2 kHz: soft %.2g, rattling %.2g, loud %.2g of the power\n", soft, rattle, loud);
  // The filter lets (600/2000)^4 = 0.8 % of the third partial through, which is what is left without the
  // foot; the rattle stands 10 dB above that.
  assert_true(rattle > 10.0 * soft && loud > 10.0 * soft);
}

static void every_preset_can_be_played(void** state)
{
  (void)state;
  static const char* const names[] = {"tromba", "tromba-dry", "tromba-loud", "tromba-soft", "tromba-sympathetic"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    JwEnergy energy;
    play(names[i], keys[4], 80, &energy);
    double sum = 0.0;
    for (uint32_t n = FROM; n < COUNT; ++n) {
      sum += (double)out[n] * out[n];
    }
    print_message("# %s: rms %.2g, residual %.1e\n", names[i], sqrt(sum / (COUNT - FROM)), energy.worst_residual);
    assert_true(sqrt(sum / (COUNT - FROM)) > 1e-5);
    assert_true(energy.worst_residual < 1e-10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(harmonics_2_to_16_speak_within_10_cents),
      cmocka_unit_test(the_loose_foot_adds_what_is_bright),
      cmocka_unit_test(every_preset_can_be_played),
  };
  return cmocka_run_group_tests_name("tromba", tests, NULL, NULL);
}
