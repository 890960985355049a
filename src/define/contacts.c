// SPDX-License-Identifier: MIT
// Adding contacts: check the ports and what the law can do with them, copy.

#include "define/define.h"

#include "prepare/prepare.h"

#include <stdio.h>

static JwStatus check_grouped(JwWorld* world, const JwContact* contact, const char* what) {
  const JwRule rule = contact->law.rule;
  int strings = 0;
  for (int s = 0; s < 2; ++s) {
    strings += jw_port_object(world, contact->port[s])->ops->places == JW_PLACES_LINE;
  }
  if (!contact->along || strings != 1) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "%s: grouped needs along, and a string over a barrier", what);
  }
  if (rule != JW_RULE_BOUNDED && rule != JW_RULE_PLAIN && rule != JW_RULE_RELEASED) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "%s: grouped needs the rule bounded, plain or released", what);
  }
  if (contact->law.loss > 0.0) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: loss is %g, must be 0 when grouped", what,
                         contact->law.loss);
  }
  return JW_STATUS_OK;
}

static JwStatus check_along(JwWorld* world, JwContact* contact, const char* what) {
  bool string = false;
  for (int s = 0; s < 2; ++s) {
    const JwObjectOps* const ops = jw_port_object(world, contact->port[s])->ops;
    string = string || ops->places == JW_PLACES_LINE;
    if (ops->places != JW_PLACES_LINE && !ops->profile) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "%s: along needs strings and barriers, not a %s", what,
                           jw_kind_name(ops->kind));
    }
    if (contact->port[s].degrees != 0.0) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "%s: degrees is %g, must be 0 along a string, where a contact acts up",
                           what, contact->port[s].degrees);
    }
  }
  if (string && jw_contact_points(world, contact) == 0) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "%s: no grid point of the string lies over the barrier", what);
  }
  return JW_STATUS_OK;
}

static bool is_lumped(const JwWorld* world, JwPort port) {
  return jw_object_at(world, port.object.index - 1)->ops->lumped;
}

// Between masses `refined` is a hundred to ten thousand times as exact as `bounded` (make
// study-contacts).  Elsewhere it lands on newton's step, which is no better than bounded's: there
// other modes than the contact's move the point.
static JwRule best_rule(const JwWorld* world, const JwContact* contact) {
  if (contact->law.rule != JW_RULE_AUTO) {
    return contact->law.rule;
  }
  const bool lumped = is_lumped(world, contact->port[0]) && is_lumped(world, contact->port[1]);
  return contact->kind == JW_KIND_COLLISION && lumped ? JW_RULE_REFINED : JW_RULE_BOUNDED;
}

// `def` is the definition that the contact was made of, and `name` stands in it.
static JwStatus add_contact(JwWorld* world, JwContact* contact, const void* def, const char* name,
                            JwContactId* id) {
  char what[96];
  snprintf(what, sizeof what, "%s '%.60s'", jw_kind_name(contact->kind), name ? name : "");
  const int sides = (int)jw_law_ops(contact->kind)->sides;
  for (int s = 0; s < sides; ++s) {
    const JwStatus status = jw_port_check(world, &contact->port[s], what);
    if (status) {
      return status;
    }
  }
  if (sides == 2) {
    contact->law.rule = best_rule(world, contact);
  }
  if (!jw_port_can_move(world, contact->port[0])
      && !(sides == 2 && jw_port_can_move(world, contact->port[1]))) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: neither side can move", what);
  }
  JwStatus status = contact->grouped ? check_grouped(world, contact, what) : JW_STATUS_OK;
  status = status || !contact->along ? status : check_along(world, contact, what);
  if (status) {
    return status;
  }
  JwContact* const item =
      (JwContact*)jw_list_add(&world->contacts, &world->def.allocator, sizeof(JwContact));
  if (!item) {
    return jw_no_memory(world);
  }
  *item = *contact;
  item->component = JW_NONE;
  item->law.k = world->k;
  item->law.kind = contact->kind;
  jw_law_derive(&item->law);
  item->law.waits = item->law.waits && !item->grouped;
  if (jw_define_name(world, name, &item->name)) {
    --world->contacts.count;
    return JW_STATUS_NO_MEMORY;
  }
  jw_identify_def(world, contact->kind, def);
  for (int s = 0; s < sides; ++s) {
    jw_identify_port(world, contact->port[s]);
  }
  if (id) {
    id->index = world->contacts.count;
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_collision(JwWorld* world, const JwCollisionDef* def, JwContactId* id) {
  const JwStatus status = jw_define_begin(world, JW_KIND_COLLISION, def);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_COLLISION,
                       .port = {def->below, def->above},
                       .gap = def->gap,
                       .along = def->along,
                       .grouped = def->grouped};
  contact.law.rule = def->rule;
  contact.law.stiffness = def->stiffness;
  contact.law.exponent = def->exponent;
  contact.law.loss = def->loss;
  return add_contact(world, &contact, def, def->name, id);
}

JwStatus jw_world_add_connection(JwWorld* world, const JwConnectionDef* def, JwContactId* id) {
  const JwStatus status = jw_define_begin(world, JW_KIND_CONNECTION, def);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_CONNECTION, .port = {def->a, def->b}, .gap = def->gap};
  contact.law.rule = def->rule;
  contact.law.stiffness = def->stiffness;
  contact.law.exponent = def->exponent;
  contact.law.loss = def->loss;
  contact.law.slack = def->slack;
  return add_contact(world, &contact, def, def->name, id);
}

JwStatus jw_world_add_spring(JwWorld* world, const JwSpringDef* def, JwContactId* id) {
  const JwStatus status = jw_define_begin(world, JW_KIND_SPRING, def);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_SPRING, .port = {def->a, def->b}, .gap = def->gap};
  contact.law.linear = def->linear;
  contact.law.cubic = def->cubic;
  contact.law.damping = def->damping;
  return add_contact(world, &contact, def, def->name, id);
}

// What presses must be one force.
static JwStatus check_pressed(JwWorld* world, const JwFrictionDef* def) {
  const char* const name = def->name ? def->name : "";
  const uint32_t index = def->pressed_by.index;
  if (index > world->contacts.count) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE,
                         "friction '%.60s': contact %u does not exist", name, index);
  }
  const JwContact* const other = index ? jw_contact_at(world, index - 1) : NULL;
  if (other && (other->along || jw_law_ops(other->kind)->sides != 2)) {
    return jw_world_fail(
        world, JW_STATUS_BAD_VALUE,
        "friction '%.60s': '%s' must be a contact of two ports at a place, to press", name,
        other->name);
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_friction(JwWorld* world, const JwFrictionDef* def, JwContactId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_FRICTION, def);
  status = status ? status : check_pressed(world, def);
  if (status) {
    return status;
  }
  JwContact contact = {
      .kind = JW_KIND_FRICTION, .port = {def->a, def->b}, .pressed_by = def->pressed_by.index};
  contact.law.force = def->force;
  contact.law.coefficient = def->coefficient;
  contact.law.creep = def->creep;
  status = add_contact(world, &contact, def, def->name, id);
  if (!status) {
    jw_identify(world, &contact.pressed_by, 1, sizeof contact.pressed_by);
  }
  return status;
}

JwStatus jw_world_add_bow(JwWorld* world, const JwBowDef* def, JwContactId* id) {
  const JwStatus status = jw_define_begin(world, JW_KIND_BOW, def);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_BOW, .port = {def->port}};
  contact.law.method = def->method;
  contact.law.force = def->force;
  contact.law.speed = def->speed;
  contact.law.sharpness = def->sharpness;
  return add_contact(world, &contact, def, def->name, id);
}
