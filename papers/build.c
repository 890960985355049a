// SPDX-License-Identifier: MIT
// A world for an experiment, put together with one check at its end.

#include "build.h"

JwBuild jw_build_begin(double rate, bool ledger) {
  JwBuild build = {0};
  JwWorldDef def = jw_world_default();
  def.sample_rate = rate;
  def.ledger = ledger;
  build.status = jw_world_create(&def, &build.world);
  return build;
}

JwObjectId jw_build_string(JwBuild* build, JwStringDef string) {
  JwObjectId id = {0};
  string.name = "string";
  build->status = build->status ? build->status : jw_world_add_string(build->world, &string, &id);
  return id;
}

JwObjectId jw_build_mass(JwBuild* build, JwMassDef mass) {
  JwObjectId id = {0};
  mass.name = "mass";
  build->status = build->status ? build->status : jw_world_add_mass(build->world, &mass, &id);
  return id;
}

JwObjectId jw_build_barrier(JwBuild* build, double height) {
  JwObjectId id = {0};
  JwBarrierDef barrier = jw_barrier_default();
  barrier.name = "barrier";
  barrier.position = height;
  build->status = build->status ? build->status : jw_world_add_barrier(build->world, &barrier, &id);
  return id;
}

JwContactId jw_build_hit(JwBuild* build, JwCollisionDef hit) {
  JwContactId id = {0};
  hit.name = "hit";
  build->status = build->status ? build->status : jw_world_add_collision(build->world, &hit, &id);
  return id;
}

void jw_build_pulse(JwBuild* build, JwPort port, double force, double seconds) {
  JwExciterId id;
  JwForceDef pulse = jw_force_default();
  pulse.name = "pulse";
  pulse.port = port;
  pulse.amplitude = force;
  pulse.duration = seconds;
  build->status = build->status ? build->status : jw_world_add_force(build->world, &pulse, &id);
}

static void add_ear(JwBuild* build, const JwPickupDef* ear) {
  JwPickupId id;
  build->status = build->status ? build->status : jw_world_add_pickup(build->world, ear, &id);
}

void jw_build_ear(JwBuild* build, JwPort port) {
  JwPickupDef ear = jw_pickup_default();
  ear.name = "output";
  ear.quantity = JW_QUANTITY_DISPLACEMENT;
  ear.port = port;
  add_ear(build, &ear);
}

void jw_build_force_ear(JwBuild* build, JwContactId contact) {
  JwPickupDef ear = jw_pickup_default();
  ear.name = "force";
  ear.quantity = JW_QUANTITY_FORCE;
  ear.contact = contact;
  add_ear(build, &ear);
}

JwWorld* jw_build_end(JwPaperRun* run, JwBuild* build) {
  if (!build->world) {
    jw_paper_fail(run, "the world could not be made: %s", jw_status_name(build->status));
    return NULL;
  }
  build->status = build->status ? build->status : jw_world_prepare(build->world);
  if (build->status) {
    jw_paper_fail(run, "the world refused: %s", jw_world_error(build->world));
    jw_world_destroy(build->world);
    build->world = NULL;
  }
  return build->world;
}
