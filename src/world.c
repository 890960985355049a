// A world before it runs: create, add, destroy.

#include "world.h"

#include "object/kinds.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

JwStatus jw_world_fail(JwWorld* world, JwStatus status, const char* format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(world->error, sizeof world->error, format, args);
  va_end(args);
  return status;
}

const char* jw_world_error(const JwWorld* world) { return world ? world->error : "no world"; }

JwStatus jw_world_create(const JwWorldDef* def, JwWorld** out)
{
  *out = NULL;
  char error[JW_ERROR_SIZE];
  const JwStatus status = jw_params_check(JW_KIND_WORLD, def, error);
  if (status) {
    return status;
  }
  if (!def->allocator.allocate || !def->allocator.release) {
    return JW_STATUS_BAD_VALUE;
  }
  JwWorld* const world = (JwWorld*)def->allocator.allocate(def->allocator.user, sizeof(JwWorld));
  if (!world) {
    return JW_STATUS_NO_MEMORY;
  }
  world->def = *def;
  world->k = 1.0 / def->sample_rate;
  *out = world;
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- adding

static JwStatus no_memory(JwWorld* world) { return jw_world_fail(world, JW_STATUS_NO_MEMORY, "no memory"); }

// Checks that all kinds share: not too late, fields in range, a name to speak of.
static JwStatus begin(JwWorld* world, JwKind kind, const void* def, const char* name)
{
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "%s '%s' added after prepare", jw_kind_name(kind), name ? name : "");
  }
  char error[JW_ERROR_SIZE];
  const JwStatus status = jw_params_check(kind, def, error);
  if (status) {
    return jw_world_fail(world, status, "%s '%.60s': %.400s", jw_kind_name(kind), name ? name : "", error);
  }
  return JW_STATUS_OK;
}

static JwStatus copy_name(JwWorld* world, const char* name, char** copy)
{
  *copy = (char*)jw_copy(&world->def.allocator, name ? name : "", name ? strlen(name) + 1 : 1, 1);
  return *copy ? JW_STATUS_OK : no_memory(world);
}

// Copy an array of a definition; an empty one stays NULL.
static JwStatus copy_array(JwWorld* world, const void* source, size_t count, size_t size, const void** copy)
{
  *copy = jw_copy(&world->def.allocator, source, count, size);
  return *copy || !source || !count ? JW_STATUS_OK : no_memory(world);
}

static void free_object(JwWorld* world, JwObject* object)
{
  const JwAllocator* const a = &world->def.allocator;
  const void* owned[4] = {object->name, NULL, NULL, NULL};
  if (object->ops->kind == JW_KIND_MODAL) {
    owned[1] = object->def.modal.modes;
    owned[2] = object->def.modal.shapes;
  } else if (object->ops->kind == JW_KIND_BARRIER) {
    owned[1] = object->def.barrier.polynomial;
    owned[2] = object->def.barrier.table;
  }
  for (int i = 0; i < 4; ++i) {
    if (owned[i]) {
      a->release(a->user, (void*)(uintptr_t)owned[i]);
    }
  }
}

// Plan the object that has been put last into the list; take it out again if it cannot be.
static JwStatus finish_object(JwWorld* world, JwObject* object, JwStatus status, JwObjectId* id)
{
  if (!status) {
    char error[JW_ERROR_SIZE] = "";
    status = object->ops->plan(object, error);
    if (status) {
      jw_world_fail(world, status, "%s '%.60s': %.400s", jw_kind_name(object->ops->kind), object->name, error);
    }
  }
  if (status) {
    free_object(world, object);
    --world->objects.count;
    return status;
  }
  object->info.kind = object->ops->kind;
  object->info.name = object->name;
  id->index = world->objects.count;
  return JW_STATUS_OK;
}

static JwObject* new_object(JwWorld* world, JwKind kind, const void* def, const char* name, JwStatus* status)
{
  JwObject* const object = (JwObject*)jw_list_add(&world->objects, &world->def.allocator, sizeof(JwObject));
  if (!object) {
    *status = no_memory(world);
    return NULL;
  }
  object->ops = jw_object_ops(kind, def);
  object->k = world->k;
  object->component = JW_NONE;
  *status = copy_name(world, name, &object->name);
  return object;
}

JwStatus jw_world_add_mass(JwWorld* world, const JwMassDef* def, JwObjectId* id)
{
  JwStatus status = begin(world, JW_KIND_MASS, def, def->name);
  JwObject* const object = status ? NULL : new_object(world, JW_KIND_MASS, def, def->name, &status);
  if (!object) {
    return status;
  }
  object->def.mass = *def;
  return finish_object(world, object, status, id);
}

JwStatus jw_world_add_string(JwWorld* world, const JwStringDef* def, JwObjectId* id)
{
  JwStatus status = begin(world, JW_KIND_STRING, def, def->name);
  JwObject* const object = status ? NULL : new_object(world, JW_KIND_STRING, def, def->name, &status);
  if (!object) {
    return status;
  }
  object->def.string = *def;
  return finish_object(world, object, status, id);
}

JwStatus jw_world_add_plate(JwWorld* world, const JwPlateDef* def, JwObjectId* id)
{
  JwStatus status = begin(world, JW_KIND_PLATE, def, def->name);
  JwObject* const object = status ? NULL : new_object(world, JW_KIND_PLATE, def, def->name, &status);
  if (!object) {
    return status;
  }
  object->def.plate = *def;
  return finish_object(world, object, status, id);
}

static JwStatus check_modes(JwWorld* world, const JwModalDef* def)
{
  const char* const name = def->name ? def->name : "";
  if (!def->modes || def->mode_count == 0 || def->mode_count > 1000000) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "modal '%s': it has %u modes, must be from 1 to 1000000", name,
                         def->modes ? def->mode_count : 0);
  }
  if (!def->shapes || def->shape_count == 0 || def->shape_count > 100000) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "modal '%s': it has %u shapes, must be from 1 to 100000", name,
                         def->shapes ? def->shape_count : 0);
  }
  for (uint32_t i = 0; i < def->mode_count; ++i) {
    const JwMode* const mode = &def->modes[i];
    if (!(mode->frequency >= 0.0 && mode->frequency <= 1e6 && mode->decay >= 0.0 && mode->decay <= 1e9
          && mode->mass >= 1e-12 && mode->mass <= 1e9)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "modal '%s': mode %u has frequency %g Hz, decay %g 1/s, mass %g kg, must be from 0 to 1e6, "
                           "0 to 1e9 and 1e-12 to 1e9", name, i, mode->frequency, mode->decay, mode->mass);
    }
  }
  for (size_t i = 0; i < (size_t)def->mode_count * def->shape_count; ++i) {
    if (!(fabs(def->shapes[i]) <= 1e6)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "modal '%s': shape %zu of mode %zu is %g, must be from -1e6 to 1e6",
                           name, i / def->mode_count, i % def->mode_count, def->shapes[i]);
    }
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_modal(JwWorld* world, const JwModalDef* def, JwObjectId* id)
{
  JwStatus status = begin(world, JW_KIND_MODAL, def, def->name);
  status = status ? status : check_modes(world, def);
  JwObject* const object = status ? NULL : new_object(world, JW_KIND_MODAL, def, def->name, &status);
  if (!object) {
    return status;
  }
  JwModalDef* const copy = &object->def.modal;
  *copy = *def;
  const void *modes = NULL, *shapes = NULL;
  status = status ? status : copy_array(world, def->modes, def->mode_count, sizeof(JwMode), &modes);
  status = status ? status : copy_array(world, def->shapes, (size_t)def->mode_count * def->shape_count, sizeof(double), &shapes);
  copy->modes = (const JwMode*)modes;
  copy->shapes = (const double*)shapes;
  return finish_object(world, object, status, id);
}

static JwStatus check_barrier(JwWorld* world, const JwBarrierDef* def)
{
  const char* const name = def->name ? def->name : "";
  if (!(def->from <= def->to)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "barrier '%s': from is %g, must be at most to, %g", name, def->from, def->to);
  }
  const uint32_t polynomial = def->polynomial ? def->polynomial_count : 0, table = def->table ? def->table_count : 0;
  if (polynomial > 64 || table > 1000000) {
    return jw_world_fail(world, JW_STATUS_TOO_LARGE, "barrier '%s': it has %u coefficients and %u table points, must be at most 64 and 1000000",
                         name, polynomial, table);
  }
  for (uint32_t i = 0; i < polynomial; ++i) {
    if (!(fabs(def->polynomial[i]) <= 1e9)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "barrier '%s': coefficient %u is %g, must be from -1e9 to 1e9", name, i, def->polynomial[i]);
    }
  }
  for (uint32_t i = 0; i < table; ++i) {
    if (!(fabs(def->table[2 * i]) <= 1e6 && fabs(def->table[2 * i + 1]) <= 1e6) || (i && !(def->table[2 * i] > def->table[2 * i - 2]))) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "barrier '%s': table point %u is %g, %g, must rise in x and lie within 1e6", name,
                           i, def->table[2 * i], def->table[2 * i + 1]);
    }
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_barrier(JwWorld* world, const JwBarrierDef* def, JwObjectId* id)
{
  JwStatus status = begin(world, JW_KIND_BARRIER, def, def->name);
  status = status ? status : check_barrier(world, def);
  JwObject* const object = status ? NULL : new_object(world, JW_KIND_BARRIER, def, def->name, &status);
  if (!object) {
    return status;
  }
  JwBarrierDef* const copy = &object->def.barrier;
  *copy = *def;
  copy->polynomial_count = def->polynomial ? def->polynomial_count : 0;
  copy->table_count = def->table ? def->table_count : 0;
  const void *polynomial = NULL, *table = NULL;
  status = status ? status : copy_array(world, def->polynomial, copy->polynomial_count, sizeof(double), &polynomial);
  status = status ? status : copy_array(world, def->table, 2 * (size_t)copy->table_count, sizeof(double), &table);
  copy->polynomial = (const double*)polynomial;
  copy->table = (const double*)table;
  return finish_object(world, object, status, id);
}

// ---------------------------------------------------------------- contacts

static bool can_move(const JwWorld* world, JwPort port)
{
  return port.object.index && jw_object_at(world, port.object.index - 1)->dofs > 0;
}

static JwStatus check_grouped(JwWorld* world, const JwContact* contact, const char* what)
{
  const JwRule rule = contact->law.rule;
  int strings = 0;
  for (int s = 0; s < 2; ++s) {
    strings += jw_object_at(world, contact->port[s].object.index - 1)->ops->kind == JW_KIND_STRING;
  }
  if (!contact->along || strings != 1) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: grouped needs along, and a string over a barrier", what);
  }
  if (rule != JW_RULE_BOUNDED && rule != JW_RULE_PLAIN && rule != JW_RULE_RELEASED) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: grouped needs the rule bounded, plain or released", what);
  }
  if (contact->law.loss > 0.0) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: loss is %g, must be 0 when grouped", what, contact->law.loss);
  }
  return JW_STATUS_OK;
}

static JwStatus check_along(JwWorld* world, JwContact* contact, const char* what)
{
  bool string = false;
  for (int s = 0; s < 2; ++s) {
    const JwKind kind = jw_object_at(world, contact->port[s].object.index - 1)->ops->kind;
    string = string || kind == JW_KIND_STRING;
    if (kind != JW_KIND_STRING && kind != JW_KIND_BARRIER) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: along needs strings and barriers, not a %s", what, jw_kind_name(kind));
    }
  }
  if (string && jw_contact_points(world, contact) == 0) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: no grid point of the string lies over the barrier", what);
  }
  return JW_STATUS_OK;
}

static JwStatus add_contact(JwWorld* world, JwContact* contact, const char* name, JwContactId* id)
{
  char what[96];
  snprintf(what, sizeof what, "%s '%.60s'", jw_kind_name(contact->kind), name ? name : "");
  const int sides = contact->kind == JW_KIND_BOW ? 1 : 2;
  for (int s = 0; s < sides; ++s) {
    const JwStatus status = jw_port_check(world, &contact->port[s], what);
    if (status) {
      return status;
    }
  }
  if (!can_move(world, contact->port[0]) && !(sides == 2 && can_move(world, contact->port[1]))) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: neither side can move", what);
  }
  JwStatus status = contact->grouped ? check_grouped(world, contact, what) : JW_STATUS_OK;
  status = status || !contact->along ? status : check_along(world, contact, what);
  if (status) {
    return status;
  }
  JwContact* const item = (JwContact*)jw_list_add(&world->contacts, &world->def.allocator, sizeof(JwContact));
  if (!item) {
    return no_memory(world);
  }
  *item = *contact;
  item->component = JW_NONE;
  item->law.k = world->k;
  item->law.kind = contact->kind;
  if (copy_name(world, name, &item->name)) {
    --world->contacts.count;
    return JW_STATUS_NO_MEMORY;
  }
  id->index = world->contacts.count;
  return JW_STATUS_OK;
}

JwStatus jw_world_add_collision(JwWorld* world, const JwCollisionDef* def, JwContactId* id)
{
  const JwStatus status = begin(world, JW_KIND_COLLISION, def, def->name);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_COLLISION, .port = {def->below, def->above}, .gap = def->gap,
                       .along = def->along, .grouped = def->grouped};
  contact.law.rule = def->rule;
  contact.law.stiffness = def->stiffness;
  contact.law.exponent = def->exponent;
  contact.law.loss = def->loss;
  return add_contact(world, &contact, def->name, id);
}

JwStatus jw_world_add_connection(JwWorld* world, const JwConnectionDef* def, JwContactId* id)
{
  const JwStatus status = begin(world, JW_KIND_CONNECTION, def, def->name);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_CONNECTION, .port = {def->a, def->b}, .gap = def->gap};
  contact.law.rule = def->rule;
  contact.law.stiffness = def->stiffness;
  contact.law.exponent = def->exponent;
  contact.law.loss = def->loss;
  contact.law.slack = def->slack;
  return add_contact(world, &contact, def->name, id);
}

JwStatus jw_world_add_spring(JwWorld* world, const JwSpringDef* def, JwContactId* id)
{
  const JwStatus status = begin(world, JW_KIND_SPRING, def, def->name);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_SPRING, .port = {def->a, def->b}, .gap = def->gap};
  contact.law.linear = def->linear;
  contact.law.cubic = def->cubic;
  contact.law.damping = def->damping;
  return add_contact(world, &contact, def->name, id);
}

JwStatus jw_world_add_bow(JwWorld* world, const JwBowDef* def, JwContactId* id)
{
  const JwStatus status = begin(world, JW_KIND_BOW, def, def->name);
  if (status) {
    return status;
  }
  JwContact contact = {.kind = JW_KIND_BOW, .port = {def->port}};
  contact.law.method = def->method;
  contact.law.force = def->force;
  contact.law.speed = def->speed;
  contact.law.sharpness = def->sharpness;
  return add_contact(world, &contact, def->name, id);
}

// ---------------------------------------------------------------- the rest

JwStatus jw_world_add_force(JwWorld* world, const JwForceDef* def, JwExciterId* id)
{
  JwStatus status = begin(world, JW_KIND_FORCE, def, def->name);
  char what[96];
  snprintf(what, sizeof what, "force '%.60s'", def->name ? def->name : "");
  status = status ? status : jw_port_check(world, &def->port, what);
  if (status) {
    return status;
  }
  if (!can_move(world, def->port)) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: its object cannot move", what);
  }
  if (def->shape == JW_FORCE_SIGNAL && (!def->signal || !def->signal_count)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: its signal is empty", what);
  }
  for (uint32_t i = 0; def->shape == JW_FORCE_SIGNAL && i < def->signal_count; ++i) {
    if (!isfinite(def->signal[i])) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: sample %u of its signal is not finite", what, i);
    }
  }
  JwForce* const force = (JwForce*)jw_list_add(&world->forces, &world->def.allocator, sizeof(JwForce));
  if (!force) {
    return no_memory(world);
  }
  force->def = *def;
  const void* signal = NULL;
  status = copy_name(world, def->name, &force->name);
  status = status ? status : copy_array(world, def->signal, def->shape == JW_FORCE_SIGNAL ? def->signal_count : 0, sizeof(float), &signal);
  force->signal = (float*)(uintptr_t)signal;
  if (status) {
    if (force->name) {
      world->def.allocator.release(world->def.allocator.user, force->name);
    }
    --world->forces.count;
    return status;
  }
  id->index = world->forces.count;
  return JW_STATUS_OK;
}

JwStatus jw_world_add_initial(JwWorld* world, const JwInitialDef* def)
{
  const JwStatus status = begin(world, JW_KIND_INITIAL, def, NULL);
  if (status) {
    return status;
  }
  if (def->object.index == 0 || def->object.index > world->objects.count) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "initial: object %u does not exist", def->object.index);
  }
  const JwObject* const object = jw_object_at(world, def->object.index - 1);
  if (object->ops->kind != JW_KIND_STRING && object->ops->kind != JW_KIND_PLATE) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "initial: '%s' is a %s, must be a string or a plate", object->name,
                         jw_kind_name(object->ops->kind));
  }
  JwInitialDef* const item = (JwInitialDef*)jw_list_add(&world->initials, &world->def.allocator, sizeof(JwInitialDef));
  if (!item) {
    return no_memory(world);
  }
  *item = *def;
  return JW_STATUS_OK;
}

JwStatus jw_world_add_pickup(JwWorld* world, const JwPickupDef* def, JwPickupId* id)
{
  JwStatus status = begin(world, JW_KIND_PICKUP, def, def->name);
  if (status) {
    return status;
  }
  char what[96];
  snprintf(what, sizeof what, "pickup '%.60s'", def->name ? def->name : "");
  if (def->quantity == JW_QUANTITY_FORCE) {
    if (def->contact.index == 0 || def->contact.index > world->contacts.count) {
      return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: contact %u does not exist", what, def->contact.index);
    }
  } else {
    status = jw_port_check(world, &def->port, what);
    if (status) {
      return status;
    }
    if (!can_move(world, def->port)) {
      return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: its object cannot move", what);
    }
  }
  JwPickup* const pickup = (JwPickup*)jw_list_add(&world->pickups, &world->def.allocator, sizeof(JwPickup));
  if (!pickup) {
    return no_memory(world);
  }
  pickup->def = *def;
  if (copy_name(world, def->name, &pickup->name)) {
    --world->pickups.count;
    return JW_STATUS_NO_MEMORY;
  }
  id->index = world->pickups.count;
  return JW_STATUS_OK;
}

JwStatus jw_world_add_curve(JwWorld* world, JwTarget target, const JwBreakpoint* points, uint32_t count)
{
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "curve added after prepare");
  }
  if (!points || count == 0 || count > 10000000) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "curve: it has %u points, must be from 1 to 10000000", points ? count : 0);
  }
  if (jw_slot_index(world, target) == JW_NONE) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "curve: its target has no such control");
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    if (jw_slot_index(world, JW_AT(world->curves, JwCurve, i)->target) == jw_slot_index(world, target)) {
      return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "curve: its target has a curve already");
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    const bool rises = i == 0 || points[i].time > points[i - 1].time;
    if (!rises || !(fabs(points[i].time) <= 1e9)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "curve: time %u is %g s, must be above the one before it", i, points[i].time);
    }
    if (!jw_slot_valid(world, target, points[i].value)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "curve: value %u is %g, out of the control's range", i, points[i].value);
    }
  }
  JwCurve* const curve = (JwCurve*)jw_list_add(&world->curves, &world->def.allocator, sizeof(JwCurve));
  if (!curve) {
    return no_memory(world);
  }
  curve->target = target;
  curve->count = count;
  curve->points = (JwBreakpoint*)jw_copy(&world->def.allocator, points, count, sizeof(JwBreakpoint));
  if (!curve->points) {
    --world->curves.count;
    return no_memory(world);
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_throw(JwWorld* world, JwObjectId mass, double time, const double position_and_velocity[2])
{
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "throw added after prepare");
  }
  if (mass.index == 0 || mass.index > world->objects.count || jw_object_at(world, mass.index - 1)->ops->kind != JW_KIND_MASS) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "throw: object %u is not a mass", mass.index);
  }
  const double position = position_and_velocity[0], velocity = position_and_velocity[1];
  if (!(time >= 0.0 && time <= 1e6 && fabs(position) <= 1e6 && fabs(velocity) <= 1e6)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "throw: time %g s, position %g m, velocity %g m/s must lie within 1e6",
                         time, position, velocity);
  }
  JwThrow* const item = (JwThrow*)jw_list_add(&world->throws, &world->def.allocator, sizeof(JwThrow));
  if (!item) {
    return no_memory(world);
  }
  const JwThrow throw_item = {mass.index - 1, (uint64_t)(time / world->k + 0.5), position, velocity};
  *item = throw_item;
  return JW_STATUS_OK;
}

void jw_world_destroy(JwWorld* world)
{
  if (!world) {
    return;
  }
  const JwAllocator a = world->def.allocator;
  if (world->prepared && world->pool) {
    jw_pool_stop(world->pool);
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    free_object(world, jw_object_at(world, i));
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    a.release(a.user, jw_contact_at(world, i)->name);
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    a.release(a.user, jw_force_at(world, i)->name);
    if (jw_force_at(world, i)->signal) {
      a.release(a.user, jw_force_at(world, i)->signal);
    }
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    a.release(a.user, jw_pickup_at(world, i)->name);
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    a.release(a.user, JW_AT(world->curves, JwCurve, i)->points);
  }
  JwList* const lists[] = {&world->objects, &world->contacts, &world->forces, &world->initials,
                           &world->pickups, &world->curves, &world->throws};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
    jw_list_free(lists[i], &a);
  }
  if (world->memory) {
    a.release(a.user, world->memory);
  }
  a.release(a.user, world);
}
