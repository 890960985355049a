// SPDX-License-Identifier: MIT
// A snapshot fits the world that it was taken of, and no world that differs in anything: every
// field of every definition, read from the parameter tables, so that a new field is tested on the
// day it is added; ports, arrays, curves and throws.

#include "orchestra.h"

#include <stdio.h>

typedef union {
  JwWorldDef world;
  JwMassDef mass;
  JwStringDef string;
  JwPlateDef plate;
  JwModalDef modal;
  JwBarrierDef barrier;
  JwCollisionDef collision;
  JwConnectionDef connection;
  JwSpringDef spring;
  JwFrictionDef friction;
  JwBowDef bow;
  JwForceDef force;
  JwInitialDef initial;
  JwPickupDef pickup;
} Def;

// What has no table: each changes one thing.
typedef enum {
  SAME,
  PORT_X,
  PORT_Y,
  PORT_OBJECT,
  PORT_READING,
  OTHER_PORT,
  BOW_PORT,
  BOW_DEGREES,
  PRESSED_BY,
  FORCE_PORT,
  PICKUP_PORT,
  PICKUP_CONTACT,
  INITIAL_OBJECT,
  MODE,
  SHAPE,
  POLYNOMIAL,
  TABLE,
  SIGNAL,
  SIGNAL_LENGTH,
  CURVE_TARGET,
  CURVE_TIME,
  CURVE_VALUE,
  CURVE_COUNT,
  NO_CURVE,
  THROWN,
  THROW_TIME,
  THROW_POSITION,
  THROW_VELOCITY,
  NO_THROW,
  CHANGES
} Change;

typedef struct {
  Def defs[JW_KIND_COUNT];
  Change change;
} Plan;

enum { STRING = 1, STRING2, MASS, MASS2, PLATE, MODAL, BARRIER };

static Plan plan(void) {
  Plan p = {.change = SAME};
  for (int kind = 0; kind < JW_KIND_COUNT; ++kind) {
    jw_params_default((JwKind)kind, &p.defs[kind]);
  }
  p.defs[JW_KIND_WORLD].world.allocator = jw_allocator_default();
  p.defs[JW_KIND_MASS].mass.mass = 0.01;
  p.defs[JW_KIND_STRING].string = short_string();
  p.defs[JW_KIND_STRING].string.directions = 2;
  p.defs[JW_KIND_PLATE].plate.size[0] = p.defs[JW_KIND_PLATE].plate.size[1] = 0.2;
  p.defs[JW_KIND_COLLISION].collision.stiffness = 1e7;
  p.defs[JW_KIND_CONNECTION].connection.stiffness = 1e4;
  return p;
}

static JwStatus add_objects(JwWorld* w, const Plan* p) {
  static JwMode modes[2];
  static double shapes[2], polynomial[2], table[4];
  const Change c = p->change;
  modes[0] = (JwMode){100.0, 1.0, 0.1}, modes[1] = (JwMode){200.0, 1.0, c == MODE ? 0.2 : 0.1};
  shapes[0] = 1.0, shapes[1] = c == SHAPE ? 0.5 : 0.6;
  polynomial[0] = -1e-3, polynomial[1] = c == POLYNOMIAL ? 1e-4 : 2e-4;
  table[0] = 0.0, table[1] = -1e-3, table[2] = 1.0, table[3] = c == TABLE ? 0.0 : 1e-4;
  JwModalDef modal = p->defs[JW_KIND_MODAL].modal;
  modal.modes = modes, modal.mode_count = 2, modal.shapes = shapes, modal.shape_count = 1;
  JwBarrierDef barrier = p->defs[JW_KIND_BARRIER].barrier;
  barrier.polynomial = polynomial, barrier.polynomial_count = 2, barrier.table = table,
  barrier.table_count = 2;
  const JwStringDef second = short_string();
  JwMassDef other = jw_mass_default();
  other.mass = 0.01;
  JwStatus status = jw_world_add_string(w, &p->defs[JW_KIND_STRING].string, NULL);
  status = status ? status : jw_world_add_string(w, &second, NULL);
  status = status ? status : jw_world_add_mass(w, &p->defs[JW_KIND_MASS].mass, NULL);
  status = status ? status : jw_world_add_mass(w, &other, NULL);
  status = status ? status : jw_world_add_plate(w, &p->defs[JW_KIND_PLATE].plate, NULL);
  status = status ? status : jw_world_add_modal(w, &modal, NULL);
  return status ? status : jw_world_add_barrier(w, &barrier, NULL);
}

static JwPort at(uint32_t object, double x, double y) {
  JwPort port = jw_port((JwObjectId){object}, x);
  port.y = y;
  return port;
}

static JwStatus add_contacts(JwWorld* w, const Plan* p) {
  const Change c = p->change;
  JwCollisionDef collision = p->defs[JW_KIND_COLLISION].collision;
  collision.below = at(BARRIER, 0.0, 0.0), collision.above = at(STRING2, 0.4, 0.0);
  JwConnectionDef connection = p->defs[JW_KIND_CONNECTION].connection;
  connection.a =
      at(c == PORT_OBJECT ? STRING : STRING2, c == PORT_X ? 0.31 : 0.3, c == PORT_Y ? 0.1 : 0.0);
  connection.a.reading = c == PORT_READING ? JW_READ_CUBIC : JW_READ_LINEAR;
  connection.b = at(MASS, 0.0, 0.0);
  JwSpringDef spring = p->defs[JW_KIND_SPRING].spring;
  spring.a = at(MASS, 0.0, 0.0), spring.b = at(PLATE, 0.3, c == OTHER_PORT ? 0.4 : 0.3);
  JwFrictionDef friction = p->defs[JW_KIND_FRICTION].friction;
  friction.a = at(MASS, 0.0, 0.0), friction.b = at(BARRIER, 0.0, 0.0);
  friction.pressed_by.index = c == PRESSED_BY ? 3 : 2;
  JwBowDef bow = p->defs[JW_KIND_BOW].bow;
  bow.port = at(STRING, c == BOW_PORT ? 0.2 : 0.1, 0.0);
  bow.port.degrees = c == BOW_DEGREES ? 30.0 : 0.0;
  JwStatus status = jw_world_add_collision(w, &collision, NULL);
  status = status ? status : jw_world_add_connection(w, &connection, NULL);
  status = status ? status : jw_world_add_spring(w, &spring, NULL);
  status = status ? status : jw_world_add_bow(w, &bow, NULL);
  return status ? status : jw_world_add_friction(w, &friction, NULL);
}

static JwStatus add_rest(JwWorld* w, const Plan* p) {
  static float signal[3] = {0.1f, 0.2f, 0.3f};
  const Change c = p->change;
  signal[1] = c == SIGNAL ? 0.5f : 0.2f;
  JwForceDef force = p->defs[JW_KIND_FORCE].force, sampled = jw_force_default();
  force.port = at(PLATE, c == FORCE_PORT ? 0.2 : 0.1, 0.2);
  force.signal = signal, force.signal_count = 3;
  sampled.port = at(MODAL, 0.0, 0.0), sampled.shape = JW_FORCE_SIGNAL;
  sampled.signal = signal, sampled.signal_count = c == SIGNAL_LENGTH ? 2 : 3;
  JwInitialDef initial = p->defs[JW_KIND_INITIAL].initial;
  initial.object.index = c == INITIAL_OBJECT ? STRING2 : STRING;
  JwPickupDef pickup = p->defs[JW_KIND_PICKUP].pickup, heard = jw_pickup_default();
  pickup.port = at(STRING2, c == PICKUP_PORT ? 0.7 : 0.6, 0.0), pickup.contact.index = 1;
  heard.quantity = JW_QUANTITY_FORCE, heard.contact.index = c == PICKUP_CONTACT ? 2 : 1;
  const JwBreakpoint curve[2] = {{0.0, 0.0},
                                 {c == CURVE_TIME ? 2.0 : 1.0, c == CURVE_VALUE ? 2e-3 : 1e-3}};
  const double thrown[2] = {c == THROW_POSITION ? 1e-3 : 0.0, c == THROW_VELOCITY ? 2.0 : 1.0};
  JwStatus status = jw_world_add_force(w, &force, NULL);
  status = status ? status : jw_world_add_force(w, &sampled, NULL);
  status = status ? status : jw_world_add_initial(w, &initial);
  status = status ? status : jw_world_add_pickup(w, &pickup, NULL);
  status = status ? status : jw_world_add_pickup(w, &heard, NULL);
  if (!status && c != NO_CURVE) {
    const JwTarget target = {JW_CONTROL_GAP, {0}, {c == CURVE_TARGET ? 3 : 2}, {0}, {0}};
    status = jw_world_add_curve(w, target, curve, c == CURVE_COUNT ? 1 : 2);
  }
  if (!status && c != NO_THROW) {
    status = jw_world_add_throw(w, (JwObjectId){c == THROWN ? MASS2 : MASS},
                                c == THROW_TIME ? 0.5 : 1.0, thrown);
  }
  return status;
}

// NULL where the engine refuses it.
static JwWorld* build(const Plan* p) {
  JwWorld* world = NULL;
  JwStatus status = jw_world_create(&p->defs[JW_KIND_WORLD].world, &world);
  status = status ? status : add_objects(world, p);
  status = status ? status : add_contacts(world, p);
  status = status ? status : add_rest(world, p);
  if (status || jw_world_prepare(world)) {
    jw_world_destroy(world);
    return NULL;
  }
  return world;
}

// Is the snapshot of a world taken by another?  One that has another size would be refused for that
// alone: it is cut or filled up, so that what the worlds are decides.
static bool is_taken(JwWorld* from, JwWorld* by) {
  const size_t a = jw_world_snapshot_size(from), b = jw_world_snapshot_size(by);
  unsigned char* const memory = (unsigned char*)calloc(1, a > b ? a : b);
  MUST(from, jw_world_snapshot(from, memory, a));
  const JwStatus status = jw_world_restore(by, memory, a > b ? a : b);
  assert_true(status == JW_STATUS_OK || status == JW_STATUS_BAD_SNAPSHOT);
  free(memory);
  return status == JW_STATUS_OK;
}

static void the_same_world_takes_it(void** state) {
  (void)state;
  Plan p = plan();
  JwWorld* const first = build(&p);
  p.defs[JW_KIND_MASS].mass.name = "another name";
  p.defs[JW_KIND_WORLD].world.threads = 2;
  p.defs[JW_KIND_WORLD].world.max_bytes *= 2;
  JwWorld* const second = build(&p);
  assert_non_null(first);
  assert_non_null(second);
  assert_true(is_taken(first, second));
  jw_world_destroy(first);
  jw_world_destroy(second);
}

// ---------------------------------------------------------------- every field of every table

static void set_element(const JwParam* param, Def* def, uint32_t i, double value) {
  void* const field = (char*)def + param->offset;
  switch (param->type) {
  case JW_TYPE_NUMBER:
  case JW_TYPE_NUMBERS: ((double*)field)[i] = value; break;
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS: ((uint32_t*)field)[i] = (uint32_t)value; break;
  case JW_TYPE_LARGE: *(uint64_t*)field = (uint64_t)value; break;
  case JW_TYPE_FLAG: *(bool*)field = value != 0.0; break;
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: ((int*)field)[i] = (int)value; break;
  }
}

static double get_element(const JwParam* param, const Def* def, uint32_t i) {
  const void* const field = (const char*)def + param->offset;
  switch (param->type) {
  case JW_TYPE_NUMBER:
  case JW_TYPE_NUMBERS: return ((const double*)field)[i];
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS: return ((const uint32_t*)field)[i];
  case JW_TYPE_LARGE: return (double)*(const uint64_t*)field;
  case JW_TYPE_FLAG: return *(const bool*)field;
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: return ((const int*)field)[i];
  }
  return 0.0;
}

// Some fields stand for others, or need others: what the plan must have before they can be changed.
static void make_way(JwKind kind, const char* key, Plan* changed, Plan* base) {
  if (kind == JW_KIND_COLLISION && strcmp(key, "grouped") == 0) {
    base->defs[kind].collision.along = changed->defs[kind].collision.along = true;
  } else if (kind == JW_KIND_STRING && strcmp(key, "frequency") == 0) {
    changed->defs[kind].string.tension = JW_UNSET;
  } else if (kind == JW_KIND_STRING && strcmp(key, "tension") == 0) {
    changed->defs[kind].string.frequency = JW_UNSET;
  } else if (kind == JW_KIND_STRING && strcmp(key, "modes") == 0) {
    base->defs[kind].string.method = changed->defs[kind].string.method = JW_METHOD_MODES;
  } else if (kind == JW_KIND_PLATE && strcmp(key, "points") == 0) {
    changed->defs[kind].plate.points[0] = changed->defs[kind].plate.points[1] = 4;
  }
  const double decay[4] = {100.0, 6.0, 2000.0, 1.5}, none[2] = {0.0, 0.0};
  if (strcmp(key, "decay") == 0 && kind == JW_KIND_STRING) {
    memcpy(changed->defs[kind].string.decay, decay, sizeof decay);
    memcpy(changed->defs[kind].string.loss, none, sizeof none);
  } else if (strcmp(key, "decay") == 0) {
    memcpy(changed->defs[kind].plate.decay, decay, sizeof decay);
    memcpy(changed->defs[kind].plate.loss, none, sizeof none);
  }
}

// Another world, that differs in element i of a field by the n-th value that comes to mind; NULL if
// the engine refuses it.
static JwWorld* build_changed(JwKind kind, const JwParam* param, uint32_t i, int n,
                              const Plan* base, Plan changed) {
  const double was = get_element(param, &base->defs[kind], i);
  const double now = get_element(param, &changed.defs[kind], i);
  const double v = isnan(now) ? 1.0 : now, low = param->minimum, high = param->maximum;
  const double values[] = {v * 1.01, v + 1.0, v - 1.0, v + 1e-3, v - 1e-3, 0.5 * (low + high),
                           low,      high,    5.0,     1e-3,     1e-2,     0.1,
                           10.0,     100.0,   1e4,     1e9,      1e10};
  if (n >= (int)(sizeof values / sizeof values[0])) {
    return NULL;
  }
  set_element(param, &changed.defs[kind], i, values[n]);
  return get_element(param, &changed.defs[kind], i) == was ? NULL : build(&changed);
}

static bool makes_no_sound(JwKind kind, const char* key) {
  return kind == JW_KIND_WORLD
         && (strcmp(key, "threads") == 0 || strcmp(key, "queue") == 0
             || strncmp(key, "max_", 4) == 0);
}

static void check_field(JwKind kind, const JwParam* param) {
  for (uint32_t i = 0; i < param->count; ++i) {
    Plan base = plan(), changed = plan();
    make_way(kind, param->key, &changed, &base);
    JwWorld *const first = build(&base), *second = NULL;
    assert_non_null(first);
    for (int n = 0; n < 17 && !second; ++n) {
      second = build_changed(kind, param, i, n, &base, changed);
    }
    if (!second) {
      fail_msg("%s.%s: nothing else is allowed here; make way for it", jw_kind_name(kind),
               param->key);
    }
    if (is_taken(first, second) != makes_no_sound(kind, param->key)) {
      fail_msg("%s.%s[%u] is no part of what a world is", jw_kind_name(kind), param->key, i);
    }
    jw_world_destroy(first);
    jw_world_destroy(second);
  }
}

static void no_world_that_differs_in_a_field_takes_it(void** state) {
  (void)state;
  int fields = 0;
  for (int kind = 0; kind < JW_KIND_COUNT; ++kind) {
    uint32_t count;
    const JwParam* const params = jw_params((JwKind)kind, &count);
    for (uint32_t i = 0; i < count; ++i, ++fields) {
      check_field((JwKind)kind, &params[i]);
    }
  }
  print_message("# %d fields\n", fields);
}

static void nor_one_that_differs_in_what_has_no_table(void** state) {
  (void)state;
  for (int change = SAME + 1; change < CHANGES; ++change) {
    Plan base = plan(), changed = plan();
    changed.change = (Change)change;
    JwWorld *const first = build(&base), *const second = build(&changed);
    assert_non_null(first);
    assert_non_null(second);
    if (is_taken(first, second)) {
      fail_msg("change %d is no part of what a world is", change);
    }
    jw_world_destroy(first);
    jw_world_destroy(second);
  }
}

// Where a call failed, the world is the one in which it was never made.
static void a_call_that_failed_is_no_part_of_it(void** state) {
  (void)state;
  Plan p = plan();
  JwWorld* const first = build(&p);
  JwWorld* second = NULL;
  MUST(second, jw_world_create(&p.defs[JW_KIND_WORLD].world, &second));
  MUST(second, add_objects(second, &p));
  JwCollisionDef nowhere = p.defs[JW_KIND_COLLISION].collision;
  nowhere.below.object.index = 99;
  assert_int_equal(jw_world_add_collision(second, &nowhere, NULL), JW_STATUS_BAD_REFERENCE);
  JwMassDef nothing = jw_mass_default();
  assert_int_equal(jw_world_add_mass(second, &nothing, NULL), JW_STATUS_BAD_VALUE);
  MUST(second, add_contacts(second, &p));
  MUST(second, add_rest(second, &p));
  MUST(second, jw_world_prepare(second));
  assert_true(is_taken(first, second));
  jw_world_destroy(first);
  jw_world_destroy(second);
}

static void another_version_of_the_library_is_refused(void** state) {
  (void)state;
  Plan p = plan();
  JwWorld* const world = build(&p);
  const size_t size = jw_world_snapshot_size(world);
  unsigned char* const memory = (unsigned char*)malloc(size);
  MUST(world, jw_world_snapshot(world, memory, size));
  uint32_t version;
  memcpy(&version, memory + 4, 4);
  assert_true(version == JW_VERSION);
  ++version;
  memcpy(memory + 4, &version, 4);
  assert_int_equal(jw_world_restore(world, memory, size), JW_STATUS_BAD_SNAPSHOT);
  free(memory);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_world_takes_it),
      cmocka_unit_test(no_world_that_differs_in_a_field_takes_it),
      cmocka_unit_test(nor_one_that_differs_in_what_has_no_table),
      cmocka_unit_test(a_call_that_failed_is_no_part_of_it),
      cmocka_unit_test(another_version_of_the_library_is_refused),
  };
  return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
