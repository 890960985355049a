// SPDX-License-Identifier: MIT
// Scenes over the whole width of the parameters: masses 1e-6 to 10 kg, strings 0.05 to 5 m,
// stiffness 1e3 to 1e13, exponents 1 to 5, islands of up to forty contacts, bows, losses, moving
// ports, changes while running.  Everything else that a scene can say has a chance to be said, but
// for the iterative references (rule and method newton), whose ledger is as good as their
// convergence.
//
// One thing is kept within reason: no contact starts with more than PRELOAD of energy, a quarter of
// a ton of explosive; so a gap is where the two things are, give or take an overlap that the
// stiffness allows, and what may be pulled apart is not stiffer than its start allows.

#include "generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_OBJECTS 48
#define MOST_PORT 64
#define PRELOAD 1e9 // J

typedef enum { MASS, STRING, PLATE, MODAL, BARRIER } Kind;

typedef struct {
  Kind kind;
  char name[16];
  bool grid;      // A string by finite differences, whose tension may change
  bool spring;    // A mass on a spring
  bool held;      // By something two-sided
  double place;   // Where it starts, m
  double reach;   // How far from there any of its points may start
  double tension; // 0 if not known
  double size;    // Length or first side, m
  uint32_t shapes, directions;
  Node* node;  // Of a barrier
  double most; // How far it may be moved: the least that its contacts allow for
} Thing;

typedef struct {
  Tree* tree;
  Dice* dice;
  Node *objects, *contacts, *initial, *score, *pickups;
  Thing things[MOST_OBJECTS];
  uint32_t count, moving; // Moving things come first
  uint32_t contact_count;
  double duration;
  bool nonlinear;   // Most strings and plates stiffen as they move, and some contacts rub
  char presser[16]; // A contact that may press another; "": none
} Maker;

static const char* pick(Dice* dice, const char* const* words, uint32_t count) {
  return words[dice_below(dice, count)];
}

#define PICK(DICE, ...)                                                                            \
  pick(DICE, (const char* const[]){__VA_ARGS__},                                                   \
       sizeof((const char* const[]){__VA_ARGS__}) / sizeof(char*))

static void number(Maker* m, Node* node, const char* key, double value) {
  tree_number(m->tree, node, key, value);
}
static void scaled(Maker* m, Node* node, const char* key, double low, double high) {
  number(m, node, key, dice_scale(m->dice, low, high));
}

static double signed_scale(Dice* dice, double low, double high) {
  const double value = dice_scale(dice, low, high);
  return dice_chance(dice, 0.5) ? value : -value;
}

// ---------------------------------------------------------------- objects

static Node* new_thing(Maker* m, Kind kind, const char* word) {
  Thing* const thing = &m->things[m->count];
  memset(thing, 0, sizeof *thing);
  thing->kind = kind;
  snprintf(thing->name, sizeof thing->name, "%s%u", word, m->count);
  ++m->count;
  Node* const node = tree_object(m->tree, m->objects, thing->name);
  tree_text(m->tree, node, "kind", word);
  return node;
}

static void add_mass(Maker* m) {
  Dice* const dice = m->dice;
  Node* const node = new_thing(m, MASS, "mass");
  Thing* const thing = &m->things[m->count - 1];
  scaled(m, node, "mass", 1e-6, 10.0);
  if ((thing->spring = dice_chance(dice, 0.5))) {
    scaled(m, node, "frequency", 0.1, 3000.0);
  }
  if (dice_chance(dice, 0.5)) {
    scaled(m, node, "loss", 1e-6, 10.0);
  }
  if (dice_chance(dice, 0.5)) {
    number(m, node, "position", thing->place = signed_scale(dice, 1e-6, 1e-1));
  }
  if (dice_chance(dice, 0.4)) {
    const double displacement = signed_scale(dice, 1e-7, 1e-1);
    number(m, node, "displacement", displacement);
    thing->place += displacement;
  }
  if (dice_chance(dice, 0.6)) {
    number(m, node, "velocity", signed_scale(dice, 1e-3, 100.0));
  }
  if (dice_chance(dice, 0.2)) {
    scaled(m, node, "gravity", 0.1, 1000.0);
  }
  if (dice_chance(dice, 0.3)) {
    tree_text(m->tree, node, "scheme", "exact");
  }
}

static void add_losses(Maker* m, Node* node) {
  Dice* const dice = m->dice;
  if (dice_chance(dice, 0.5)) {
    Node* const loss = tree_list(m->tree, node, "loss");
    scaled(m, loss, NULL, 1e-3, 100.0);
    scaled(m, loss, NULL, 1e-5, 0.3);
  } else if (dice_chance(dice, 0.3)) {
    Node* const decay = tree_list(m->tree, node, "decay");
    const double low = dice_scale(dice, 20.0, 500.0), slow = dice_scale(dice, 0.05, 100.0);
    const double values[4] = {low, slow, low * dice_scale(dice, 1.5, 20.0),
                              slow * dice_uniform(dice, 0.05, 0.9)};
    for (int i = 0; i < 4; ++i) {
      number(m, decay, NULL, values[i]);
    }
  }
}

// What stiffens as it moves is held at all of its ends.
static const char* pick_end(Maker* m) {
  static const char* const ends[] = {"supported", "clamped", "free"};
  return pick(m->dice, ends, m->nonlinear ? 2 : 3);
}

static void add_string(Maker* m) {
  Dice* const dice = m->dice;
  Node* const node = new_thing(m, STRING, "string");
  Thing* const thing = &m->things[m->count - 1];
  number(m, node, "length", thing->size = dice_scale(dice, 0.05, 5.0));
  scaled(m, node, "radius", 2e-5, 3e-3);
  if (dice_chance(dice, 0.4)) {
    tree_text(m->tree, node, "material",
              PICK(dice, "steel", "nylon", "gut", "gold", "rubber", "spruce"));
  } else {
    scaled(m, node, "density", 300.0, 2e4);
    number(m, node, "young", dice_chance(dice, 0.2) ? 0.0 : dice_scale(dice, 1e6, 5e11));
  }
  if (dice_chance(dice, 0.6)) {
    scaled(m, node, "frequency", 30.0, 2000.0);
  } else {
    thing->tension = dice_scale(dice, 0.5, 1e4);
    number(m, node, "tension", thing->tension);
  }
  add_losses(m, node);
  if (dice_chance(dice, 0.4)) {
    Node* const ends = tree_list(m->tree, node, "ends");
    for (int i = 0; i < 2; ++i) {
      tree_text(m->tree, ends, NULL, pick_end(m));
    }
  }
  thing->reach = dice_chance(dice, 0.3) ? dice_scale(dice, 1e-7, 2e-2) : 0.0;
  thing->grid = dice_chance(dice, 0.7);
  if (thing->grid && dice_chance(dice, 0.3)) {
    number(m, node, "bend", dice_uniform(dice, 1.0, 3.0));
  }
  if (!thing->grid) {
    tree_text(m->tree, node, "method", "modes");
    if (dice_chance(dice, 0.5)) {
      tree_leaf(m->tree, node, "modes", "%u", 1 + dice_below(dice, 20));
    }
    if (dice_chance(dice, 0.3)) {
      tree_text(m->tree, node, "scheme", "leapfrog");
    }
  }
  if (m->nonlinear && dice_chance(dice, 0.8)) {
    tree_text(m->tree, node, "nonlinear", PICK(dice, "mean", "local"));
  }
  thing->directions = m->nonlinear && dice_chance(dice, 0.5) ? 2 : 1;
  if (thing->directions > 1) {
    tree_leaf(m->tree, node, "directions", "%u", thing->directions);
  }
}

static void add_plate(Maker* m) {
  Dice* const dice = m->dice;
  Node* const node = new_thing(m, PLATE, "plate");
  Thing* const thing = &m->things[m->count - 1];
  thing->reach = dice_chance(dice, 0.3) ? dice_scale(dice, 1e-7, 2e-2) : 0.0;
  Node* const size = tree_list(m->tree, node, "size");
  number(m, size, NULL, thing->size = dice_scale(dice, 0.05, 1.0));
  scaled(m, size, NULL, 0.05, 1.0);
  scaled(m, node, "thickness", 3e-4, 3e-2);
  if (dice_chance(dice, 0.5)) {
    tree_text(m->tree, node, "material",
              PICK(dice, "steel", "bronze", "spruce", "glass", "rubber", "mylar"));
  } else {
    scaled(m, node, "density", 30.0, 2e4);
    scaled(m, node, "young", 1e6, 5e11);
  }
  if (!m->nonlinear && dice_chance(dice, 0.2)) {
    scaled(m, node, "young_across", 1e6, 5e11);
  }
  if (dice_chance(dice, 0.3)) {
    scaled(m, node, "tension", 1.0, 1e5);
  }
  add_losses(m, node);
  const bool stiffens = m->nonlinear && dice_chance(dice, 0.8),
             local = stiffens && dice_chance(dice, 0.6);
  if (!local && dice_chance(dice, 0.5)) {
    Node* const edges = tree_list(m->tree, node, "edges");
    for (int i = 0; i < 4; ++i) {
      tree_text(m->tree, edges, NULL, pick_end(m));
    }
  }
  if (stiffens) {
    tree_text(m->tree, node, "nonlinear", local ? "local" : "mean");
  }
  if (local) {
    tree_text(m->tree, node, "method", "modes");
    tree_leaf(m->tree, node, "modes", "%u", 1 + dice_below(dice, 60));
  }
}

static void add_modal(Maker* m) {
  Dice* const dice = m->dice;
  Node* const node = new_thing(m, MODAL, "modal");
  Thing* const thing = &m->things[m->count - 1];
  const uint32_t modes = 1 + dice_below(dice, 8);
  thing->shapes = 1 + dice_below(dice, 3);
  Node* const list = tree_list(m->tree, node, "modes");
  for (uint32_t i = 0; i < modes; ++i) {
    Node* const mode = tree_list(m->tree, list, NULL);
    number(m, mode, NULL, dice_chance(dice, 0.1) ? 0.0 : dice_scale(dice, 1.0, 7000.0));
    number(m, mode, NULL, dice_chance(dice, 0.2) ? 0.0 : dice_scale(dice, 1e-3, 1000.0));
    number(m, mode, NULL, dice_scale(dice, 1e-6, 10.0));
  }
  Node* const shapes = tree_list(m->tree, node, "shapes");
  for (uint32_t s = 0; s < thing->shapes; ++s) {
    Node* const shape = tree_list(m->tree, shapes, NULL);
    for (uint32_t i = 0; i < modes; ++i) {
      number(m, shape, NULL, dice_chance(dice, 0.1) ? 0.0 : dice_uniform(dice, -2.0, 2.0));
    }
  }
  if (dice_chance(dice, 0.3)) {
    tree_text(m->tree, node, "scheme", "leapfrog");
  }
}

static void add_barrier(Maker* m) {
  Dice* const dice = m->dice;
  Node* const node = new_thing(m, BARRIER, "barrier");
  Thing* const thing = &m->things[m->count - 1];
  thing->node = node, thing->most = 1e-2, thing->place = signed_scale(dice, 1e-7, 1e-2);
  if (dice_chance(dice, 0.4)) {
    Node* const polynomial = tree_list(m->tree, node, "polynomial");
    double power = 1.0; // Of the longest string
    for (uint32_t i = 0, count = 1 + dice_below(dice, 4); i < count; ++i) {
      const double coefficient = signed_scale(dice, 1e-6, 1e-2);
      number(m, polynomial, NULL, coefficient);
      thing->reach += fabs(coefficient) * power;
      power *= 5.0;
    }
  }
  if (dice_chance(dice, 0.4)) {
    const double from = dice_uniform(dice, 0.0, 0.9);
    number(m, node, "from", from);
    number(m, node, "to", dice_uniform(dice, from, 1.0));
  }
}

static void add_objects(Maker* m) {
  Dice* const dice = m->dice;
  const uint32_t count = 1 + (uint32_t)dice_scale(dice, 1.0, 12.0);
  for (uint32_t i = 0; i < count; ++i) {
    const double which = dice_uniform(dice, 0.0, 1.0);
    which < 0.45            ? add_mass(m)
    : which < 0.72          ? add_string(m)
    : which < 0.82 && i < 3 ? add_plate(m)
                            : add_modal(m);
  }
  m->moving = m->count;
  for (uint32_t i = 0, barriers = dice_below(dice, 4); i < barriers; ++i) {
    add_barrier(m);
  }
}

// ---------------------------------------------------------------- contacts

static void port_text(Maker* m, const Thing* thing, char text[MOST_PORT]) {
  Dice* const dice = m->dice;
  switch (thing->kind) {
  case STRING:
    snprintf(text, MOST_PORT, "%s@%.6g", thing->name, dice_uniform(dice, 0.0, 1.0));
    if (thing->directions > 1 && dice_chance(dice, 0.7)) {
      const size_t end = strlen(text);
      snprintf(text + end, MOST_PORT - end, ",%.4g", dice_uniform(dice, -180.0, 180.0));
    }
    break;
  case PLATE:
    snprintf(text, MOST_PORT, "%s@%.6g,%.6g", thing->name, dice_uniform(dice, 0.0, 1.0),
             dice_uniform(dice, 0.0, 1.0));
    break;
  case MODAL:
    snprintf(text, MOST_PORT, "%s@%u", thing->name, dice_below(dice, thing->shapes));
    break;
  default: snprintf(text, MOST_PORT, "%s", thing->name); break;
  }
}

static void curve(Maker* m, Node* node, const char* key, const double range[2]) {
  Dice* const dice = m->dice;
  Node* const list = tree_list(m->tree, node, key);
  double time = dice_uniform(dice, 0.0, 0.2) * m->duration;
  const uint32_t count = 2 + dice_below(dice, 3);
  for (uint32_t i = 0; i < count; ++i) {
    Node* const point = tree_list(m->tree, list, NULL);
    number(m, point, NULL, time);
    number(m, point, NULL, dice_uniform(dice, range[0], range[1]));
    time += dice_scale(dice, 0.001, 1.0) * m->duration;
  }
}

// A place that moves, at up to 10 km/s on a thing of this size.
static void path(Maker* m, Node* node, const char* key, double size) {
  Dice* const dice = m->dice;
  Node* const list = tree_list(m->tree, node, key);
  double time = dice_uniform(dice, 0.0, 0.2) * m->duration, x = dice_uniform(dice, 0.0, 1.0);
  const uint32_t count = 2 + dice_below(dice, 3);
  for (uint32_t i = 0; i < count; ++i) {
    Node* const point = tree_list(m->tree, list, NULL);
    number(m, point, NULL, time);
    number(m, point, NULL, x);
    const double wait = dice_scale(dice, 0.001, 1.0) * m->duration;
    time += wait;
    const double speed = signed_scale(dice, 1e-3, 1e4);
    x = fmin(fmax(x + speed * wait / size, 0.0), 1.0);
  }
}

// A port; on a string or plate it may move, and read its neighbourhood in any way.
static void add_port(Maker* m, Node* node, const char* key, const Thing* thing) {
  Dice* const dice = m->dice;
  char text[MOST_PORT];
  const bool place = thing->kind == STRING || thing->kind == PLATE;
  if (!place || dice_chance(dice, 0.7)) {
    port_text(m, thing, text);
    tree_text(m->tree, node, key, text);
    return;
  }
  Node* const port = tree_object(m->tree, node, key);
  tree_text(m->tree, port, "on", thing->name);
  const bool moves = (thing->kind == PLATE || thing->grid) && dice_chance(dice, 0.7);
  moves ? path(m, port, "x", thing->size) : number(m, port, "x", dice_uniform(dice, 0.0, 1.0));
  if (thing->kind == PLATE) {
    number(m, port, "y", dice_uniform(dice, 0.0, 1.0));
  }
  if (thing->directions > 1) {
    number(m, port, "degrees", dice_uniform(dice, -180.0, 180.0));
  }
  tree_text(m->tree, port, "reading", PICK(dice, "nearest", "linear", "cubic"));
}

static Thing* any_moving(Maker* m) {
  return &m->things[dice_below(m->dice, m->moving)];
}

static bool has_places(const Thing* thing) {
  return thing->kind == STRING || thing->kind == PLATE
         || (thing->kind == MODAL && thing->shapes > 1);
}

// Seldom the thing itself: two places of one thing may touch each other.
static Thing* any_other(Maker* m, Thing* thing) {
  Thing* other = thing;
  if (has_places(thing) && dice_chance(m->dice, 0.05)) {
    return thing;
  }
  for (int i = 0; i < 20 && other == thing; ++i) {
    other = &m->things[dice_below(m->dice, m->count)];
  }
  return other;
}

/// A contact between two things, and what its start allows.
typedef struct {
  Thing *a, *b;
  bool two_sided;
} Pair;

// The gap of an overlap at the start; a collision is as far open as any point may be from its
// place.
static double gap_for(const Pair* pair, double overlap) {
  const double reach = pair->two_sided ? 0.0 : pair->a->reach + pair->b->reach;
  return pair->a->place - pair->b->place + reach - overlap;
}

static void add_gap(Maker* m, Node* node, const Pair* pair, double most) {
  Dice* const dice = m->dice;
  const double overlap =
      dice_chance(dice, 0.3) ? dice_scale(dice, 1e-3, 1.0) * most : -dice_scale(dice, 1e-8, 1e-2);
  const double gap = gap_for(pair, pair->two_sided ? fmin(fabs(overlap), most) : overlap);
  const double range[2] = {gap - 0.5 * most, gap + 0.5 * most};
  dice_chance(dice, 0.15) ? curve(m, node, "gap", range) : number(m, node, "gap", gap);
  pair->a->most = fmin(pair->a->most, most);
  pair->b->most = fmin(pair->b->most, most);
}

// The deepest overlap of K x^(alpha+1)/(alpha+1) = PRELOAD, and the largest K for a given overlap.
static double deepest(double stiffness, double alpha) {
  return pow((alpha + 1.0) * PRELOAD / stiffness, 1.0 / (alpha + 1.0));
}
static double stiffest(double overlap, double alpha) {
  return (alpha + 1.0) * PRELOAD * pow(overlap, -(alpha + 1.0));
}

static void add_power_law(Maker* m, Node* node, const Pair* pair) {
  Dice* const dice = m->dice;
  const double alpha =
      dice_chance(dice, 0.2) ? 1.0 + dice_below(dice, 3) : dice_uniform(dice, 1.0, 5.0);
  const double apart = pair->two_sided ? pair->a->reach + pair->b->reach : 0.0;
  const double most = apart > 0.0 ? fmin(1e13, stiffest(apart, alpha)) : 1e13;
  const double stiffness = fmin(dice_scale(dice, 1e3, 1e13), most);
  number(m, node, "exponent", alpha);
  const bool changes = dice_chance(dice, 0.15);
  const double range[2] = {stiffness, fmin(most, stiffness * dice_scale(dice, 1.0, 1e3))};
  changes ? curve(m, node, "stiffness", range) : number(m, node, "stiffness", stiffness);
  if (dice_chance(dice, 0.4)) {
    scaled(m, node, "loss", 1.0, 1e10);
  }
  add_gap(m, node, pair, fmin(deepest(range[changes], alpha), 1e-2));
  if (dice_chance(dice, 0.5)) {
    tree_text(m->tree, node, "rule",
              PICK(dice, "bounded", "refined", "refined", "refined", "plain", "released"));
  }
}

static void add_collision(Maker* m, Node* node, const Pair* pair) {
  const Thing *const a = pair->a, *const b = pair->b;
  Dice* const dice = m->dice;
  const bool strings = a->kind == STRING && b->kind == STRING;
  const bool rail =
      (a->kind == STRING) != (b->kind == STRING) && (a->kind == BARRIER || b->kind == BARRIER);
  if (a != b && (strings || rail) && dice_chance(dice, 0.5)) {
    Node* const between = tree_list(m->tree, node, "between");
    tree_text(m->tree, between, NULL, a->name);
    tree_text(m->tree, between, NULL, b->name);
    tree_leaf(m->tree, node, "along", "true");
    if (rail && dice_chance(dice, 0.25)) {
      tree_leaf(m->tree, node, "grouped", "true");
    }
  } else {
    add_port(m, node, "below", a);
    add_port(m, node, "above", b);
  }
  add_power_law(m, node, pair);
}

static void add_between(Maker* m, Node* node, const Thing* a, const Thing* b) {
  Node* const between = tree_list(m->tree, node, "between");
  add_port(m, between, NULL, a);
  add_port(m, between, NULL, b);
}

static void add_spring(Maker* m, Node* node, const Pair* pair) {
  Dice* const dice = m->dice;
  const double apart = fmax(pair->a->reach + pair->b->reach, 1e-9);
  const double linear = fmin(dice_scale(dice, 1.0, 1e13), stiffest(apart, 1.0));
  const double cubic = fmin(dice_scale(dice, 1.0, 1e13), stiffest(apart, 3.0));
  number(m, node, "linear", linear);
  if (dice_chance(dice, 0.5)) {
    number(m, node, "cubic", cubic);
  }
  if (dice_chance(dice, 0.5)) {
    scaled(m, node, "damping", 1e-6, 1e6);
  }
  add_gap(m, node, pair, fmin(fmin(deepest(linear, 1.0), deepest(cubic, 3.0)), 1e-2));
}

static void add_bow(Maker* m, Node* node) {
  Dice* const dice = m->dice;
  scaled(m, node, "force", 1e-3, 100.0);
  number(m, node, "speed", signed_scale(dice, 1e-3, 10.0));
  scaled(m, node, "sharpness", 0.1, 1e4);
  if (dice_chance(dice, 0.4)) {
    tree_text(m->tree, node, "method", PICK(dice, "passive", "refined"));
  }
}

static void add_friction(Maker* m, Node* node) {
  Dice* const dice = m->dice;
  if (m->presser[0] && dice_chance(dice, 0.6)) {
    tree_text(m->tree, node, "pressed_by", m->presser);
  }
  if (dice_chance(dice, 0.7)) {
    scaled(m, node, "force", 1e-6, 1e4);
  }
  scaled(m, node, "coefficient", 1e-3, 10.0);
  scaled(m, node, "creep", 1e-6, 1.0);
}

static void add_contact(Maker* m, uint32_t index) {
  Dice* const dice = m->dice;
  Thing* const a = any_moving(m);
  Thing* const b = any_other(m, a);
  Node* const node = tree_object(m->tree, m->contacts, NULL);
  const double which = dice_uniform(dice, 0.0, 1.0);
  const bool bow = which > 0.9 || (a == b && !has_places(a)), swap = dice_chance(dice, 0.5);
  const bool rubs = m->nonlinear && !bow && which >= 0.75 && dice_chance(dice, 0.4);
  const Pair pair = {swap ? b : a, swap ? a : b, which >= 0.55};
  tree_text(m->tree, node, "law",
            bow            ? "bow"
            : which < 0.55 ? "collision"
            : which < 0.75 ? "connection"
            : rubs         ? "friction"
                           : "spring");
  char name[16];
  snprintf(name, sizeof name, "touch%u", index);
  tree_text(m->tree, node, "name", name);
  if (bow) {
    add_port(m, node, "on", a);
    add_bow(m, node);
  } else if (which < 0.55) {
    add_collision(m, node, &pair);
  } else {
    a->held = b->held = true;
    add_between(m, node, pair.a, pair.b);
    if (rubs) {
      add_friction(m, node);
      return;
    }
    snprintf(m->presser, sizeof m->presser, "%s", name);
    if (which < 0.75 && dice_chance(dice, 0.4)) {
      scaled(m, node, "slack", 1e-8, 1e-2);
    }
    which < 0.75 ? add_power_law(m, node, &pair) : add_spring(m, node, &pair);
  }
}

// ---------------------------------------------------------------- what happens

static void add_initials(Maker* m) {
  Dice* const dice = m->dice;
  for (uint32_t i = 0; i < m->moving; ++i) {
    const Thing* const thing = &m->things[i];
    const bool place = thing->kind == STRING || thing->kind == PLATE,
               velocity = place && dice_chance(dice, 0.3);
    if (!place || (!velocity && thing->reach == 0.0)) {
      continue;
    }
    Node* const node = tree_object(m->tree, m->initial, NULL);
    char text[MOST_PORT];
    port_text(m, thing, text);
    tree_text(m->tree, node, "on", text);
    tree_text(m->tree, node, "quantity", velocity ? "velocity" : "displacement");
    tree_text(m->tree, node, "shape", PICK(dice, "triangle", "hump", "sine"));
    number(m, node, "amplitude",
           velocity ? signed_scale(dice, 1e-3, 30.0) : signed_scale(dice, 0.5, 1.0) * thing->reach);
    number(m, node, "width", dice_scale(dice, 0.01, 1.0));
  }
}

static void add_force(Maker* m, Node* node) {
  Dice* const dice = m->dice;
  const char* const verb = PICK(dice, "pluck", "strike", "push");
  add_port(m, node, verb, any_moving(m));
  number(m, node, "amplitude", signed_scale(dice, 1e-4, 1e3));
  scaled(m, node, "duration", 1e-5, 0.1);
  if (strcmp(verb, "push") == 0) {
    tree_text(m->tree, node, "shape", PICK(dice, "pulse", "pluck", "steady"));
  }
}

// A change of a number while it runs: what the contact has not is refused, so only what all have.
static bool add_set(Maker* m, Node* node) {
  Dice* const dice = m->dice;
  const Thing* const thing = any_moving(m);
  char text[MOST_PORT];
  if (thing->kind == MASS) {
    snprintf(text, sizeof text, "%s.position", thing->name);
    number(m, node, "to", signed_scale(dice, 1e-7, 1e-2));
  } else if (thing->kind == STRING && thing->grid && thing->tension > 0.0) {
    snprintf(text, sizeof text, "%s.tension", thing->name);
    number(m, node, "to", thing->tension * dice_uniform(dice, 0.1, 1.0));
  } else {
    return false;
  }
  tree_text(m->tree, node, "set", text);
  scaled(m, node, "over", 1e-4, 0.1);
  return true;
}

static bool add_throw(Maker* m, Node* node) {
  const Thing* const thing = any_moving(m);
  if (thing->kind != MASS || thing->held) {
    return false;
  }
  tree_text(m->tree, node, "throw", thing->name);
  number(m, node, "velocity", signed_scale(m->dice, 1e-3, 100.0));
  return true;
}

static void add_score(Maker* m) {
  Dice* const dice = m->dice;
  const uint32_t count = dice_below(dice, 5);
  for (uint32_t i = 0; i < count; ++i) {
    Node* const node = tree_object(m->tree, m->score, NULL);
    number(m, node, "at", dice_uniform(dice, 0.0, m->duration));
    const double which = dice_uniform(dice, 0.0, 1.0);
    const bool done = which < 0.3 ? add_set(m, node) : which < 0.5 ? add_throw(m, node) : false;
    if (!done && which < 0.65) {
      add_port(m, node, "bow", any_moving(m));
      add_bow(m, node);
    } else if (!done) {
      add_force(m, node);
    }
  }
}

static void add_pickups(Maker* m) {
  Dice* const dice = m->dice;
  for (uint32_t i = 0, count = 1 + dice_below(dice, 3); i < count; ++i) {
    Node* const node = tree_object(m->tree, m->pickups, NULL);
    if (m->contact_count && dice_chance(dice, 0.2)) {
      char name[16];
      snprintf(name, sizeof name, "touch%u", dice_below(dice, m->contact_count));
      tree_text(m->tree, node, "contact", name);
      tree_text(m->tree, node, "quantity", "force");
    } else {
      add_port(m, node, "at", any_moving(m));
      tree_text(m->tree, node, "quantity", PICK(dice, "velocity", "displacement"));
    }
  }
}

// Known when all contacts are.
static void place_barriers(Maker* m) {
  for (uint32_t i = m->moving; i < m->count; ++i) {
    const Thing* const thing = &m->things[i];
    const double range[2] = {thing->place - 0.5 * thing->most, thing->place + 0.5 * thing->most};
    dice_chance(m->dice, 0.3) ? curve(m, thing->node, "position", range)
                              : number(m, thing->node, "position", thing->place);
  }
}

void generate_wide(Tree* tree, Dice* dice, bool nonlinear) {
  static const double rates[] = {22050.0, 44100.0, 44100.0, 48000.0, 96000.0};
  Maker maker = {.tree = tree, .dice = dice, .duration = 0.05, .nonlinear = nonlinear};
  Maker* const m = &maker;
  Node* const root = tree_object(tree, NULL, NULL);
  tree_leaf(tree, root, "jawari", "1");
  Node* const world = tree_object(tree, root, "world");
  number(m, world, "sample_rate", rates[dice_below(dice, 5)]);
  if (dice_chance(dice, 0.2)) {
    scaled(m, world, "energy_floor", 1e-36, 1e-3);
  }
  m->objects = tree_object(tree, root, "objects");
  m->contacts = tree_list(tree, root, "contacts");
  m->initial = tree_list(tree, root, "initial");
  m->score = tree_list(tree, root, "score");
  m->pickups = tree_list(tree, root, "pickups");
  add_objects(m);
  m->contact_count = (uint32_t)dice_scale(dice, 1.0, 41.0);
  for (uint32_t i = 0; i < m->contact_count; ++i) {
    add_contact(m, i);
  }
  add_initials(m);
  add_score(m);
  add_pickups(m);
  place_barriers(m);
}
