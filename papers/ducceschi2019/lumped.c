// SPDX-License-Identifier: MIT
// Figures 1 to 3: an oscillator against a barrier, soft, hard, and hard at five times the rate.
//
// The paper gives the time windows in its panels only; here the first and the last tenth of a
// second of one second are shown.  Beyond the paper a second figure puts all five rules beside the
// motion found event by event (oscillator.c).

#include "ducceschi2019.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 4411, COUNT = 44101, WINDOWS = 2, PARTS = 6 }; // Samples at 44.1 kHz: 0.1 s and 1 s

// A line in print: 1/300 of the axis, which spans the 0.7 m from -0.5 m to the barrier.
#define LINE (0.7 / 300.0)

typedef struct {
  const char* stem;
  const char* caption;
  double stiffness;
  size_t factor; ///< Rate over 44.1 kHz
} Case;

/// A figure under way.  Everything is kept at 44.1 kHz, whatever the rate of the run.
typedef struct {
  double t[COUNT], exact[COUNT];
  double u[JW_PAPER_RULES][COUNT], phi[JW_PAPER_RULES][COUNT], drift[JW_PAPER_RULES][COUNT];
  double worst_drift[JW_PAPER_RULES]; ///< Largest of all samples, also of those not kept
  double chaos,
      chaos_from; ///< How far a start one unit in the last place away leads `plain`, and when it has come a line away
  JwOscillatorReport report[JW_PAPER_RULES];
} Sheet;

JwOscillator jw_ducceschi_oscillator(double stiffness) {
  return (JwOscillator){.mass = 0.01,
                        .stiffness = stiffness,
                        .exponent = 1.1,
                        .frequency = 10.0,
                        .barrier = 0.2,
                        .displacement = -0.5,
                        .velocity = 1.0,
                        .scheme = JW_SCHEME_LEAPFROG};
}

static bool measure(JwPaperRun* run, const Case* c, Sheet* sheet) {
  const JwOscillator oscillator = jw_ducceschi_oscillator(c->stiffness);
  jw_oscillator_exact(&oscillator, JW_DUCCESCHI_RATE, COUNT, sheet->exact);
  for (size_t r = 0; r < JW_PAPER_RULES; ++r) {
    JwRecording recording;
    if (!jw_oscillator_run(run, &oscillator, jw_paper_rules[r],
                           JW_DUCCESCHI_RATE * (double)c->factor, (COUNT - 1) * c->factor + 1,
                           &recording, &sheet->report[r])) {
      return false;
    }
    sheet->worst_drift[r] = 0.0;
    for (size_t n = 0; n < recording.count; ++n) {
      const double drift = recording.total[n] / recording.total[0] - 1.0;
      sheet->worst_drift[r] = fmax(sheet->worst_drift[r], fabs(drift));
      if (n % c->factor == 0) {
        const size_t i = n / c->factor;
        sheet->t[i] = recording.t[n];
        sheet->u[r][i] = recording.u[n];
        sheet->phi[r][i] = recording.contact[n];
        sheet->drift[r][i] = drift;
      }
    }
    jw_recording_release(&recording);
  }
  return true;
}

// The same start but for its last bit.
static bool measure_chaos(JwPaperRun* run, const Case* c, Sheet* sheet) {
  JwOscillator twin = jw_ducceschi_oscillator(c->stiffness);
  twin.displacement = nextafter(twin.displacement, 0.0);
  JwRecording recording;
  JwOscillatorReport report;
  if (!jw_oscillator_run(run, &twin, jw_paper_rules[JW_PAPER_PLAIN],
                         JW_DUCCESCHI_RATE * (double)c->factor, (COUNT - 1) * c->factor + 1,
                         &recording, &report)) {
    return false;
  }
  sheet->chaos = 0.0, sheet->chaos_from = INFINITY;
  for (size_t i = 0; i < COUNT; ++i) {
    const double apart = fabs(recording.u[i * c->factor] - sheet->u[JW_PAPER_PLAIN][i]);
    sheet->chaos = fmax(sheet->chaos, apart);
    sheet->chaos_from = apart > LINE ? fmin(sheet->chaos_from, sheet->t[i]) : sheet->chaos_from;
  }
  jw_recording_release(&recording);
  return true;
}

// ---------------------------------------------------------------- figures and numbers

static const size_t window_start[WINDOWS] = {0, COUNT - WINDOW};

static bool draw_paper(JwPaperRun* run, const Case* c, const Sheet* sheet) {
  static const char* const titles[PARTS] = {"(a) displacement", "(b) displacement", "(c) potential",
                                            "(d) potential",    "(e) energy",       "(f) energy"};
  static const char* const labels[PARTS / 2] = {"displacement", "collision energy",
                                                "energy variation \u0394H"};
  static const char* const units[PARTS / 2] = {"m", "J", NULL};
  static const size_t shown[2] = {JW_PAPER_NEWTON, JW_PAPER_PLAIN};
  char chaotic[80], caption[300];
  snprintf(chaotic, sizeof chaotic, "(b) displacement; chaotic after %.1f s", sheet->chaos_from);
  snprintf(
      caption, sizeof caption,
      sheet->chaos > LINE
          ? "%s\nThe last bit of u_{0} moves the non-iterative curve by more than a line from %.1f s "
            "on, in the end by up to %.2g m"
          : "%s",
      c->caption, sheet->chaos_from, sheet->chaos);
  JwPlotSeries series[PARTS][2];
  JwPlotPanel panels[PARTS];
  const JwPlotMark barrier = {JW_PLOT_HORIZONTAL, 0.0, 0.2, "barrier", 0};
  for (size_t p = 0; p < PARTS; ++p) {
    const size_t from = window_start[p % 2], what = p / 2;
    for (size_t s = 0; s < 2; ++s) {
      const double* const y = what == 0   ? sheet->u[shown[s]]
                              : what == 1 ? sheet->phi[shown[s]]
                                          : sheet->drift[shown[s]];
      series[p][s] =
          jw_paper_line(sheet->t + from, y + from, WINDOW, s ? "non-iterative" : "iterative");
      series[p][s].color = s ? 1 : 2;
      series[p][s].width = s ? 1.3 : 2.6;
    }
    panels[p] = jw_plot_panel_default();
    panels[p].title = p == 1 && sheet->chaos > LINE ? chaotic : titles[p];
    panels[p].x = (JwPlotAxis){
        .label = "time", .unit = "s", .min = sheet->t[from], .max = sheet->t[from + WINDOW - 1]};
    panels[p].y = (JwPlotAxis){.label = labels[what], .unit = units[what]};
    panels[p].series = series[p];
    panels[p].series_count = 2;
    panels[p].marks = &barrier;
    panels[p].mark_count = what == 0;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A mass on a spring against a barrier";
  figure.caption = caption;
  figure.panels = panels;
  figure.panel_count = PARTS;
  figure.columns = 2;
  figure.width = 960.0;
  figure.height = 170.0;
  return jw_paper_figure(run, c->stem, &figure);
}

// Beyond the paper: all rules, and how far each is from the motion found event by event.
static bool draw_rules(JwPaperRun* run, const Case* c, const Sheet* sheet, double (*error)[COUNT]) {
  JwPlotSeries series[2][JW_PAPER_RULES + 1];
  for (size_t r = 0; r < JW_PAPER_RULES; ++r) {
    double worst = 0.0; // What has been reached so far: a line that rises and can be read
    for (size_t n = 0; n < COUNT; ++n) {
      worst = fmax(worst, fabs(sheet->u[r][n] - sheet->exact[n]));
      error[r][n] = worst;
    }
    series[0][r + 1] = jw_paper_rule_line(r, sheet->t, sheet->u[r], WINDOW);
    series[1][r] = jw_paper_rule_line(r, sheet->t + 1, error[r] + 1, COUNT - 1);
    series[0][r + 1].marker = series[1][r].marker = JW_PLOT_NO_MARKER;
  }
  series[0][0] = jw_paper_line(sheet->t, sheet->exact, WINDOW, "exact");
  series[0][0].color = JW_PLOT_GREY;
  series[0][0].width = 4.0;
  JwPlotPanel panels[2] = {jw_plot_panel_default(), jw_plot_panel_default()};
  panels[0].title = "Displacement";
  panels[0].x = (JwPlotAxis){.label = "time", .unit = "s"};
  panels[0].y = (JwPlotAxis){.label = "displacement", .unit = "m"};
  panels[0].series = series[0];
  panels[0].series_count = JW_PAPER_RULES + 1;
  panels[1].title = "Largest error so far";
  panels[1].x = (JwPlotAxis){.label = "time", .unit = "s"};
  panels[1].y = (JwPlotAxis){.label = "error (m)", .log = true, .min = 1e-8, .max = 1.0};
  panels[1].series = series[1];
  panels[1].series_count = JW_PAPER_RULES;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Beyond the paper: five rules for g";
  figure.caption = c->caption;
  figure.panels = panels;
  figure.panel_count = 2;
  figure.columns = 2;
  figure.width = 960.0;
  char stem[80];
  snprintf(stem, sizeof stem, "%s-rules", c->stem);
  return jw_paper_figure(run, stem, &figure);
}

// The two windows after one another.
static bool save(JwPaperRun* run, const Case* c, const Sheet* sheet) {
  enum { MOST = 2 + 3 * JW_PAPER_RULES };
  static double values[MOST][WINDOWS * WINDOW];
  static char names[MOST][32];
  JwPaperColumn columns[MOST];
  const double* from[MOST];
  size_t count = 0;
  from[count] = sheet->t, snprintf(names[count++], 32, "t");
  from[count] = sheet->exact, snprintf(names[count++], 32, "u_exact");
  for (size_t r = 0; r < JW_PAPER_RULES; ++r) {
    const char* const name = jw_paper_rule_names[r];
    from[count] = sheet->u[r], snprintf(names[count++], 32, "u_%s", name);
    from[count] = sheet->phi[r], snprintf(names[count++], 32, "phi_%s", name);
    from[count] = sheet->drift[r], snprintf(names[count++], 32, "dh_%s", name);
  }
  for (size_t i = 0; i < count; ++i) {
    for (size_t w = 0; w < WINDOWS; ++w) {
      memcpy(values[i] + w * WINDOW, from[i] + window_start[w], WINDOW * sizeof(double));
    }
    columns[i] = (JwPaperColumn){names[i], values[i], WINDOWS * WINDOW};
  }
  return jw_paper_csv(run, c->stem, columns, count);
}

// ---------------------------------------------------------------- statements

// Rounding of u alone moves the kinetic energy by eps |u| / (k v) of itself in every sample; a
// second of samples adds up like a random walk.
static double rounding(const Case* c) {
  const double k = 1.0 / (JW_DUCCESCHI_RATE * (double)c->factor), steps = 1.0 / k;
  return 2.2e-16 * 0.5 / (k * 31.0) * sqrt(steps);
}

static bool agree_on_energy(JwPaperRun* run, const Case* c, const Sheet* sheet) {
  bool good = true;
  for (size_t r = 0; r < JW_PAPER_RULES && good; ++r) {
    char quantity[80];
    snprintf(quantity, sizeof quantity, "largest energy variation, %s", jw_paper_rule_names[r]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){
                 .quantity = quantity,
                 .theirs = 0.0,
                 .ours = sheet->worst_drift[r],
                 .tolerance = rounding(c),
                 .own = r != JW_PAPER_PLAIN && r != JW_PAPER_NEWTON,
                 .why = "panels (e), (f): energy is conserved; rounding of u moves the energy by "
                        "eps |u|/(k v) a sample, added up like a random walk"});
  }
  return good;
}

static bool agree_on_motion(JwPaperRun* run, const Sheet* sheet, bool converged, const char* why) {
  return jw_paper_agree(
      run, (JwPaperAgreement){.quantity = "iterative against non-iterative, first 0.1 s",
                              .unit = "m",
                              .theirs = 0.0,
                              .ours = jw_paper_distance(sheet->u[JW_PAPER_PLAIN],
                                                        sheet->u[JW_PAPER_NEWTON], WINDOW),
                              .tolerance = LINE,
                              .differs = !converged,
                              .why = why});
}

// Energy that is left in the open contact after the first rebound is missing from the motion, so
// the velocity there is sqrt(1 - parked/total) of what it should be.
static bool agree_on_velocity(JwPaperRun* run, const Sheet* sheet, size_t rule, bool slow) {
  size_t n = 0;
  while (n + 1 < COUNT && sheet->u[rule][n] <= 0.2) {
    ++n;
  }
  while (n + 1 < COUNT && sheet->u[rule][n] > 0.0) {
    ++n;
  }
  const JwOscillator o = jw_ducceschi_oscillator(1.0);
  const double w = 2.0 * 3.14159265358979323846 * o.frequency;
  const double total =
      0.5 * o.mass * (o.velocity * o.velocity + w * w * o.displacement * o.displacement);
  char quantity[80];
  snprintf(quantity, sizeof quantity, "velocity after over before the first collision, %s",
           jw_paper_rule_names[rule]);
  return jw_paper_agree(
      run,
      (JwPaperAgreement){
          .quantity = quantity,
          .theirs = 1.0,
          .ours = sqrt(1.0 - sheet->phi[rule][n] / total),
          .tolerance = 0.01,
          .differs = slow,
          .own = !slow,
          .why = slow ? "the text: lower-than-expected output velocities, because energy stays in "
                        "the contact; one in a hundred would not have been noticed"
                      : "nothing stays in the contact, so the velocity is restored"});
}

static bool make(JwPaperRun* run, const Case* c, Sheet* sheet) {
  double(*const error)[COUNT] = (double(*)[COUNT])malloc(JW_PAPER_RULES * sizeof *error);
  const bool good = error
                        ? measure(run, c, sheet) && measure_chaos(run, c, sheet)
                              && save(run, c, sheet) && draw_paper(run, c, sheet)
                              && draw_rules(run, c, sheet, error) && agree_on_energy(run, c, sheet)
                        : jw_paper_fail(run, "no memory");
  free(error);
  return good;
}

bool jw_ducceschi_fig1(JwPaperRun* run) {
  static Sheet sheet;
  const Case c = {"ducceschi2019-fig1",
                  "M = 10 g, f_{0} = 10 Hz, u_{0} = \u22120.5 m, v_{0} = 1 m/s, b = 0.2 m, "
                  "\u03b1 = 1.1, K = 5\u00b710\u2074 N/m^{1.1}, 44.1 kHz",
                  5e4, 1};
  return make(run, &c, &sheet)
         && agree_on_motion(
             run, &sheet, true,
             "the text: the two schemes yield a converged solution; within a line of print, "
             "1/300 of the axis");
}

bool jw_ducceschi_fig2(JwPaperRun* run) {
  static Sheet sheet;
  const Case c = {"ducceschi2019-fig2", "As Figure 1, but K = 7\u00b710\u2077 N/m^{1.1}, 44.1 kHz",
                  7e7, 1};
  bool good =
      make(run, &c, &sheet)
      && agree_on_motion(run, &sheet, false,
                         "the text: the two schemes yield a different solution; more than a line "
                         "of print apart");
  for (size_t r = 0; r < JW_PAPER_RULES && good; ++r) {
    good = agree_on_velocity(run, &sheet, r, r == JW_PAPER_PLAIN);
  }
  return good;
}

bool jw_ducceschi_fig3(JwPaperRun* run) {
  static Sheet sheet;
  const Case c = {"ducceschi2019-fig3", "As Figure 2, but 5 \u00d7 44.1 kHz", 7e7, 5};
  return make(run, &c, &sheet)
         && agree_on_motion(
             run, &sheet, true,
             "the text: increasing the sample rate yields a converged solution; within a "
             "line of print");
}
