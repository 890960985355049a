// SPDX-License-Identifier: MIT
// Experiments with the bow.

#include "bow/bow.h"

static const JwPaperExperiment experiments[] = {
    {"bow-schelleng", "Where a bowed string speaks, and where the bows differ",
     "A violin's A string over bow force and position, after Schelleng: started in Helmholtz motion, "
     "does the bow keep it up? Left, slips in each period: one is the note, more are too little force, "
     "none is too much. Middle, the pitch against the string's own: a heavy bow flattens. Right, the "
     "default bow's pitch against the iterated bow's, where both speak. Losses of the string are "
     "chosen (T60 1.5 s at 440 Hz, 0.1 s at 5 kHz); its other numbers are a real string's.",
     jw_bow_schelleng},
    {"bow-rattle", "The tromba marina's rattle over bow force and guidon",
     "The third harmonic of the built-in tromba marina, bowed with forces from light to heavy at gaps under "
     "the loose foot of the bridge from pressed to far: the share of the power above 2 kHz is the rattle.",
     jw_bow_rattle},
};

const JwPaper jw_bow_paper = {
    .key = "bow",
    .authors = "this project",
    .title = "The bow: friction solved without iteration",
    .source = "Diagram after J. C. Schelleng, The bowed string and the player, Journal of the "
              "Acoustical Society of America 53, 1973",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
