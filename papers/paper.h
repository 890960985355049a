// SPDX-License-Identifier: MIT
// paper.h: published figures and tables as experiments.
//
// A paper is a folder with one table of experiments; the registry (registry.c) is one line a paper.
// An experiment computes, writes its numbers and figures through its run, and states what it agrees
// with: the paper's number, ours, a tolerance, and why that tolerance.  The page and the tests read
// those statements; none is checked twice.  How to add one: docs/papers.md.
#ifndef JAWARI_PAPER_H
#define JAWARI_PAPER_H

#include "plot.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>

/// One experiment on its way: where it writes, what it has stated.
typedef struct JwPaperRun JwPaperRun;

typedef struct {
  const char* id;               ///< "papetti2009-fig1"
  const char* title;            ///< One line
  const char* description;      ///< What is shown and how it was made, a paragraph
  bool (*run)(JwPaperRun* run); ///< False after jw_paper_fail()
} JwPaperExperiment;

typedef struct {
  const char* key; ///< "papetti2009"
  const char* authors;
  const char* title;
  const char* source;       ///< Where and when it appeared
  const char* introduction; ///< Paragraphs before and after its experiments, one a line; NULL: none
  const char* discussion;
  const JwPaperExperiment* experiments;
  size_t experiment_count;
} JwPaper;

// ---------------------------------------------------------------- registry

size_t jw_paper_count(void);
const JwPaper* jw_paper_at(size_t index);

/// The experiment with this id and its paper; NULL if there is none.
const JwPaperExperiment* jw_paper_find(const char* id, const JwPaper** paper);

// ---------------------------------------------------------------- what an experiment calls

/// A column of a CSV file; shorter columns leave their last fields empty.
typedef struct {
  const char* name;
  const double* values;
  size_t count;
} JwPaperColumn;

/// A number of the paper beside ours.  It agrees when |ours - theirs| <= tolerance.
typedef struct {
  const char* quantity;
  const char* unit; ///< NULL: a pure number
  double theirs, ours;
  double tolerance;
  const char* why; ///< Where the tolerance comes from, or why the numbers differ
  bool differs;    ///< Known not to agree: then agreeing is what would be wrong
  bool own;        ///< `theirs` is not printed in the paper but follows from its equations
} JwPaperAgreement;

/// DIR/stem.csv, full precision.
bool jw_paper_csv(JwPaperRun* run, const char* stem, const JwPaperColumn* columns, size_t count);

/// DIR/name with this text, for tables that are not all numbers.  Linked from the page.
bool jw_paper_file(JwPaperRun* run, const char* name, const JwText* text);

/// A drawing made by hand, as SVG: `stem`.svg.
bool jw_paper_drawing(JwPaperRun* run, const char* stem, const JwText* svg);

/// DIR/stem.svg, shown on the page.
bool jw_paper_figure(JwPaperRun* run, const char* stem, const JwPlotFigure* figure);

/// DIR/stem.wav, playable on the page under the column's name; a remark instead when built without
/// libsndfile.
bool jw_paper_sound(JwPaperRun* run, const char* stem, const JwPaperColumn* samples, double rate);

bool jw_paper_agree(JwPaperRun* run, JwPaperAgreement agreement);

/// A paragraph on the page.
bool jw_paper_remark(JwPaperRun* run, const char* text);

/// A table on the page: one line a row, cells parted by tabs, the first line its head.
bool jw_paper_table(JwPaperRun* run, const JwText* rows);

/// Say what went wrong; always false.
bool jw_paper_fail(JwPaperRun* run, const char* format, ...);

// ---------------------------------------------------------------- what the command and tests call

/// Run one experiment into an existing folder.  Never NULL unless there is no memory.
JwPaperRun* jw_paper_run(const JwPaper* paper, const JwPaperExperiment* experiment,
                         const char* folder);
void jw_paper_release(JwPaperRun* run);

/// NULL when it ran to its end, else the sentence.
const char* jw_paper_error(const JwPaperRun* run);

const JwPaperAgreement* jw_paper_agreements(const JwPaperRun* run, size_t* count);

/// True when it is as stated: agrees, or differs where that is known.
bool jw_paper_holds(const JwPaperAgreement* agreement);

/// DIR/index.html over these runs.
bool jw_paper_page(JwPaperRun* const* runs, size_t count, const char* folder);

#endif // JAWARI_PAPER_H
