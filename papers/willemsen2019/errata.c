// SPDX-License-Identifier: MIT
// The misprints, one a row, and what they do to the ledger.
//
// Three drafts of the note are known; rows say where a misprint is not in all of them.  One in a
// line of a derivation whose later lines are right is run as if the line were meant.

#include "errata.h"

#include <math.h>

static const JwErratum errata[] = {
    {"(18)", "psi+ = psi + (eta+ - eta-)/2", "psi+ = psi + g (eta+ - eta-)/2", "mass-barrier",
     JW_NOTE_LOSSLESS, JW_AS_PRINTED_18},
    {"(23), (24), (78), (79)", "M w0 u (in (23) only in one draft)", "M w0^2 u", "mass-mass",
     JW_NOTE_LOSSLESS, JW_AS_PRINTED_23},
    {"(27), one draft", "last entry of A ends in g^2/k^2", "g^2/4", "string-string",
     JW_NOTE_LOSSLESS, JW_AS_PRINTED_27},
    {"(30)", "last entry of A ends in g^2/k^2", "g^2/4", "mass-string", JW_NOTE_LOSSLESS,
     JW_AS_PRINTED_30},
    {"(40), one draft", "eta_c- after K1 eta_s/2 Phi", "eta_s-", "tromba-spring", JW_NOTE_LOSSLESS,
     JW_AS_PRINTED_40},
    {"(43) string, two drafts", "2 s1 dt- u, amid merge marks", "2 s1 dt- dxx u", "tromba-damped",
     JW_NOTE_LOSSY, JW_AS_PRINTED_43_STRING},
    {"(43) plate, two drafts", "2 s1 dt- v, amid merge marks", "2 s1 dt- dL v", "tromba-damped",
     JW_NOTE_LOSSY, JW_AS_PRINTED_43_PLATE},
    {"(43a), two drafts", "no - J_s F_alpha, amid merge marks", "- J_s F_alpha, as in (32a)",
     "tromba-damped", JW_NOTE_LOSSY, JW_AS_PRINTED_43_FORCE},
    {"(46c)", "2 s1 dt- dxx v", "2 s1 dt- dL v", "tromba-damped", JW_NOTE_LOSSY, JW_AS_PRINTED_46C},
    {"(48)", "no (g^2/4) v+ in the numerator", "+ (g^2/4) v+, as in (38) and (64)", "tromba-damped",
     JW_NOTE_LOSSY, JW_AS_PRINTED_48},
    {"(53) with (62)", "theta_s = h (rA + s0 k), s0 by then divided by rA",
     "theta_s = h rA (1 + s0 k)", "tromba-factored", JW_NOTE_LOSSY, JW_AS_PRINTED_53},
    {"(56), two drafts", "second term outside the bracket", "inside, as in the third",
     "tromba-factored", JW_NOTE_LOSSY, JW_AS_PRINTED_56},
    {"(60)", "mu_p^2 with the string's density", "with the plate's", "tromba-factored",
     JW_NOTE_LOSSY, JW_AS_PRINTED_60},
    {"(62a)", "- mu_s^2 on u", "- 6 mu_s^2", "tromba-factored", JW_NOTE_LOSSY, JW_AS_PRINTED_62A},
    {"(62c)", "-1 + 8 s1 k/h^2 on v-", "-1 + s0 k + 8 s1 k/h^2", "tromba-factored", JW_NOTE_LOSSY,
     JW_AS_PRINTED_62C},
    {"(65) row 1", "Theta/(rA h)", "Theta k^2/(rA h)", "tromba-factored", JW_NOTE_LOSSY,
     JW_AS_PRINTED_65_ROW_1},
    {"(65) row 1, two drafts", "Theta/(rA h^2 k^2)", "Theta k^2/(rA h)", "tromba-factored",
     JW_NOTE_LOSSY, JW_AS_PRINTED_65_ROW_1_EARLIER},
    {"(65) row 2", "Theta - g^2 k^2/4", "Theta k^2 - g^2 k^2/4", "tromba-factored", JW_NOTE_LOSSY,
     JW_AS_PRINTED_65_ROW_2},
    {"(69), last form", "eta |eta|^((al-3)/2): no number at eta = 0 for al < 3",
     "|eta|^((al-1)/2) and a signed psi", "tromba-contact", JW_NOTE_FORCED, JW_AS_PRINTED_69},
    {"(74) v, row 1", "s0/k u- and 2 s1 dt- dxx u without rA", "rA s0/k u-, 2 rA s1 dt- dxx u",
     "tromba-contact", JW_NOTE_LOSSY, JW_AS_PRINTED_74_STRING},
    {"(74) v, row 3", "s0/k v- and 2 s1 dt- dL v without rH", "rH s0/k v-, 2 rH s1 dt- dL v",
     "tromba-contact", JW_NOTE_LOSSY, JW_AS_PRINTED_74_PLATE},
    {"(74) v, row 2", "psi_1 of n-1 (run as psi_1 a step earlier)", "psi_1 of n-1/2",
     "tromba-contact", JW_NOTE_LOSSLESS, JW_AS_PRINTED_74_PSI},
    {"(74) row 3", "g, eta, psi without index (run as the first contact's)", "g_2, eta_2, psi_2",
     "tromba-contact", JW_NOTE_LOSSLESS, JW_AS_PRINTED_74_INDEX},
    {"(90)", "-(u + u-)/k", "-(u - u-)/k", "appendix-d", JW_NOTE_LOSSLESS, JW_AS_PRINTED_90},
    {"D energy after (25b)", "M/2 (dt. u)^2", "M/2 (dt- u)^2", "mass-spring-barrier",
     JW_NOTE_LOSSLESS, JW_AS_PRINTED_D25},
    {"D (43b)", "rho/2 |dt. u|^2", "rho/2 |dt- u|^2", "string-barrier", JW_NOTE_LOSSLESS,
     JW_AS_PRINTED_D43},
    {"D (23)", "a = b - u-", "a = u- - b, for eta = u - b", "iterated", JW_NOTE_LOSSLESS,
     JW_AS_PRINTED_D23},
    {"D (50)", "- g psi, and no force", "+ g psi, for eta = b - u, and + I F", "string-barrier",
     JW_NOTE_LOSSLESS, JW_AS_PRINTED_D50},
    {"D (53), (57), (59)", "+ before the force and the collision", "-, for eta = b - u",
     "modes-barrier", JW_NOTE_LOSSLESS, JW_AS_PRINTED_D53},
    {"D (59)", "called rank one (run as one vector, the sum over the points)",
     "rank: the number of points that touch", "modes-barrier", JW_NOTE_LOSSLESS, JW_AS_PRINTED_D59},
};

size_t jw_erratum_count(void) {
  return sizeof errata / sizeof *errata;
}

const JwErratum* jw_erratum_at(size_t index) {
  return &errata[index];
}

JwErratumRun jw_erratum_run(const JwErratum* erratum, bool printed) {
  static JwNote note; // Large, and used by one at a time
  JwNoteSystem system = jw_note_variant(jw_note_find(erratum->system), erratum->variant);
  system.printed = printed ? erratum->print : JW_AS_CORRECTED;
  jw_note_start(&note, &system, 44100.0);
  while (note.frame < 2000 && note.ledger.worst < 1.0) { // Ends on a NaN too
    jw_note_step(&note);
  }
  const JwErratumRun run = {note.ledger.worst, note.frame};
  return run;
}
