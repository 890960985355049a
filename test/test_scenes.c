// SPDX-License-Identifier: MIT
// The built-in scenes: each renders, closes its ledger, starts silent, has a sane level, sounds at
// its pitch where it has one, and its contacts do what its name says.

#include "test.h"

#include "play.h"

#include <jawari/builtin.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a scene must show within its first `seconds`.
typedef struct {
  const char* scene;
  double seconds;
  const char* contact; ///< Must close at least `closures` times
  uint64_t closures;
  double pitch;       ///< Hz; 0: none
  double flat, sharp; ///< Cents that it may be off, down and up
  bool at_once;       ///< Something moves already at the start
} Expected;

// Pitch.  A window of T seconds tells two frequencies apart by about 1/T; a peak that stands alone
// is found far better: its error is below a tenth of that.  Where a string wraps around a bridge of
// length b it is shorter by at most b: 25 mm of 880 mm are 49 cents.  Stiffness raises the
// fundamental by pi^2 EI / (2 T L^2), below 2 cents for all strings here but the bar.
static const Expected expected[] = {
    {"appendix-d", 0.4, "upper", 10, 0, 0, 0, true},
    {"bat-and-ball", 0.3, "sweet", 1, 0, 0, 0, false},
    {"bouncing-ball", 1.2, "bounce", 8, 0, 0, 0, false},
    {"cello", 0.9, "bridge2", 0, 98.0, 25, 25, false},
    {"cymbal", 0.4, "tip", 1, 0, 0, 0, false},
    {"glass", 0.3, "stroke5", 1, 659.26, 8, 8, false},
    // Soft, at its pitch; what the hard pluck does is in test_stretch.c
    {"glide", 1.9, NULL, 0, 65.41, 12, 12, false},
    {"gong", 0.4, "felt", 1, 0, 0, 0, false},
    {"gong-ageng", 0.4, "padding", 1, 0, 0, 0, false}, // Its beats are in test_glides.c
    {"guitar", 0.8, "fret3-2", 1, 0, 0, 0, false},
    {"hurdy-gurdy", 1.25, "chien", 20, 261.63, 20, 20, false},
    {"marbles", 0.2, "hit1", 2, 0, 0, 0, false},
    {"marimba", 0.3, "head1", 1, 261.63, 8, 8, false},
    {"mass-barrier", 0.1, "bounce", 1, 0, 0, 0, true},
    {"mass-mass", 0.5, "strike", 10, 0, 0, 0, true},
    {"mass-spring-barrier", 0.5, "stop", 3, 0, 0, 0, true},
    {"mass-string", 0.5, "strike", 2, 0, 0, 0, true},
    {"piano", 0.2, "felt16a", 1, 0, 0, 0, false}, // Its pitches are in test_piano.c
    {"piano-c2", 0.5, "felt", 1, 65.406, 8, 8, false},
    {"piano-c4", 0.5, "felt", 1, 261.63, 8, 8, false},
    {"piece", 0.3, "tanpura/jawari1", 50, 103.83, 10, 60, false},
    {"prepared-piano", 0.3, "thread40b", 20, 0, 0, 0, false},
    {"shamisen", 0.5, "sawari", 20, 293.66, 15, 15, false},
    {"sitar", 0.5, "jawari", 100, 69.3, 10, 60, false},
    {"slap-bass", 0.5, "slap", 20, 97.97, 10, 60, false},
    {"snare", 0.2, "snare2-4", 3, 0, 0, 0, false},
    {"string-barrier", 0.25, "rail", 100, 0, 0, 0, false},
    {"string-barrier-modes", 0.1, "rail", 100, 0, 0, 0, false},
    {"string-point-barrier", 0.25, "point", 10, 0, 0, 0, false},
    {"string-string", 0.25, "slap", 20, 0, 0, 0, false},
    {"tam-tam", 0.4, "felt", 1, 0, 0, 0, false},
    {"tanpura", 0.6, "jawari1", 100, 103.83, 10, 60, false},
    {"tromba", 1.5, "rattle", 50, 0, 0, 0, false},
    {"tromba-dry", 0.8, "rattle", 1, 0, 0, 0, false},
    {"tromba-loud", 0.8, "rattle", 50, 0, 0, 0, false},
    {"tromba-marina", 0.25, "rattle", 50, 0, 0, 0, false},
    {"tromba-piece", 0.8, "touch", 1, 0, 0, 0, false},
    {"tromba-small", 0.25, "rattle", 50, 0, 0, 0, false},
    {"tromba-soft", 0.8, "touch", 1, 0, 0, 0, false},
    {"tromba-spring-damped", 0.2, "rattle", 3, 0, 0, 0, false},
    {"tromba-spring-undamped", 0.2, "rattle", 3, 0, 0, 0, false},
    {"tromba-sympathetic", 0.8, "rattle", 50, 0, 0, 0, false},
    {"two-strings", 0.5, "knock", 10, 196.02, 12, 12, false},
    {"violin", 0.5, "bridge1", 0, 196.0, 25, 25, false},
    {"weird-case", 0.4, "upper", 20, 0, 0, 0, false},
};

#define COUNT (sizeof expected / sizeof expected[0])
#define MOST_CHANNELS 64
#define PI 3.14159265358979323846

/// A scene rendered.
typedef struct {
  JwScene* scene;
  JwWorld* world;
  JwPlayer* player; ///< Of the notes in its score; NULL: there are none
  double* out[MOST_CHANNELS];
  uint32_t channels, frames;
  double rate;
} Render;

static void show_errors(const JwScene* scene) {
  for (uint32_t i = 0; i < jw_scene_diagnostics(scene); ++i) {
    char text[4096];
    const JwDiagnostic diagnostic = jw_scene_diagnostic(scene, i);
    jw_diagnostic_format(&diagnostic, text, sizeof text);
    print_message("%s", text);
  }
}

static void open_scene(Render* render, const Expected* e, bool ledger) {
  const JwBuiltinScene* const builtin = jw_builtin_find(e->scene);
  assert_non_null(builtin);
  memset(render, 0, sizeof *render);
  JwStatus status = jw_builtin_load(builtin->name, NULL, &render->scene);
  JwWorldDef def = jw_scene_world(render->scene);
  def.ledger = ledger;
  def.channels = 0; // One a pickup
  status = status ? status : jw_scene_build(render->scene, &def, &render->world);
  show_errors(render->scene);
  assert_int_equal(status, JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(render->world), JW_STATUS_OK);
  char error[JW_ERROR_SIZE];
  const JwPlayerDef player = {render->scene, render->world, NULL};
  if (jw_scene_notes(render->scene) && jw_player_create(&player, &render->player, error)) {
    fail_msg("%s", error);
  }
  render->rate = def.sample_rate;
  render->channels = jw_world_channels(render->world);
  render->frames = (uint32_t)(e->seconds * def.sample_rate);
  for (uint32_t c = 0; c < render->channels; ++c) {
    render->out[c] = (double*)calloc(render->frames, sizeof(double));
  }
}

static void close_scene(Render* render) {
  for (uint32_t c = 0; c < render->channels; ++c) {
    free(render->out[c]);
  }
  jw_player_destroy(render->player);
  jw_world_destroy(render->world);
  jw_scene_destroy(render->scene);
}

static void run_frames(Render* render, uint32_t from, uint32_t count) {
  double* at[MOST_CHANNELS];
  for (uint32_t c = 0; c < render->channels; ++c) {
    at[c] = render->out[c] + from;
  }
  const JwPlayerBlock block = {NULL, at, count, NULL, 0};
  assert_int_equal(render->player ? jw_player_run(render->player, &block)
                                  : jw_world_run_double(render->world, at, count),
                   JW_STATUS_OK);
}

#define MOST_OBJECTS 512
#define MOST_POINTS 10000

/// Largest displacement of each object and largest change in one frame, seen once a block.
typedef struct {
  double displacement[MOST_OBJECTS], change[MOST_OBJECTS];
  double imbalance; ///< Largest |stored + lost - supplied - first value| (J)
} Extremes;

static void run_watched(Render* render, uint32_t from, uint32_t count, Extremes* extremes) {
  static double before[MOST_OBJECTS][MOST_POINTS], after[MOST_POINTS];
  const uint32_t objects = jw_world_info(render->world).objects;
  assert_true(objects <= MOST_OBJECTS);
  run_frames(render, from, count - 1);
  for (uint32_t i = 0; i < objects; ++i) {
    jw_world_field(render->world, (JwObjectId){i + 1}, before[i], MOST_POINTS);
  }
  run_frames(render, from + count - 1, 1);
  const JwEnergy energy = jw_world_energy(render->world);
  extremes->imbalance = fmax(extremes->imbalance, fabs(energy.residual) * energy.peak);
  for (uint32_t i = 0; i < objects; ++i) {
    const uint32_t points = jw_world_field(render->world, (JwObjectId){i + 1}, after, MOST_POINTS);
    for (uint32_t n = 0; n < points; ++n) {
      extremes->displacement[i] = fmax(extremes->displacement[i], fabs(after[n]));
      extremes->change[i] = fmax(extremes->change[i], fabs(after[n] - before[i][n]));
    }
  }
}

/// What rounding may do to the ledger in n frames: each adds a few eps of the energy, with random
/// signs, and the kinetic energy loses |x| / (k |v|) of its digits in x - x_prev: 4 eps sqrt(n)
/// max(1, |x| / (k |v|)).
static double rounding_bound(const Render* render, const Extremes* extremes) {
  double worst = 1.0;
  for (uint32_t i = 0; i < MOST_OBJECTS; ++i) {
    if (extremes->change[i] > 0.0) {
      worst = fmax(worst, extremes->displacement[i] / extremes->change[i]);
    }
  }
  return fmin(1e-9, 4.0 * DBL_EPSILON * sqrt(render->frames) * worst);
}

static double peak_of(const Render* render) {
  double peak = 0.0;
  for (uint32_t c = 0; c < render->channels; ++c) {
    for (uint32_t i = 0; i < render->frames; ++i) {
      assert_true(isfinite(render->out[c][i]));
      peak = fmax(peak, fabs(render->out[c][i]));
    }
  }
  return peak;
}

/// Strength of a frequency in the last part of the first channel, with a Hann window.
static double strength(const Render* render, double frequency) {
  const uint32_t start = render->frames / 3, count = render->frames - start;
  const double* const x = render->out[0] + start;
  double re = 0.0, im = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double window = 1.0 - cos(2.0 * PI * (i + 0.5) / count);
    re += window * x[i] * cos(2.0 * PI * frequency * i / render->rate);
    im += window * x[i] * sin(2.0 * PI * frequency * i / render->rate);
  }
  return re * re + im * im;
}

/// The strongest frequency within a semitone and a half of `near`, to a cent.
static double find_pitch(const Render* render, double near) {
  double best = 0.0, found = 0.0;
  for (int cents = -150; cents <= 150; ++cents) {
    const double frequency = near * pow(2.0, cents / 1200.0);
    const double s = strength(render, frequency);
    if (s > best) {
      best = s;
      found = cents;
    }
  }
  return found;
}

static void renders_as_its_name_says(void** state) {
  const Expected* const e = (const Expected*)*state;
  Render render;
  open_scene(&render, e, true);
  Extremes extremes = {{0.0}, {0.0}, 0.0};
  for (uint32_t done = 0; done < render.frames; done += 256) {
    run_watched(&render, done, render.frames - done < 256 ? render.frames - done : 256, &extremes);
  }
  const JwEnergy energy = jw_world_energy(render.world);
  const double peak = peak_of(&render);
  // Displacement, velocity (m, m/s) or force (N) of things of this size.
  assert_true(peak > 1e-9 && peak < 1e3);
  assert_true(energy.peak > 0.0);
  const double bound = rounding_bound(&render, &extremes);
  const double open = extremes.imbalance / energy.peak;
  if (open > bound || energy.worst_residual > 1e-9) {
    fail_msg("the ledger is open by %g, more than %g", fmax(open, energy.worst_residual), bound);
  }
  for (uint32_t c = 0; c < render.channels && !e->at_once; ++c) {
    assert_true(fabs(render.out[c][0]) <= 1e-3 * peak); // It starts from silence
  }
  const JwScenePart contact = jw_scene_find(render.scene, e->contact ? e->contact : "");
  assert_true(!e->contact || contact.contact.index != 0);
  const JwContactFigures figures = jw_world_contact_figures(render.world, contact.contact);
  if (figures.closures < e->closures) {
    fail_msg("%s closed %llu times, not %llu", e->contact, (unsigned long long)figures.closures,
             (unsigned long long)e->closures);
  }
  if (e->pitch > 0.0) {
    const double cents = find_pitch(&render, e->pitch);
    if (cents < -e->flat || cents > e->sharp) {
      fail_msg("the pitch is off by %g cents", cents);
    }
  }
  close_scene(&render);
}

// ---------------------------------------------------------------- all of them

static void every_scene_is_tested_and_described(void** state) {
  (void)state;
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  assert_int_equal(count, COUNT);
  for (uint32_t i = 0; i < count; ++i) {
    assert_string_equal(scenes[i].name, expected[i].scene);
    JwScene* scene = NULL;
    const JwStatus status = jw_builtin_load(scenes[i].name, NULL, &scene);
    show_errors(scene);
    assert_int_equal(status, JW_STATUS_OK);
    const JwSceneInfo info = jw_scene_info(scene);
    assert_string_equal(info.title, scenes[i].title);
    assert_true(info.description[0] != '\0' && info.source_count > 0);
    assert_true(info.auto_gain && info.duration >= 0.1 && info.duration <= 200.0);
    jw_scene_destroy(scene);
  }
}

static void a_ball_comes_to_rest(void** state) {
  (void)state;
  const Expected whole = {"bouncing-ball", 3.0, "bounce", 1, 0, 0, 0, false};
  Render render;
  open_scene(&render, &whole, false);
  run_frames(&render, 0, render.frames);
  const JwContactFigures figures =
      jw_world_contact_figures(render.world, jw_scene_find(render.scene, "bounce").contact);
  // At rest its weight is carried: m g = 0.0981 N.
  assert_true(figures.closed);
  assert_true(fabs(render.out[0][render.frames - 1] - 0.0981) < 1e-6);
  close_scene(&render);
}

static void strings_in_sympathy_sound_without_being_plucked(void** state) {
  (void)state;
  const Expected part = {"sitar", 0.3, "jawari", 1, 0, 0, 0, false};
  Render render;
  open_scene(&render, &part, false);
  run_frames(&render, 0, render.frames);
  static double field[4096];
  const uint32_t count =
      jw_world_field(render.world, jw_scene_find(render.scene, "taraf1").object, field, 4096);
  double most = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    most = fmax(most, fabs(field[i]));
  }
  assert_true(most > 1e-6);
  close_scene(&render);
}

static void louder_piano_blows_are_brighter(void** state) {
  (void)state;
  const Expected whole = {"piano-c4", 3.4, "felt", 3, 0, 0, 0, false};
  Render render;
  open_scene(&render, &whole, false);
  run_frames(&render, 0, render.frames);
  double brightness[2];
  for (int blow = 0; blow < 2; ++blow) {
    // Energy of the difference over energy of the signal rises with frequency.
    const double* const x = render.out[0] + (uint32_t)((blow ? 3.1 : 0.1) * render.rate);
    double low = 0.0, high = 0.0;
    for (uint32_t i = 1; i < (uint32_t)(0.2 * render.rate); ++i) {
      low += x[i] * x[i];
      high += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
    }
    brightness[blow] = high / low;
  }
  assert_true(brightness[1] > 1.5 * brightness[0]);
  close_scene(&render);
}

static void the_example_of_the_manual_runs_as_it_stands(void** state) {
  (void)state;
  static char manual[100000];
  FILE* const file = fopen(MANUAL, "r");
  assert_non_null(file);
  manual[fread(manual, 1, sizeof manual - 1, file)] = '\0';
  fclose(file);
  const char* const start = strstr(manual, "```json\n") + 8;
  const char* const end = strstr(start, "```");
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_parse(start, (size_t)(end - start), &options, &scene), JW_STATUS_OK);
  const JwWorldDef def = jw_scene_world(scene);
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  assert_int_equal(jw_world_info(world).contacts, 3); // Two and the bow
  assert_true(jw_scene_info(scene).duration == 5.0);
  jw_scene_destroy(scene);
  double* const out = (double*)calloc(11025, sizeof *out);
  double* const channels[1] = {out};
  assert_int_equal(jw_world_run_double(world, channels, 11025), JW_STATUS_OK); // The scene is gone
  jw_world_destroy(world);
  free(out);
}

/// Root mean square of the first channel between two times.
static double level(const Render* render, double from, double to) {
  const uint32_t first = (uint32_t)(from * render->rate), last = (uint32_t)(to * render->rate);
  double sum = 0.0;
  for (uint32_t i = first; i < last; ++i) {
    sum += render->out[0][i] * render->out[0][i];
  }
  return sqrt(sum / (last - first));
}

static void the_dog_barks_when_the_wheel_turns_faster(void** state) {
  (void)state;
  const Expected whole = {"hurdy-gurdy", 1.3, "chien", 1, 0, 0, 0, false};
  Render render;
  open_scene(&render, &whole, false);
  run_frames(&render, 0, render.frames);
  assert_true(level(&render, 1.05, 1.15) > 1.5 * level(&render, 0.8, 0.95));
  close_scene(&render);
}

static void the_tromba_sounds_the_part_of_its_string_up_to_the_bridge(void** state) {
  (void)state;
  const Expected whole = {"tromba-marina", 2.0, "rattle", 1, 0, 0, 0, false};
  Render render;
  open_scene(&render, &whole, false);
  run_frames(&render, 0, render.frames);
  // The bow plays the third harmonic of 32 Hz / 0.868.  The bridge is no hard end: its spring of
  // m (2 pi 500 Hz)^2 = 9870 N/m gives way by T / (x (L - x)) L / 9870 = 4 % of the short part
  // behind it, 0.6 % of the length, 10 cents; the bow takes some more.
  const double cents = find_pitch(&render, 3.0 * 32.0 / 0.868);
  assert_true(cents > -30.0 && cents < 10.0);
  close_scene(&render);
}

int main(void) {
  static struct CMUnitTest tests[COUNT + 7];
  for (size_t i = 0; i < COUNT; ++i) {
    union {
      const Expected* from;
      void* to;
    } pass = {&expected[i]};
    tests[i] =
        (struct CMUnitTest){expected[i].scene, renders_as_its_name_says, NULL, NULL, pass.to};
  }
  size_t count = COUNT;
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(every_scene_is_tested_and_described);
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(a_ball_comes_to_rest);
  tests[count++] =
      (struct CMUnitTest)cmocka_unit_test(strings_in_sympathy_sound_without_being_plucked);
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(louder_piano_blows_are_brighter);
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(the_dog_barks_when_the_wheel_turns_faster);
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(
      the_tromba_sounds_the_part_of_its_string_up_to_the_bridge);
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(the_example_of_the_manual_runs_as_it_stands);
  return _cmocka_run_group_tests("scenes", tests, count, NULL, NULL);
}
