// SPDX-License-Identifier: MIT
// willemsen2019.h: collisions without iteration, system by system, Willemsen 2019.
#ifndef JAWARI_WILLEMSEN2019_H
#define JAWARI_WILLEMSEN2019_H

#include "../paper.h"

extern const JwPaper jw_willemsen2019;

/// The system that the experiment's id names after the paper's key: motion, energy, agreements.
bool jw_willemsen_system(JwPaperRun* run);

/// Every misprint, run as printed and as corrected.
bool jw_willemsen_fig1(JwPaperRun* run);
bool jw_willemsen_fig2(JwPaperRun* run);
bool jw_willemsen_errata(JwPaperRun* run);

#endif // JAWARI_WILLEMSEN2019_H
