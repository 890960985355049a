// Every object under every law by every rule with every end and edge, counted from the tables, so that
// what is added to a table is tested on the same day: the ledger closes, energy only falls where
// nothing drives, and the contact did close.

#include "worlds.h"

#include <stdio.h>

// How many choices a key of a kind has.
static int choices(JwKind kind, const char* key)
{
  uint32_t count;
  const JwParam* const params = jw_params(kind, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(params[i].key, key) == 0) {
      int n = 0;
      while (params[i].choices && params[i].choices[n]) {
        ++n;
      }
      return n;
    }
  }
  return 0;
}

// ---------------------------------------------------------------- objects

typedef struct {
  JwKind kind;
  int variant; // Ends or edges in base `choices`, scheme, or method
} Thing;

static int variants_of(JwKind kind)
{
  switch (kind) {
  case JW_KIND_MASS: return 2 * choices(kind, "scheme"); // Free, and on a spring
  case JW_KIND_MODAL: return choices(kind, "scheme");
  case JW_KIND_STRING: {
    const int ends = choices(kind, "ends");
    return ends * ends + choices(kind, "scheme"); // On a grid, then by modes
  }
  case JW_KIND_PLATE: {
    const int edges = choices(kind, "edges");
    return edges * edges * edges * edges;
  }
  default: return 0;
  }
}

static JwObjectId add_thing(JwWorld* world, Thing thing)
{
  JwObjectId id = {0};
  const int v = thing.variant;
  if (thing.kind == JW_KIND_MASS) {
    JwMassDef def = jw_mass_default();
    def.mass = 5e-3;
    def.loss = 0.1;
    def.scheme = (JwScheme)(v / 2);
    def.frequency = v % 2 ? 200.0 : 0.0;
    MUST(world, jw_world_add_mass(world, &def, &id));
  } else if (thing.kind == JW_KIND_MODAL) {
    static const JwMode modes[3] = {{110.0, 5.0, 0.01}, {700.0, 20.0, 0.02}, {8000.0, 90.0, 0.005}};
    static const double shapes[3] = {1.0, -0.5, 0.3};
    JwModalDef def = jw_modal_default();
    def.modes = modes;
    def.mode_count = 3;
    def.shapes = shapes;
    def.shape_count = 1;
    def.scheme = (JwScheme)v;
    MUST(world, jw_world_add_modal(world, &def, &id));
  } else if (thing.kind == JW_KIND_STRING) {
    const int ends = choices(JW_KIND_STRING, "ends");
    JwStringDef def = short_string();
    def.frequency = JW_UNSET;
    def.tension = 30.0;
    if (v < ends * ends) {
      def.ends[0] = (JwEnd)(v / ends);
      def.ends[1] = (JwEnd)(v % ends);
    } else {
      def.method = JW_METHOD_MODES;
      def.scheme = (JwScheme)(v - ends * ends);
      def.modes = 20;
    }
    id = add_string(world, &def);
  } else {
    JwPlateDef def = jw_plate_default();
    def.size[0] = 0.09;
    def.size[1] = 0.08;
    def.thickness = 5e-4;
    def.loss[0] = 3.0;
    def.loss[1] = 1e-3;
    def.tension = v % 2 ? 50.0 : 0.0;
    for (int e = 0, rest = v; e < 4; ++e, rest /= 3) {
      def.edges[e] = (JwEnd)(rest % 3);
    }
    MUST(world, jw_world_add_plate(world, &def, &id));
  }
  return id;
}

// ---------------------------------------------------------------- laws

typedef struct {
  JwKind kind;
  int rule; // Rule, or method of the bow
  bool lossy, slack;
} Law;

static uint32_t laws(Law* list)
{
  uint32_t count = 0;
  for (int rule = 0; rule < choices(JW_KIND_COLLISION, "rule"); ++rule) {
    for (int lossy = 0; lossy < 2; ++lossy) {
      list[count++] = (Law){JW_KIND_COLLISION, rule, lossy, false};
      for (int slack = 0; slack < 2; ++slack) {
        list[count++] = (Law){JW_KIND_CONNECTION, rule, lossy, slack};
      }
    }
  }
  list[count++] = (Law){JW_KIND_SPRING, 0, true, false};
  for (int method = 0; method < choices(JW_KIND_BOW, "method"); ++method) {
    list[count++] = (Law){JW_KIND_BOW, method, false, false};
  }
  return count;
}

static JwContactId add_law(JwWorld* world, Law law, JwPort mass, JwPort thing)
{
  JwContactId id = {0};
  if (law.kind == JW_KIND_COLLISION) {
    JwCollisionDef def = jw_collision_default();
    def.below = mass;
    def.above = thing;
    def.stiffness = 1e7;
    def.rule = (JwRule)law.rule;
    def.loss = law.lossy ? 2e6 : 0.0;
    MUST(world, jw_world_add_collision(world, &def, &id));
  } else if (law.kind == JW_KIND_CONNECTION) {
    JwConnectionDef def = jw_connection_default();
    def.a = mass;
    def.b = thing;
    def.stiffness = 1e6;
    def.exponent = 1.4;
    def.rule = (JwRule)law.rule;
    def.slack = law.slack ? 2e-5 : 0.0;
    def.loss = law.lossy ? 2e5 : 0.0;
    MUST(world, jw_world_add_connection(world, &def, &id));
  } else if (law.kind == JW_KIND_SPRING) {
    JwSpringDef def = jw_spring_default();
    def.a = mass;
    def.b = thing;
    def.linear = 2e4;
    def.cubic = 1e11;
    def.damping = 0.05;
    MUST(world, jw_world_add_spring(world, &def, &id));
  } else {
    JwBowDef def = jw_bow_default();
    def.port = thing;
    def.method = (JwBowMethod)law.rule;
    MUST(world, jw_world_add_bow(world, &def, &id));
  }
  return id;
}

// ---------------------------------------------------------------- one case

#define FRAMES 400

static double worst;

// The ledger: 4 eps sqrt(n) of rounding, times |x|/(k |v|) for the cancellation in x - x_prev: a mass at 2
// m/s covers 4.5e-5 m a sample and is within 2e-2 m: 450; 8e-12 in all.  Newton stops at 1e-15 of the
// force in each of 400 steps.  The one-step bow loses stability and may make its own energy: it is only
// asked to keep its books while it stays finite.
static void try_case(Thing thing, Law law)
{
  char what[128];
  snprintf(what, sizeof what, "%s %d, %s %d%s%s", jw_kind_name(thing.kind), thing.variant, jw_kind_name(law.kind), law.rule,
           law.lossy ? " with loss" : "", law.slack ? " with slack" : "");
  JwWorld* const world = new_world(44100.0, true);
  const JwObjectId object = add_thing(world, thing);
  JwPort port = jw_port(object, thing.kind == JW_KIND_MODAL ? 0.0 : 0.41);
  port.y = 0.37;
  const JwPort hammer = jw_port(add_mass(world, 1e-3, -4e-5, 2.0), 0.0);
  const JwContactId contact = add_law(world, law, hammer, port);
  MUST(world, jw_world_prepare(world));
  const bool bow = law.kind == JW_KIND_BOW, unstable = bow && law.rule == JW_BOW_ONE_STEP;
  double last = jw_world_energy(world).stored;
  const double first = last;
  double out[1];
  double* rows[1] = {out};
  for (int i = 0; i < FRAMES; ++i) {
    const JwStatus status = jw_world_run_double(world, rows, 1);
    if (status && !(unstable && status == JW_STATUS_NOT_FINITE)) {
      fail_msg("%s: %s at %d", what, jw_status_name(status), i);
    }
    const JwEnergy energy = jw_world_energy(world);
    if (!bow && !(energy.stored <= last + 1e-11 * energy.peak)) {
      fail_msg("%s: stored energy rose from %.17g to %.17g at %d", what, last, energy.stored, i);
    }
    if (bow && !unstable && !(energy.stored <= first + energy.supplied + 1e-11 * energy.peak)) {
      fail_msg("%s: more stored than supplied at %d", what, i);
    }
    last = energy.stored;
  }
  const JwEnergy energy = jw_world_energy(world);
  if (!unstable && !(energy.worst_residual < 1e-11)) {
    fail_msg("%s: worst residual %g", what, energy.worst_residual);
  }
  worst = unstable ? worst : fmax(worst, energy.worst_residual);
  const JwContactFigures figures = jw_world_contact_figures(world, contact);
  if (!(figures.closed_samples > 0)) {
    fail_msg("%s: the contact did not close", what);
  }
  const bool clean = law.kind == JW_KIND_COLLISION && (law.rule == JW_RULE_BOUNDED || law.rule == JW_RULE_REFINED);
  if (clean && !law.lossy && !(figures.pull == 0.0 && figures.parked <= 1e-20 * figures.peak_energy)) {
    fail_msg("%s: pull %g N, parked %g of %g J", what, figures.pull, figures.parked, figures.peak_energy);
  }
  jw_world_destroy(world);
}

static void every_object_under_every_law_by_every_rule(void** state)
{
  (void)state;
  Law list[64];
  const uint32_t count = laws(list);
  const JwKind kinds[] = {JW_KIND_MASS, JW_KIND_MODAL, JW_KIND_STRING};
  int cases = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
    for (int v = 0; v < variants_of(kinds[k]); ++v) {
      for (uint32_t l = 0; l < count; ++l, ++cases) {
        try_case((Thing){kinds[k], v}, list[l]);
      }
    }
  }
  print_message("# %d cases, worst residual %.3g\n", cases, worst);
  assert_true(cases >= 17 * 35);
}

// Plates: every mix of edges under the first of each law, a spread of mixes under all.
static void every_plate_under_every_law(void** state)
{
  (void)state;
  Law list[64];
  const uint32_t count = laws(list);
  int cases = 0;
  for (int v = 0; v < variants_of(JW_KIND_PLATE); ++v) {
    for (uint32_t l = 0; l < count; ++l) {
      if (v % 13 == 2 || (list[l].rule == 0 && !list[l].slack)) {
        try_case((Thing){JW_KIND_PLATE, v}, list[l]);
        ++cases;
      }
    }
  }
  print_message("# %d cases, worst residual %.3g\n", cases, worst);
  assert_true(cases > 600);
}

// ---------------------------------------------------------------- along a string

static void try_along(int ends, int modes, int rule, bool grouped, bool two_strings)
{
  JwWorld* const world = new_world(44100.0, true);
  JwStringDef def = short_string();
  def.frequency = JW_UNSET;
  def.tension = 30.0;
  def.points = modes ? 0 : 24;
  def.ends[0] = (JwEnd)(ends / 3);
  def.ends[1] = (JwEnd)(ends % 3);
  if (modes) {
    def.method = JW_METHOD_MODES;
    def.modes = 15;
  }
  const JwObjectId string = add_string(world, &def);
  JwInitialDef initial = jw_initial_default();
  initial.object = string;
  initial.shape = JW_SHAPE_HUMP;
  initial.quantity = JW_INITIAL_VELOCITY;
  initial.width = 0.8;
  initial.amplitude = -1.0;
  MUST(world, jw_world_add_initial(world, &initial));
  JwCollisionDef collision = jw_collision_default();
  collision.below = jw_port(two_strings ? add_string(world, &def) : add_barrier(world, -1e-4), 0.0);
  collision.above = jw_port(string, 0.0);
  collision.gap = two_strings ? 1e-4 : 0.0;
  collision.along = true;
  collision.grouped = grouped;
  collision.stiffness = 1e8;
  collision.rule = (JwRule)rule;
  JwContactId contact;
  const JwStatus status = jw_world_add_collision(world, &collision, &contact);
  if (grouped && status) { // One psi for all has one rule; the others are refused in words
    assert_int_equal(status, JW_STATUS_BAD_VALUE);
    assert_true(strlen(jw_world_error(world)) > 10);
    jw_world_destroy(world);
    return;
  }
  MUST(world, status);
  MUST(world, jw_world_prepare(world));
  double last = jw_world_energy(world).stored;
  for (int i = 0; i < FRAMES; ++i) {
    run_frames(world, 1);
    const JwEnergy energy = jw_world_energy(world);
    assert_true(energy.stored <= last + 1e-11 * energy.peak);
    last = energy.stored;
  }
  const JwEnergy energy = jw_world_energy(world);
  if (!(energy.worst_residual < 1e-11)) {
    fail_msg("ends %d, modes %d, rule %d, grouped %d, two %d: residual %g", ends, modes, rule, grouped, two_strings, energy.worst_residual);
  }
  assert_true(jw_world_contact_figures(world, contact).closures > 0);
  worst = fmax(worst, energy.worst_residual);
  jw_world_destroy(world);
}

static void every_string_along_a_barrier_and_another_string_by_every_rule(void** state)
{
  (void)state;
  worst = 0.0;
  const int rules = choices(JW_KIND_COLLISION, "rule");
  for (int rule = 0; rule < rules; ++rule) {
    for (int two = 0; two < 2; ++two) {
      for (int ends = 0; ends < 9; ++ends) {
        try_along(ends, 0, rule, false, two);
      }
      try_along(0, 1, rule, false, two);
    }
    try_along(0, 0, rule, true, false);
    try_along(0, 1, rule, true, false);
  }
  print_message("# worst residual %.3g\n", worst);
  assert_true(worst > 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_object_under_every_law_by_every_rule),
    cmocka_unit_test(every_plate_under_every_law),
    cmocka_unit_test(every_string_along_a_barrier_and_another_string_by_every_rule),
  };
  return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
