// SPDX-License-Identifier: MIT
// Von Karman's plate in the engine: how it hardens, and what blows of many thicknesses do to its ledger
// and its load.

#include "../build.h"
#include "../recording.h"
#include "nonlinear.h"

#include <math.h>
#include <stdio.h>

enum { BLOWS = 4, SWINGS = 6 };

static const double pi = 3.14159265358979323846;
static const double side_a = 0.42, side_b = 0.38, thickness = 1.5e-3;

typedef struct {
  double force[BLOWS], reach[BLOWS], misfit[BLOWS], residual[BLOWS], stretch[BLOWS];
  double swing[SWINGS], rise[SWINGS], exact[SWINGS];
} Sheet;

static JwPlateDef plate_of(uint32_t modes) {
  JwPlateDef def = jw_plate_default();
  def.size[0] = side_a, def.size[1] = side_b, def.thickness = thickness;
  def.method = JW_METHOD_MODES, def.modes = modes, def.nonlinear = JW_NONLINEAR_LOCAL;
  return def;
}

static JwPort at(JwObjectId id, double x, double y) {
  JwPort port = jw_port(id, x);
  port.y = y;
  return port;
}

// Three blows while it still rings.
static bool strike(JwPaperRun* run, Sheet* s, int blow) {
  const double rate = 48000.0;
  JwBuild b = jw_build_begin(rate, true);
  JwPlateDef def = plate_of(120);
  def.loss[0] = 1.3, def.loss[1] = 1e-4;
  JwObjectId id = {0};
  b.status = b.status ? b.status : jw_world_add_plate(b.world, &def, &id);
  for (int i = 0; i < 3; ++i) {
    JwForceDef force = jw_force_default();
    force.port = at(id, 0.37, 0.42), force.amplitude = s->force[blow], force.duration = 4e-3;
    force.start = 0.05 * i;
    b.status = b.status ? b.status : jw_world_add_force(b.world, &force, NULL);
  }
  jw_build_ear(&b, at(id, 0.45, 0.45));
  JwWorld* const world = jw_build_end(run, &b);
  if (!world) {
    return false;
  }
  double sound, *out[1] = {&sound};
  for (int n = 0; n < 9600 && !jw_world_run_double(world, out, 1); ++n) {
    s->reach[blow] = fmax(s->reach[blow], fabs(sound) / thickness);
    const JwEnergy energy = jw_world_energy(world);
    s->stretch[blow] = fmax(s->stretch[blow], energy.stretch / fmax(energy.peak, 1e-300));
  }
  s->misfit[blow] = jw_world_stretch_figures(world, id).misfit;
  s->residual[blow] = jw_world_energy(world).worst_residual;
  jw_world_destroy(world);
  return true;
}

// K(m) by the arithmetic-geometric mean.
static double quarter_period(double m) {
  double a = 1.0, b = sqrt(1.0 - m);
  for (int i = 0; i < 12; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2.0 * a);
}

// One mode is Duffing's oscillator: of (8.6) with one wave, V = (2 E H/A) J^2/g^2 q^4, where J is the
// closed integral -(A/pi^2) gx gy (16/9 - 4/9) of its curvature.
static double exact_rise(double amplitude) {
  const double gx = pi * pi / (side_a * side_a), gy = pi * pi / (side_b * side_b), g = gx + gy,
               area = side_a * side_b, young = 2e11, density = 7850.0;
  const double three = 4.0 / 3.0, two = 2.0 / 3.0; // Of sin^3, and of sin cos^2, from 0 to pi
  const double j = area / (pi * pi) * gx * gy * (three * three - two * two);
  const double quartic = 2.0 * young * thickness / area * j * j / (g * g);
  const double mass = 0.25 * density * thickness * area;
  const double a = young * thickness * thickness / (12.0 * 0.91 * density) * g * g,
               b = 4.0 * quartic / mass * amplitude * amplitude, w2 = a + b;
  return 1200.0 * log2(0.5 * pi / quarter_period(b / (2.0 * w2)) * sqrt(w2 / a));
}

static bool swing(JwPaperRun* run, double amplitude, double* period) {
  const double rate = 96000.0;
  JwBuild b = jw_build_begin(rate, false);
  const JwPlateDef def = plate_of(1);
  JwObjectId id = {0};
  b.status = b.status ? b.status : jw_world_add_plate(b.world, &def, &id);
  JwInitialDef shape = jw_initial_default();
  shape.object = id, shape.shape = JW_SHAPE_SINE, shape.amplitude = amplitude;
  b.status = b.status ? b.status : jw_world_add_initial(b.world, &shape);
  jw_build_ear(&b, at(id, 0.5, 0.5));
  JwWorld* const world = jw_build_end(run, &b);
  if (!world) {
    return false;
  }
  double first = 0.0, last = 0.0, before = amplitude, now, *out[1] = {&now};
  for (int n = 1, seen = 0; seen <= 20 && n < 1000000 && !jw_world_run_double(world, out, 1); ++n) {
    if (before > 0.0 && now <= 0.0) {
      last = n - 1 + before / (before - now);
      first = seen++ ? first : last;
    }
    before = now;
  }
  jw_world_destroy(world);
  *period = (last - first) / 20.0;
  return true;
}

static bool fill(JwPaperRun* run, Sheet* s) {
  double rest;
  if (!swing(run, 1e-8, &rest)) {
    return false;
  }
  for (int i = 0; i < SWINGS; ++i) {
    double period;
    s->swing[i] = 0.125 * pow(2.0, i);
    if (!swing(run, s->swing[i] * thickness, &period)) {
      return false;
    }
    s->rise[i] = 1200.0 * log2(rest / period);
    s->exact[i] = exact_rise(s->swing[i] * thickness);
  }
  for (int i = 0; i < BLOWS; ++i) {
    s->force[i] = 40.0 * pow(5.0, i);
    s->reach[i] = s->stretch[i] = 0.0;
    if (!strike(run, s, i)) {
      return false;
    }
  }
  return true;
}

static bool draw(JwPaperRun* run, const Sheet* s) {
  JwPlotSeries rise[2] = {jw_paper_line(s->swing, s->exact, SWINGS, "elliptic integral"),
                          jw_paper_line(s->swing, s->rise, SWINGS, "dots: the engine")};
  rise[1].kind = JW_PLOT_POINTS, rise[1].marker = JW_PLOT_DOT, rise[1].color = JW_PLOT_INK;
  JwPlotSeries off[2] = {jw_paper_line(s->reach, s->misfit, BLOWS, "load, of its largest"),
                         jw_paper_line(s->reach, s->residual, BLOWS, "ledger")};
  off[0].marker = off[1].marker = JW_PLOT_DOT;
  JwPlotPanel panels[2] = {jw_plot_panel_default(), jw_plot_panel_default()};
  panels[0].title = "One mode rises as it swings";
  panels[0].x = (JwPlotAxis){.label = "amplitude, in thicknesses", .log = true};
  panels[0].y =
      (JwPlotAxis){.label = "pitch above that of small swings", .unit = "cents", .log = true};
  panels[0].series = rise, panels[0].series_count = 2;
  panels[1].title = "Three blows, 120 modes at 48 kHz";
  panels[1].x = (JwPlotAxis){.label = "largest displacement, in thicknesses", .log = true};
  panels[1].y = (JwPlotAxis){.label = "off by", .log = true};
  panels[1].series = off, panels[1].series_count = 2;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Von Karman's plate: steel, 0.42 x 0.38 m, 1.5 mm";
  figure.panels = panels, figure.panel_count = 2, figure.columns = 2, figure.width = 1000.0;
  return jw_paper_figure(run, "nonlinear-plates", &figure);
}

static bool agree(JwPaperRun* run, const Sheet* s) {
  bool good = true;
  for (int i = 0; i < SWINGS && good; ++i) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "rise of one mode that swings by %g thicknesses",
             s->swing[i]);
    good =
        jw_paper_agree(run, (JwPaperAgreement){.quantity = quantity,
                                               .unit = "cents",
                                               .theirs = s->exact[i],
                                               .ours = s->rise[i],
                                               .tolerance = 0.005 * s->exact[i],
                                               .own = true,
                                               .why = "half a per cent; second order at 96 kHz"});
  }
  for (int i = 0; i < BLOWS && good; ++i) {
    char quantity[100];
    snprintf(quantity, sizeof quantity,
             "load against the stretch, three blows up to %.2g thicknesses", s->reach[i]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .ours = s->misfit[i],
                                .tolerance = 1e-3,
                                .own = true,
                                .why = "what is asked for; it is brought back in every step"});
  }
  return good;
}

bool jw_nonlinear_plates(JwPaperRun* run) {
  static Sheet s;
  if (!fill(run, &s)) {
    return false;
  }
  const JwPaperColumn columns[] = {{"amplitude_thicknesses", s.swing, SWINGS},
                                   {"rise_cents", s.rise, SWINGS},
                                   {"elliptic_integral_cents", s.exact, SWINGS},
                                   {"force_n", s.force, BLOWS},
                                   {"reach_thicknesses", s.reach, BLOWS},
                                   {"misfit", s.misfit, BLOWS},
                                   {"residual", s.residual, BLOWS},
                                   {"share_of_stretch", s.stretch, BLOWS}};
  return draw(run, &s)
         && jw_paper_csv(run, "nonlinear-plates", columns, sizeof columns / sizeof *columns)
         && agree(run, &s);
}
