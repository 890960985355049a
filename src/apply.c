// SPDX-License-Identifier: MIT
// What a controlled number does to the model, with the ledger kept closed.
//
// A change from outside may change the stored energy: the difference is booked as supplied.  A
// contact whose gap is moved keeps its load as its potential asks: psi shifts by psi_th(new) -
// psi_th(old); with a new stiffness it scales.
//
// A port that moves along a bent string changes eta in proportion to the motion itself.  Shifting
// psi for it would add K (d eta)^2/2 in every frame, and a stiff contact, which turns psi around in
// every frame, would grow without end.  So the law takes the change into its step instead: it sees
// eta move by r + shift, answers with a force f that the solver keeps in bounds, and the hand
// supplies f shift/2.
//
// The same for the gap of a contact above the Nyquist frequency: in one frame its wall moves many
// times as far as it is deep, and of what its potential asks for there it never carries more than a
// little.  As a shift it is the motion of a wall, against which energy is kept: what bounces off
// gains 2V, and a string goes with a finger.  And for a grouped contact of any frequency, whose
// places share one load.

#include "object/kinds.h"
#include "world.h"

#include <math.h>

static JwComponent* contact_component(JwWorld* world, const JwContact* contact) {
  return contact->component == JW_NONE ? NULL : &world->components[contact->component];
}

static void look(JwPoint* point, uint64_t frame) {
  point->step.eta = jw_point_eta(point, frame, false);
  point->step.eta_prev = jw_point_eta(point, frame, true);
}

typedef enum { CHANGE_REST, CHANGE_PLACE } Change;

static bool follows(const JwPoint* point, Change change) {
  return point->group || (change == CHANGE_PLACE && !jw_law_iterates(point->step.law));
}

// eta + eta-, or of a group what its wall adds to them.
static double twice_eta(JwPoint* point, uint64_t frame) {
  if (point->group) {
    return 2.0 * point->rest;
  }
  look(point, frame);
  return point->step.eta + point->step.eta_prev;
}

// The load that the potential asks for, before a change of the gap, kept in step.c until after it:
// the next step sets that anew.
static void take_load(JwPoint* point, Change change, uint64_t frame) {
  JwStep* const step = &point->step;
  step->r = twice_eta(point, frame);
  if (!follows(point, change)) {
    step->c = jw_point_psi(point);
    step->state->cubic -= jw_point_cubic(point);
  }
}

// Above the Nyquist frequency, a q > 1, as deep as it is.
static bool rings(const JwStep* step) {
  const double deepest = fmax(fabs(step->eta), fabs(step->eta_prev)) - step->law->slack,
               g = jw_g_theory(step, deepest);
  return step->law->kind != JW_KIND_SPRING && 0.25 * g * g * step->q > 1.0;
}

// All of what the potential asks for, given in every frame of a moving gap to a contact that rings,
// would be energy without end.  A spring's load is always what it asks for.
static void give_load(JwPoint* point, Change change, uint64_t frame) {
  JwStep* const step = &point->step;
  JwPointState* const state = step->state;
  const double moved = twice_eta(point, frame) - step->r;
  if (follows(point, change) || (!jw_law_iterates(step->law) && rings(step))) {
    state->shift += moved;
    return;
  }
  const double before = step->c, after = jw_point_psi(point);
  const bool slight = fabs(state->psi) < 0.5 * fabs(before) && rings(step);
  state->psi = slight ? state->psi * (after / before) : state->psi - before + after;
  state->cubic += jw_point_cubic(point);
}

// Re-read a contact after its rest or place has changed.
static void shift_contact(JwWorld* world, JwContact* contact, Change change, uint64_t frame) {
  const bool loads = contact->kind != JW_KIND_BOW;
  for (uint32_t i = 0; loads && i < contact->point_count; ++i) {
    take_load(&world->points[contact->first_point + i], change, frame);
  }
  if (change == CHANGE_PLACE) {
    jw_contact_place(world, contact);
    contact_component(world, contact)->reread = true;
  } else {
    jw_contact_rest(world, contact);
  }
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    JwPoint* const point = &world->points[contact->first_point + i];
    JwPointState* const state = point->step.state;
    loads ? give_load(point, change, frame) : look(point, frame);
    if (contact->kind == JW_KIND_COLLISION && state->psi < 0.0 && contact->law.rule != JW_RULE_PLAIN
        && contact->law.rule != JW_RULE_RELEASED) {
      state->psi = 0.0;
    }
  }
}

static void set_stiffness(JwWorld* world, JwContact* contact, double value, uint64_t frame) {
  double* const stiffness =
      contact->kind == JW_KIND_SPRING ? &contact->law.linear : &contact->law.stiffness;
  const double old = *stiffness;
  *stiffness = value;
  contact_component(world, contact)->stale = true;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    JwPoint* const point = &world->points[contact->first_point + i];
    look(point, frame);
    point->step.state->psi =
        old > 0.0 ? point->step.state->psi * sqrt(value / old) : jw_point_psi(point);
  }
}

static void set_contact(JwWorld* world, JwContact* contact, JwControl control, double value,
                        uint64_t frame) {
  JwLawParams* const law = &contact->law;
  switch (control) {
  case JW_CONTROL_FORCE: law->force = value; return;
  case JW_CONTROL_SPEED: law->speed = value; return;
  case JW_CONTROL_LOSS:
    *(contact->kind == JW_KIND_SPRING ? &law->damping : &law->loss) = value;
    return;
  default: break;
  }
  const double before = jw_ledger_contact(world, contact);
  switch (control) {
  case JW_CONTROL_X:
    contact->port[0].x = value;
    shift_contact(world, contact, CHANGE_PLACE, frame);
    break;
  case JW_CONTROL_Y:
    contact->port[0].y = value;
    shift_contact(world, contact, CHANGE_PLACE, frame);
    break;
  case JW_CONTROL_X2:
    contact->port[1].x = value;
    shift_contact(world, contact, CHANGE_PLACE, frame);
    break;
  case JW_CONTROL_Y2:
    contact->port[1].y = value;
    shift_contact(world, contact, CHANGE_PLACE, frame);
    break;
  case JW_CONTROL_GAP:
    contact->gap = value;
    shift_contact(world, contact, CHANGE_REST, frame);
    break;
  case JW_CONTROL_STIFFNESS: set_stiffness(world, contact, value, frame); break;
  default: break;
  }
  jw_ledger_supply(world, contact->component, jw_ledger_contact(world, contact) - before);
}

// A moved spring leaves the mass where it is; a moved barrier takes its contacts along.
static void set_position(JwWorld* world, JwObject* object, double value, uint64_t frame) {
  const double by = value - *object->position;
  if (by == 0.0) {
    return;
  }
  if (object->ops->kind == JW_KIND_MASS) {
    const double before = jw_ledger_object(world, object, frame);
    jw_now(object, frame)[0] -= by;
    jw_prev(object, frame)[0] -= by;
    *object->position = value;
    jw_object_moved(world, object);
    jw_ledger_supply(world, object->component, jw_ledger_object(world, object, frame) - before);
    return;
  }
  *object->position = value;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    for (int s = 0; s < 2; ++s) {
      if (contact->port[s].object.index
          && jw_object_at(world, contact->port[s].object.index - 1) == object) {
        const double before = jw_ledger_contact(world, contact);
        shift_contact(world, contact, CHANGE_REST, frame);
        jw_ledger_supply(world, contact->component, jw_ledger_contact(world, contact) - before);
      }
    }
  }
}

static void set_object(JwWorld* world, JwObject* object, JwControl control, double value,
                       uint64_t frame) {
  if (control == JW_CONTROL_POSITION) {
    set_position(world, object, value, frame);
    return;
  }
  const double before = jw_ledger_object(world, object, frame);
  jw_string_grid_tension(object, value);
  jw_ledger_supply(world, object->component, jw_ledger_object(world, object, frame) - before);
}

void jw_gains_pan(double gains[4]) {
  gains[2] = gains[0] * sqrt(0.5 * (1.0 - gains[1]));
  gains[3] = gains[0] * sqrt(0.5 * (1.0 + gains[1]));
}

static void set_pickup(JwWorld* world, uint32_t index, JwControl control, double value) {
  JwPickup* const pickup = jw_pickup_at(world, index);
  double* const gains = world->gains + 4 * (size_t)index;
  switch (control) {
  case JW_CONTROL_GAIN: gains[0] = value; break;
  case JW_CONTROL_PAN: gains[1] = value; break;
  case JW_CONTROL_X:
    pickup->def.port.x = value;
    jw_side_weigh(&pickup->side, &pickup->def.port);
    break;
  case JW_CONTROL_Y:
    pickup->def.port.y = value;
    jw_side_weigh(&pickup->side, &pickup->def.port);
    break;
  default: break;
  }
  jw_gains_pan(gains);
}

static void set_force(JwWorld* world, uint32_t index, JwControl control, double value) {
  JwForce* const force = jw_force_at(world, index);
  if (control == JW_CONTROL_FORCE) {
    world->force_states[index].amplitude = value;
    return;
  }
  *(control == JW_CONTROL_X ? &force->def.port.x : &force->def.port.y) = value;
  jw_side_weigh(&force->side, &force->def.port);
}

JW_REALTIME void jw_control_apply(JwWorld* world, uint32_t slot, double value, uint64_t frame) {
  const JwTarget target = jw_slot_target(world, slot);
  if (jw_control_get(world, slot) == value) {
    return;
  }
  if (target.object.index) {
    set_object(world, jw_object_at(world, target.object.index - 1), target.control, value, frame);
  } else if (target.contact.index) {
    set_contact(world, jw_contact_at(world, target.contact.index - 1), target.control, value,
                frame);
  } else if (target.exciter.index) {
    set_force(world, target.exciter.index - 1, target.control, value);
  } else {
    set_pickup(world, target.pickup.index - 1, target.control, value);
  }
}

static double get_contact(const JwContact* contact, JwControl control) {
  const JwLawParams* const law = &contact->law;
  const bool spring = contact->kind == JW_KIND_SPRING;
  switch (control) {
  case JW_CONTROL_FORCE: return law->force;
  case JW_CONTROL_SPEED: return law->speed;
  case JW_CONTROL_X: return contact->port[0].x;
  case JW_CONTROL_Y: return contact->port[0].y;
  case JW_CONTROL_X2: return contact->port[1].x;
  case JW_CONTROL_Y2: return contact->port[1].y;
  case JW_CONTROL_GAP: return contact->gap;
  case JW_CONTROL_STIFFNESS: return spring ? law->linear : law->stiffness;
  case JW_CONTROL_LOSS: return spring ? law->damping : law->loss;
  default: return 0.0;
  }
}

double jw_control_get(const JwWorld* world, uint32_t slot) {
  const JwTarget target = jw_slot_target(world, slot);
  if (target.object.index) {
    const JwObject* const object = jw_object_at(world, target.object.index - 1);
    if (target.control == JW_CONTROL_POSITION) {
      return object->position ? *object->position : 0.0;
    }
    return object->tension_now;
  }
  if (target.contact.index) {
    return get_contact(jw_contact_at(world, target.contact.index - 1), target.control);
  }
  if (target.exciter.index) {
    const JwForce* const force = jw_force_at(world, target.exciter.index - 1);
    return target.control == JW_CONTROL_FORCE
               ? world->force_states[target.exciter.index - 1].amplitude
           : target.control == JW_CONTROL_X ? force->def.port.x
                                            : force->def.port.y;
  }
  const JwPickup* const pickup = jw_pickup_at(world, target.pickup.index - 1);
  const double* const gains = world->gains + 4 * (size_t)(target.pickup.index - 1);
  return target.control == JW_CONTROL_GAIN  ? gains[0]
         : target.control == JW_CONTROL_PAN ? gains[1]
         : target.control == JW_CONTROL_X   ? pickup->def.port.x
                                            : pickup->def.port.y;
}

static double held_by(const JwWorld* world, const JwComponent* component, const JwObject* mass) {
  double sum = 0.0;
  for (uint32_t i = 0; world->def.ledger && i < component->point_count; ++i) {
    const JwPoint* const point = &world->points[component->points[i]];
    if (point->side[0].object == mass || point->side[1].object == mass) {
      sum += point->ops->stored(&point->step);
    }
  }
  return sum;
}

JW_REALTIME void jw_mass_throw(JwWorld* world, JwObject* mass, double position, double velocity) {
  JwComponent* const component = &world->components[mass->component];
  const uint64_t frame = component->state->frame;
  double* const u = jw_now(mass, frame);
  const double before = jw_ledger_object(world, mass, frame),
               held = held_by(world, component, mass);
  u[0] = 0.0 + (position - *mass->position);
  u[1] = mass->bank.begin[0] * velocity
         + 0.5 * (mass->bank.b[0] * u[0] - mass->y[0] * jw_object_weight(mass));
  jw_prev(mass, frame)[0] = u[0] - u[1];
  jw_throw_begin(world, component, mass, velocity);
  jw_ledger_supply(world, mass->component, jw_ledger_object(world, mass, frame) - before);
  jw_ledger_supply(world, mass->component, held_by(world, component, mass) - held);
}
