// The choice of g: experiments beyond the papers.

#include "study.h"

static const JwPaperExperiment experiments[] = {
    {"study-choice", "Rebounds: accuracy over the length of the contact",
     "The energy of a quadratised collision is exact for any g, so an energy plot cannot choose "
     "one. A free mass can: "
     "thrown at a barrier it must come back with the speed it had, at a time known in closed form. "
     "Scaled, its motion "
     "knows two numbers only, the exponent and the number of samples that the contact lasts; "
     "stiffness, mass, speed and "
     "sample rate act through the second, so one axis shows them all. Five rules, four exponents, "
     "contacts of 0.2 to 200 "
     "samples, 16 positions of first contact between two samples.",
     jw_study_choice},
    {"study-oscillator", "Stiffness, exponent and sample rate: an oscillator",
     "The oscillator of Ducceschi and Bilbao 2019 against five barriers, two collisions, errors "
     "against the motion found "
     "event by event. Refined and bounded are the same wherever the contact is shorter than about "
     "twelve samples; where it "
     "is longer, refined is limited by the spring's own second-order error, not by the contact.",
     jw_study_oscillator},
    {"study-cost", "Accuracy against cost: a string over a point",
     "The same string by modes and on a grid, every rule from 44.1 kHz to 16 times that, the error "
     "of the output over the "
     "sample rate and over the processor time it took.",
     jw_study_cost},
    {"study-flat-barrier", "A string over a flat rigid barrier, against its exact solution",
     "Plucked in the middle, an ideal string over a flat barrier h below it has the period (L/c)(1 "
     "+ h/A): it falls onto "
     "the barrier all at once and runs backwards to its first shape. Here 298.1 Hz instead of "
     "223.6 Hz. For other plucks a "
     "scheme along the characteristics, checked against that form, is the reference. The engine's "
     "barrier is not rigid but "
     "stiff.",
     jw_study_flat_barrier},
    {"study-hammer", "A piano hammer: force and duration",
     "The force between hammer and string for two notes of a grand piano, struck by a mass through "
     "a contact of felt, with "
     "parameters published by Chaigne and Askenfelt in 1994, and its duration beside measured "
     "ones.",
     jw_study_hammer},
};

const JwPaper jw_study = {
    .key = "study",
    .authors = "Measured with jawari",
    .title = "The choice of g",
    .source = "Beyond the papers: what the one free number of a quadratised collision decides",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
