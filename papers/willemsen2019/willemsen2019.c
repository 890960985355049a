// SPDX-License-Identifier: MIT
// The experiments of Willemsen's collisions note: one a section.

#include "willemsen2019.h"

#define SIDE_BY_SIDE                                                                               \
  "The engine (rule plain, leapfrog, nearest grid point) beside the note's own closed form, "      \
  "corrected and written out without any of the engine's code. "

static const JwPaperExperiment experiments[] = {
    {"willemsen2019-fig1", "Figure 1: the positive part",
     "What a collision's force and energy depend on.", jw_willemsen_fig1},
    {"willemsen2019-fig2", "Figure 2: the tromba marina system",
     "A string, a bridge that hangs on it by a spring, and the body that the bridge hits.",
     jw_willemsen_fig2},
    {"willemsen2019-mass-barrier", "Section 2: a mass and a rigid barrier",
     SIDE_BY_SIDE "A division, equation (16).", jw_willemsen_system},
    {"willemsen2019-mass-spring-barrier", "Section 3: a mass on a spring and a rigid barrier",
     SIDE_BY_SIDE "A division, equation (21), with the numbers of Ducceschi and Bilbao's Figure 1.",
     jw_willemsen_system},
    {"willemsen2019-mass-mass", "Section 4: two masses on springs",
     SIDE_BY_SIDE "A 2 x 2 system, equation (24).", jw_willemsen_system},
    {"willemsen2019-string-string", "Section 5: two strings on equal grids",
     SIDE_BY_SIDE "A 2 x 2 system at each grid point, equation (27).", jw_willemsen_system},
    {"willemsen2019-mass-string", "Section 6: a mass on a spring and a string",
     SIDE_BY_SIDE "A 2 x 2 system, equation (30), then (31) for the string.", jw_willemsen_system},
    {"willemsen2019-tromba-spring", "Section 7: tromba marina with a nonlinear spring",
     SIDE_BY_SIDE "String, bridge and body without losses: the 3 x 3 system (42).",
     jw_willemsen_system},
    {"willemsen2019-tromba-damped", "Section 7.1: the same with losses",
     SIDE_BY_SIDE "The 3 x 3 system (59).", jw_willemsen_system},
    {"willemsen2019-tromba-factored", "Section 7.2: the same, written for a program",
     SIDE_BY_SIDE "The grid factored out (62), one division (56), the 3 x 3 system (65).",
     jw_willemsen_system},
    {"willemsen2019-tromba-contact", "Section 8: tromba marina with a two-sided contact",
     SIDE_BY_SIDE "The 3 x 3 system (74), psi carrying the sign of eta.", jw_willemsen_system},
    {"willemsen2019-appendix-b", "Appendix B: two masses, the derivation",
     SIDE_BY_SIDE "Equations (78) and (79), for the ball and the bat of which section 4 speaks.",
     jw_willemsen_system},
    {"willemsen2019-weird", "Appendix B: the weird collision case",
     SIDE_BY_SIDE "A mass between string and barrier, (80). The note prints no solution; the "
                  "2 x 2 system follows as (30) does.",
     jw_willemsen_system},
    {"willemsen2019-appendix-d", "Appendix D: solving for the gaps' velocities",
     SIDE_BY_SIDE "A free mass between an ideal string and a barrier, (87) and (90).",
     jw_willemsen_system},
    {"willemsen2019-errata", "Errata: as printed the ledger opens, as corrected it closes",
     "Each misprint of the note, and (D) of Ducceschi and Bilbao 2019 on which it builds, run as "
     "printed and as corrected in the written-out form. The number is the largest closure error "
     "of the energy ledger, relative to the largest energy, over 2000 samples or until it is "
     "larger than all the energy there is.",
     jw_willemsen_errata},
};

const JwPaper jw_willemsen2019 = {
    .key = "willemsen2019",
    .authors = "S. Willemsen",
    .title = "Collisions: Non-linearities without the use of iterative solvers",
    .source =
        "Note of April 2019, three drafts; equation numbers are those of the two with an Appendix D",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
