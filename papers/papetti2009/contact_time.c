// SPDX-License-Identifier: MIT
// Equation (9): how long an impact lasts, and its power law.
//
//   tau = (m/k)^(1/(alpha+1)) (mu^2/(alpha+1))^(alpha/(alpha+1)) 1/mu
//           integral over w from mu v_out to mu v_in of dw / ((1 + w) [-(w - w_in) + log((1 + w)/(1 + w_in))]^(alpha/(alpha+1)))
//
// For a fixed velocity only m/k is outside of the integral: tau ~ (m/k)^(1/(alpha+1)).  Beside the
// integral (lab/exact.c) the engine plays the same impacts, at a rate that gives each about 2000
// samples: a mass that comes from outside, meets a barrier and leaves; the two moments are read
// where straight lines between samples cross it.

#include "../build.h"
#include "papetti2009.h"

#include <math.h>
#include <stdio.h>

enum { EXPONENTS = 3, RATIOS = 25, PLAYED = 7, SAMPLES = 2000, VELOCITIES = 25 };

static const double exponents[EXPONENTS] = {1.3, 1.5, 2.8};
static const double loss = 0.5, velocity = 1.0, mass = 0.01;

typedef struct {
  double ratio[RATIOS], tau[EXPONENTS][RATIOS];
  double played_ratio[PLAYED], played[EXPONENTS][PLAYED];
  double v[VELOCITIES], over_v[EXPONENTS][VELOCITIES];
  double worst, slope[EXPONENTS];
} Sheet;

static JwLabImpact impact_of(double ratio, double exponent) {
  return (JwLabImpact){mass, mass / ratio, exponent, loss, 0.0};
}

/// Play an impact; the time between the two crossings.
static bool play(JwPaperRun* run, const JwLabImpact* impact, double* tau) {
  const double rate = SAMPLES / jw_lab_contact_time(impact, velocity);
  JwBuild b = jw_build_begin(rate, false);
  JwMassDef ball = jw_mass_default();
  ball.mass = impact->mass, ball.velocity = -velocity;
  ball.position = 10.5 * velocity / rate; // Ten samples and a half before it touches
  JwCollisionDef hit = jw_collision_default();
  const JwObjectId wall = jw_build_barrier(&b, 0.0), object = jw_build_mass(&b, ball);
  hit.below = jw_port(wall, 0.0), hit.above = jw_port(object, 0.0);
  hit.stiffness = impact->stiffness, hit.exponent = impact->exponent;
  hit.loss = impact->loss * impact->stiffness;
  jw_build_hit(&b, hit);
  jw_build_ear(&b, jw_port(object, 0.0));
  JwWorld* const world = jw_build_end(run, &b);
  double enters = NAN, leaves = NAN, before = ball.position;
  for (int n = 0; world && n < 2 * SAMPLES && isnan(leaves); ++n) {
    double now, *out[1] = {&now};
    if (jw_world_run_double(world, out, 1)) {
      break;
    }
    const double crossing = (n + before / (before - now)) / rate;
    enters = before >= 0.0 && now < 0.0 ? crossing : enters;
    leaves = before < 0.0 && now >= 0.0 ? crossing : leaves;
    before = now;
  }
  jw_world_destroy(world);
  *tau = leaves - enters;
  return isfinite(*tau) || jw_paper_fail(run, "the impact does not end");
}

static bool fill(JwPaperRun* run, Sheet* s) {
  for (int e = 0; e < EXPONENTS; ++e) {
    for (int i = 0; i < RATIOS; ++i) {
      s->ratio[i] = 1e-10 * pow(10.0, 6.0 * i / (RATIOS - 1));
      const JwLabImpact impact = impact_of(s->ratio[i], exponents[e]);
      s->tau[e][i] = jw_lab_contact_time(&impact, velocity);
    }
    for (int i = 0; i < VELOCITIES; ++i) {
      s->v[i] = 0.01 * pow(10.0, 3.5 * i / (VELOCITIES - 1));
      const JwLabImpact impact = impact_of(1e-9, exponents[e]);
      s->over_v[e][i] = jw_lab_contact_time(&impact, s->v[i]);
    }
    for (int i = 0; i < PLAYED; ++i) {
      s->played_ratio[i] = 1e-10 * pow(10.0, 6.0 * i / (PLAYED - 1));
      const JwLabImpact impact = impact_of(s->played_ratio[i], exponents[e]);
      if (!play(run, &impact, &s->played[e][i])) {
        return false;
      }
      s->worst =
          fmax(s->worst, fabs(s->played[e][i] / jw_lab_contact_time(&impact, velocity) - 1.0));
    }
    s->slope[e] = log(s->played[e][PLAYED - 1] / s->played[e][0])
                  / log(s->played_ratio[PLAYED - 1] / s->played_ratio[0]);
  }
  return true;
}

static bool draw(JwPaperRun* run, const Sheet* s) {
  static const char* const labels[EXPONENTS] = {"\u03b1 = 1.3", "\u03b1 = 1.5", "\u03b1 = 2.8"};
  JwPlotSeries over_ratio[2 * EXPONENTS], over_v[EXPONENTS];
  for (int e = 0; e < EXPONENTS; ++e) {
    over_ratio[e] = jw_paper_line(s->ratio, s->tau[e], RATIOS, labels[e]);
    over_ratio[EXPONENTS + e] = jw_paper_line(s->played_ratio, s->played[e], PLAYED,
                                              e ? NULL : "dots: played by the engine");
    over_ratio[EXPONENTS + e].kind = JW_PLOT_POINTS, over_ratio[EXPONENTS + e].marker = JW_PLOT_DOT;
    over_v[e] = jw_paper_line(s->v, s->over_v[e], VELOCITIES, labels[e]);
    over_ratio[e].color = over_ratio[EXPONENTS + e].color = over_v[e].color = e + 1;
  }
  JwPlotPanel panels[2] = {jw_plot_panel_default(), jw_plot_panel_default()};
  panels[0].title = "Contact time over m/k: straight lines of slope 1/(\u03b1+1)";
  panels[0].x = (JwPlotAxis){.label = "m/k, in kg m^{\u03b1}/N", .log = true};
  panels[1].title = "Over the velocity, m/k = 10^{\u22129}";
  panels[1].x = (JwPlotAxis){.label = "velocity", .unit = "m/s", .log = true};
  panels[0].y = panels[1].y = (JwPlotAxis){.label = "contact time", .unit = "s", .log = true};
  panels[0].series = over_ratio, panels[0].series_count = 2 * EXPONENTS;
  panels[1].series = over_v, panels[1].series_count = EXPONENTS;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "How long an impact lasts";
  figure.caption = "Equation (9), for \u00b5 = 0.5 s/m; left for impacts of 1 m/s";
  figure.panels = panels, figure.panel_count = 2, figure.columns = 2;
  figure.width = 1000.0;
  return jw_paper_figure(run, "papetti2009-eq9", &figure);
}

static bool agree(JwPaperRun* run, const Sheet* s) {
  bool good = jw_paper_agree(
      run,
      (JwPaperAgreement){
          .quantity = "largest distance of the engine's contact time from (9), relative",
          .ours = s->worst,
          .tolerance = 1e-3,
          .own = true,
          .why = "2000 samples a contact: straight lines between samples miss a crossing by less "
                 "than one of them, twice"});
  for (int e = 0; e < EXPONENTS && good; ++e) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "exponent of the contact time over m/k, played, alpha = %g",
             exponents[e]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .theirs = 1.0 / (exponents[e] + 1.0),
                                .ours = s->slope[e],
                                .tolerance = 2e-3 / log(1e6),
                                .why = "1e-3 at each of two ends that are six decades apart"});
  }
  return good;
}

bool jw_papetti_eq9(JwPaperRun* run) {
  static Sheet s;
  s.worst = 0.0;
  if (!fill(run, &s)) {
    return false;
  }
  const JwPaperColumn columns[] = {{"m_over_k", s.ratio, RATIOS},
                                   {"tau_1.3", s.tau[0], RATIOS},
                                   {"tau_1.5", s.tau[1], RATIOS},
                                   {"tau_2.8", s.tau[2], RATIOS},
                                   {"played_m_over_k", s.played_ratio, PLAYED},
                                   {"played_1.3", s.played[0], PLAYED},
                                   {"played_1.5", s.played[1], PLAYED},
                                   {"played_2.8", s.played[2], PLAYED},
                                   {"v", s.v, VELOCITIES},
                                   {"tau_1.3_of_v", s.over_v[0], VELOCITIES},
                                   {"tau_1.5_of_v", s.over_v[1], VELOCITIES},
                                   {"tau_2.8_of_v", s.over_v[2], VELOCITIES}};
  return jw_paper_csv(run, "papetti2009-eq9", columns, sizeof columns / sizeof *columns)
         && draw(run, &s) && agree(run, &s);
}
