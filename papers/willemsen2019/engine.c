// SPDX-License-Identifier: MIT
// A system of the note as a world, by the public header alone.

#include "engine.h"

#include <math.h>
#include <string.h>

static JwStatus add_string(JwNoteWorld* note, const JwNoteString* c, JwNotePart part) {
  JwStringDef def = jw_string_default();
  def.length = c->length;
  def.mass_per_length = c->mass;
  def.tension = c->tension;
  def.bending = c->bending;
  def.loss[0] = c->loss[0];
  def.loss[1] = c->loss[1];
  def.method = c->modes ? JW_METHOD_MODES : JW_METHOD_GRID;
  def.scheme = JW_SCHEME_LEAPFROG;
  *(c->modes ? &def.modes : &def.points) = (uint32_t)(c->modes ? c->points - 1 : c->points);
  JwStatus status = jw_world_add_string(note->world, &def, &note->part[part]);
  JwInitialDef initial = jw_initial_default();
  initial.object = note->part[part];
  if (!status && c->hump != 0.0) {
    initial.shape = JW_SHAPE_HUMP;
    initial.x = c->hump_at;
    initial.width = 0.5;
    initial.amplitude = c->hump;
    status = jw_world_add_initial(note->world, &initial);
  }
  if (!status && c->sine != 0.0) {
    initial.shape = JW_SHAPE_SINE;
    initial.amplitude = c->sine;
    status = jw_world_add_initial(note->world, &initial);
  }
  return status;
}

static JwStatus add_mass(JwNoteWorld* note, const JwNoteMass* c, JwNotePart part) {
  JwMassDef def = jw_mass_default();
  def.mass = c->mass;
  def.frequency = c->frequency;
  def.loss = c->loss;
  def.displacement = c->displacement;
  def.velocity = c->velocity;
  def.scheme = JW_SCHEME_LEAPFROG;
  return jw_world_add_mass(note->world, &def, &note->part[part]);
}

static JwStatus add_plate(JwNoteWorld* note, const JwNotePlate* c) {
  JwPlateDef def = jw_plate_default();
  for (int axis = 0; axis < 2; ++axis) {
    def.size[axis] = c->spacing * c->points[axis];
    def.points[axis] = (uint32_t)c->points[axis];
    def.loss[axis] = c->loss[axis];
  }
  def.mass_per_area = c->mass;
  def.bending = c->bending;
  return jw_world_add_plate(note->world, &def, &note->part[JW_PART_PLATE]);
}

static JwPort port_of(const JwNoteWorld* note, const JwNoteSystem* system, JwNotePart part) {
  const bool plate = part == JW_PART_PLATE;
  const JwPort port = {note->part[part], plate ? system->plate_at[0] : system->at,
                       system->plate_at[1], JW_READ_NEAREST, 0.0};
  return port;
}

static JwStatus add_contact(JwNoteWorld* note, const JwNoteSystem* system, int i) {
  const JwNoteContact* const c = &system->contact[i];
  const JwPort a = port_of(note, system, c->a), b = port_of(note, system, c->b);
  if (c->law == JW_NOTE_SPRING) {
    JwSpringDef def = jw_spring_default();
    def.a = a, def.b = b, def.linear = c->linear, def.cubic = c->cubic, def.damping = c->damping;
    return jw_world_add_spring(note->world, &def, &note->contact[i]);
  }
  if (c->law == JW_NOTE_CONNECTION) {
    JwConnectionDef def = jw_connection_default();
    def.a = a, def.b = b, def.stiffness = c->stiffness, def.exponent = c->exponent,
    def.rule = JW_RULE_PLAIN;
    return jw_world_add_connection(note->world, &def, &note->contact[i]);
  }
  JwCollisionDef def = jw_collision_default();
  def.below = a, def.above = b, def.stiffness = c->stiffness, def.exponent = c->exponent;
  def.rule = system->step == jw_note_iterated ? JW_RULE_NEWTON : JW_RULE_PLAIN;
  def.along = c->along;
  return jw_world_add_collision(note->world, &def, &note->contact[i]);
}

static JwStatus add_rest(JwNoteWorld* note, const JwNoteSystem* system) {
  JwBarrierDef barrier = jw_barrier_default();
  barrier.polynomial = system->barrier;
  barrier.polynomial_count = 3;
  JwStatus status = jw_world_add_barrier(note->world, &barrier, &note->part[JW_PART_BARRIER]);
  for (int i = 0; i < system->contacts && !status; ++i) {
    status = add_contact(note, system, i);
  }
  if (!status && system->force.amplitude != 0.0) {
    JwForceDef force = jw_force_default();
    JwExciterId id;
    force.port = port_of(note, system, system->force.part);
    force.port.x = system->force.at;
    force.amplitude = system->force.amplitude;
    force.duration = system->force.duration;
    status = jw_world_add_force(note->world, &force, &id);
  }
  return status;
}

JwStatus jw_note_build(JwNoteWorld* note, const JwNoteSystem* system, double rate) {
  memset(note, 0, sizeof *note);
  JwWorldDef def = jw_world_default();
  def.sample_rate = rate;
  def.ledger = true;
  JwStatus status = jw_world_create(&def, &note->world);
  for (int s = 0; s < system->strings && !status; ++s) {
    status = add_string(note, &system->string[s], s ? JW_PART_STRING_2 : JW_PART_STRING);
  }
  for (int m = 0; m < system->masses && !status; ++m) {
    status = add_mass(note, &system->mass[m], m ? JW_PART_MASS_2 : JW_PART_MASS);
  }
  if (!status && system->plates) {
    status = add_plate(note, &system->plate);
  }
  status = status ? status : add_rest(note, system);
  return status ? status : jw_world_prepare(note->world);
}

uint32_t jw_note_values(const JwNote* note, JwNotePart part, double* values) {
  const JwNoteSystem* const system = &note->system;
  const int s = part == JW_PART_STRING_2, m = part == JW_PART_MASS_2;
  uint32_t count = 0;
  if ((part == JW_PART_STRING || part == JW_PART_STRING_2) && s < system->strings) {
    for (int l = 1; l < system->string[s].points; ++l) {
      values[count++] = note->u[s].now[l];
    }
  } else if ((part == JW_PART_MASS || part == JW_PART_MASS_2) && m < system->masses) {
    values[count++] = note->w[m].now;
  } else if (part == JW_PART_PLATE && system->plates) {
    for (int j = 1; j < system->plate.points[1]; ++j) { // x fastest, as the engine has it
      for (int i = 1; i < system->plate.points[0]; ++i) {
        values[count++] = note->v.now[i * JW_NOTE_SIDE + j];
      }
    }
  }
  return count;
}
