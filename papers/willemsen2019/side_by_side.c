// SPDX-License-Identifier: MIT
// One system of the note as an experiment: engine and written-out form, energies, agreements,
// sound.

#include "../run.h"
#include "engine.h"
#include "willemsen2019.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 2000, SOUND = 88200 };

static const double rate = 44100.0;

typedef struct {
  double t[FRAMES], engine[FRAMES], written[FRAMES], other[FRAMES];
  double kinetic[FRAMES], potential[FRAMES], contact[FRAMES], lost[FRAMES], supplied[FRAMES];
  double residual[FRAMES], written_residual[FRAMES];
} Columns;

static const JwNoteSystem* system_of(JwPaperRun* run) {
  return jw_note_find(run->experiment->id + strlen(run->paper->key) + 1);
}

static const char* part_name(JwNotePart part) {
  static const char* const names[JW_PARTS] = {"string",     "other string", "mass",
                                              "other mass", "plate",        "barrier"};
  return names[part];
}

// ---------------------------------------------------------------- agreements

static bool agree(JwPaperRun* run, const JwNoteSystem* system, JwNoteVariant variant,
                  const JwNoteComparison* result) {
  char motion[100], ledger[100], closed[100];
  const char* const name = jw_note_variant_name(variant);
  snprintf(motion, sizeof motion, "difference between engine and closed form, %s", name);
  snprintf(ledger, sizeof ledger, "closure error of the engine's ledger, %s", name);
  snprintf(closed, sizeof closed, "contacts that never closed, %s", name);
  double open = 0.0;
  for (int i = 0; i < system->contacts; ++i) {
    open += result->closures[i] == 0;
  }
  return jw_paper_agree(run, (JwPaperAgreement){.quantity = motion,
                                                .ours = result->difference,
                                                .tolerance = result->tolerance,
                                                .own = true,
                                                .why = "four times how far twins of the closed "
                                                       "form depart that are moved by rounding"})
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = ledger,
                                                   .ours = result->engine_residual,
                                                   .tolerance = fmin(result->bound, 1e-9),
                                                   .own = true,
                                                   .why = "4 eps sqrt(n) max(1, |x|/(k |v|)): the "
                                                          "cancellation in x - x- at every step"})
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = closed,
                                                   .ours = open,
                                                   .own = true,
                                                   .why = "otherwise nothing would be shown"});
}

static bool compare_all(JwPaperRun* run, const JwNoteSystem* whole,
                        Columns columns[JW_NOTE_VARIANTS]) {
  for (int v = 0; v < JW_NOTE_VARIANTS; ++v) {
    Columns* const c = &columns[v];
    const JwNoteTrace trace = {c->t,        c->engine,    c->written,         c->other,
                               c->kinetic,  c->potential, c->contact,         c->lost,
                               c->supplied, c->residual,  c->written_residual};
    const JwNoteSystem system = jw_note_variant(whole, (JwNoteVariant)v);
    JwNoteComparison result;
    if (!jw_note_has_variant(whole, (JwNoteVariant)v)) {
      continue;
    }
    if (!jw_note_compare(&system, FRAMES, &trace, &result)) {
      return jw_paper_fail(run, "%s", result.error);
    }
    if (!agree(run, whole, (JwNoteVariant)v, &result)) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- figure

static JwPlotSeries line(const Columns* c, const double* y, const char* label, int color) {
  JwPlotSeries series = jw_plot_series_default();
  series.x = c->t, series.y = y, series.count = FRAMES, series.label = label, series.color = color;
  return series;
}

static JwPlotPanel panel(const char* title, const char* quantity, const char* unit,
                         const JwPlotSeries* series, size_t count) {
  JwPlotPanel result = jw_plot_panel_default();
  result.title = title;
  result.x = (JwPlotAxis){.label = "time", .unit = "s"};
  result.y = (JwPlotAxis){.label = quantity, .unit = unit};
  result.series = series, result.series_count = count;
  return result;
}

// The name of a variant's files: the lossless run, the paper's own, has the experiment's.
static const char* stem_of(const JwPaperRun* run, JwNoteVariant variant, char stem[120]) {
  snprintf(stem, 120, "%s%s%s", run->experiment->id, variant ? "-" : "",
           variant ? jw_note_variant_name(variant) : "");
  return stem;
}

static bool draw(JwPaperRun* run, const JwNoteSystem* system, const Columns* c,
                 JwNoteVariant variant) {
  const JwNotePart a = system->contact[0].a, b = system->contact[0].b;
  const JwNotePart first = a == JW_PART_BARRIER ? b : a, second = a == JW_PART_BARRIER ? a : b;
  static double apart[FRAMES], open[FRAMES], written_open[FRAMES];
  for (size_t n = 0; n < FRAMES; ++n) {
    apart[n] = fabs(c->engine[n] - c->written[n]);
    open[n] = fabs(c->residual[n]);
    written_open[n] = fabs(c->written_residual[n]);
  }
  char named[60];
  snprintf(named, sizeof named, "%s, closed form", part_name(first));
  JwPlotSeries motion[3] = {line(c, c->written, named, JW_PLOT_GREY),
                            line(c, c->engine, part_name(first), 1),
                            line(c, c->other, part_name(second), 2)};
  motion[0].width = 4.0;
  const JwPlotSeries energy[5] = {line(c, c->kinetic, "kinetic", 1),
                                  line(c, c->potential, "potential", 2),
                                  line(c, c->contact, "contact", 3), line(c, c->lost, "lost", 4),
                                  line(c, c->supplied, "supplied", 5)};
  const JwPlotSeries ledger[2] = {line(c, open, "engine", 1),
                                  line(c, written_open, "closed form", 2)};
  const JwPlotSeries difference = line(c, apart, NULL, 1);
  JwPlotPanel panels[4] = {
      panel("Displacement", "displacement", "m", motion, 3),
      panel("Energy", "energy", "J", energy, 5),
      panel("Engine less closed form", "difference", "m", &difference, 1),
      panel("Closure error of the ledgers", "relative to the peak", NULL, ledger, 2)};
  panels[2].y.log = panels[3].y.log = true;
  panels[2].y.min = 1e-20, panels[2].y.max = NAN; // Below, a string that has not yet been reached
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = system->title;
  char caption[200], stem[120];
  const JwNoteSystem shown = jw_note_variant(system, variant);
  const bool lossy = shown.string[0].loss[0] > 0.0 || shown.mass[0].loss > 0.0;
  static const char* const runs[2] = {"without losses, free", "without losses, forced"};
  snprintf(caption, sizeof caption, "%s; here %s", system->equations,
           lossy ? "with losses and forced" : runs[variant == JW_NOTE_FORCED]);
  figure.caption = caption;
  figure.panels = panels, figure.panel_count = 4, figure.columns = 2;
  figure.width = 900.0, figure.height = 220.0;
  return jw_paper_figure(run, stem_of(run, variant, stem), &figure);
}

static bool save(JwPaperRun* run, const Columns* c, JwNoteVariant variant) {
  char stem[120];
  const JwPaperColumn columns[] = {
      {"t", c->t, FRAMES},
      {"engine", c->engine, FRAMES},
      {"closed_form", c->written, FRAMES},
      {"other", c->other, FRAMES},
      {"kinetic", c->kinetic, FRAMES},
      {"potential", c->potential, FRAMES},
      {"contact", c->contact, FRAMES},
      {"lost", c->lost, FRAMES},
      {"supplied", c->supplied, FRAMES},
      {"residual", c->residual, FRAMES},
      {"closed_form_residual", c->written_residual, FRAMES},
  };
  return jw_paper_csv(run, stem_of(run, variant, stem), columns, sizeof columns / sizeof *columns);
}

// ---------------------------------------------------------------- sound

// What the body radiates, roughly: its velocity under the bridge, two seconds, to half of full
// scale.
static bool sound(JwPaperRun* run, const JwNoteSystem* system) {
  static double samples[SOUND];
  JwNoteWorld note;
  double largest = 0.0;
  bool good = jw_note_build(&note, system, rate) == JW_STATUS_OK;
  const JwPort port = {note.part[JW_PART_PLATE], system->plate_at[0], system->plate_at[1],
                       JW_READ_NEAREST, 0.0};
  for (size_t n = 0; n < SOUND && good; ++n) {
    double displacement;
    good = jw_world_run_double(note.world, NULL, 1) == JW_STATUS_OK
           && jw_world_probe(note.world, port, &displacement, &samples[n]) == JW_STATUS_OK;
    largest = fmax(largest, fabs(samples[n]));
  }
  if (!good) {
    jw_paper_fail(run, "%s", note.world ? jw_world_error(note.world) : "no memory");
  }
  jw_world_destroy(note.world);
  for (size_t n = 0; n < SOUND; ++n) {
    samples[n] *= largest > 0.0 ? 0.5 / largest : 0.0;
  }
  const JwPaperColumn column = {"Velocity of the plate under the bridge, plucked", samples, SOUND};
  return good && jw_paper_sound(run, run->experiment->id, &column, rate);
}

bool jw_willemsen_system(JwPaperRun* run) {
  static Columns columns[JW_NOTE_VARIANTS];
  const JwNoteSystem* const system = system_of(run);
  if (!system) {
    return jw_paper_fail(run, "%s names no system", run->experiment->id);
  }
  bool good = compare_all(run, system, columns);
  for (int v = JW_NOTE_LOSSLESS; v < JW_NOTE_VARIANTS && good;
       ++v) { // As in the paper, the lossless and free run first
    const JwNoteVariant variant = (JwNoteVariant)v;
    if (variant != JW_NOTE_LOSSY && jw_note_has_variant(system, variant)) {
      good = draw(run, system, &columns[v], variant) && save(run, &columns[v], variant);
    }
  }
  return good && (!system->plates || sound(run, system));
}
