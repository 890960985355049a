// The choice of g: experiments beyond the papers.

#include "study.h"

static const JwPaperExperiment experiments[] = {
    {"study-choice", "Rebounds: accuracy over the length of the contact",
     "x", jw_study_choice},
    {"study-oscillator", "Stiffness, exponent and sample rate: an oscillator",
     "y", jw_study_oscillator},
    {"study-cost", "Accuracy against cost: a string over a point",
     "z", jw_study_cost},
};

const JwPaper jw_study = {
    .key = "study",
    .authors = "Measured with jawari",
    .title = "The choice of g",
    .source = "Beyond the papers: what the one free number of a quadratised collision decides",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
