// SPDX-License-Identifier: MIT
// A Schelleng diagram: what the string does over bow force and position, both on logarithmic axes.
//
// Schelleng's limits: the largest force falls as 1/beta, the smallest as 1/beta^2.  The first
// follows from the corner that must free the string from the bow, whose shape does not depend on
// beta much; it is stated here as the slope of the measured limit, a straight line through the
// largest force that speaks at each place.

#include "bow/bow.h"
#include "bow/bowed.h"
#include "recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 12, FORCES = 16, CELLS = PLACES * FORCES };

static const double beta_range[2] = {0.02, 0.25}, force_range[2] = {0.01, 2.0};

typedef struct {
  double beta[CELLS], force[CELLS]; ///< Of each cell
  double slips[CELLS], pitch[CELLS], apart[CELLS];
  double worst;     ///< Cents between the two bows where both speak, and do in the cells around
  double worst_rim; ///< The same in cells beside one that does not speak
  int speaking, one;
} Map;

static double between(const double range[2], int index, int count) {
  return range[0] * pow(range[1] / range[0], ((double)index + 0.5) / (double)count);
}

static bool fill_cell(JwPaperRun* run, Map* map, int cell) {
  JwBowedDef def = jw_bowed_default(JW_BOWED_VIOLIN_A4);
  def.beta = map->beta[cell] = between(beta_range, cell % PLACES, PLACES);
  def.force = map->force[cell] = between(force_range, cell / PLACES, FORCES);
  JwBowedMotion refined, newton;
  JwStatus status = jw_bowed_run(&def, &refined);
  def.method = JW_BOW_NEWTON;
  status = status ? status : jw_bowed_run(&def, &newton);
  if (status) {
    return jw_paper_fail(run, "bowing failed: %s", jw_status_name(status));
  }
  const bool both = jw_bowed_speaks(&refined) && jw_bowed_speaks(&newton);
  map->slips[cell] = fmin(refined.slips, 5.0);
  map->pitch[cell] =
      jw_bowed_speaks(&refined) ? jw_bowed_cents(refined.pitch, refined.expected) : NAN;
  map->apart[cell] = both ? jw_bowed_cents(refined.pitch, newton.pitch) : NAN;
  map->speaking += both;
  map->one += jw_bowed_speaks(&refined) != jw_bowed_speaks(&newton);
  return true;
}

// Do both bows speak at this place of the map?  Outside of it counts as yes.
static bool speaks(const Map* map, int place, int force) {
  return place < 0 || force < 0 || place >= PLACES || force >= FORCES
         || isfinite(map->apart[force * PLACES + place]);
}

static void compare_bows(Map* map) {
  for (int cell = 0; cell < CELLS; ++cell) {
    const int p = cell % PLACES, f = cell / PLACES;
    if (speaks(map, p, f)) {
      const bool inside = speaks(map, p - 1, f) && speaks(map, p + 1, f) && speaks(map, p, f - 1)
                          && speaks(map, p, f + 1);
      double* const worst = inside ? &map->worst : &map->worst_rim;
      *worst = fmax(*worst, fabs(map->apart[cell]));
    }
  }
}

// ---------------------------------------------------------------- the limit of force

// Exponent of the largest speaking force over beta, by least squares on logarithms.
static double slope_of_limit(const Map* map) {
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (int p = 0; p < PLACES; ++p) {
    int top = -1;
    for (int f = 0; f < FORCES; ++f) {
      top = isfinite(map->pitch[f * PLACES + p]) ? f : top;
    }
    if (top < 0 || top == FORCES - 1 || map->beta[p] < 0.04) {
      continue; // The limit is not inside of the map, or the bow is on the grid's first two points
    }
    const double x = log(map->beta[p]), y = log(map->force[top * PLACES + p]);
    n += 1.0, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return n > 2.0 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : NAN;
}

static bool agree(JwPaperRun* run, const Map* map) {
  bool good = jw_paper_agree(
      run, (JwPaperAgreement){
               .quantity = "largest distance of the default bow's pitch from the iterated "
                           "bow's, inside of the region that speaks",
               .unit = "cents",
               .theirs = 0.0,
               .ours = map->worst,
               .tolerance = 5.0,
               .own = true,
               .why = "five cents is the smallest difference of pitch commonly heard"});
  good =
      good
      && jw_paper_agree(
          run, (JwPaperAgreement){
                   .quantity = "exponent of the largest force over beta",
                   .theirs = -1.0,
                   .ours = slope_of_limit(map),
                   .tolerance = 0.35,
                   .own = true,
                   .why = "Schelleng's limit is for friction that falls as a step; forces here are "
                          "a factor 1.39 apart, over a factor 5.6 in beta: 0.19 at each end, and a "
                          "smooth friction curve bends the line by about as much"});
  // A share of the cells that speak with either bow: the limits of the two run through the same
  // cells.
  return good
         && jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity = "share of cells in which one bow speaks and the other does not",
                 .theirs = 0.0,
                 .ours = (double)map->one / (double)(map->one + map->speaking),
                 .tolerance = 0.1,
                 .own = true,
                 .why = "at the limits the motion is chaotic; they make up about a tenth of the "
                        "cells"});
}

enum { LIMITS = 2 };

// Schelleng's limits, the largest force and the least: 2 Z v/beta and Z v s/(4 f beta^2), derived
// in src/scene/warn.c; s is the decay that the string's T60 is.
static void limits_at(double beta, double limits[LIMITS]) {
  const JwBowedDef def = jw_bowed_default(JW_BOWED_VIOLIN_A4);
  const JwBowedString* const string = def.string;
  const double per_length =
      string->density * 3.14159265358979323846 * string->radius * string->radius;
  const double impedance = sqrt(string->tension * per_length),
               decay = 3.0 * log(10.0) / string->decay[1];
  limits[0] = 2.0 * impedance * def.speed / beta;
  limits[1] = impedance * def.speed * decay / (4.0 * string->decay[0] * beta * beta);
}

// Where the map's limits lie against the two lines, in the mean of logarithms over places with the
// limit inside of the map.
static bool agree_on_limits(JwPaperRun* run, const Map* map) {
  double sum[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
  for (int p = 0; p < PLACES; ++p) {
    int low = FORCES, top = -1;
    for (int f = 0; f < FORCES; ++f) {
      if (isfinite(map->pitch[f * PLACES + p])) {
        low = f < low ? f : low;
        top = f;
      }
    }
    double limits[LIMITS];
    limits_at(map->beta[p], limits);
    if (top >= 0 && top < FORCES - 1 && map->beta[p] >= 0.04) {
      sum[0] += log(map->force[top * PLACES + p] / limits[0]), count[0] += 1.0;
    }
    if (low > 0 && low < FORCES) {
      sum[1] += log(map->force[low * PLACES + p] / limits[1]), count[1] += 1.0;
    }
  }
  return jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity = "largest force that speaks over 2 Z v/beta, mean of logarithms",
                 .theirs = 0.0,
                 .ours = sum[0] / count[0],
                 .tolerance = log(2.0),
                 .own = true,
                 .why = "Schelleng's corner is sharp; one of finite width frees the string "
                        "less easily"})
         && jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity =
                     "smallest force that speaks over Z v s/(4 f beta^2), mean of logarithms",
                 .theirs = 0.0,
                 .ours = sum[1] / count[1],
                 .tolerance = log(2.0) + log(1.39),
                 .own = true,
                 .why = "a factor of 2 in what is lost by a corner that friction keeps rounding "
                        "and sharpening, and a cell, 1.39, of the map"});
}

static bool tell_rim(JwPaperRun* run, const Map* map) {
  char text[200];
  snprintf(
      text, sizeof text,
      "Beside cells that do not speak the two bows are up to %.1f cents apart: there the motion "
      "wanders, and no two solvers wander alike.",
      map->worst_rim);
  return jw_paper_remark(run, text);
}

// ---------------------------------------------------------------- figure

// What is known of the map without playing it, and where it was played.
enum { LINE = 33, OVERLAYS = LIMITS + 1 };

typedef struct {
  double beta[LINE], force[LIMITS][LINE];
  JwPlotSeries series[OVERLAYS];
} Overlay;

static void fill_overlay(Overlay* o, const Map* map) {
  static const char* const labels[LIMITS] = {"2Zv/\u03b2", "Zv\u03c3/(4f\u03b2^{2})"};
  for (int i = 0; i < LINE; ++i) {
    const double beta = beta_range[0] * pow(beta_range[1] / beta_range[0], (double)i / (LINE - 1));
    double limits[LIMITS];
    limits_at(beta, limits);
    o->beta[i] = beta;
    for (int l = 0; l < LIMITS; ++l) { // A line that leaves the map ends there
      o->force[l][i] = limits[l] >= force_range[0] && limits[l] <= force_range[1] ? limits[l] : NAN;
    }
  }
  for (int l = 0; l < LIMITS; ++l) {
    o->series[l] = jw_paper_line(o->beta, o->force[l], LINE, labels[l]);
    o->series[l].color = 2, o->series[l].dash = l ? JW_PLOT_DOTTED : JW_PLOT_DASHED,
    o->series[l].width = 2.0;
  }
  o->series[LIMITS] = jw_paper_line(map->beta, map->force, CELLS, "played");
  o->series[LIMITS].kind = JW_PLOT_POINTS, o->series[LIMITS].marker = JW_PLOT_DOT;
  o->series[LIMITS].color = JW_PLOT_GREY;
}

static JwPlotPanel panel_of(const JwPlotHeat* heat, const char* title, const Overlay* overlay) {
  JwPlotPanel panel = jw_plot_panel_default();
  panel.title = title;
  panel.x = (JwPlotAxis){
      .label = "bow position over length", .min = heat->x[0], .max = heat->x[1], .log = true};
  panel.y = (JwPlotAxis){
      .label = "bow force", .unit = "N", .min = heat->y[0], .max = heat->y[1], .log = true};
  panel.heat = heat;
  panel.series = overlay->series, panel.series_count = OVERLAYS;
  return panel;
}

static JwPlotHeat heat_of(const double* values, const char* label, double low, double high) {
  JwPlotHeat heat = {.values = values, .rows = FORCES, .columns = PLACES, .label = label};
  for (int i = 0; i < 2; ++i) {
    heat.x[i] = beta_range[i];
    heat.y[i] = force_range[i];
  }
  heat.range[0] = low;
  heat.range[1] = high;
  heat.diverging = low < 0.0;
  return heat;
}

static bool draw(JwPaperRun* run, const Map* map) {
  const JwPlotHeat heats[3] = {
      heat_of(map->slips, "slips a period", 0.0, 5.0),
      heat_of(map->pitch, "cents against the string", -30.0, 30.0),
      heat_of(map->apart, "cents between the bows", -5.0, 5.0),
  };
  static Overlay overlay;
  fill_overlay(&overlay, map);
  const JwPlotPanel panels[3] = {panel_of(&heats[0], "Slips in each period", &overlay),
                                 panel_of(&heats[1], "Pitch", &overlay),
                                 panel_of(&heats[2], "Default bow against iterated bow", &overlay)};
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A violin's A string under the bow";
  figure.caption =
      "Empty cells: the string does not speak with that bow (right: with one of the two). Each cell was played at its "
      "dot; lines: Schelleng's limits";
  figure.panels = panels;
  figure.panel_count = 3;
  figure.columns = 3;
  figure.width = 1300.0;
  return jw_paper_figure(run, "bow-schelleng", &figure);
}

bool jw_bow_schelleng(JwPaperRun* run) {
  static Map map;
  memset(&map, 0, sizeof map);
  for (int cell = 0; cell < CELLS; ++cell) {
    if (!fill_cell(run, &map, cell)) {
      return false;
    }
  }
  compare_bows(&map);
  const JwPaperColumn columns[] = {
      {"beta", map.beta, CELLS},
      {"force_n", map.force, CELLS},
      {"slips", map.slips, CELLS},
      {"cents", map.pitch, CELLS},
      {"cents_from_newton", map.apart, CELLS},
  };
  return jw_paper_csv(run, "bow-schelleng", columns, sizeof columns / sizeof *columns)
         && draw(run, &map) && agree(run, &map) && agree_on_limits(run, &map)
         && tell_rim(run, &map);
}
