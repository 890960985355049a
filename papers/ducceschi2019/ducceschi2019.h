// SPDX-License-Identifier: MIT
// ducceschi2019.h: non-iterative solvers for collisions, Ducceschi and Bilbao 2019.
#ifndef JAWARI_DUCCESCHI2019_H
#define JAWARI_DUCCESCHI2019_H

#include "../oscillator.h"
#include "../recording.h"

extern const JwPaper jw_ducceschi2019;

#define JW_DUCCESCHI_RATE 44100.0

// ---------------------------------------------------------------- the oscillator, section 2

/// The oscillator of Figures 1 to 3 with a barrier of this stiffness.
JwOscillator jw_ducceschi_oscillator(double stiffness);

// ---------------------------------------------------------------- the string, section 3

/// How the string and its barrier are solved: the paper's three solvers.
typedef enum {
  JW_DUCCESCHI_NEWTON,
  JW_DUCCESCHI_GRID,
  JW_DUCCESCHI_MODES,
  JW_DUCCESCHI_SOLVERS
} JwDucceschiSolver;
extern const char* const jw_ducceschi_solver_names[JW_DUCCESCHI_SOLVERS]; ///< For legends
extern const char* const jw_ducceschi_solver_keys[JW_DUCCESCHI_SOLVERS];  ///< For columns

/// A string and its barrier.
typedef struct {
  bool along; ///< The bent barrier of Figure 8, otherwise the point of Figure 4
  double rate;
  double seconds;
  JwRule rule;
  JwMethod method;
  bool exact;   ///< Modes with exact poles instead of the paper's step
  bool printed; ///< The point barrier at +0.1 mm, as printed
} JwDucceschiString;

/// The definition of one of the paper's solvers.
JwDucceschiString jw_ducceschi_string(JwDucceschiSolver solver, bool along, double rate,
                                      double seconds);

/// Places of the snapshots along the string.
enum { JW_DUCCESCHI_PLACES = 201, JW_DUCCESCHI_SHOTS = 3 };

/// What came of it: the output at 0.9 L and its energies, snapshots, and what the contact did.
typedef struct {
  JwRecording recording;
  double shots[JW_DUCCESCHI_SHOTS][JW_DUCCESCHI_PLACES];
  JwContactFigures contact; ///< Of a point barrier or of one along a grid
  double residual;
} JwDucceschiMotion;

/// Run it; `times` of the snapshots in seconds.
bool jw_ducceschi_string_run(JwPaperRun* run, const JwDucceschiString* string,
                             const double times[JW_DUCCESCHI_SHOTS], JwDucceschiMotion* motion);
void jw_ducceschi_motion_release(JwDucceschiMotion* motion);

/// All three solvers, 30 ms.
typedef JwDucceschiMotion JwDucceschiMotions[JW_DUCCESCHI_SOLVERS];
bool jw_ducceschi_run_all(JwPaperRun* run, bool along, double factor, JwDucceschiMotions motions);
void jw_ducceschi_release_all(JwDucceschiMotions motions);

/// Output and energies, one column a solver and quantity.
bool jw_ducceschi_save(JwPaperRun* run, const char* stem, const JwDucceschiMotions motions);

/// When the snapshots are taken: before, during and after contact (s).
const double* jw_ducceschi_times(bool along);

/// Height of the barrier at x (m); NAN where there is none.
double jw_ducceschi_barrier(bool along, double x);

/// The colours of the paper: red for the iterative scheme, blue and green for the others.
JwPlotSeries jw_ducceschi_solver_line(size_t solver, const double* x, const double* y,
                                      size_t count);

bool jw_ducceschi_fig1(JwPaperRun* run);
bool jw_ducceschi_fig2(JwPaperRun* run);
bool jw_ducceschi_fig3(JwPaperRun* run);
bool jw_ducceschi_fig4(JwPaperRun* run);
bool jw_ducceschi_fig5(JwPaperRun* run);
bool jw_ducceschi_fig6(JwPaperRun* run);
bool jw_ducceschi_fig7(JwPaperRun* run);
bool jw_ducceschi_fig8(JwPaperRun* run);
bool jw_ducceschi_time(JwPaperRun* run);
bool jw_ducceschi_convergence(JwPaperRun* run);

#endif // JAWARI_DUCCESCHI2019_H
