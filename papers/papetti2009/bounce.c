// SPDX-License-Identifier: MIT
// Figure 8: a bouncing ball, case 1 under gravity.
//
// The paper shows AM1 and RK4, its two best methods, plain and corrected.  Here a second reference
// stands behind them: RK4 at 128 times the rate, gravity acting during contact too, which the
// corrections (made for an impact without gravity) neglect: g tau/v_in = 0.6 % of the velocity.

#include "papetti2009.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 24256, FINE = 128, REBOUNDS = JW_PAPETTI_REBOUNDS }; // 0.55 s

static const double rate = 44100.0;

typedef struct {
  double height[COUNT];
  double leaves[REBOUNDS]; ///< When it leaves the wall for the n-th time
  size_t rebounds;
} Flight;

static JwLabRunDef def_of(JwLabMethod method, bool corrected) {
  JwLabRunDef def = jw_lab_run_default();
  def.impact = jw_papetti_cases[JW_PAPETTI_CASE_1].impact;
  def.impact.gravity = 9.81;
  def.v_in = jw_papetti_cases[JW_PAPETTI_CASE_1].v_in;
  def.method = method;
  def.corrected = corrected;
  return def;
}

static bool fly(JwPaperRun* run, const JwLabRunDef* def, size_t stride, Flight* flight) {
  JwLabState* const states = (JwLabState*)malloc(COUNT * stride * sizeof *states);
  if (!states) {
    return jw_paper_fail(run, "no memory for %zu samples", COUNT * stride);
  }
  jw_lab_bounce(def, states, COUNT * stride);
  flight->rebounds = 0;
  for (size_t n = 0; n < COUNT * stride; ++n) {
    if (n % stride == 0) {
      flight->height[n / stride] = -states[n].x;
    }
    if (n > 0 && states[n - 1].x > 0.0 && states[n].x <= 0.0 && flight->rebounds < REBOUNDS) {
      flight->leaves[flight->rebounds++] = (double)n / def->sample_rate;
    }
  }
  free(states);
  return true;
}

enum { AM1, RK4, AM1_CORRECTED, RK4_CORRECTED, REFERENCE, FLIGHTS };

static const char* const labels[FLIGHTS] = {"AM1", "RK4", "AM1 corrected", "RK4 corrected",
                                            "reference"};

static bool fly_all(JwPaperRun* run, Flight flights[FLIGHTS]) {
  for (int i = 0; i < FLIGHTS; ++i) {
    const bool am1 = i == AM1 || i == AM1_CORRECTED;
    JwLabRunDef def =
        def_of(am1 ? JW_LAB_AM1 : JW_LAB_RK4, i == AM1_CORRECTED || i == RK4_CORRECTED);
    def.sample_rate *= i == REFERENCE ? FINE : 1;
    if (!fly(run, &def, i == REFERENCE ? FINE : 1, &flights[i])) {
      return false;
    }
  }
  return true;
}

bool jw_papetti_bounce_reference(JwPaperRun* run, double leaves[REBOUNDS]) {
  static Flight flight;
  JwLabRunDef def = def_of(JW_LAB_RK4, false);
  def.sample_rate *= FINE;
  if (!fly(run, &def, FINE, &flight)) {
    return false;
  }
  memcpy(leaves, flight.leaves, sizeof flight.leaves);
  return flight.rebounds == REBOUNDS
         || jw_paper_fail(run, "the reference rebounds only %zu times", flight.rebounds);
}

// How late each rebound comes, against the reference.
static size_t delays(const Flight* flight, const Flight* reference, double late[REBOUNDS]) {
  const size_t count =
      flight->rebounds < reference->rebounds ? flight->rebounds : reference->rebounds;
  for (size_t i = 0; i < count; ++i) {
    late[i] = flight->leaves[i] - reference->leaves[i];
  }
  return count;
}

static bool draw(JwPaperRun* run, const double* t, Flight flights[FLIGHTS]) {
  JwPlotSeries heights[FLIGHTS], late[FLIGHTS - 1];
  double number[REBOUNDS], delay[FLIGHTS - 1][REBOUNDS];
  for (size_t i = 0; i < REBOUNDS; ++i) {
    number[i] = (double)i + 1.0;
  }
  for (size_t i = 0; i < FLIGHTS; ++i) {
    const size_t from = (i + REFERENCE) % FLIGHTS; // The reference first, below all others
    heights[i] = jw_paper_line(t, flights[from].height, COUNT, labels[from]);
    heights[i].color = from == REFERENCE ? JW_PLOT_GREY : (int)from + 1;
    heights[i].width = from == REFERENCE ? 4.0 : 1.4;
    heights[i].dash =
        from == AM1_CORRECTED || from == RK4_CORRECTED ? JW_PLOT_DASHED : JW_PLOT_SOLID;
  }
  for (size_t i = 0; i < FLIGHTS - 1; ++i) {
    late[i] = jw_paper_line(number, delay[i], delays(&flights[i], &flights[REFERENCE], delay[i]),
                            labels[i]);
    late[i].marker = i == RK4_CORRECTED ? JW_PLOT_CROSS : JW_PLOT_DOT;
  }
  JwPlotPanel panels[2] = {jw_plot_panel_default(), jw_plot_panel_default()};
  panels[0].x = (JwPlotAxis){.label = "time", .unit = "s"};
  panels[0].y = (JwPlotAxis){.label = "height", .unit = "m"};
  panels[0].series = heights;
  panels[0].series_count = FLIGHTS;
  panels[1].title = "How late each rebound comes";
  panels[1].x = (JwPlotAxis){.label = "rebound"};
  panels[1].y = (JwPlotAxis){.label = "delay", .unit = "s"};
  panels[1].series = late;
  panels[1].series_count = FLIGHTS - 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A bouncing ball: case 1 under gravity";
  figure.panels = panels;
  figure.panel_count = 2;
  figure.width = 900.0;
  return jw_paper_figure(run, "papetti2009-fig8", &figure);
}

static bool save(JwPaperRun* run, const double* t, Flight flights[FLIGHTS]) {
  static const char* const names[FLIGHTS] = {"am1", "rk4", "am1_corrected", "rk4_corrected",
                                             "reference"};
  JwPaperColumn columns[1 + FLIGHTS] = {{"t", t, COUNT}};
  for (size_t i = 0; i < FLIGHTS; ++i) {
    columns[1 + i] = (JwPaperColumn){names[i], flights[i].height, COUNT};
  }
  return jw_paper_csv(run, "papetti2009-fig8", columns, 1 + FLIGHTS);
}

// Of the eighth rebound.  The corrected exit velocity neglects gravity during contact, g tau =
// 1.7e-3 m/s, which takes 2 tau = 0.35 ms off each flight and is given back within it; entry and
// exit are known to a sample each, 0.023 ms: eight times both is what a corrected run may be off.
static bool agree_on_delay(JwPaperRun* run, Flight flights[FLIGHTS]) {
  double late[FLIGHTS][REBOUNDS];
  const JwPapettiCase* const c = &jw_papetti_cases[JW_PAPETTI_CASE_1];
  const double tau = jw_lab_contact_time(&c->impact, c->v_in);
  const double allowed = 8.0 * (2.0 * tau + 2.0 / rate);
  bool good = true;
  for (size_t i = AM1_CORRECTED; i <= RK4_CORRECTED && good; ++i) {
    if (delays(&flights[i], &flights[REFERENCE], late[i]) < 8) {
      return jw_paper_fail(run, "%s rebounds less than eight times", labels[i]);
    }
    char quantity[80];
    snprintf(quantity, sizeof quantity, "delay of the eighth rebound, %s", labels[i]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .unit = "s",
                                .theirs = 0.0,
                                .ours = late[i][7],
                                .tolerance = allowed,
                                .own = true,
                                .why = "a corrected run neglects gravity in contact (two contact "
                                       "times a rebound) and knows entry and exit to a sample"});
  }
  return good;
}

// What the wall hears: the force of the corrected run, two seconds, scaled to half of full scale.
static bool sound(JwPaperRun* run) {
  enum { LENGTH = 88200 };
  static JwLabState states[LENGTH];
  static double force[LENGTH];
  const JwLabRunDef def = def_of(JW_LAB_RK4, true);
  jw_lab_bounce(&def, states, LENGTH);
  double largest = 0.0;
  for (size_t n = 0; n < LENGTH; ++n) {
    largest = fmax(largest, states[n].f);
  }
  for (size_t n = 0; n < LENGTH; ++n) {
    force[n] = 0.5 * states[n].f / largest;
  }
  const JwPaperColumn samples = {"RK4 corrected: the force on the wall", force, LENGTH};
  return jw_paper_sound(run, "papetti2009-fig8", &samples, rate);
}

bool jw_papetti_fig8(JwPaperRun* run) {
  static Flight flights[FLIGHTS];
  static double t[COUNT];
  for (size_t n = 0; n < COUNT; ++n) {
    t[n] = (double)n / rate;
  }
  return fly_all(run, flights) && save(run, t, flights) && draw(run, t, flights)
         && agree_on_delay(run, flights) && sound(run);
}
