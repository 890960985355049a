// SPDX-License-Identifier: MIT
// Random scenes, each from one number.
#ifndef JAWARI_TEST_RANDOM_GENERATE_H
#define JAWARI_TEST_RANDOM_GENERATE_H

#include "tree.h"

typedef enum { REGIME_NOMINAL, REGIME_WIDE, REGIME_HOSTILE, REGIME_NONLINEAR, REGIME_COUNT } Regime;

extern const char* const regime_names[REGIME_COUNT];

/// Fill the tree with the scene of this seed.
void generate(Tree* tree, Regime regime, uint64_t seed);

/// splitmix64: every seed gives its own stream, the same everywhere.
typedef struct {
  uint64_t state;
} Dice;

uint64_t dice_next(Dice* dice);
uint32_t dice_below(Dice* dice, uint32_t count);
double dice_uniform(Dice* dice, double low, double high);
/// Log-uniform.
double dice_scale(Dice* dice, double low, double high);
bool dice_chance(Dice* dice, double probability);

/// Fill the tree with a scene over the whole width of the parameters; `nonlinear`: most strings and
/// plates stiffen as they move.
void generate_wide(Tree* tree, Dice* dice, bool nonlinear);

#endif // JAWARI_TEST_RANDOM_GENERATE_H
