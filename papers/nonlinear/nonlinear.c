// SPDX-License-Identifier: MIT
// Experiments with what stiffens as it moves.

#include "nonlinear.h"

static const JwPaperExperiment experiments[] = {
    {"nonlinear-strings", "One plucked string, every rule for its load",
     "A nylon G3 of twelve modes, plucked by 4 mm, for a tenth of a second at 48 kHz, written out for six ways of "
     "choosing g, with leapfrog and with exact poles: plain; the sign rule; bounded, as a collision is; regulated, psi "
     "falling back to sqrt(2V) at 1000/s; two solves; and two solves from the g that makes the force the slope of V, "
     "which is the engine's. All keep the energy to rounding: what differs is the motion. Errors are relative, in the "
     "mean square, against Runge and Kutta at four times the rate; drift is the largest |psi - sqrt(2V)| over sqrt(2E).",
     jw_nonlinear_strings},
    {"nonlinear-plates", "Von Karman's plate: hardening, and blows of many thicknesses",
     "Left, the pitch of one mode over its amplitude beside the elliptic integral. Right, three blows on a plate of 120 "
     "modes that still rings, from a fraction of its thickness to many: how far its load is from its stretch, and how far "
     "the ledger is open.",
     jw_nonlinear_plates},
};

const JwPaper jw_nonlinear_paper = {
    .key = "nonlinear",
    .authors = "this project",
    .title = "Strings and plates that stretch: rules for the load, compared",
    .source =
        "docs/physics.md, section 8; test string and rules after papers on scalar auxiliary variables, 2023 to 2026",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
