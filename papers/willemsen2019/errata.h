// SPDX-License-Identifier: MIT
// errata.h: every misprint, as a run of the printed equation and of the corrected one.
#ifndef JAWARI_NOTE_ERRATA_H
#define JAWARI_NOTE_ERRATA_H

#include "note.h"

typedef struct {
  const char* where; ///< "(18)"; a D before the number: Ducceschi and Bilbao 2019
  const char* printed;
  const char* right;
  const char* system; ///< Which system shows it
  JwNoteVariant variant;
  JwNotePrint print;
} JwErratum;

size_t jw_erratum_count(void);
const JwErratum* jw_erratum_at(size_t index);

/// How far the ledger opens: the largest closure error over 2000 samples, or until that is larger
/// than all the energy there is.
typedef struct {
  double residual; ///< Not finite when the state stops being so
  int frames;      ///< Samples run until then
} JwErratumRun;

JwErratumRun jw_erratum_run(const JwErratum* erratum, bool printed);

#endif // JAWARI_NOTE_ERRATA_H
