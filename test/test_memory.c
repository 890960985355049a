// SPDX-License-Identifier: MIT
// Memory: the cost asked for is the cost paid, running takes none, and every allocation may fail.

#include "orchestra.h"

typedef struct {
  int64_t taken, live; // Calls to allocate; pieces not yet released
  uint64_t last_size;  // Of the last piece taken
  int64_t fail_at;     // This call fails; -1: none does
  bool for_good;       // And all after it
  int64_t failed;
} Counter;

static void* count_allocate(void* user, size_t size) {
  Counter* const counter = (Counter*)user;
  const int64_t call = counter->taken++;
  if (counter->fail_at >= 0
      && (call == counter->fail_at || (counter->for_good && call > counter->fail_at))) {
    ++counter->failed;
    return NULL;
  }
  counter->last_size = size;
  ++counter->live;
  const JwAllocator plain = jw_allocator_default();
  return plain.allocate(plain.user, size);
}

static void count_release(void* user, void* memory) {
  Counter* const counter = (Counter*)user;
  assert_non_null(memory);
  --counter->live;
  const JwAllocator plain = jw_allocator_default();
  plain.release(plain.user, memory);
}

static JwWorldDef counted(Counter* counter) {
  JwWorldDef def = jw_world_default();
  const JwAllocator allocator = {count_allocate, count_release, counter};
  def.allocator = allocator;
  return def;
}

static void the_cost_asked_for_is_the_cost_paid(void** state) {
  (void)state;
  Counter counter = {.fail_at = -1};
  const JwWorldDef def = counted(&counter);
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  orchestra_define(world);
  JwCost before, after;
  MUST(world, jw_world_cost(world, &before));
  const int64_t taken = counter.taken;
  MUST(world, jw_world_prepare(world));
  assert_int_equal(counter.taken - taken, 1);
  assert_true(counter.last_size == before.bytes);
  MUST(world, jw_world_cost(world, &after));
  assert_true(after.bytes == before.bytes && after.points == before.points
              && after.contacts == before.contacts);
  assert_true(before.points == jw_world_info(world).points
              && before.contacts == jw_world_info(world).contact_points);
  assert_true(before.operations > 0.0 && after.operations == before.operations);
  jw_world_destroy(world);
  assert_int_equal(counter.live, 0);
}

static void a_prepared_world_takes_nothing_more(void** state) {
  (void)state;
  static Recording recording;
  Counter counter = {.fail_at = -1};
  const JwWorldDef def = counted(&counter);
  Orchestra o = {0};
  assert_int_equal(jw_world_create(&def, &o.world), JW_STATUS_OK);
  o = orchestra_define(o.world);
  MUST(o.world, jw_world_prepare(o.world));
  const int64_t taken = counter.taken;
  orchestra_play(&o, &recording, ORCHESTRA_FRAMES, 64, 1);
  unsigned char* const memory = malloc(jw_world_snapshot_size(o.world));
  MUST(o.world, jw_world_snapshot(o.world, memory, jw_world_snapshot_size(o.world)));
  MUST(o.world, jw_world_restore(o.world, memory, jw_world_snapshot_size(o.world)));
  jw_world_reset(o.world);
  free(memory);
  assert_int_equal(counter.taken, taken);
  jw_world_destroy(o.world);
  assert_int_equal(counter.live, 0);
}

// ---------------------------------------------------------------- one step of building after the other

typedef struct {
  JwWorldDef def;
  JwWorld* world;
  JwObjectId string, modal, mass, barrier, plate;
  JwContactId contact;
  double seen;
} Build;

static JwStatus build_create(Build* b) {
  return jw_world_create(&b->def, &b->world);
}

static JwStatus build_string(Build* b) {
  JwStringDef def = short_string();
  def.name = "string";
  return jw_world_add_string(b->world, &def, &b->string);
}

static JwStatus build_modal(Build* b) {
  JwModalDef def = jw_modal_default();
  def.name = "bell";
  def.modes = orchestra_modes;
  def.mode_count = 3;
  def.shapes = orchestra_shapes;
  def.shape_count = 2;
  return jw_world_add_modal(b->world, &def, &b->modal);
}

static JwStatus build_mass(Build* b) {
  JwMassDef def = jw_mass_default();
  def.mass = 0.01;
  def.position = -1e-4;
  def.velocity = 1.0;
  return jw_world_add_mass(b->world, &def, &b->mass);
}

static JwStatus build_barrier(Build* b) {
  static const double table[4] = {0.0, -1e-4, 1.0, -2e-4};
  JwBarrierDef def = jw_barrier_default();
  def.polynomial = orchestra_profile;
  def.polynomial_count = 3;
  def.table = table;
  def.table_count = 2;
  return jw_world_add_barrier(b->world, &def, &b->barrier);
}

static JwStatus build_plate(Build* b) {
  JwPlateDef def = jw_plate_default();
  def.size[0] = def.size[1] = 0.1;
  def.edges[1] = JW_END_FREE;
  return jw_world_add_plate(b->world, &def, &b->plate);
}

static JwStatus build_strike(Build* b) {
  JwCollisionDef def = jw_collision_default();
  def.below = jw_port(b->mass, 0.0);
  def.above = jw_port(b->string, 0.3);
  def.stiffness = 1e7;
  return jw_world_add_collision(b->world, &def, &b->contact);
}

static JwStatus build_buzz(Build* b) {
  JwCollisionDef def = jw_collision_default();
  def.below = jw_port(b->barrier, 0.0);
  def.above = jw_port(b->string, 0.0);
  def.along = true;
  def.stiffness = 1e7;
  return jw_world_add_collision(b->world, &def, &b->contact);
}

static JwStatus build_connection(Build* b) {
  JwConnectionDef def = jw_connection_default();
  def.a = jw_port(b->string, 0.9);
  def.b = jw_port(b->modal, 1.0);
  def.stiffness = 1e4;
  return jw_world_add_connection(b->world, &def, &b->contact);
}

static JwStatus build_spring(Build* b) {
  JwSpringDef def = jw_spring_default();
  def.a = jw_port(b->modal, 0.0);
  def.b = jw_port(b->plate, 0.5);
  def.linear = 1e3;
  return jw_world_add_spring(b->world, &def, &b->contact);
}

static JwStatus build_bow(Build* b) {
  JwBowDef def = jw_bow_default();
  def.port = jw_port(b->string, 0.1);
  return jw_world_add_bow(b->world, &def, &b->contact);
}

static JwStatus build_force(Build* b) {
  static const float signal[3] = {1.0f, -1.0f, 0.5f};
  JwForceDef def = jw_force_default();
  def.port = jw_port(b->string, 0.2);
  def.shape = JW_FORCE_SIGNAL;
  def.signal = signal;
  def.signal_count = 3;
  JwExciterId id;
  return jw_world_add_force(b->world, &def, &id);
}

static JwStatus build_initial(Build* b) {
  JwInitialDef def = jw_initial_default();
  def.object = b->string;
  return jw_world_add_initial(b->world, &def);
}

static JwStatus build_pickup(Build* b) {
  JwPickupDef def = jw_pickup_default();
  def.port = jw_port(b->string, 0.7);
  JwPickupId id;
  return jw_world_add_pickup(b->world, &def, &id);
}

static JwStatus build_curve(Build* b) {
  static const JwBreakpoint points[2] = {{0.0, 0.1}, {0.1, 0.2}};
  return jw_world_add_curve(b->world, on_contact(JW_CONTROL_X, b->contact), points, 2);
}

static JwStatus build_throw(Build* b) {
  static const double thrown[2] = {-1e-3, 1.0};
  return jw_world_add_throw(b->world, b->mass, 0.001, thrown);
}

static JwStatus build_prepare(Build* b) {
  return jw_world_prepare(b->world);
}

static JwStatus build_probe(Build* b) {
  double displacement, velocity;
  return jw_world_probe(b->world, jw_port(b->modal, 0.0), &displacement, &velocity);
}

static JwStatus build_run(Build* b) {
  double out[200];
  double* rows[1] = {out};
  const JwStatus status = jw_world_run_double(b->world, rows, 200);
  b->seen = out[199];
  return status;
}

typedef JwStatus (*Step)(Build*);
static const Step steps[] = {build_create,     build_string, build_modal,  build_mass,
                             build_barrier,    build_plate,  build_strike, build_buzz,
                             build_connection, build_spring, build_force,  build_initial,
                             build_pickup,     build_throw,  build_bow,    build_curve,
                             build_prepare,    build_probe,  build_run};

// Take all steps.  A step without memory is taken once more when it failed once, and given up when
// memory fails for good.  Returns whether the end was reached.
static bool build(Build* b, Counter* counter) {
  b->def = counted(counter);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
    JwStatus status = steps[i](b);
    if (status) {
      assert_int_equal(status, JW_STATUS_NO_MEMORY);
      assert_true(!b->world || strncmp(jw_world_error(b->world), "no memory", 9) == 0);
      if (counter->for_good) {
        return false;
      }
      status = steps[i](b);
    }
    assert_int_equal(status, JW_STATUS_OK);
  }
  return true;
}

static void each_allocation_failing_once_gives_a_status_and_no_harm(void** state) {
  (void)state;
  Counter counter = {.fail_at = -1};
  Build whole = {0};
  assert_true(build(&whole, &counter));
  const int64_t allocations = counter.taken;
  jw_world_destroy(whole.world);
  assert_int_equal(counter.live, 0);
  assert_true(allocations > 25 && whole.seen != 0.0);
  for (int64_t n = 0; n < allocations; ++n) {
    Counter failing = {.fail_at = n};
    Build b = {0};
    assert_true(build(&b, &failing));
    assert_int_equal(failing.failed, 1);
    assert_true(b.seen == whole.seen); // Nothing half-added was left behind
    jw_world_destroy(b.world);
    assert_int_equal(failing.live, 0);
  }
}

static void each_allocation_failing_for_good_gives_a_status_and_no_leak(void** state) {
  (void)state;
  int64_t n = 0;
  for (bool reached = false; !reached; ++n) {
    Counter failing = {.fail_at = n, .for_good = true};
    Build b = {0};
    reached = build(&b, &failing);
    assert_true(reached || failing.failed > 0);
    jw_world_destroy(b.world);
    assert_int_equal(failing.live, 0);
  }
  assert_true(n > 25);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cost_asked_for_is_the_cost_paid),
      cmocka_unit_test(a_prepared_world_takes_nothing_more),
      cmocka_unit_test(each_allocation_failing_once_gives_a_status_and_no_harm),
      cmocka_unit_test(each_allocation_failing_for_good_gives_a_status_and_no_leak),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
