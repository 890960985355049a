// SPDX-License-Identifier: MIT
// engine.h: a system of the note, built from the library's public header, beside its written-out
// form.
#ifndef JAWARI_NOTE_ENGINE_H
#define JAWARI_NOTE_ENGINE_H

#include "note.h"

#include <jawari/jawari.h>

/// A system as a world: rule `plain`, leapfrog, nearest reading, ledger on.
typedef struct {
  JwWorld* world;
  JwObjectId part[JW_PARTS];
  JwContactId contact[JW_NOTE_CONTACTS];
} JwNoteWorld;

/// OK, or a status whose sentence is jw_world_error(note->world).  Destroy the world either way.
JwStatus jw_note_build(JwNoteWorld* note, const JwNoteSystem* system, double rate);

/// The values of a part, in the order of the engine's field; how many.
uint32_t jw_note_values(const JwNote* note, JwNotePart part, double* values);

enum { JW_NOTE_VALUES = JW_NOTE_SIDE * JW_NOTE_SIDE };

/// Engine and written-out form, side by side.
typedef struct {
  uint32_t frames;
  double engine_residual;  ///< Largest closure error of the engine's ledger
  double bound;            ///< What rounding may leave in it: see compare.c
  double written_residual; ///< Of the written-out ledger
  double difference; ///< Largest difference of the motions, relative to the part's largest value
  double tolerance;  ///< What rounding may make it: see compare.c
  uint64_t closures[JW_NOTE_CONTACTS]; ///< Times each contact closed; 1 for a spring
  char error[JW_ERROR_SIZE];
} JwNoteComparison;

/// What to keep of the way there; any may be NULL, each has room for `frames`.
typedef struct {
  double *t, *engine, *written; ///< Displacement of the first part that a contact touches
  double* other;                ///< Of the other part of the first contact; 0 for a barrier
  double *kinetic, *potential, *contact, *lost, *supplied; ///< The engine's ledger (J)
  double *residual, *written_residual;
} JwNoteTrace;

/// Run both; false with a sentence in `error`.  `trace` may be NULL.
bool jw_note_compare(const JwNoteSystem* system, uint32_t frames, const JwNoteTrace* trace,
                     JwNoteComparison* result);

/// The engine alone: residual, bound and closures over a longer run.
bool jw_note_keep_books(const JwNoteSystem* system, uint32_t frames, JwNoteComparison* result);

#endif // JAWARI_NOTE_ENGINE_H
