// Small supported plates by the modes of their own grid, against the same plates on it.

#include "worlds.h"

#include "object/plate_modes.h"
#include "world.h"

#include <float.h>

#define FRAMES 2000

typedef struct {
  JwWorld* world;
  JwObjectId plate;
  JwContactId hit;
  JwPickupId ear;
} Stage;

static JwPort place(JwObjectId plate, double x, double y, JwReading reading)
{
  const JwPort port = {plate, x, y, reading};
  return port;
}

static bool by_modes(const Stage* stage) { return jw_by_own_modes(jw_object_at(stage->world, stage->plate.index - 1)); }

// Plates that bend alike in all directions, with equal spacings and not; wood; a membrane; both at once.
#define PLATES 5

static JwPlateDef plate_of(int kind)
{
  JwPlateDef def = jw_plate_default();
  def.size[0] = 0.3;
  def.size[1] = kind == 0 ? 0.3 * 11.0 / 21.0 : 0.17;
  def.points[0] = 21, def.points[1] = 11;
  def.loss[0] = 2.0, def.loss[1] = 0.01;
  def.thickness = 5e-4;
  if (kind == 2) {
    def.young_across = 0.1 * def.young;
  }
  if (kind >= 3) {
    def.tension = 300.0;
    def.young = kind == 3 ? 0.0 : def.young;
  }
  return def;
}

// Pickups at three more places, which take no part, keep a plate on its grid.
static void prepare(const Stage* stage, bool grid)
{
  for (int i = 0; grid && i < 3; ++i) {
    add_pickup(stage->world, place(stage->plate, 0.2 + 0.1 * i, 0.2, JW_READ_NEAREST), JW_QUANTITY_VELOCITY);
  }
  MUST(stage->world, jw_world_prepare(stage->world));
  assert_int_equal(by_modes(stage), !grid);
}

static Stage add_bent(JwPlateDef def)
{
  Stage stage = {.world = new_world(44100.0, true)};
  MUST(stage.world, jw_world_add_plate(stage.world, &def, &stage.plate));
  JwInitialDef bent = jw_initial_default();
  bent.object = stage.plate;
  bent.x = 0.4, bent.y = 0.6, bent.width = 0.5, bent.amplitude = 1e-4;
  MUST(stage.world, jw_world_add_initial(stage.world, &bent));
  return stage;
}

// A mass thrown at a plate that is bent already, heard elsewhere.
static Stage set(JwPlateDef def, JwReading reading, bool grid)
{
  Stage stage = add_bent(def);
  const JwObjectId mass = add_mass(stage.world, 1e-3, 2e-3, -1.0);
  stage.hit = add_collision(stage.world, place(stage.plate, 0.37, 0.61, reading), jw_port(mass, 0.0), JW_RULE_BOUNDED, 1e6);
  stage.ear = add_pickup(stage.world, place(stage.plate, 0.7, 0.3, reading), JW_QUANTITY_VELOCITY);
  prepare(&stage, grid);
  return stage;
}

static void hear(const Stage* stage, uint32_t count, double* out)
{
  double rows[4][FRAMES];
  run_into(stage->world, rows[0], FRAMES, 0, count);
  memcpy(out, rows[0], count * sizeof(double));
}

// Both round every displacement in every frame, by eps/2 of it, and a mode of w adds such errors up, if all have one sign, to N/(wk) of
// one: here N = 2000 and wk > 0.01 for the lowest mode of all plates.
#define ROUNDING (DBL_EPSILON * FRAMES / 0.01)

static double largest(const double* x, uint32_t count)
{
  double most = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

static void assert_alike(const double* a, const double* b, uint32_t count)
{
  const double peak = largest(b, count);
  assert_true(peak > 0.0);
  for (uint32_t i = 0; i < count; ++i) {
    if (fabs(a[i] - b[i]) > ROUNDING * peak) {
      fail_msg("value %u is %.17g by modes, %.17g on the grid; the largest is %g", i, a[i], b[i], peak);
    }
  }
}

static void they_move_as_on_the_grid(void** state)
{
  (void)state;
  for (int i = 0; i < 3 * PLATES; ++i) {
    Stage modes = set(plate_of(i / 3), (JwReading)(i % 3), false), grid = set(plate_of(i / 3), (JwReading)(i % 3), true);
    double a[FRAMES], b[FRAMES], c[512], d[512];
    hear(&modes, FRAMES, a);
    hear(&grid, FRAMES, b);
    assert_alike(a, b, FRAMES);
    assert_true(jw_world_contact_figures(modes.world, modes.hit).closures > 0);
    assert_int_equal(jw_world_field(modes.world, modes.plate, c, 512), 200);
    assert_int_equal(jw_world_field(grid.world, grid.plate, d, 512), 200);
    assert_alike(c, d, 200);
    assert_true(by_modes(&modes)); // Looking changes nothing
    jw_world_destroy(modes.world);
    jw_world_destroy(grid.world);
  }
}

// Two masses at places that share points, so that neither handle is the place of the second.
static Stage set_twice(bool grid, JwContactId* second)
{
  Stage stage = {.world = new_world(44100.0, true)};
  const JwPlateDef def = plate_of(1);
  MUST(stage.world, jw_world_add_plate(stage.world, &def, &stage.plate));
  const JwObjectId heavy = add_mass(stage.world, 1e-3, 2e-3, -1.0), light = add_mass(stage.world, 3e-4, 3e-3, -1.0);
  const JwPort ports[2] = {place(stage.plate, 0.37, 0.61, JW_READ_LINEAR), place(stage.plate, 0.40, 0.61, JW_READ_LINEAR)};
  stage.hit = add_collision(stage.world, ports[0], jw_port(heavy, 0.0), JW_RULE_BOUNDED, 1e6);
  *second = add_collision(stage.world, ports[1], jw_port(light, 0.0), JW_RULE_BOUNDED, 1e6);
  stage.ear = add_pickup(stage.world, ports[1], JW_QUANTITY_VELOCITY);
  prepare(&stage, grid);
  return stage;
}

static void two_places_of_theirs_are_pushed(void** state)
{
  (void)state;
  JwContactId seconds[2];
  Stage modes = set_twice(false, &seconds[0]), grid = set_twice(true, &seconds[1]);
  double a[FRAMES], b[FRAMES];
  hear(&modes, FRAMES, a);
  hear(&grid, FRAMES, b);
  assert_alike(a, b, FRAMES);
  assert_true(jw_world_contact_figures(modes.world, modes.hit).closures > 0);
  assert_true(jw_world_contact_figures(modes.world, seconds[0]).closures > 0);
  assert_true(jw_world_energy(modes.world).worst_residual < 1e-12);
  jw_world_destroy(modes.world);
  jw_world_destroy(grid.world);
}

// Where a port reads next to nothing, it still reads it.
static void they_are_heard_close_to_an_edge(void** state)
{
  (void)state;
  const double places[3][2] = {{1e-5, 0.3}, {1e-10, 0.3}, {5e-9, 5e-9}};
  for (int i = 0; i < 3; ++i) {
    double rows[2][FRAMES];
    for (int grid = 0; grid < 2; ++grid) {
      Stage stage = add_bent(plate_of(1));
      stage.ear = add_pickup(stage.world, place(stage.plate, places[i][0], places[i][1], JW_READ_LINEAR), JW_QUANTITY_VELOCITY);
      prepare(&stage, grid);
      hear(&stage, FRAMES, rows[grid]);
      jw_world_destroy(stage.world);
    }
    assert_alike(rows[0], rows[1], FRAMES);
  }
}

// At places that no handle serves, also in frames whose pushes the modes have not heard of yet.
#define PROBES 300

static void they_are_probed_anywhere(void** state)
{
  (void)state;
  Stage modes = set(plate_of(1), JW_READ_LINEAR, false), grid = set(plate_of(1), JW_READ_LINEAR, true);
  double out[FRAMES], a[2][PROBES], b[2][PROBES];
  bool pushed = false;
  for (int i = 0; i < PROBES; ++i) {
    const double along = 0.05 + 0.9 * i / PROBES;
    const JwPort port = place(modes.plate, along, 1.0 - along, (JwReading)(i % 3));
    hear(&modes, 1, out);
    hear(&grid, 1, out);
    MUST(modes.world, jw_world_probe(modes.world, port, &a[0][i], &a[1][i]));
    MUST(grid.world, jw_world_probe(grid.world, port, &b[0][i], &b[1][i]));
    pushed = pushed || jw_world_contact_figures(modes.world, modes.hit).closures > 0;
  }
  assert_true(pushed);
  assert_alike(a[0], b[0], PROBES);
  // A velocity is a difference of two displacements, over k
  for (int i = 0; i < PROBES; ++i) {
    assert_true(fabs(a[1][i] - b[1][i]) <= 2.0 * ROUNDING * largest(b[0], PROBES) * 44100.0);
  }
  jw_world_destroy(modes.world);
  jw_world_destroy(grid.world);
}

// The energies are the same sums in other coordinates.  By itself a bank's ledger closes to eps for each mode and frame at most.
static void their_energy_is_the_grids_and_the_ledger_closes(void** state)
{
  (void)state;
  for (int i = 0; i < PLATES; ++i) {
    Stage modes = set(plate_of(i), JW_READ_LINEAR, false), grid = set(plate_of(i), JW_READ_LINEAR, true);
    double out[FRAMES];
    for (int part = 0; part < 5; ++part) {
      const JwEnergy a = jw_world_energy(modes.world), b = jw_world_energy(grid.world);
      const double stored[2] = {a.kinetic + a.potential + a.contact, b.kinetic + b.potential + b.contact};
      assert_true(fabs(stored[0] - stored[1]) <= ROUNDING * b.peak);
      assert_true(fabs(a.lost - b.lost) <= ROUNDING * b.peak);
      assert_true(a.worst_residual < 1e-12);
      hear(&modes, FRAMES / 5, out);
      hear(&grid, FRAMES / 5, out);
    }
    jw_world_destroy(modes.world);
    jw_world_destroy(grid.world);
  }
}

// The port of one world and of its twin slides while both sound; the one is on its grid from then on.
static void they_go_on_on_the_grid_when_a_port_slides(void** state)
{
  (void)state;
  for (int what = 0; what < 2; ++what) {
    Stage modes = set(plate_of(0), JW_READ_LINEAR, false), grid = set(plate_of(0), JW_READ_LINEAR, true);
    double a[FRAMES], b[FRAMES];
    hear(&modes, 500, a);
    hear(&grid, 500, b);
    JwTarget target = {.control = JW_CONTROL_X};
    *(what ? &target.contact.index : &target.pickup.index) = what ? modes.hit.index : modes.ear.index;
    MUST(modes.world, jw_world_set(modes.world, target, 0.45, 0.01));
    MUST(grid.world, jw_world_set(grid.world, target, 0.45, 0.01));
    hear(&modes, 1000, a + 500);
    hear(&grid, 1000, b + 500);
    assert_false(by_modes(&modes));
    assert_alike(a, b, 1500);
    assert_true(jw_world_energy(modes.world).worst_residual < 1e-12);
    // And by its modes again from the start.
    jw_world_reset(modes.world);
    assert_true(by_modes(&modes));
    hear(&modes, 500, b);
    assert_memory_equal(a, b, 500 * sizeof(double));
    jw_world_destroy(modes.world);
    jw_world_destroy(grid.world);
  }
}

static void slide(const Stage* stage)
{
  const JwTarget target = {.control = JW_CONTROL_Y, .pickup = stage->ear};
  MUST(stage->world, jw_world_set(stage->world, target, 0.4, 0.0));
}

// Into a world of either form.
static void snapshots_of_either_form_go_on_to_the_bit(void** state)
{
  (void)state;
  for (int i = 0; i < 4; ++i) {
    Stage from = set(plate_of(0), JW_READ_LINEAR, false), to = set(plate_of(0), JW_READ_LINEAR, false);
    double a[FRAMES], b[FRAMES];
    if (i & 1) {
      slide(&from);
    }
    if (i & 2) {
      slide(&to);
    }
    hear(&from, 333, a);
    hear(&to, 100, b);
    assert_int_equal(by_modes(&from), !(i & 1));
    const size_t size = jw_world_snapshot_size(from.world);
    void* const memory = malloc(size);
    MUST(from.world, jw_world_snapshot(from.world, memory, size));
    MUST(to.world, jw_world_restore(to.world, memory, size));
    assert_int_equal(by_modes(&to), by_modes(&from));
    hear(&from, 500, a);
    hear(&to, 500, b);
    assert_memory_equal(a, b, 500 * sizeof(double));
    free(memory);
    jw_world_destroy(from.world);
    jw_world_destroy(to.world);
  }
}

static void blocks_do_not_matter(void** state)
{
  (void)state;
  static const uint32_t sizes[3] = {1, 7, 100};
  double a[700], b[FRAMES];
  Stage stage = set(plate_of(4), JW_READ_CUBIC, false);
  hear(&stage, 700, a);
  for (int i = 0; i < 3; ++i) {
    jw_world_reset(stage.world);
    for (uint32_t at = 0; at < 700; at += sizes[i]) {
      hear(&stage, sizes[i], b);
      assert_memory_equal(a + at, b, sizes[i] * sizeof(double));
    }
  }
  jw_world_destroy(stage.world);
}

// A quick mode must not end among the subnormal numbers while a slow one rings, and at last all are zeros.
static void modes_die_away_one_by_one(void** state)
{
  (void)state;
  JwPlateDef def = plate_of(0);
  def.loss[0] = 200.0, def.loss[1] = 1.0;
  def.points[0] = 17, def.points[1] = 9; // As few as these losses ask for
  Stage stage = set(def, JW_READ_LINEAR, false);
  const JwObject* const plate = jw_object_at(stage.world, stage.plate.index - 1);
  uint32_t silent[2] = {0, 0};
  for (int part = 0; part < 200; ++part) {
    run_frames(stage.world, 256);
    const double* const q = jw_now(plate, jw_world_frame(stage.world)) + plate->modes_at;
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < plate->dofs; ++i) {
      assert_true(q[i] == 0.0 || fabs(q[i]) >= DBL_MIN);
      zeros += q[i] == 0.0;
    }
    silent[part > 20] = zeros > silent[part > 20] ? zeros : silent[part > 20];
  }
  assert_true(silent[0] > 0 && silent[0] < plate->dofs && silent[1] == plate->dofs);
  assert_true(jw_world_energy(stage.world).worst_residual < 1e-12);
  jw_world_destroy(stage.world);
}

static bool takes(JwPlateDef def, const JwPort* ports, int count)
{
  Stage stage = {.world = new_world(44100.0, false)};
  MUST(stage.world, jw_world_add_plate(stage.world, &def, &stage.plate));
  for (int i = 0; i < count; ++i) {
    JwPort port = ports[i];
    port.object = stage.plate;
    add_pickup(stage.world, port, JW_QUANTITY_VELOCITY);
  }
  MUST(stage.world, jw_world_prepare(stage.world));
  const bool taken = by_modes(&stage);
  jw_world_destroy(stage.world);
  return taken;
}

// Two handles, whatever they are for; a port on an edge, which never moves, needs none.  Two ports so near to each other that what sets
// them apart is mostly rounding are left to the grid; large plates and other edges as well.
static void only_few_handles_are_taken(void** state)
{
  (void)state;
  const JwObjectId none = {0};
  const JwPort ports[5] = {place(none, 0.3, 0.3, JW_READ_LINEAR), place(none, 0.3, 0.3, JW_READ_LINEAR),
                           place(none, 0.6, 0.3, JW_READ_LINEAR), place(none, 0.0, 0.5, JW_READ_LINEAR),
                           place(none, 0.8, 0.8, JW_READ_LINEAR)};
  JwPlateDef def = plate_of(1);
  assert_true(takes(def, ports, 1) && takes(def, ports, 2) && takes(def, ports, 4));
  assert_false(takes(def, ports, 5));
  assert_false(takes(def, ports + 3, 1)); // Nothing is ever moved or heard
  const JwPort near[2] = {ports[0], place(none, 0.30001, 0.3, JW_READ_LINEAR)};
  assert_false(takes(def, near, 2));
  def.edges[2] = JW_END_CLAMPED;
  assert_false(takes(def, ports, 1));
  def = plate_of(1);
  def.points[0] = 0, def.points[1] = 0;
  assert_false(takes(def, ports, 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(they_move_as_on_the_grid),
    cmocka_unit_test(two_places_of_theirs_are_pushed),
    cmocka_unit_test(they_are_heard_close_to_an_edge),
    cmocka_unit_test(they_are_probed_anywhere),
    cmocka_unit_test(their_energy_is_the_grids_and_the_ledger_closes),
    cmocka_unit_test(they_go_on_on_the_grid_when_a_port_slides),
    cmocka_unit_test(snapshots_of_either_form_go_on_to_the_bit),
    cmocka_unit_test(blocks_do_not_matter),
    cmocka_unit_test(modes_die_away_one_by_one),
    cmocka_unit_test(only_few_handles_are_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
