// SPDX-License-Identifier: MIT
// Strings that are tied to one board (step/hub.c): twelve strings on six places of it, two of each a
// little apart, with hammers and dampers.  The same world with a second pin of no stiffness on one
// string is solved as any other island, which is the independent way to the same sound.

#include "worlds.h"

#include "kernel/kernel.h"
#include "step/hub.h"

#include <math.h>

#define RATE 44100.0
#define KEYS 6
#define STRINGS 2
#define FRAMES 6000
#define MODES 9
#define HEARD 4

typedef struct {
  JwWorld* world;
  JwObjectId hammer[KEYS], string[KEYS][STRINGS];
  JwExciterId hand[3];
  JwContactId felt[KEYS][STRINGS], damper[KEYS][STRINGS], pin[KEYS][STRINGS];
} Piano;

typedef struct {
  bool apart; // Not tied: one string has a second pin, of no stiffness
  bool hands; // Exciters are on the first string, the last, and the last hammer
  bool ledger;
  bool listens; // Pickups hear what two pins and two dampers push with
  JwRule rule;  // Of the felts
} How;

static JwObjectId add_board(JwWorld* world) {
  JwMode modes[MODES];
  double shapes[(KEYS + 1) * MODES];
  for (int m = 0; m < MODES; ++m) {
    modes[m] = (JwMode){80.0 + 61.0 * m, 9.0 + 2.0 * m, 0.4};
    for (int key = 0; key <= KEYS; ++key) {
      shapes[key * MODES + m] = sin(0.41 * (m + 1) * (key + 1.3));
    }
  }
  JwModalDef def = jw_modal_default();
  def.modes = modes, def.mode_count = MODES, def.shapes = shapes, def.shape_count = KEYS + 1;
  JwObjectId id;
  MUST(world, jw_world_add_modal(world, &def, &id));
  return id;
}

static JwContactId add_spring(JwWorld* world, JwPort a, JwPort b, double linear, double damping) {
  JwSpringDef def = jw_spring_default();
  def.a = a, def.b = b, def.linear = linear, def.damping = damping;
  JwContactId id;
  MUST(world, jw_world_add_spring(world, &def, &id));
  return id;
}

// Does nothing until it is let go.
static JwExciterId add_hand(JwWorld* world, JwPort port) {
  JwForceDef def = jw_force_default();
  def.port = port, def.amplitude = 0.0, def.duration = 3e-3;
  JwExciterId id;
  MUST(world, jw_world_add_force(world, &def, &id));
  return id;
}

static void add_key(Piano* piano, const How* how, JwObjectId board, JwObjectId ground, int key) {
  JwWorld* const world = piano->world;
  piano->hammer[key] = add_mass(world, 5e-3, -0.01, 0.0);
  for (int s = 0; s < STRINGS; ++s) {
    JwStringDef def = jw_string_default();
    def.length = 0.6 - 0.03 * key, def.mass_per_length = 6e-3, def.bending = 7e-3;
    def.frequency = 150.0 * pow(2.0, key / 5.0) * (1.0 + 6e-4 * s);
    def.loss[0] = 0.3, def.loss[1] = 3e-4, def.method = JW_METHOD_MODES, def.modes = 23 + key;
    JwObjectId string;
    MUST(world, jw_world_add_string(world, &def, &string));
    const JwPort seat = jw_port(board, key), end = jw_port(string, 0.98);
    // One of each the other way round; what ties it loses a little
    piano->pin[key][s] = add_spring(world, s ? end : seat, s ? seat : end, 1e6, 0.02);
    piano->damper[key][s] = add_spring(world, s ? jw_port(ground, 0.0) : jw_port(string, 0.2),
                                       s ? jw_port(string, 0.2) : jw_port(ground, 0.0), 0.0, 0.0);
    JwCollisionDef felt = jw_collision_default();
    felt.below = jw_port(piano->hammer[key], 0.0), felt.above = jw_port(string, 0.12);
    felt.stiffness = 4e9, felt.exponent = 2.5, felt.loss = 4e8, felt.rule = how->rule;
    MUST(world, jw_world_add_collision(world, &felt, &piano->felt[key][s]));
    piano->string[key][s] = string;
    if (how->hands && (key == 0 || key == KEYS - 1) && s == 0) {
      piano->hand[key ? 1 : 0] = add_hand(world, jw_port(string, 0.31));
    }
  }
  if (how->hands && key == KEYS - 1) {
    piano->hand[2] = add_hand(world, jw_port(piano->hammer[key], 0.0));
  }
}

static Piano make(const How* how) {
  Piano piano = {.world = new_world(RATE, how->ledger)};
  const JwObjectId board = add_board(piano.world), ground = add_barrier(piano.world, 0.0);
  for (int key = 0; key < KEYS; ++key) {
    add_key(&piano, how, board, ground, key);
  }
  if (how->apart) { // Last, so that the others keep their numbers
    add_spring(piano.world, jw_port(board, 0.0), jw_port(piano.string[0][0], 0.5), 0.0, 0.0);
  }
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = jw_port(board, KEYS);
  MUST(piano.world, jw_world_add_pickup(piano.world, &pickup, &(JwPickupId){0}));
  for (int i = 0; i < HEARD && how->listens; ++i) {
    pickup = jw_pickup_default();
    pickup.quantity = JW_QUANTITY_FORCE;
    pickup.contact = i < 2 ? piano.pin[0][i] : piano.damper[0][i - 2];
    MUST(piano.world, jw_world_add_pickup(piano.world, &pickup, &(JwPickupId){0}));
  }
  MUST(piano.world, jw_world_prepare(piano.world));
  return piano;
}

static void damp(const Piano* piano, int key, double loss) {
  for (int s = 0; s < STRINGS; ++s) {
    const JwTarget target = {.control = JW_CONTROL_LOSS, .contact = piano->damper[key][s]};
    MUST(piano->world, jw_world_set(piano->world, target, loss, 0.0));
  }
}

// Keys are struck one after the other, the second twice; dampers come and go, one on a string that
// its hammer still touches.
static void play(const Piano* piano, uint32_t frame) {
  static const uint32_t strikes[] = {0, 700, 1400, 1500, 2100, 2800, 3500};
  static const int keys[] = {0, 1, 2, 1, 3, 4, 5};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
    if (frame == strikes[i]) {
      damp(piano, keys[i], 0.0);
      MUST(piano->world,
           jw_world_throw(piano->world, piano->hammer[keys[i]], -1e-3, 1.0 + (double)i));
    }
    if (frame == strikes[i] + 900 || (i == 2 && frame == strikes[i] + 100)) {
      damp(piano, keys[i], 1.5);
    }
  }
}

// In blocks of a size that divides 100.
static void run(const Piano* piano, double* out, uint32_t from, uint32_t to, uint32_t block) {
  for (uint32_t at = from; at < to; at += block) {
    if (at % 100 == 0) {
      play(piano, at);
    }
    double* const channels[1] = {out + at};
    MUST(piano->world, jw_world_run_double(piano->world, channels, block));
  }
}

static bool is_tied(const Piano* piano) {
  const JwHub* const hub = piano->world->components[0].hub;
  return hub && hub->island && hub->island->hub;
}

static double largest(const double* x, const double* y) {
  double most = 0.0;
  for (uint32_t i = 0; i < FRAMES; ++i) {
    most = fmax(most, fabs(x[i] - (y ? y[i] : 0.0)));
  }
  return most;
}

// Both ways solve the same equations.  Rounding, 1e-16 of the largest force in every sample, comes
// back from the felts' power laws and adds up over the strokes: 1e-9 is far above that, and far below what
// any forgotten coupling (a drag on a struck string changes it by 1e-2) would leave.
static void tied_strings_sound_as_any_others_do(void** state) {
  (void)state;
  static double tied[FRAMES], plain[FRAMES];
  static const JwRule rules[3] = {JW_RULE_AUTO, JW_RULE_BOUNDED, JW_RULE_NEWTON};
  for (int i = 0; i < 3; ++i) {
    const How a = {.rule = rules[i]}, b = {.rule = rules[i], .apart = true};
    const Piano one = make(&a), two = make(&b);
    run(&one, tied, 0, FRAMES, 100);
    run(&two, plain, 0, FRAMES, 100);
    assert_true(is_tied(&one));
    assert_false(is_tied(&two));
    assert_true(largest(plain, NULL) > 1e-3);
    const double apart = largest(tied, plain) / largest(plain, NULL);
    print_message("# rule %d: %.2g of the largest\n", (int)rules[i], apart);
    assert_true(apart < 1e-9);
    for (int key = 0; key < KEYS; ++key) { // Every hammer did strike, as often and as long
      for (int s = 0; s < STRINGS; ++s) {
        const JwContactFigures x = jw_world_contact_figures(one.world, one.felt[key][s]),
                               y = jw_world_contact_figures(two.world, two.felt[key][s]);
        assert_true(x.closures > 0 && x.closures == y.closures);
        assert_true(x.closed_samples == y.closed_samples);
      }
    }
    jw_world_destroy(one.world);
    jw_world_destroy(two.world);
  }
}

// A string is pulled while it is silent, one while its damper is down, and a hammer is pushed at its
// string from afar.  Exciters that have not been let go yet change no bit.
static void exciters_move_tied_strings_as_any_others(void** state) {
  (void)state;
  static double out[3][FRAMES];
  static const uint32_t frames[3] = {3300, 3400, 100};
  static const double forces[3] = {2.0, 3.0, 10.0};
  const How ways[3] = {{.hands = true, .ledger = true},
                       {.hands = true, .ledger = true, .apart = true},
                       {.ledger = true}};
  for (int i = 0; i < 3; ++i) {
    const Piano piano = make(&ways[i]);
    for (uint32_t at = 0; at < FRAMES; at += 100) {
      for (int hand = 0; hand < 3 && ways[i].hands; ++hand) {
        if (at == frames[hand]) {
          MUST(piano.world, jw_world_trigger(piano.world, piano.hand[hand], forces[hand]));
        }
      }
      run(&piano, out[i], at, at + 100, 100);
    }
    assert_true(is_tied(&piano) == !ways[i].apart);
    assert_true(jw_world_energy(piano.world).worst_residual < 1e-12);
    const JwContactFigures last = jw_world_contact_figures(piano.world, piano.felt[KEYS - 1][0]);
    assert_int_equal(last.closures, ways[i].hands ? 2 : 1); // By the hand, and by the throw
    jw_world_destroy(piano.world);
  }
  const double apart = largest(out[0], out[1]) / largest(out[1], NULL);
  print_message("# %.2g of the largest\n", apart);
  assert_true(apart < 1e-9); // As above
  assert_true(largest(out[0], out[2]) > 0.01 * largest(out[2], NULL));
  assert_memory_equal(out[0], out[2], 100 * sizeof(double));
}

// Largest force, and samples in which there was one.
static void assert_same_figures(const Piano* one, const Piano* two, JwContactId id, double within) {
  const JwContactFigures x = jw_world_contact_figures(one->world, id),
                         y = jw_world_contact_figures(two->world, id);
  assert_true(x.push > 0.0 && x.closed_samples > 0);
  assert_true(fabs(x.push - y.push) <= within * y.push);
  assert_true(fabs(x.force - y.force) <= within * y.push);
  assert_true(x.closures == y.closures && x.closed_samples == y.closed_samples);
  assert_true(x.longest_closure == y.longest_closure);
}

// Those of pins and dampers do not depend on the way, nor on the ledger, nor on the size of blocks.
static void what_ties_has_the_figures_of_any_contact(void** state) {
  (void)state;
  static double out[FRAMES];
  const How ways[4] = {{.apart = true}, {.ledger = false}, {.ledger = true}, {.ledger = false}};
  static const uint32_t blocks[4] = {100, 100, 100, 20};
  static const double within[4] = {0.0, 1e-9, 0.0, 0.0};
  Piano pianos[4];
  for (int i = 0; i < 4; ++i) {
    pianos[i] = make(&ways[i]);
    run(&pianos[i], out, 0, FRAMES, blocks[i]);
    assert_true(is_tied(&pianos[i]) == (i > 0));
    for (int c = 0; i && c < KEYS * STRINGS; ++c) {
      const Piano* const other = &pianos[i == 1 ? 0 : 1];
      assert_same_figures(&pianos[i], other, other->pin[c / STRINGS][c % STRINGS], within[i]);
      assert_same_figures(&pianos[i], other, other->damper[c / STRINGS][c % STRINGS], within[i]);
    }
  }
  for (int i = 0; i < 4; ++i) {
    jw_world_destroy(pianos[i].world);
  }
}

// In every sample and with its sign, whichever way round a pin or a damper is: as of any contact, by the bound above.
static void what_ties_is_heard_with_its_sign(void** state) {
  (void)state;
  static double out[2][1 + HEARD][FRAMES];
  for (int way = 0; way < 2; ++way) {
    const How how = {.apart = way == 1, .listens = true};
    const Piano piano = make(&how);
    for (uint32_t at = 0; at < FRAMES; at += 100) {
      double* channels[1 + HEARD];
      for (int c = 0; c <= HEARD; ++c) {
        channels[c] = out[way][c] + at;
      }
      play(&piano, at);
      MUST(piano.world, jw_world_run_double(piano.world, channels, 100));
    }
    assert_true(is_tied(&piano) == (way == 0));
    jw_world_destroy(piano.world);
  }
  for (int c = 1; c <= HEARD; ++c) {
    const double most = largest(out[1][c], NULL), apart = largest(out[0][c], out[1][c]);
    print_message("# %g N, %.2g of it apart\n", most, apart / most);
    assert_true(most > 1e-3 && apart < 1e-9 * most);
  }
}

static void their_ledger_closes_and_changes_nothing(void** state) {
  (void)state;
  static double with[FRAMES], without[FRAMES];
  const How a = {.ledger = true}, b = {.ledger = false};
  const Piano one = make(&a), two = make(&b);
  run(&one, with, 0, FRAMES, 100);
  run(&two, without, 0, FRAMES, 100);
  assert_true(is_tied(&one) && is_tied(&two));
  assert_memory_equal(with, without, sizeof with);
  const JwEnergy energy = jw_world_energy(one.world);
  print_message("# residual %.2g\n", energy.worst_residual);
  assert_true(energy.supplied > 1e-3 && energy.lost > 1e-4);
  assert_true(energy.worst_residual < 1e-12);
  jw_world_destroy(one.world);
  jw_world_destroy(two.world);
}

static void neither_blocks_nor_widths_nor_looking_matter(void** state) {
  (void)state;
  static double first[FRAMES], other[FRAMES];
  static const uint32_t blocks[4] = {100, 25, 1, 50};
  static const char* const widths[4] = {NULL, "base", "avx2", "scalar"};
  const How how = {.ledger = false};
  for (int i = 0; i < 4; ++i) {
    jw_lanes_choose(widths[i]);
    const Piano piano = make(&how);
    jw_lanes_choose(NULL);
    run(&piano, i ? other : first, 0, FRAMES, blocks[i]);
    if (i) {
      assert_memory_equal(first, other, sizeof first);
    }
    jw_world_destroy(piano.world);
  }
}

// In the middle of a stroke, at an odd frame, and while dampers are down.
static void a_snapshot_goes_on_with_the_same_samples(void** state) {
  (void)state;
  static double first[FRAMES], other[FRAMES];
  static const uint32_t at[3] = {1525, 3525, 4900};
  const How how = {.ledger = false};
  for (int i = 0; i < 3; ++i) {
    const Piano one = make(&how), two = make(&how);
    run(&one, first, 0, at[i], 25);
    const size_t size = jw_world_snapshot_size(one.world);
    void* const memory = malloc(size);
    MUST(one.world, jw_world_snapshot(one.world, memory, size));
    run(&one, first, at[i], FRAMES, 25);
    MUST(two.world, jw_world_restore(two.world, memory, size));
    run(&two, other, at[i], FRAMES, 25);
    assert_memory_equal(first + at[i], other + at[i], (FRAMES - at[i]) * sizeof(double));
    free(memory);
    jw_world_destroy(one.world);
    jw_world_destroy(two.world);
  }
}

// A string that nobody strikes: the board moves it, and its own place on the board moves nothing
// else more than that.  Of most hammers nothing is read: their strings are known to be far away.
static void silent_strings_are_moved_by_the_board(void** state) {
  (void)state;
  const How how = {.ledger = true};
  const Piano piano = make(&how);
  static double out[FRAMES];
  MUST(piano.world, jw_world_throw(piano.world, piano.hammer[0], -1e-3, 3.0));
  for (uint32_t i = 0; i < 3000; i += 100) {
    double* const channels[1] = {out + i};
    MUST(piano.world, jw_world_run_double(piano.world, channels, 100));
  }
  const JwHub* const hub = piano.world->components[0].hub;
  uint32_t awake = 0;
  for (uint32_t i = 0; i < hub->count; ++i) {
    awake += hub->leaves[i].awake;
    assert_true(jw_world_object_energy(piano.world, (JwObjectId){4 + 3 * (i / 2) + i % 2}) > 1e-12);
  }
  assert_int_equal(awake, 0); // The only hammer that moved is gone
  jw_world_destroy(piano.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tied_strings_sound_as_any_others_do),
      cmocka_unit_test(exciters_move_tied_strings_as_any_others),
      cmocka_unit_test(what_ties_has_the_figures_of_any_contact),
      cmocka_unit_test(what_ties_is_heard_with_its_sign),
      cmocka_unit_test(their_ledger_closes_and_changes_nothing),
      cmocka_unit_test(neither_blocks_nor_widths_nor_looking_matter),
      cmocka_unit_test(a_snapshot_goes_on_with_the_same_samples),
      cmocka_unit_test(silent_strings_are_moved_by_the_board),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
