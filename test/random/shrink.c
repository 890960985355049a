// SPDX-License-Identifier: MIT
// Leave out one node after the other, large ones first since parents come before their children,
// until nothing more can go.  A scene in which the node is needed is refused or runs well: the node
// stays.

#include "shrink.h"

#define MOST_TRIES 3000
#define MOST_ROUNDS 4

static Verdict check_tree(Tree* tree, const CheckOptions* options) {
  size_t size;
  const char* const text = tree_write(tree, &size);
  return check_apart(text, size, options);
}

static bool is_gone(const Node* node) {
  for (; node; node = node->parent) {
    if (node->gone) {
      return true;
    }
  }
  return false;
}

// A soak takes a scene that stops for a failure like a bad sample.
static bool alike(const Verdict* a, const Verdict* b) {
  const Outcome x = a->outcome == OUTCOME_STOPPED ? OUTCOME_SAMPLE : a->outcome;
  const Outcome y = b->outcome == OUTCOME_STOPPED ? OUTCOME_SAMPLE : b->outcome;
  return x == y && !(a->worst < 0.1 * b->worst); // An open ledger stays about as open
}

Verdict shrink(Tree* tree, const Verdict* whole, const CheckOptions* options) {
  bool smaller = true;
  uint32_t tries = 0;
  for (int round = 0; round < MOST_ROUNDS && smaller; ++round) {
    smaller = false;
    for (uint32_t i = 1; i < tree_count(tree) && tries < MOST_TRIES; ++i) {
      Node* const node = tree_node(tree, i);
      if (is_gone(node)) {
        continue;
      }
      node->gone = true;
      ++tries;
      const Verdict verdict = check_tree(tree, options);
      node->gone = alike(&verdict, whole);
      smaller = smaller || node->gone;
    }
  }
  return check_tree(tree, options);
}
