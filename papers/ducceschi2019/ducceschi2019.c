// SPDX-License-Identifier: MIT
// The experiments of Ducceschi and Bilbao 2019.

#include "ducceschi2019.h"

static const JwPaperExperiment experiments[] = {
    {"ducceschi2019-fig1", "Figure 1: an oscillator against a soft barrier",
     "The iterative scheme (newton) and the paper's non-iterative scheme (plain) lie on each "
     "other; both keep "
     "the energy to rounding. An oscillator is its own one mode: the modal scheme, (57) with P = 1, is "
     "line by line the non-iterative one, and needs no curve of its own in Figures 1 to 3.",
     jw_ducceschi_fig1},
    {"ducceschi2019-fig2", "Figure 2: an oscillator against a hard barrier",
     "Contact lasts a few samples. The non-iterative scheme leaves energy in the open contact, so "
     "the mass "
     "comes back too slowly, while the sum of all energies is still exact: an energy plot cannot "
     "tell a good "
     "solution from a bad one.",
     jw_ducceschi_fig2},
    {"ducceschi2019-fig3", "Figure 3: the hard barrier at five times the rate",
     "At 220.5 kHz the contact is resolved and the schemes agree again, for a while.",
     jw_ducceschi_fig3},
    {"ducceschi2019-fig4", "Figure 4: a string against a point",
     "Snapshots before, during and after contact. The barrier lies at -0.1 mm, not at +0.1 mm as "
     "printed, where "
     "the string would start inside it. The place of the force is not printed: here 0.3 L.",
     jw_ducceschi_fig4},
    {"ducceschi2019-fig5", "Figure 5: energies of the string",
     "Kinetic, collision, potential and total energy. The non-iterative schemes leave energy in "
     "the contact, the "
     "sum is exact for all.",
     jw_ducceschi_fig5},
    {"ducceschi2019-fig6", "Figure 6: energies of the string at five times the rate",
     "The parts of the energy come together.", jw_ducceschi_fig6},
    {"ducceschi2019-fig7", "Figure 7: recorded output at both rates",
     "Displacement at 0.9 L. What is left between grid and modes is the grid's dispersion, not the "
     "collision.",
     jw_ducceschi_fig7},
    {"ducceschi2019-fig8", "Figure 8: a string against a bent barrier",
     "A barrier under the whole string, as in a tanpura, at 5 \u00d7 44.1 kHz. The modal string "
     "touches it at the "
     "places of the grid. The string has no losses, so the sound goes on until it is cut.",
     jw_ducceschi_fig8},
    {"ducceschi2019-time", "Section 3.3: run times",
     "The paper's comparison of run times, in two plain loops that differ in the collision only.",
     jw_ducceschi_time},
    {"ducceschi2019-convergence", "Convergence of all schemes to one solution",
     "The oscillator against the motion found event by event, the string against modes with exact "
     "poles at 32 times "
     "the rate.",
     jw_ducceschi_convergence},
};

const JwPaper jw_ducceschi2019 = {
    .key = "ducceschi2019",
    .authors = "M. Ducceschi, S. Bilbao",
    .title = "Non-iterative solvers for nonlinear problems: the case of collisions",
    .source = "Proceedings of the 22nd International Conference on Digital Audio Effects "
              "(DAFx-19), Birmingham, 2019",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
