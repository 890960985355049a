// SPDX-License-Identifier: MIT
// The choice of g: experiments beyond the papers, with what they were made for and what follows.

#include "study.h"

static const JwPaperExperiment experiments[] = {
    {"study-choice", "Rebounds: accuracy over the length of the contact",
     "A free mass thrown at a barrier must come back with the speed it had, at a time known in closed "
     "form. Scaled, its motion knows two numbers only, the exponent and the number of samples that the "
     "contact lasts; stiffness, mass, speed and sample rate act through the second, so one axis shows "
     "them all. Five rules, four exponents, contacts of 0.2 to 2000 samples, 16 positions of first "
     "contact between two samples.",
     jw_study_choice},
    {"study-oscillator", "Stiffness, exponent and sample rate: an oscillator",
     "The oscillator of Ducceschi and Bilbao 2019 against five barriers, two collisions, errors "
     "against the motion found event by event. In the order of the table the contact lasts 77, 2.4, "
     "1.5, 17 and 0.2 samples at 44.1 kHz. Where it is short, refined is bounded; where it is resolved, refined is "
     "limited by the spring's own second-order error, not by the contact. Newton, of second order "
     "throughout, is off by 4 to 17 times as much as bounded but for the soft barrier, where it is "
     "better by that.",
     jw_study_oscillator},
    {"study-cost", "Accuracy against cost: a string over a point",
     "The same string by modes and on a grid, every rule from 44.1 kHz to 16 times that, the error "
     "of the output over the sample rate and over the processor time it took.",
     jw_study_cost},
    {"study-flat-barrier", "A string over a flat rigid barrier, against its exact solution",
     "Plucked in the middle, an ideal string over a flat barrier h below it has the period (L/c)(1 "
     "+ h/A): it falls onto the barrier all at once and runs backwards to its first shape. Here "
     "298.1 Hz instead of 223.6 Hz. For other plucks a scheme along the characteristics, checked "
     "against that form, is the reference. The engine's barrier is not rigid but stiff.",
     jw_study_flat_barrier},
    {"study-hammer", "A piano hammer: force and duration",
     "The force between hammer and string for three notes of a grand piano, struck by a mass through "
     "a contact of felt, with parameters published by Chaigne and Askenfelt in 1994, and its duration "
     "beside measured ones. With the tension given for it the C2 string sounds at 53 Hz, below its "
     "name.",
     jw_study_hammer},
};

const JwPaper jw_study = {
    .key = "study",
    .authors = "Measured with jawari",
    .title = "The choice of g",
    .source = "Beyond the papers: what the one free number of a quadratised collision decides",
    .introduction =
        "Question. A quadratised collision pushes with f = g (psi+ + psi)/2, where psi+ = psi + g "
        "(eta+ - eta-)/2 stands for sqrt(2 phi). Its energy balance holds for any number g that is "
        "known before the solve: neither stability nor an energy plot says which to take. Five "
        "choices are compared. Plain is the slope of sqrt(2 phi) at the last sample (Ducceschi and "
        "Bilbao 2019); released empties an open contact at once (the same authors with Willemsen and "
        "Serafin, 2021); bounded limits g so that psi never falls below zero (van Walstijn and others, "
        "2024); refined, new here, solves a second time with what the first solve tells; newton is the "
        "iterated discrete gradient, the classical reference.\n"
        "Method. Errors are taken against closed forms where there are any (a free mass, a string over "
        "a flat barrier), against a motion found event by event for the oscillator, and against newton "
        "at 64 and 16 times the rate for a string over a point and under a hammer, whose agreement with "
        "the other rules at that rate is itself checked. A contact begins anywhere between two samples, "
        "and one run can be lucky: errors are means over such positions, or over strengths. Processor "
        "time is reported, never judged. All collisions here are without loss; impacts with loss stand "
        "with the paper on them, above.",
    .discussion =
        "Discussion. The step in which a contact closes decides. A rule with one solve meets it with the "
        "g of an open contact, and its order in the time step is (alpha + 1)/2 or 2, whichever is less; "
        "the measured orders are within a tenth of that for a free mass, an oscillator and an impact "
        "with loss alike. So the exponent matters more than the stiffness: for the soft exponents of felt and "
        "rubber (2.3 to 3) one solve is as good as newton or better at any length of contact, for a "
        "nearly linear contact it is half a sample late for ever.\n"
        "Which rule, then? Contacts of up to about five samples: bounded. No rule knows when they "
        "happened, newton is the later one, and plain loses a fifth to half of the speed. Resolved contacts of "
        "a mass, a hammer or a point: refined, which for some more time than bounded gains one to three "
        "digits, and lies on newton where the object, not the contact, limits the accuracy. A hard "
        "contact all along a string that closes everywhere at once: newton, or a rate that resolves it; "
        "there one late point tears the string, and the others need eight times the audio rate. Felt "
        "under a hammer: any of them. Plain remains for reproducing what was published with it.\n"
        "Limits. One-sided contacts of a power law only; the largest system has 800 points; times are of "
        "one machine. That refined does better than its order at alpha = 1 is observed, not derived.",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};
