// SPDX-License-Identifier: MIT
// All rules for g on one plucked string, and the engine beside them.

#include "../build.h"
#include "../recording.h"
#include "nonlinear.h"

#include <math.h>
#include <stdio.h>

enum { RATES = 3, FORMS = 2, MODES = JW_WIRE_MODES };

static const double rates[RATES] = {24000.0, 48000.0, 96000.0};
static const double seconds = 0.1, amplitude = 4e-3;
static const JwWire g3 = {0.65, 8.9535390627e-4, 58.1277438955, 310e-6, 2120.575, false};

typedef struct {
  JwWireErrors by[FORMS][2][JW_DRIFT_RULES]; ///< Leapfrog and exact poles, at 48 kHz
  double displacement[JW_DRIFT_RULES][RATES], drift[JW_DRIFT_RULES][RATES]; ///< Local, exact poles
  double engine[FORMS][RATES], engine_force[FORMS];
} Sheet;

// The engine's string against Runge and Kutta's steps from the same start.
static bool play(JwPaperRun* run, bool local, double rate, double* displacement, double* force) {
  JwBuild b = jw_build_begin(rate, false);
  JwStringDef def = jw_string_default();
  def.length = g3.length, def.mass_per_length = g3.mass, def.tension = g3.tension;
  def.bending = g3.bending, def.stretching = g3.stretching;
  def.nonlinear = local ? JW_NONLINEAR_LOCAL : JW_NONLINEAR_MEAN;
  def.method = JW_METHOD_MODES, def.modes = MODES;
  const JwObjectId id = jw_build_string(&b, def);
  JwInitialDef pluck = jw_initial_default();
  pluck.object = id, pluck.shape = JW_SHAPE_TRIANGLE, pluck.x = 0.28, pluck.amplitude = amplitude;
  b.status = b.status ? b.status : jw_world_add_initial(b.world, &pluck);
  jw_build_ear(&b, jw_port(id, 0.5));
  JwWorld* const world = jw_build_end(run, &b);
  if (!world) {
    return false;
  }
  JwWire wire = g3;
  wire.local = local;
  double q[MODES], v[MODES] = {0.0}, u[MODES], sums[4] = {0.0}, sound, *out[1] = {&sound};
  (void)jw_world_field(world, id, q, MODES);
  for (int n = 0; n < (int)(seconds * rate + 0.5); ++n) {
    if (jw_world_run_double(world, out, 1)) {
      break;
    }
    for (int i = 0; i < 4; ++i) {
      jw_wire_exact_step(&wire, 0.25 / rate, q, v);
    }
    (void)jw_world_field(world, id, u, MODES);
    double end[2] = {0.0, 0.0};
    for (int i = 0; i < MODES; ++i) {
      const double k = (i + 1) * 3.14159265358979323846 / wire.length,
                   pull = wire.tension * k + wire.bending * k * k * k;
      sums[0] += pow(u[i] - q[i], 2.0);
      sums[1] += q[i] * q[i];
      end[0] += pull * u[i];
      end[1] += pull * q[i];
    }
    sums[2] += pow(end[0] - end[1], 2.0);
    sums[3] += end[1] * end[1];
  }
  jw_world_destroy(world);
  *displacement = sqrt(sums[0] / sums[1]);
  *force = sqrt(sums[2] / sums[3]);
  return true;
}

static bool fill(JwPaperRun* run, Sheet* s) {
  for (int form = 0; form < FORMS; ++form) {
    JwWire wire = g3;
    wire.local = form == 1;
    for (int i = 0; i < 2 * JW_DRIFT_RULES; ++i) {
      const JwDrift rule = (JwDrift)(i % JW_DRIFT_RULES);
      s->by[form][i / JW_DRIFT_RULES][rule] =
          jw_wire_run(&wire, rule, i / JW_DRIFT_RULES, 48000.0, seconds, amplitude);
    }
    for (int r = 0; r < RATES; ++r) {
      double force;
      if (!play(run, wire.local, rates[r], &s->engine[form][r], &force)) {
        return false;
      }
      s->engine_force[form] = rates[r] == 48000.0 ? force : s->engine_force[form];
    }
  }
  JwWire wire = g3;
  wire.local = true;
  for (int i = 0; i < JW_DRIFT_RULES * RATES; ++i) {
    const JwWireErrors errors =
        jw_wire_run(&wire, (JwDrift)(i / RATES), true, rates[i % RATES], seconds, amplitude);
    s->displacement[i / RATES][i % RATES] = errors.displacement;
    s->drift[i / RATES][i % RATES] = errors.drift;
  }
  return true;
}

static bool tell(JwPaperRun* run, const Sheet* s) {
  JwText rows = {0};
  jw_text_add(&rows, "stretch\tmodes\trule\tdisplacement (%%)\tforce (%%)\tdrift\tenergy\n");
  for (int i = 0; i < FORMS * 2 * JW_DRIFT_RULES; ++i) {
    const int form = i / (2 * JW_DRIFT_RULES), exact = i / JW_DRIFT_RULES % 2,
              rule = i % JW_DRIFT_RULES;
    const JwWireErrors* const e = &s->by[form][exact][rule];
    jw_text_add(&rows, "%s\t%s\t%s\t%.3g\t%.3g\t%.1e\t%.0e\n", form ? "local" : "mean",
                exact ? "exact poles" : "leapfrog", jw_drift_names[rule], 100.0 * e->displacement,
                100.0 * e->force, e->drift, e->energy);
  }
  const bool good = jw_paper_table(run, &rows);
  jw_text_release(&rows);
  return good;
}

static bool draw(JwPaperRun* run, const Sheet* s) {
  JwPlotSeries error[JW_DRIFT_RULES + 1], drift[JW_DRIFT_RULES];
  for (int r = 0; r < JW_DRIFT_RULES; ++r) {
    error[r] = jw_paper_line(rates, s->displacement[r], RATES, jw_drift_names[r]);
    drift[r] = jw_paper_line(rates, s->drift[r], RATES, jw_drift_names[r]);
    error[r].color = drift[r].color = r + 1;
  }
  error[JW_DRIFT_RULES] = jw_paper_line(rates, s->engine[1], RATES, "dots: the engine");
  error[JW_DRIFT_RULES].kind = JW_PLOT_POINTS, error[JW_DRIFT_RULES].marker = JW_PLOT_DOT;
  error[JW_DRIFT_RULES].color = JW_PLOT_INK;
  JwPlotPanel panels[2] = {jw_plot_panel_default(), jw_plot_panel_default()};
  panels[0].title = "Displacement against Runge and Kutta";
  panels[0].y = (JwPlotAxis){.label = "relative error", .log = true};
  panels[0].series = error, panels[0].series_count = JW_DRIFT_RULES + 1;
  panels[1].title = "Drift of the load";
  panels[1].y = (JwPlotAxis){.label = "largest |\u03c8 \u2212 \u221a(2V)|/\u221a(2E)", .log = true};
  panels[1].series = drift, panels[1].series_count = JW_DRIFT_RULES;
  panels[0].x = panels[1].x = (JwPlotAxis){.label = "sample rate", .unit = "Hz", .log = true};
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A plucked string by the stretch of every place, exact poles";
  figure.caption = "plain, sign rule and bounded coincide: psi does not come near zero here";
  figure.panels = panels, figure.panel_count = 2, figure.columns = 2, figure.width = 1000.0;
  return jw_paper_figure(run, "nonlinear-strings", &figure);
}

static bool agree(JwPaperRun* run, const Sheet* s) {
  bool good = true;
  for (int form = 0; form < FORMS && good; ++form) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "order of the engine's string, 48 to 96 kHz, %s stretch",
             form ? "local" : "mean");
    good = jw_paper_agree(run,
                          (JwPaperAgreement){.quantity = quantity,
                                             .theirs = 2.0,
                                             .ours = log2(s->engine[form][1] / s->engine[form][2]),
                                             .tolerance = 0.1,
                                             .own = true,
                                             .why = "second order; partials near 2 kHz move by 0.3 "
                                                    "radians a sample at 48 kHz"});
  }
  const double written = s->by[1][1][JW_DRIFT_FORCE].force;
  return good
         && jw_paper_agree(
             run, (JwPaperAgreement){.quantity = "error of the force on the bridge at 48 kHz, "
                                                 "the engine's against (8.4) written out",
                                     .unit = "%",
                                     .theirs = 100.0 * written,
                                     .ours = 100.0 * s->engine_force[1],
                                     .tolerance = 10.0 * written,
                                     .own = true,
                                     .why = "the same rule; the engine's start is a sum over a "
                                            "fine grid, not the closed one"});
}

bool jw_nonlinear_strings(JwPaperRun* run) {
  static Sheet s;
  if (!fill(run, &s)) {
    return false;
  }
  const JwPaperColumn columns[] = {{"rate_hz", rates, RATES},
                                   {"plain", s.displacement[JW_DRIFT_PLAIN], RATES},
                                   {"regulated", s.displacement[JW_DRIFT_REGULATED], RATES},
                                   {"two_solves", s.displacement[JW_DRIFT_TWO], RATES},
                                   {"two_solves_force", s.displacement[JW_DRIFT_FORCE], RATES},
                                   {"engine", s.engine[1], RATES},
                                   {"drift_plain", s.drift[JW_DRIFT_PLAIN], RATES},
                                   {"drift_regulated", s.drift[JW_DRIFT_REGULATED], RATES},
                                   {"drift_two_solves", s.drift[JW_DRIFT_TWO], RATES},
                                   {"drift_two_solves_force", s.drift[JW_DRIFT_FORCE], RATES}};
  return tell(run, &s) && draw(run, &s)
         && jw_paper_csv(run, "nonlinear-strings", columns, sizeof columns / sizeof *columns)
         && agree(run, &s);
}
