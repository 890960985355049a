// SPDX-License-Identifier: MIT
// The tromba marina's loose foot: how much of the sound is rattle, over bow force and guidon.
//
// The built-in scene, its third harmonic, bowed with each force at each gap; heard after half a
// second.  The share of the power above 2 kHz (Fourier transform of half a second, Hann window) is
// the rattle: without it the board's string sound ends well below.

#include "bow/bow.h"
#include "recording.h"

#include <jawari/builtin.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

enum {
  GAPS = 8,
  FORCES = 6,
  CELLS = GAPS * FORCES,
  RATE = 48000,
  SETTLE = RATE * 7 / 10,
  LOOK = 16384
};

static const double gap_range[2] = {-4e-6, 2.8e-5}, force_range[2] = {0.04, 0.8};

typedef struct {
  double gap[CELLS], force[CELLS], bright[CELLS], closures[CELLS];
} Map;

static bool bow(JwPaperRun* run, JwWorld* world, const JwScene* scene,
                const double gap_and_force[2]) {
  const JwTarget gap = {.control = JW_CONTROL_GAP,
                        .contact = jw_scene_find(scene, "rattle").contact};
  const JwTarget force = {.control = JW_CONTROL_FORCE,
                          .contact = jw_scene_find(scene, "bow").contact};
  if (jw_world_set(world, gap, gap_and_force[0], 0.05)
      || jw_world_set(world, force, gap_and_force[1], 0.2)) {
    return jw_paper_fail(run, "the scene has no rattle or no bow");
  }
  return true;
}

// In place, `count` a power of two: the plain radix-2 transform.
static void transform(double* re, double* im, size_t count) {
  for (size_t i = 1, j = 0; i < count; ++i) {
    size_t bit = count >> 1;
    for (; j & bit; bit >>= 1) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      const double a = re[i], b = im[i];
      re[i] = re[j], im[i] = im[j];
      re[j] = a, im[j] = b;
    }
  }
  for (size_t length = 2; length <= count; length *= 2) {
    for (size_t start = 0; start < count; start += length) {
      for (size_t k = 0; k < length / 2; ++k) {
        const double angle = -2.0 * PI * (double)k / (double)length, c = cos(angle), s = sin(angle);
        double* const ar = &re[start + k];
        double* const ai = &im[start + k];
        double* const br = ar + length / 2;
        double* const bi = ai + length / 2;
        const double x = *br * c - *bi * s, y = *br * s + *bi * c;
        *br = *ar - x, *bi = *ai - y;
        *ar += x, *ai += y;
      }
    }
  }
}

static double brightness(const double* sound) {
  static double re[LOOK], im[LOOK];
  double high = 0.0, all = 0.0;
  for (size_t n = 0; n < LOOK; ++n) {
    re[n] = sound[n] * (0.5 - 0.5 * cos(2.0 * PI * ((double)n + 0.5) / LOOK));
    im[n] = 0.0;
  }
  transform(re, im, LOOK);
  for (size_t n = 1; n < LOOK / 2; ++n) {
    const double power = re[n] * re[n] + im[n] * im[n];
    all += power;
    high += (double)n * RATE / LOOK > 2000.0 ? power : 0.0;
  }
  return all > 0.0 ? high / all : 0.0;
}

// The third force at the nearest foot that rattles, and at the farthest.
static bool play(JwPaperRun* run, const double* sound, int cell) {
  const bool near = cell == 2 * GAPS + 1, far = cell == 3 * GAPS - 1;
  if (!near && !far) {
    return true;
  }
  static double scaled[SETTLE + LOOK];
  double largest = 0.0;
  for (size_t n = 0; n < SETTLE + LOOK; ++n) {
    largest = fmax(largest, fabs(sound[n]));
  }
  for (size_t n = 0; n < SETTLE + LOOK; ++n) {
    scaled[n] = largest > 0.0 ? 0.5 * sound[n] / largest : 0.0;
  }
  const JwPaperColumn column = {near ? "Foot near the plate: it rattles"
                                     : "Foot far from the plate: it does not",
                                scaled, SETTLE + LOOK};
  return jw_paper_sound(run, near ? "bow-rattle-near" : "bow-rattle-far", &column, RATE);
}

static bool fill_cell(JwPaperRun* run, JwScene* scene, Map* map, int cell) {
  static double sound[SETTLE + LOOK];
  double* const out[1] = {sound};
  const double place[2] = {
      map->gap[cell] = gap_range[0] + (gap_range[1] - gap_range[0]) * (cell % GAPS + 0.5) / GAPS,
      map->force[cell] =
          force_range[0] * pow(force_range[1] / force_range[0], (cell / GAPS + 0.5) / FORCES)};
  JwWorldDef def = jw_scene_world(scene);
  def.sample_rate = RATE;
  def.channels = 1;
  JwWorld* world = NULL;
  bool good = !jw_scene_build(scene, &def, &world) && !jw_world_prepare(world);
  good = good ? bow(run, world, scene, place) : jw_paper_fail(run, "the scene cannot be built");
  if (good && jw_world_run_double(world, out, SETTLE + LOOK)) {
    good = jw_paper_fail(run, "not finite");
  }
  if (good) {
    const JwContactId rattle = jw_scene_find(scene, "rattle").contact;
    good = play(run, sound, cell);
    map->bright[cell] = brightness(sound + SETTLE);
    map->closures[cell] = (double)jw_world_contact_figures(world, rattle).closures;
  }
  jw_world_destroy(world);
  return good;
}

// Mean over the forces of a column, or over the gaps of a row.
static double mean_of(const Map* map, int gap, int force) {
  double sum = 0.0;
  int count = 0;
  for (int cell = 0; cell < CELLS; ++cell) {
    if ((gap < 0 || cell % GAPS == gap) && (force < 0 || cell / GAPS == force)) {
      sum += map->bright[cell];
      ++count;
    }
  }
  return sum / count;
}

static bool draw(JwPaperRun* run, const Map* map) {
  JwPlotHeat heat = {.values = map->bright,
                     .rows = FORCES,
                     .columns = GAPS,
                     .label = "share of power above 2 kHz"};
  heat.x[0] = gap_range[0], heat.x[1] = gap_range[1];
  heat.y[0] = force_range[0], heat.y[1] = force_range[1];
  JwPlotPanel panel = jw_plot_panel_default();
  panel.x = (JwPlotAxis){
      .label = "gap under the loose foot", .unit = "m", .min = heat.x[0], .max = heat.x[1]};
  panel.y = (JwPlotAxis){
      .label = "bow force", .unit = "N", .min = heat.y[0], .max = heat.y[1], .log = true};
  panel.heat = &heat;
  JwPlotSeries played = jw_paper_line(map->gap, map->force, CELLS, "played");
  played.kind = JW_PLOT_POINTS, played.marker = JW_PLOT_DOT, played.color = JW_PLOT_GREY;
  panel.series = &played, panel.series_count = 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "The tromba marina's rattle";
  figure.caption = "Third harmonic; a negative gap presses the foot onto the plate";
  figure.panels = &panel;
  figure.panel_count = 1;
  return jw_paper_figure(run, "bow-rattle", &figure);
}

static bool agree(JwPaperRun* run, const Map* map) {
  const double far = mean_of(map, GAPS - 1, -1), near = mean_of(map, 1, -1);
  char text[200];
  snprintf(
      text, sizeof text,
      "Mean share above 2 kHz: %.3g at the largest gap, %.3g at the second smallest; %.3g at the "
      "lightest bow, %.3g at the heaviest.",
      far, near, mean_of(map, -1, 0), mean_of(map, -1, FORCES - 1));
  return jw_paper_remark(run, text)
         && jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity =
                     "brightness of a near foot over that of a far one, 10 or more (1: yes)",
                 .theirs = 1.0,
                 .ours = near >= 10.0 * far,
                 .own = true,
                 .why = "a foot that does not touch cannot rattle: 10 dB at least"})
         && jw_paper_agree(run,
                           (JwPaperAgreement){
                               .quantity = "a heavier bow rattles more than a lighter one (1: yes)",
                               .theirs = 1.0,
                               .ours = mean_of(map, -1, FORCES - 1) > mean_of(map, -1, 0),
                               .own = true,
                               .why = "a sharper corner on the string rocks the bridge harder"});
}

bool jw_bow_rattle(JwPaperRun* run) {
  static Map map;
  JwScene* scene = NULL;
  memset(&map, 0, sizeof map);
  bool good = jw_builtin_find("tromba") && !jw_builtin_load("tromba", NULL, &scene);
  if (!good) {
    jw_scene_destroy(scene);
    return jw_paper_fail(run, "the scene tromba cannot be read");
  }
  jw_scene_mute(scene);
  for (int cell = 0; good && cell < CELLS; ++cell) {
    good = fill_cell(run, scene, &map, cell);
  }
  jw_scene_destroy(scene);
  const JwPaperColumn columns[] = {{"gap_m", map.gap, CELLS},
                                   {"force_n", map.force, CELLS},
                                   {"above_2khz", map.bright, CELLS},
                                   {"closures", map.closures, CELLS}};
  return good && jw_paper_csv(run, "bow-rattle", columns, 4) && draw(run, &map) && agree(run, &map);
}
