// SPDX-License-Identifier: MIT
// What does not matter: the units, and which way is up.
//
// A scene written in other units of mass, length and time is the same scene: it must move in the
// same way.  With units that are powers of four every product, quotient and square root of the
// engine gives the same digits, so that this holds to the bit, sample for sample, joule for joule,
// as long as every formula has the right dimension and every threshold compares like with like.
// Powers of a length are the exception: x^alpha in another unit is the same number times another
// only for whole alpha; so the unit of length changes where all exponents are 1, 2 or 3.
//
// The units of the parameters are those that the table gives (params.c): they are tested too.
//
// Upside down, with every height, velocity and force turned around and what was above below, a
// scene must move upside down.  Sums are then taken in another order, so that this holds to
// rounding.

#include "worlds.h"

#include "random/generate.h"
#include "scene/scene.h"

#include <jawari/builtin.h>

#include <stdio.h>

enum { FRAMES = 4000, MOST_PICKUPS = 64, MOST_FIGURES = 64, FIGURES = 7, RANDOM_SCENES = 80 };

typedef struct {
  double mass, length, time;
} Units;

// Factors of the numbers: what was 1 kg is now `mass`.
static const Units units[] = {
    {4.0, 1.0, 1.0}, {1.0, 1.0, 0.5}, {1.0, 4.0, 1.0}, {1.0 / 64.0, 1.0 / 4.0, 2.0}};
enum { UNITS = sizeof units / sizeof *units };

static double power(double x, int p) {
  return p < 0 ? 1.0 / power(x, -p) : p == 0 ? 1.0 : x * power(x, p - 1);
}

// ---------------------------------------------------------------- what a unit is worth

// One word of a unit: "kg", "m2", "N" ..., and its power, 1 unless it says so.
static double word_of(const Units* u, const char* word, size_t size) {
  static const struct {
    const char* name;
    int mass, length, time;
  } names[] = {{"kg", 1, 0, 0},  {"m", 0, 1, 0},     {"s", 0, 0, 1},
               {"N", 1, 1, -2},  {"Pa", 1, -1, -2},  {"J", 1, 2, -2},
               {"Hz", 0, 0, -1}, {"cents", 0, 0, 0}, {"degrees", 0, 0, 0}};
  const bool digit = word[size - 1] >= '0' && word[size - 1] <= '9';
  const size_t letters = size - digit;
  const int p = digit ? word[size - 1] - '0' : 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strlen(names[i].name) == letters && strncmp(names[i].name, word, letters) == 0) {
      return power(power(u->mass, names[i].mass) * power(u->length, names[i].length)
                       * power(u->time, names[i].time),
                   p);
    }
  }
  if (letters == 0) {
    return 1.0; // "1/s"
  }
  fail_msg("no unit: %.*s", (int)size, word);
  return 0.0;
}

// "N s/m2", up to a comma: products, and one quotient.
static double worth(const Units* u, const char* unit) {
  double value = 1.0;
  bool below = false;
  while (*unit && *unit != ',') {
    const size_t size = strcspn(unit, " /,");
    const double factor = size ? word_of(u, unit, size) : 1.0;
    value *= below ? 1.0 / factor : factor;
    unit += size;
    below = below || *unit == '/';
    unit += *unit == ' ' || *unit == '/';
  }
  return value;
}

// The unit of element `i` of "1/s, m2/s"; one unit serves for all where there is one.
static const char* element_unit(const char* unit, uint32_t i) {
  for (; i > 0 && strchr(unit, ','); --i) {
    unit = strchr(unit, ',') + 2;
  }
  return unit;
}

// Stiffness and loss of a power law, a metre of string less when along it.
static double law_worth(const Units* u, double exponent, bool along, bool loss) {
  const double stiffness = worth(u, "N") * power(u->length, -(int)exponent - (along ? 1 : 0));
  return loss ? stiffness * u->time / u->length : stiffness;
}

static double field_worth(const Units* u, const JwItem* item, const JwParam* param,
                          uint32_t element) {
  const bool collision = item->kind == JW_KIND_COLLISION,
             power_law = collision || item->kind == JW_KIND_CONNECTION;
  const double exponent = collision ? item->def.collision.exponent : item->def.connection.exponent;
  if (power_law && (strcmp(param->key, "stiffness") == 0 || strcmp(param->key, "loss") == 0)) {
    return law_worth(u, exponent, collision && item->def.collision.along, param->key[0] == 'l');
  }
  if (item->kind == JW_KIND_INITIAL && strcmp(param->key, "amplitude") == 0) {
    return worth(u, item->def.initial.quantity == JW_INITIAL_VELOCITY ? "m/s" : "m");
  }
  return worth(u, element_unit(param->unit, element));
}

// ---------------------------------------------------------------- a scene in other units

static void convert_numbers(const Units* u, JwItem* item) {
  uint32_t count;
  const JwParam* const params = jw_params(item->kind, &count);
  for (uint32_t i = 0; i < count; ++i) {
    double* const values = (double*)(void*)((char*)&item->def + params[i].offset);
    for (uint32_t e = 0; (params[i].type == JW_TYPE_NUMBER || params[i].type == JW_TYPE_NUMBERS)
                         && e < params[i].count;
         ++e) {
      values[e] *= field_worth(u, item, &params[i], e);
    }
  }
}

// Lists that no table has.
static void convert_lists(const Units* u, JwItem* item) {
  if (item->kind == JW_KIND_MODAL) {
    JwMode* const modes = (JwMode*)(uintptr_t)item->def.modal.modes; // The scene's own
    for (uint32_t i = 0; i < item->def.modal.mode_count; ++i) {
      modes[i].frequency /= u->time;
      modes[i].decay /= u->time;
      modes[i].mass *= u->mass;
    }
  } else if (item->kind == JW_KIND_BARRIER) {
    double* const polynomial = (double*)(uintptr_t)item->def.barrier.polynomial;
    for (uint32_t i = 0; i < item->def.barrier.polynomial_count; ++i) {
      polynomial[i] *= power(u->length, 1 - (int)i);
    }
    double* const table = (double*)(uintptr_t)item->def.barrier.table;
    for (uint32_t i = 0; i < 2 * item->def.barrier.table_count; ++i) {
      table[i] *= u->length;
    }
  }
}

static double control_worth(const Units* u, const JwItem* item, JwControl control) {
  const bool spring = item->kind == JW_KIND_SPRING, collision = item->kind == JW_KIND_COLLISION;
  const double exponent = collision ? item->def.collision.exponent : item->def.connection.exponent;
  const bool along = collision && item->def.collision.along;
  switch (control) {
  case JW_CONTROL_FORCE:
  case JW_CONTROL_TENSION: return worth(u, "N");
  case JW_CONTROL_SPEED: return worth(u, "m/s");
  case JW_CONTROL_GAP:
  case JW_CONTROL_POSITION: return u->length;
  case JW_CONTROL_STIFFNESS: return spring ? worth(u, "N/m") : law_worth(u, exponent, along, false);
  case JW_CONTROL_LOSS: return spring ? worth(u, "kg/s") : law_worth(u, exponent, along, true);
  default: return 1.0;
  }
}

static void convert(const Units* u, JwScene* scene) {
  for (JwItem* item = scene->first; item; item = item->next) {
    for (JwCurve* curve = item->curves; curve; curve = curve->next) {
      const double value = control_worth(u, item, curve->control);
      for (uint32_t i = 0; i < curve->count; ++i) {
        curve->points[i].time *= u->time;
        curve->points[i].value *= value;
      }
    }
    convert_numbers(u, item);
    convert_lists(u, item);
  }
  for (JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    thrown->at *= u->time;
    thrown->position *= u->length;
    thrown->velocity *= u->length / u->time;
  }
  scene->world.sample_rate /= u->time;
  scene->world.energy_floor *= worth(u, "J");
}

// ---------------------------------------------------------------- a scene upside down

static void swap_ports(JwItem* item) {
  const JwScenePort first = item->ports[0];
  item->ports[0] = item->ports[1];
  item->ports[1] = first;
  for (JwCurve* curve = item->curves; curve; curve = curve->next) {
    curve->control = curve->control == JW_CONTROL_X    ? JW_CONTROL_X2
                     : curve->control == JW_CONTROL_X2 ? JW_CONTROL_X
                     : curve->control == JW_CONTROL_Y  ? JW_CONTROL_Y2
                     : curve->control == JW_CONTROL_Y2 ? JW_CONTROL_Y
                                                       : curve->control;
  }
}

// Numbers that have a direction.  A collision's gap has none: its ports change places.
static void turn_numbers(JwItem* item) {
  static const struct {
    JwKind kind;
    const char* key;
  } directed[] = {
      {JW_KIND_MASS, "position"},     {JW_KIND_MASS, "displacement"}, {JW_KIND_MASS, "velocity"},
      {JW_KIND_MASS, "gravity"},      {JW_KIND_BARRIER, "position"},  {JW_KIND_CONNECTION, "gap"},
      {JW_KIND_SPRING, "gap"},        {JW_KIND_BOW, "speed"},         {JW_KIND_FORCE, "amplitude"},
      {JW_KIND_INITIAL, "amplitude"},
  };
  uint32_t count;
  const JwParam* const params = jw_params(item->kind, &count);
  for (uint32_t i = 0; i < count; ++i) {
    for (size_t d = 0; d < sizeof directed / sizeof *directed; ++d) {
      if (directed[d].kind == item->kind && strcmp(directed[d].key, params[i].key) == 0) {
        *(double*)(void*)((char*)&item->def + params[i].offset) *= -1.0;
      }
    }
  }
  double* const polynomial = (double*)(uintptr_t)item->def.barrier.polynomial;
  double* const table = (double*)(uintptr_t)item->def.barrier.table;
  for (uint32_t i = 0; item->kind == JW_KIND_BARRIER && i < item->def.barrier.polynomial_count;
       ++i) {
    polynomial[i] *= -1.0;
  }
  for (uint32_t i = 0; item->kind == JW_KIND_BARRIER && i < item->def.barrier.table_count; ++i) {
    table[2 * i + 1] *= -1.0;
  }
}

static bool is_directed(const JwItem* item, JwControl control) {
  return control == JW_CONTROL_SPEED || control == JW_CONTROL_POSITION
         || (control == JW_CONTROL_FORCE && item->kind == JW_KIND_FORCE)
         || (control == JW_CONTROL_GAP && item->kind != JW_KIND_COLLISION);
}

static void turn_over(JwScene* scene) {
  for (JwItem* item = scene->first; item; item = item->next) {
    turn_numbers(item);
    for (JwCurve* curve = item->curves; curve; curve = curve->next) {
      for (uint32_t i = 0; is_directed(item, curve->control) && i < curve->count; ++i) {
        curve->points[i].value *= -1.0;
      }
    }
    if (item->kind == JW_KIND_COLLISION) {
      swap_ports(item);
    }
  }
  for (JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    thrown->position *= -1.0;
    thrown->velocity *= -1.0;
  }
}

// A collision's force pushes apart, whichever way is up.
static double turned(const JwItem* pickup) {
  return pickup->heard && pickup->heard->kind == JW_KIND_COLLISION ? 1.0 : -1.0;
}

// ---------------------------------------------------------------- run and compare

typedef struct {
  double sample[MOST_PICKUPS][FRAMES];
  double figures[MOST_FIGURES][FIGURES];
  double energy[8];
  uint32_t pickups, contacts, frames;
  JwStatus status;
} Outcome;

#define MOST_OPERATIONS 1e7 // A large scene runs for fewer frames

static void note_figures(const JwWorld* world, const JwScene* scene, const Units* u, Outcome* out) {
  for (const JwItem* item = scene->first; item && out->contacts < MOST_FIGURES; item = item->next) {
    if (item->contact.index) {
      const JwContactFigures f = jw_world_contact_figures(world, item->contact);
      const double newton = worth(u, "N"), joule = worth(u, "J");
      // Not the closed samples: a load that waits to be let go ends at JW_TINY, which is the same
      // number in all units
      const double values[FIGURES] = {f.force / newton,  f.push / newton, f.pull / newton,
                                      f.eta / u->length, f.misfit,        f.peak_energy / joule,
                                      (double)f.closures};
      memcpy(out->figures[out->contacts++], values, sizeof values);
    }
  }
}

static void note_energy(const JwWorld* world, const Units* u, Outcome* out) {
  const JwEnergy e = jw_world_energy(world);
  const double joule = worth(u, "J");
  const double values[8] = {e.kinetic / joule, e.potential / joule, e.contact / joule,
                            e.stored / joule,  e.lost / joule,      e.supplied / joule,
                            e.peak / joule,    e.worst_residual};
  memcpy(out->energy, values, sizeof values);
}

// Samples in the first units.
static void note_samples(const JwScene* scene, const Units* u, Outcome* out) {
  uint32_t channel = 0;
  for (const JwItem* item = scene->first; item; item = item->next) {
    if (item->pickup.index) {
      const JwQuantity quantity = item->def.pickup.quantity;
      const double one = quantity == JW_QUANTITY_FORCE      ? worth(u, "N")
                         : quantity == JW_QUANTITY_VELOCITY ? worth(u, "m/s")
                                                            : u->length;
      for (int i = 0; i < FRAMES; ++i) {
        const double x = out->sample[channel][i] / one;
        out->sample[channel][i] =
            fabs(x) > 1e-30 ? x : 0.0; // Below 1e-37 of any unit the output is silent
      }
      ++channel;
    }
  }
}

static void run_in(const Units* u, JwScene* scene, bool ledger, Outcome* out) {
  memset(out, 0, sizeof *out);
  convert(u, scene);
  JwWorldDef def = scene->world;
  def.ledger = ledger;
  def.channels = 0;
  JwWorld* world = NULL;
  out->status = jw_scene_build(scene, &def, &world);
  JwCost cost;
  if (!out->status) {
    out->status = jw_world_cost(world, &cost);
    out->status = out->status             ? out->status
                  : cost.operations > 3e5 ? JW_STATUS_TOO_LARGE
                                          : jw_world_prepare(world);
  }
  if (!out->status) {
    out->frames = (uint32_t)fmin(FRAMES, MOST_OPERATIONS / cost.operations);
    out->pickups = jw_world_channels(world);
    assert_true(out->pickups <= MOST_PICKUPS);
    double* rows[MOST_PICKUPS];
    for (uint32_t i = 0; i < out->pickups; ++i) {
      rows[i] = out->sample[i];
    }
    out->status = jw_world_run_double(world, rows, out->frames);
    note_samples(scene, u, out);
    note_figures(world, scene, u, out);
    note_energy(world, u, out);
  }
  jw_world_destroy(world);
}

static bool whole_exponents(const JwScene* scene) {
  for (const JwItem* item = scene->first; item; item = item->next) {
    const double a = item->kind == JW_KIND_COLLISION    ? item->def.collision.exponent
                     : item->kind == JW_KIND_CONNECTION ? item->def.connection.exponent
                                                        : 1.0;
    if (a != 1.0 && a != 2.0 && a != 3.0) {
      return false;
    }
  }
  return true;
}

static JwScene* parse(const char* text, size_t size) {
  JwSceneOptions options = jw_scene_options();
  options.read = jw_builtin_read;
  JwScene* scene = NULL;
  const JwStatus status = jw_scene_parse(text, size, &options, &scene);
  assert_true(scene && (status == JW_STATUS_OK || status == JW_STATUS_BAD_SCENE));
  return scene;
}

// Returns in how many units it moved: none where it does not run at all.
static int compare(const char* name, const char* text, size_t size, bool ledger) {
  static const Units given = {1.0, 1.0, 1.0};
  static Outcome here, there;
  JwScene* scene = parse(text, size);
  const bool whole = whole_exponents(scene);
  run_in(&given, scene, ledger, &here);
  jw_scene_destroy(scene);
  if (here.status) {
    return 0;
  }
  int ran = 0;
  for (int i = 0; i < UNITS; ++i) {
    if (units[i].length != 1.0 && !whole) {
      continue;
    }
    scene = parse(text, size);
    run_in(&units[i], scene, ledger, &there);
    jw_scene_destroy(scene);
    if (there.status == JW_STATUS_BAD_SCENE) {
      continue; // A number beyond its range
    }
    if (memcmp(&here, &there, sizeof here) != 0) {
      int channel = 0, frame = 0;
      while (channel < MOST_PICKUPS - 1
             && memcmp(here.sample[channel], there.sample[channel], sizeof here.sample[0]) == 0) {
        ++channel;
      }
      while (frame < FRAMES - 1 && here.sample[channel][frame] == there.sample[channel][frame]) {
        ++frame;
      }
      fail_msg(
          "%s%s: not the same in units %d: channel %d, frame %d: %.17g, %.17g; stored %.17g, %.17g; status %d",
          name, ledger ? " with its ledger" : "", i, channel, frame, here.sample[channel][frame],
          there.sample[channel][frame], here.energy[3], there.energy[3], (int)there.status);
    }
    ++ran;
  }
  return ran;
}

// Where a contact has two moving sides their difference is summed in the other order: 1e-16 of the
// largest, which each collision may double.  Twenty of them leave it below 1e-9 (all scenes but one
// agree to the bit, that one to 5e-13).
static double upside_down(const JwBuiltinScene* builtin, bool ledger, int* heard) {
  static const Units given = {1.0, 1.0, 1.0};
  static Outcome here, there;
  JwScene* scene = parse(builtin->text, builtin->size);
  run_in(&given, scene, ledger, &here);
  jw_scene_destroy(scene);
  scene = parse(builtin->text, builtin->size);
  turn_over(scene);
  run_in(&given, scene, ledger, &there);
  assert_true(here.status == there.status && here.pickups == there.pickups);
  double worst = 0.0;
  uint32_t channel = 0;
  for (const JwItem* item = scene->first; item && !here.status; item = item->next) {
    if (item->pickup.index) {
      double most = 0.0, wrong = 0.0;
      for (uint32_t i = 0; i < here.frames; ++i) {
        most = fmax(most, fabs(here.sample[channel][i]));
        wrong =
            fmax(wrong, fabs(here.sample[channel][i] - turned(item) * there.sample[channel][i]));
      }
      if (!(wrong <= 1e-9 * most)) {
        fail_msg("%s%s: upside down channel %u is wrong by %g of %g", builtin->name,
                 ledger ? " with its ledger" : "", channel, wrong, most);
      }
      worst = fmax(worst, most > 0.0 ? wrong / most : 0.0);
      *heard += most > 0.0;
      ++channel;
    }
  }
  jw_scene_destroy(scene);
  return worst;
}

static void every_builtin_scene_upside_down_moves_upside_down(void** state) {
  (void)state;
  uint32_t count;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  double worst = 0.0;
  int heard = 0, played = 0;
  for (uint32_t i = 0; i < count; ++i) {
    JwScene* const scene = parse(scenes[i].text, scenes[i].size);
    played += jw_scene_notes(scene) > 0; // By a player, which is not here
    jw_scene_destroy(scene);
    for (int ledger = 0; ledger < 2; ++ledger) {
      worst = fmax(worst, upside_down(&scenes[i], ledger, &heard));
    }
  }
  print_message("# %u scenes, %d channels: wrong by at most %.1g\n", count, heard, worst);
  assert_true(heard >= (int)count - played); // Some begin later
}

static void every_builtin_scene_moves_the_same_in_other_units(void** state) {
  (void)state;
  uint32_t count;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  int ran = 0;
  for (uint32_t i = 0; i < count; ++i) {
    for (int ledger = 0; ledger < 2; ++ledger) {
      ran += compare(scenes[i].name, scenes[i].text, scenes[i].size, ledger);
    }
  }
  print_message("# %u scenes: %d times the same\n", count, ran);
  assert_true(ran >= 2 * (int)count);
}

static void random_scenes_move_the_same_in_other_units(void** state) {
  (void)state;
  Tree* const tree = tree_new();
  int ran = 0;
  for (uint64_t seed = 1; seed <= RANDOM_SCENES; ++seed) {
    char name[32];
    snprintf(name, sizeof name, "wide scene %d", (int)seed);
    generate(tree, REGIME_WIDE, seed);
    size_t size;
    const char* const text = tree_write(tree, &size);
    for (int ledger = 0; ledger < 2; ++ledger) {
      ran += compare(name, text, size, ledger);
    }
  }
  tree_free(tree);
  print_message("# %d random scenes: %d times the same\n", RANDOM_SCENES, ran);
  assert_true(ran >= RANDOM_SCENES);
}

// Scenes that once failed fight harder than others: hands against contacts, springs against
// springs.
static char** found;
static int found_count;

static void scenes_once_found_move_the_same_in_other_units(void** state) {
  (void)state;
  static char text[1 << 20];
  int ran = 0;
  for (int i = 0; i < found_count; ++i) {
    FILE* const file = fopen(found[i], "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    for (int ledger = 0; ledger < 2; ++ledger) {
      ran += compare(found[i], text, size, ledger);
    }
  }
  print_message("# %d scenes: %d times the same\n", found_count, ran);
  assert_true(found_count > 0 && ran >= 2 * found_count);
}

// Arguments: the scenes once found.
int main(int argc, char** argv) {
  found = argv + 1;
  found_count = argc - 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_builtin_scene_moves_the_same_in_other_units),
      cmocka_unit_test(random_scenes_move_the_same_in_other_units),
      cmocka_unit_test(scenes_once_found_move_the_same_in_other_units),
      cmocka_unit_test(every_builtin_scene_upside_down_moves_upside_down),
  };
  return cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
