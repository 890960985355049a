// SPDX-License-Identifier: MIT
// bow.h: experiments with the bow, made here and not in a paper.
#ifndef JAWARI_PAPER_BOW_H
#define JAWARI_PAPER_BOW_H

#include "paper.h"

extern const JwPaper jw_bow_paper;

bool jw_bow_schelleng(JwPaperRun* run);
bool jw_bow_rattle(JwPaperRun* run);

#endif // JAWARI_PAPER_BOW_H
