// SPDX-License-Identifier: MIT
// What an experiment writes and states.

#include "run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef JW_WITH_SNDFILE
#include <sndfile.h>
#endif

bool jw_paper_fail(JwPaperRun* run, const char* format, ...) {
  if (!run->error[0]) { // The first cause counts
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->error, sizeof run->error, format, arguments);
    va_end(arguments);
  }
  return false;
}

static char* copy_of(const char* text) {
  const size_t size = text ? strlen(text) + 1 : 0;
  char* const copy = size ? (char*)malloc(size) : NULL;
  return copy ? (char*)memcpy(copy, text, size) : NULL;
}

static bool add_item(JwPaperRun* run, JwPaperItemKind kind, const char* text) {
  JwPaperItem* const items =
      (JwPaperItem*)realloc(run->items, (run->item_count + 1) * sizeof *items);
  char* const copy = copy_of(text);
  run->items = items ? items : run->items;
  if (!items || !copy) {
    free(copy);
    return jw_paper_fail(run, "no memory");
  }
  items[run->item_count++] = (JwPaperItem){kind, copy};
  return true;
}

// DIR/stem.ending, to be freed by the caller.
static char* path_of(const JwPaperRun* run, const char* stem, const char* ending) {
  const size_t size = strlen(run->folder) + strlen(stem) + strlen(ending) + 2;
  char* const path = (char*)malloc(size);
  if (path) {
    snprintf(path, size, "%s/%s%s", run->folder, stem, ending);
  }
  return path;
}

bool jw_paper_file(JwPaperRun* run, const char* name, const JwText* text) {
  char* const path = path_of(run, name, "");
  const bool good = path && jw_text_save(text, path);
  if (!good) {
    jw_paper_fail(run, "cannot write %s/%s", run->folder, name);
  }
  free(path);
  return good && add_item(run, JW_PAPER_DATA, name);
}

bool jw_paper_drawing(JwPaperRun* run, const char* stem, const JwText* svg) {
  char* const path = path_of(run, stem, ".svg");
  const bool good = path && jw_text_save(svg, path);
  free(path);
  char name[200];
  snprintf(name, sizeof name, "%s.svg", stem);
  return good ? add_item(run, JW_PAPER_FIGURE, name)
              : jw_paper_fail(run, "cannot write %s/%s", run->folder, name);
}

bool jw_paper_csv(JwPaperRun* run, const char* stem, const JwPaperColumn* columns, size_t count) {
  JwText text = {0};
  size_t rows = 0;
  for (size_t c = 0; c < count; ++c) {
    jw_text_add(&text, "%s%s", c ? "," : "", columns[c].name);
    rows = columns[c].count > rows ? columns[c].count : rows;
  }
  for (size_t r = 0; r < rows; ++r) {
    jw_text_add(&text, "\n");
    for (size_t c = 0; c < count; ++c) {
      jw_text_add(&text, "%s", c ? "," : "");
      if (r < columns[c].count) {
        jw_text_add(&text, "%.17g", columns[c].values[r]);
      }
    }
  }
  jw_text_add(&text, "\n");
  char name[200];
  snprintf(name, sizeof name, "%s.csv", stem);
  const bool good = jw_paper_file(run, name, &text);
  jw_text_release(&text);
  return good;
}

// ---------------------------------------------------------------- figures

enum { MOST_PANELS = 32 };

// A line in print is 1/300 of the axis wide: what is nearer cannot be told apart.
#define LINE (1.0 / 300.0)

static double height_on(const JwPlotAxis* axis, double y) {
  return axis->log ? log10(y) : y;
}

/// Whether two lines over the same places lie within a line's width of each other everywhere;
/// `span` is of the panel.
static bool lie_together(const JwPlotPanel* panel, const JwPlotSeries* a, const JwPlotSeries* b,
                         double span) {
  const bool lines = a->kind == JW_PLOT_LINE && b->kind == JW_PLOT_LINE;
  if (!lines || a->count != b->count || a->count < 2 || !a->x || !b->x) {
    return false;
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < a->count; ++i) {
    low = fmin(low, a->y[i]);
    high = fmax(high, a->y[i]);
    if (a->x[i] != b->x[i]
        || !(fabs(height_on(&panel->y, a->y[i]) - height_on(&panel->y, b->y[i])) <= LINE * span)) {
      return false;
    }
  }
  return low < high; // Two that stay where they are say nothing
}

static double span_of(const JwPlotPanel* panel) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t s = 0; s < panel->series_count; ++s) {
    for (size_t i = 0; i < panel->series[s].count; ++i) {
      const double y = height_on(&panel->y, panel->series[s].y[i]);
      low = isfinite(y) ? fmin(low, y) : low;
      high = isfinite(y) ? fmax(high, y) : high;
    }
  }
  return high - low;
}

/// A panel's title, with a word on curves of which one hides the other.
static const char* title_with_word(const JwPlotPanel* panel, char title[200]) {
  const double span = panel->series_count > 1 && !panel->heat ? span_of(panel) : 0.0;
  size_t pairs = 0;
  char named[120] = "";
  for (size_t b = 1; span > 0.0 && b < panel->series_count; ++b) {
    for (size_t a = 0; a < b; ++a) {
      if (lie_together(panel, &panel->series[a], &panel->series[b], span)) {
        const char *const first = panel->series[a].label, *const second = panel->series[b].label;
        snprintf(named, sizeof named, "%s and %s coincide", first ? first : "the first",
                 second ? second : "the second");
        ++pairs;
        break;
      }
    }
  }
  if (pairs == 0) {
    return panel->title;
  }
  const bool several = pairs > 1 || panel->series_count == 2;
  const bool all = pairs + 1 == panel->series_count;
  snprintf(title, 200, "%s%s%s", panel->title ? panel->title : "", panel->title ? "; " : "",
           all       ? "the curves coincide"
           : several ? "several curves coincide"
                     : named);
  return title;
}

bool jw_paper_figure(JwPaperRun* run, const char* stem, const JwPlotFigure* figure) {
  static JwPlotPanel panels[MOST_PANELS];
  static char titles[MOST_PANELS][200];
  JwPlotFigure worded = *figure;
  for (size_t i = 0; i < figure->panel_count && figure->panel_count <= MOST_PANELS; ++i) {
    panels[i] = figure->panels[i];
    panels[i].title = title_with_word(&panels[i], titles[i]);
    worded.panels = panels;
  }
  char* const path = path_of(run, stem, ".svg");
  JwPlotError error = {"no memory"};
  const bool good = path && jw_plot_save(&worded, path, &error);
  free(path);
  char name[200];
  snprintf(name, sizeof name, "%s.svg", stem);
  return good ? add_item(run, JW_PAPER_FIGURE, name)
              : jw_paper_fail(run, "figure %s: %s", stem, error.text);
}

#ifdef JW_WITH_SNDFILE
static bool write_sound(const char* path, const JwPaperColumn* samples, double rate) {
  SF_INFO info = {
      .samplerate = (int)lround(rate), .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  SNDFILE* const file = sf_open(path, SFM_WRITE, &info);
  if (!file) {
    return false;
  }
  sf_command(file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE); // It would hold the time of day
  const sf_count_t count = (sf_count_t)samples->count;
  const bool whole = sf_writef_double(file, samples->values, count) == count;
  return sf_close(file) == 0 && whole;
}

bool jw_paper_sound(JwPaperRun* run, const char* stem, const JwPaperColumn* samples, double rate) {
  char* const part = path_of(run, stem, ".wav.part");
  char* const path = path_of(run, stem, ".wav");
  const bool good = part && path && write_sound(part, samples, rate) && rename(part, path) == 0;
  if (!good && part) {
    remove(part);
  }
  free(part);
  free(path);
  char item[300];
  snprintf(item, sizeof item, "%s.wav\t%s", stem, samples->name);
  return good ? add_item(run, JW_PAPER_SOUND, item)
              : jw_paper_fail(run, "cannot write %s/%s.wav", run->folder, stem);
}
#else
bool jw_paper_sound(JwPaperRun* run, const char* stem, const JwPaperColumn* samples, double rate) {
  (void)stem, (void)samples, (void)rate;
  return jw_paper_remark(run, "This build is without libsndfile and writes no sound.");
}
#endif

bool jw_paper_remark(JwPaperRun* run, const char* text) {
  return add_item(run, JW_PAPER_REMARK, text);
}

bool jw_paper_table(JwPaperRun* run, const JwText* rows) {
  return rows->failed || !rows->data ? jw_paper_fail(run, "a table without rows or memory")
                                     : add_item(run, JW_PAPER_TABLE, rows->data);
}

bool jw_paper_holds(const JwPaperAgreement* agreement) {
  const bool agrees = fabs(agreement->ours - agreement->theirs) <= agreement->tolerance;
  return isfinite(agreement->ours) && agrees != agreement->differs;
}

bool jw_paper_agree(JwPaperRun* run, JwPaperAgreement agreement) {
  JwPaperAgreement* const list =
      (JwPaperAgreement*)realloc(run->agreements, (run->agreement_count + 1) * sizeof *list);
  run->agreements = list ? list : run->agreements;
  char* const quantity = copy_of(agreement.quantity);
  char* const why = copy_of(agreement.why);
  char* const unit = copy_of(agreement.unit ? agreement.unit : "");
  if (!list || !quantity || !why || !unit) {
    free(quantity), free(why), free(unit);
    return jw_paper_fail(run, "an agreement without name, reason or memory");
  }
  agreement.quantity = quantity;
  agreement.why = why;
  agreement.unit = unit;
  list[run->agreement_count++] = agreement;
  return true;
}

JwPaperRun* jw_paper_run(const JwPaper* paper, const JwPaperExperiment* experiment,
                         const char* folder) {
  JwPaperRun* const run = (JwPaperRun*)calloc(1, sizeof *run);
  if (run) {
    run->paper = paper;
    run->experiment = experiment;
    run->folder = folder;
    if (!experiment->run(run)) {
      jw_paper_fail(run, "%s failed without saying why", experiment->id);
    }
  }
  return run;
}

void jw_paper_release(JwPaperRun* run) {
  if (!run) {
    return;
  }
  for (size_t i = 0; i < run->item_count; ++i) {
    free(run->items[i].text);
  }
  for (size_t i = 0; i < run->agreement_count; ++i) {
    // Owned copies, made by jw_paper_agree()
    free((void*)(size_t)run->agreements[i].quantity);
    free((void*)(size_t)run->agreements[i].why);
    free((void*)(size_t)run->agreements[i].unit);
  }
  free(run->items);
  free(run->agreements);
  free(run);
}

const char* jw_paper_error(const JwPaperRun* run) {
  return run->error[0] ? run->error : NULL;
}

const JwPaperAgreement* jw_paper_agreements(const JwPaperRun* run, size_t* count) {
  *count = run->agreement_count;
  return run->agreements;
}
