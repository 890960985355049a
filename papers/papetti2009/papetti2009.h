// SPDX-License-Identifier: MIT
// papetti2009.h: the impact with internal friction, Papetti, Avanzini and Rocchesso 2009.
#ifndef JAWARI_PAPETTI2009_H
#define JAWARI_PAPETTI2009_H

#include "../recording.h"

#include "lab.h"

extern const JwPaper jw_papetti2009;

/// An impact of the paper: its parameters and the velocity it starts with.
typedef struct {
  const char* name;
  const char* caption; ///< Its parameters in words
  JwLabImpact impact;
  double v_in;
} JwPapettiCase;

/// The soft impact of Figure 4, and the two hard ones, cases 1 and 2.
enum { JW_PAPETTI_SOFT, JW_PAPETTI_CASE_1, JW_PAPETTI_CASE_2, JW_PAPETTI_CASES };
extern const JwPapettiCase jw_papetti_cases[JW_PAPETTI_CASES];

/// The exact motion in contact, at velocities that lie closer together at both ends.
enum { JW_PAPETTI_POINTS = 801 };
typedef struct {
  double v[JW_PAPETTI_POINTS], x[JW_PAPETTI_POINTS], f[JW_PAPETTI_POINTS];
  double v_in, v_out;
} JwPapettiPortrait;

JwPapettiPortrait jw_papetti_portrait(const JwLabImpact* impact, double v_in);

/// A run with its columns apart, for figures and CSV.
enum { JW_PAPETTI_SAMPLES = 1024 };
typedef struct {
  size_t count;
  double t[JW_PAPETTI_SAMPLES], x[JW_PAPETTI_SAMPLES], v[JW_PAPETTI_SAMPLES], f[JW_PAPETTI_SAMPLES];
  double kinetic[JW_PAPETTI_SAMPLES], elastic[JW_PAPETTI_SAMPLES], energy[JW_PAPETTI_SAMPLES];
} JwPapettiRun;

/// Run a case; false with a sentence if it does not end.
bool jw_papetti_simulate(JwPaperRun* paper, const JwPapettiCase* c, JwLabMethod method,
                         bool corrected, JwPapettiRun* run);

/// Largest compression of a run.
double jw_papetti_deepest(const JwPapettiRun* run);

/// One cell of Table 1: percent, and whether the paper's table would print "n.e." there.
typedef enum {
  JW_PAPETTI_XMAX,
  JW_PAPETTI_VOUT,
  JW_PAPETTI_HOUT,
  JW_PAPETTI_QUANTITIES
} JwPapettiQuantity;
typedef struct {
  double percent;
  bool not_exceeded;
} JwPapettiCell;

/// The three cells of an impact that went as deep as `x_max` and left with `v_out`.
void jw_papetti_cells(const JwPapettiCase* c, double x_max, double v_out,
                      JwPapettiCell cells[JW_PAPETTI_QUANTITIES]);

/// As printed: "+1.122", "n.e.".
void jw_papetti_print(JwPapettiCell cell, char text[16]);

// ---------------------------------------------------------------- the engine's rules beside them

/// The paper's four methods, then the engine's five rules.
enum { JW_PAPETTI_RULES = JW_PAPER_RULES, JW_PAPETTI_SCHEMES = JW_LAB_METHODS + JW_PAPETTI_RULES };
extern const char* const jw_papetti_scheme_names[JW_PAPETTI_SCHEMES];

/// What came of one impact.
typedef struct {
  double v_out;    ///< Exit velocity
  double x_max;    ///< Largest compression
  double pull;     ///< Largest attracting force, of the engine's rules
  double residual; ///< Worst of the energy ledger, of the engine's rules
  size_t rises;    ///< Samples in which the energy rose, against condition (24)
} JwPapettiImpact;

/// One impact by any scheme; the mass starts `phase` of a sample before it reaches the wall.
bool jw_papetti_impact(JwPaperRun* run, const JwPapettiCase* c, size_t scheme, double rate,
                       double phase, JwPapettiImpact* impact);

/// When the bouncing ball leaves the wall: by a rule of the engine, and by RK4 at 128 times the
/// rate.
enum { JW_PAPETTI_REBOUNDS = 9 };
bool jw_papetti_bounce(JwPaperRun* run, size_t scheme, double leaves[JW_PAPETTI_REBOUNDS]);
bool jw_papetti_bounce_reference(JwPaperRun* run, double leaves[JW_PAPETTI_REBOUNDS]);

bool jw_papetti_schemes(JwPaperRun* run);
bool jw_papetti_fig1(JwPaperRun* run);
bool jw_papetti_fig2(JwPaperRun* run);
bool jw_papetti_fig3(JwPaperRun* run);
bool jw_papetti_eq9(JwPaperRun* run);
bool jw_papetti_fig4(JwPaperRun* run);
bool jw_papetti_fig5(JwPaperRun* run);
bool jw_papetti_fig6(JwPaperRun* run);
bool jw_papetti_fig7(JwPaperRun* run);
bool jw_papetti_fig8(JwPaperRun* run);
bool jw_papetti_table1(JwPaperRun* run);

#endif // JAWARI_PAPETTI2009_H
