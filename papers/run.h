// SPDX-License-Identifier: MIT
// run.h: inside of an experiment's run, for the page.
#ifndef JAWARI_PAPER_RUN_H
#define JAWARI_PAPER_RUN_H

#include "paper.h"

typedef enum {
  JW_PAPER_FIGURE,
  JW_PAPER_DATA,
  JW_PAPER_SOUND,
  JW_PAPER_REMARK,
  JW_PAPER_TABLE
} JwPaperItemKind;

typedef struct {
  JwPaperItemKind kind;
  char* text; ///< File name (of a sound: and, after a tab, what it is), paragraph or table; owned
} JwPaperItem;

struct JwPaperRun {
  const JwPaper* paper;
  const JwPaperExperiment* experiment;
  const char* folder;
  JwPaperItem* items;
  size_t item_count;
  JwPaperAgreement* agreements; ///< Their texts are owned
  size_t agreement_count;
  char error[512];
};

#endif // JAWARI_PAPER_RUN_H
