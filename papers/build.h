// SPDX-License-Identifier: MIT
// build.h: a world for an experiment, put together with one check at its end.
//
//   JwBuild b = jw_build_begin(44100.0, false);
//   const JwObjectId string = jw_build_string(&b, &string_def);
//   const JwObjectId barrier = jw_build_barrier(&b, -1e-4);
//   jw_build_hit(&b, &hit_def);
//   jw_build_ear(&b, jw_port(string, 0.9));
//   JwWorld* const world = jw_build_end(run, &b);
//
// After a refusal all further calls do nothing; the end says why.
#ifndef JAWARI_PAPER_BUILD_H
#define JAWARI_PAPER_BUILD_H

#include "paper.h"

#include <jawari/jawari.h>

typedef struct {
  JwWorld* world;
  JwStatus status; ///< The first that was not OK
} JwBuild;

JwBuild jw_build_begin(double rate, bool ledger);

/// Names are given here, so that definitions need none.
JwObjectId jw_build_string(JwBuild* build, JwStringDef string);
JwObjectId jw_build_mass(JwBuild* build, JwMassDef mass);
JwObjectId jw_build_barrier(JwBuild* build, double height);
JwContactId jw_build_hit(JwBuild* build, JwCollisionDef hit);

/// A raised cosine.
void jw_build_pulse(JwBuild* build, JwPort port, double force, double seconds);

/// Displacement at a port, or the force in a contact, as the next output.
void jw_build_ear(JwBuild* build, JwPort port);
void jw_build_force_ear(JwBuild* build, JwContactId contact);

/// Prepared, to be destroyed by the caller; NULL after jw_paper_fail().
JwWorld* jw_build_end(JwPaperRun* run, JwBuild* build);

#endif // JAWARI_PAPER_BUILD_H
