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

#include "change/change.h"
#include "ledger/ledger.h"
#include "listen/listen.h"
#include "prepare/prepare.h"
#include "step/step.h"

#include <math.h>

static JwComponent* component_of(const JwWorld* world, uint32_t index) {
  return &world->components[index];
}

static void look(JwPoint* point) {
  point->step.eta = jw_point_gap(point, JW_NOW);
  point->step.eta_prev = jw_point_gap(point, JW_PREV);
}

// Does the law take the change into its step, as a shift?
static bool follows(const JwPoint* point, JwDisturbance what) {
  return point->group || (what == JW_MOVED_PORT && !point->step.law->iterates);
}

// eta + eta-, or of a group what its wall adds to them.
static double twice_eta(JwPoint* point) {
  if (point->group) {
    return 2.0 * point->offset;
  }
  look(point);
  return point->step.eta + point->step.eta_prev;
}

// The load that the potential asks for before a change of the gap, kept in `c` until after it: the
// next step sets that anew.
static void take_load(JwPoint* point, JwDisturbance what) {
  JwStep* const step = &point->step;
  step->r = twice_eta(point);
  if (!follows(point, what)) {
    step->c = jw_load(point->ops, step);
    step->state->cubic -= jw_cubic_load(point->ops, step);
  }
}

// Above the Nyquist frequency, a q > 1, as deep as it is.
static bool rings(const JwStep* step) {
  const double deepest = fmax(fabs(step->eta), fabs(step->eta_prev)) - step->law->slack,
               g = jw_g_theory(step, deepest);
  return 0.25 * g * g * step->q > 1.0;
}

// All of what the potential asks for, given in every frame of a moving gap to a contact that rings,
// would be energy without end.  A law with two loads, a spring, always holds what it is asked for.
static void give_load(JwPoint* point, JwDisturbance what) {
  JwStep* const step = &point->step;
  JwPointState* const state = step->state;
  const double moved = twice_eta(point) - step->r;
  const bool rings_on = !point->ops->cubic && rings(step);
  if (follows(point, what) || (!step->law->iterates && rings_on)) {
    state->shift += moved;
    return;
  }
  const double before = step->c, after = jw_load(point->ops, step);
  const bool slight = fabs(state->psi) < 0.5 * fabs(before) && rings_on;
  state->psi = slight ? state->psi * (after / before) : state->psi - before + after;
  state->cubic += jw_cubic_load(point->ops, step);
}

static bool keeps_psi_positive(const JwContact* contact) {
  return jw_law_ops(contact->kind)->one_sided && contact->law.rule != JW_RULE_PLAIN
         && contact->law.rule != JW_RULE_RELEASED;
}

// Re-read a contact after its offset or place has changed.
static void shift_contact(JwWorld* world, JwContact* contact, JwDisturbance what) {
  JwPoint* const points = world->points + contact->first_point;
  const bool loads = jw_law_ops(contact->kind)->load != NULL;
  for (uint32_t i = 0; loads && i < contact->point_count; ++i) {
    take_load(&points[i], what);
  }
  if (what == JW_MOVED_PORT) {
    jw_contact_place(world, contact);
  } else {
    jw_contact_offset(world, contact);
  }
  for (uint32_t i = 0; loads && i < contact->point_count; ++i) {
    give_load(&points[i], what);
    if (points[i].step.state->psi < 0.0 && keeps_psi_positive(contact)) {
      points[i].step.state->psi = 0.0;
    }
  }
}

static void set_stiffness(JwWorld* world, JwContact* contact, double* stiffness, double value) {
  const double old = *stiffness;
  *stiffness = value;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    JwPoint* const point = &world->points[contact->first_point + i];
    look(point);
    point->step.state->psi =
        old > 0.0 ? point->step.state->psi * sqrt(value / old) : jw_load(point->ops, &point->step);
  }
}

// The number of a port that a control moves; NULL: it moves none.
static double* place_of(JwPort* port, JwControl control) {
  switch (control) {
  case JW_CONTROL_X: return &port[0].x;
  case JW_CONTROL_Y: return &port[0].y;
  case JW_CONTROL_X2: return &port[1].x;
  case JW_CONTROL_Y2: return &port[1].y;
  default: return NULL;
  }
}

static void set_contact(JwWorld* world, JwContact* contact, JwControl control, double value) {
  JwComponent* const component = component_of(world, contact->component);
  double* const number = jw_law_ops(contact->kind)->control(&contact->law, control);
  if (number && control != JW_CONTROL_STIFFNESS) {
    jw_disturb(world, component, JW_CHANGED_LAW);
    *number = value;
    return;
  }
  double* const place = place_of(contact->port, control);
  JwDisturbance what = JW_MOVED_OFFSET;
  if (place) {
    what = JW_MOVED_PORT;
  } else if (number) {
    what = JW_CHANGED_LAW;
  }
  jw_disturb(world, component, what);
  const double before = jw_ledger_contact(world, contact);
  if (number) {
    set_stiffness(world, contact, number, value);
  } else {
    *(place ? place : &contact->gap) = value;
    shift_contact(world, contact, what);
  }
  jw_ledger_supply(world, component, jw_ledger_contact(world, contact) - before);
}

static bool joins(const JwWorld* world, const JwContact* contact, const JwObject* object) {
  return jw_port_object(world, contact->port[0]) == object
         || jw_port_object(world, contact->port[1]) == object;
}

// A moved spring leaves the mass where it is.
static void move_mass(JwWorld* world, JwObject* mass, double value) {
  JwComponent* const component = component_of(world, mass->component);
  const double by = value - *mass->position;
  jw_disturb(world, component, JW_MOVED_OFFSET);
  const double before = jw_ledger_object(world, mass);
  mass->level[JW_NOW][0] -= by;
  mass->level[JW_PREV][0] -= by;
  *mass->position = value;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    if (joins(world, jw_contact_at(world, i), mass)) {
      jw_contact_offset(world, jw_contact_at(world, i));
    }
  }
  jw_ledger_supply(world, component, jw_ledger_object(world, mass) - before);
}

// A moved barrier takes its contacts along.
static void move_barrier(JwWorld* world, JwObject* barrier, double value) {
  *barrier->position = value;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    if (!joins(world, contact, barrier)) {
      continue;
    }
    JwComponent* const component = component_of(world, contact->component);
    jw_disturb(world, component, JW_MOVED_OFFSET);
    const double before = jw_ledger_contact(world, contact);
    shift_contact(world, contact, JW_MOVED_OFFSET);
    jw_ledger_supply(world, component, jw_ledger_contact(world, contact) - before);
  }
}

static void set_object(JwWorld* world, JwObject* object, JwControl control, double value) {
  if (control == JW_CONTROL_POSITION) {
    (object->dofs ? move_mass : move_barrier)(world, object, value);
    return;
  }
  JwComponent* const component = component_of(world, object->component);
  jw_disturb(world, component, JW_CHANGED_LAW);
  const double before = jw_ledger_object(world, object);
  object->ops->tighten(object, value);
  jw_ledger_supply(world, component, jw_ledger_object(world, object) - before);
}

static void set_pickup(JwWorld* world, uint32_t index, JwControl control, double value) {
  JwPickup* const pickup = jw_pickup_at(world, index);
  double* const gains = world->gains + 4 * (size_t)index;
  double* const place = place_of(&pickup->def.port, control);
  if (place) {
    jw_disturb(world, component_of(world, pickup->component), JW_MOVED_STATE);
    *place = value;
    jw_side_weigh(&pickup->side, &pickup->def.port);
    return;
  }
  gains[control == JW_CONTROL_GAIN ? 0 : 1] = value;
  jw_gains_pan(gains);
}

static void set_force(JwWorld* world, uint32_t index, JwControl control, double value) {
  JwForce* const force = jw_force_at(world, index);
  if (control == JW_CONTROL_FORCE) {
    world->force_states[index].amplitude = value;
    return;
  }
  *place_of(&force->def.port, control) = value;
  jw_side_weigh(&force->side, &force->def.port);
}

JW_REALTIME void jw_control_apply(JwWorld* world, uint32_t slot, double value) {
  const JwTarget target = jw_slot_target(world, slot);
  if (jw_control_get(world, slot) == value) {
    return;
  }
  if (target.object.index) {
    set_object(world, jw_object_at(world, target.object.index - 1), target.control, value);
  } else if (target.contact.index) {
    set_contact(world, jw_contact_at(world, target.contact.index - 1), target.control, value);
  } else if (target.exciter.index) {
    set_force(world, target.exciter.index - 1, target.control, value);
  } else {
    set_pickup(world, target.pickup.index - 1, target.control, value);
  }
}

static double get_contact(JwContact* contact, JwControl control) {
  const double* const place = place_of(contact->port, control);
  const double* const number = jw_law_ops(contact->kind)->control(&contact->law, control);
  if (place) {
    return *place;
  }
  if (number) {
    return *number;
  }
  return control == JW_CONTROL_GAP ? contact->gap : 0.0;
}

double jw_control_get(const JwWorld* world, uint32_t slot) {
  const JwTarget target = jw_slot_target(world, slot);
  if (target.object.index) {
    const JwObject* const object = jw_object_at(world, target.object.index - 1);
    return target.control == JW_CONTROL_POSITION ? jw_object_zero(object) : object->tension_now;
  }
  if (target.contact.index) {
    return get_contact(jw_contact_at(world, target.contact.index - 1), target.control);
  }
  if (target.exciter.index) {
    JwForce* const force = jw_force_at(world, target.exciter.index - 1);
    const double* const place = place_of(&force->def.port, target.control);
    return place ? *place : world->force_states[target.exciter.index - 1].amplitude;
  }
  JwPickup* const pickup = jw_pickup_at(world, target.pickup.index - 1);
  const double* const place = place_of(&pickup->def.port, target.control);
  const double* const gains = world->gains + 4 * (size_t)(target.pickup.index - 1);
  return place ? *place : gains[target.control == JW_CONTROL_GAIN ? 0 : 1];
}

static double held_by(const JwWorld* world, const JwComponent* component, const JwObject* mass) {
  double sum = 0.0;
  for (uint32_t i = 0; world->def.ledger && i < component->point_count; ++i) {
    const JwPoint* const point = component->points[i];
    sum += jw_point_touches(point, mass) ? point->ops->stored(&point->step) : 0.0;
  }
  return sum;
}

JW_REALTIME void jw_mass_throw(JwWorld* world, JwObject* mass, double position, double velocity) {
  JwComponent* const component = component_of(world, mass->component);
  jw_disturb(world, component, JW_MOVED_STATE);
  double* const u = mass->level[JW_NOW];
  const double before = jw_ledger_object(world, mass), held = held_by(world, component, mass);
  u[0] = 0.0 + (position - *mass->position);
  u[1] = mass->bank.begin[0] * velocity
         + 0.5 * (mass->bank.b[0] * u[0] - mass->y[0] * jw_object_weight(mass));
  mass->level[JW_PREV][0] = u[0] - u[1];
  jw_throw_begin(world, component, mass, velocity);
  jw_ledger_supply(world, component, jw_ledger_object(world, mass) - before);
  jw_ledger_supply(world, component, held_by(world, component, mass) - held);
}
