// SPDX-License-Identifier: MIT
// A scene as a tree whose leaves are bare text, so that a leaf may also be something no reader
// takes.
//
// All nodes live in one block of fixed size, made anew for each scene: nothing is freed one by one.
#ifndef JAWARI_TEST_RANDOM_TREE_H
#define JAWARI_TEST_RANDOM_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { NODE_LEAF, NODE_LIST, NODE_OBJECT } NodeType;

typedef struct Node Node;
struct Node {
  NodeType type;
  const char* key;  // Of an object's member; bare, without quotes
  const char* text; // Of a leaf, as it stands in the file
  Node *first, *last, *next, *parent;
  bool gone; // Left out when written
};

typedef struct Tree Tree;

Tree* tree_new(void);
void tree_clear(Tree* tree);
void tree_free(Tree* tree);
Node* tree_root(const Tree* tree);

/// Add to `parent`, or set the root when it is NULL; `key` NULL inside a list.
Node* tree_list(Tree* tree, Node* parent, const char* key);
Node* tree_object(Tree* tree, Node* parent, const char* key);
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
Node* tree_leaf(Tree* tree, Node* parent, const char* key, const char* format, ...);
/// Keep a text as long as the tree.
const char* tree_keep(Tree* tree, const char* text);
/// A number, with all its digits.
Node* tree_number(Tree* tree, Node* parent, const char* key, double value);
/// A text, in quotes.
Node* tree_text(Tree* tree, Node* parent, const char* key, const char* text);

/// Read a good JSON text; false if it is none.
bool tree_read(Tree* tree, const char* text, size_t size);

/// Write the tree; the text is the tree's, until the next call.
const char* tree_write(Tree* tree, size_t* size);

/// Nodes in the order they were made, the root first.
uint32_t tree_count(const Tree* tree);
Node* tree_node(const Tree* tree, uint32_t index);

#endif // JAWARI_TEST_RANDOM_TREE_H
