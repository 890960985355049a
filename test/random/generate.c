// SPDX-License-Identifier: MIT
// The regimes.
//
//   nominal  a scene of the gallery, each physical number times a factor from 1/2 to 2
//   wide     log-uniform over everything a user could mean (wide.c)
//   hostile  one of those two, with one to three leaves replaced by nonsense

#include "generate.h"

#include <jawari/builtin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const regime_names[REGIME_COUNT] = {"nominal", "wide", "hostile", "nonlinear"};

uint64_t dice_next(Dice* dice) {
  uint64_t z = dice->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

uint32_t dice_below(Dice* dice, uint32_t count) {
  return (uint32_t)(dice_next(dice) % count);
}
double dice_uniform(Dice* dice, double low, double high) {
  return low + (high - low) * ((double)(dice_next(dice) >> 11) * 0x1p-53);
}
double dice_scale(Dice* dice, double low, double high) {
  return exp(dice_uniform(dice, log(low), log(high)));
}
bool dice_chance(Dice* dice, double probability) {
  return dice_uniform(dice, 0.0, 1.0) < probability;
}

// ---------------------------------------------------------------- nominal

static bool is_physical(const char* key) {
  static const char* const keys[] = {
      "mass",      "loss",          "position",        "displacement", "velocity",  "gravity",
      "length",    "radius",        "density",         "young",        "tension",   "frequency",
      "thickness", "size",          "stiffness",       "gap",          "linear",    "cubic",
      "damping",   "force",         "speed",           "sharpness",    "amplitude", "duration",
      "slack",     "mass_per_area", "mass_per_length", "bending",      "exponent"};
  for (size_t i = 0; key && i < sizeof keys / sizeof keys[0]; ++i) {
    if (strcmp(key, keys[i]) == 0) {
      return true;
    }
  }
  return false;
}

// The key that a number belongs to: its own, or that of the list around it; not a curve's time.
static const char* meaning(const Node* node) {
  const Node* at = node;
  while (at && !at->key) {
    const bool time = at->parent && at->parent->type == NODE_LIST && at->parent->first == at
                      && at->parent->parent && at->parent->parent->type == NODE_LIST;
    if (time) {
      return NULL;
    }
    at = at->parent;
  }
  return at ? at->key : NULL;
}

static void vary(Tree* tree, Dice* dice) {
  for (uint32_t i = 0; i < tree_count(tree); ++i) {
    Node* const node = tree_node(tree, i);
    char* end;
    const double value = node->text ? strtod(node->text, &end) : 0.0;
    const char* const key = node->type == NODE_LEAF && value != 0.0 ? meaning(node) : NULL;
    if (!is_physical(key)) {
      continue;
    }
    const double varied = strcmp(key, "exponent") == 0
                              ? fmax(1.0, value * dice_uniform(dice, 0.6, 1.6))
                              : value * dice_scale(dice, 0.5, 2.0);
    char text[40];
    snprintf(text, sizeof text, "%.17g", varied);
    node->text = tree_keep(tree, text);
  }
}

static void generate_nominal(Tree* tree, Dice* dice) {
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  const JwBuiltinScene* const scene = &scenes[dice_below(dice, count)];
  if (!tree_read(tree, scene->text, scene->size)) {
    abort();
  }
  vary(tree, dice);
}

// ---------------------------------------------------------------- hostile

static const char* const nonsense[] = {"0",
                                       "-1",
                                       "NaN",
                                       "Infinity",
                                       "-Infinity",
                                       "1e30",
                                       "-1e30",
                                       "1e-30",
                                       "1e308",
                                       "1e309",
                                       "5e-324",
                                       "-0.0",
                                       "1000000",
                                       "100000",
                                       "65536",
                                       "4294967295",
                                       "4294967296",
                                       "18446744073709551616",
                                       "9007199254740993",
                                       "0.5",
                                       "1e6",
                                       "-1e6",
                                       "1e20",
                                       "1e-12",
                                       "2",
                                       "\"\"",
                                       "\"nothing\"",
                                       "\"nothing@0.5\"",
                                       "\"x@\"",
                                       "\"@\"",
                                       "\"string@1e30\"",
                                       "\"$x\"",
                                       "\"$\"",
                                       "\"${\"",
                                       "\"A4\"",
                                       "\"H9\"",
                                       "\"newton\"",
                                       "\"modes\"",
                                       "\"free\"",
                                       "\"\\ud800\"",
                                       "\"\\u0000\"",
                                       "null",
                                       "true",
                                       "false",
                                       "[]",
                                       "{}",
                                       "[[]]",
                                       "[0]",
                                       "[[0, 0]]",
                                       "[[0, 1e30]]",
                                       "[[0, 1], [0, 2]]",
                                       "[1, 2, 3, 4]",
                                       "{\"from\": 0, \"to\": 1, \"count\": 1000000000}",
                                       "{\"i\": 100000}",
                                       "{\"on\": \"nothing\"}",
                                       "nonsense",
                                       "",
                                       "\"",
                                       "1e",
                                       "--1",
                                       "0x10",
                                       "[",
                                       "}",
                                       "/*",
                                       "// ",
                                       "1 2",
                                       "\xff"};

static void spoil(Tree* tree, Dice* dice) {
  const uint32_t times = 1 + dice_below(dice, 3);
  for (uint32_t i = 0; i < times; ++i) {
    Node* const node = tree_node(tree, 1 + dice_below(dice, tree_count(tree) - 1));
    if (node->key && dice_chance(dice, 0.05)) {
      node->key = dice_chance(dice, 0.5) ? "nothing" : "kind";
    } else if (node->type == NODE_LEAF || dice_chance(dice, 0.2)) {
      node->type = NODE_LEAF;
      node->text = nonsense[dice_below(dice, sizeof nonsense / sizeof nonsense[0])];
    } else {
      --i; // Another place; most nodes are leaves
    }
  }
}

void generate(Tree* tree, Regime regime, uint64_t seed) {
  Dice dice = {seed * 3u + (uint64_t)regime};
  tree_clear(tree);
  const bool gallery =
      regime == REGIME_NOMINAL || (regime == REGIME_HOSTILE && dice_chance(&dice, 0.3));
  gallery ? generate_nominal(tree, &dice) : generate_wide(tree, &dice, regime == REGIME_NONLINEAR);
  if (regime == REGIME_HOSTILE) {
    spoil(tree, &dice);
  }
}
