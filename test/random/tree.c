// SPDX-License-Identifier: MIT
// Scenes as trees: see tree.h.

#include "tree.h"

#include "scene/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 20000
#define MOST_TEXT ((size_t)1 << 21)

struct Tree {
  Node nodes[MOST_NODES];
  uint32_t count;
  char texts[MOST_TEXT];
  size_t used;
  char out[MOST_TEXT];
  size_t size;
};

Tree* tree_new(void) {
  Tree* const tree = (Tree*)calloc(1, sizeof(Tree));
  if (!tree) {
    fprintf(stderr, "no memory for a tree\n");
    exit(2);
  }
  return tree;
}

void tree_clear(Tree* tree) {
  memset(tree->nodes, 0, tree->count * sizeof(Node));
  tree->count = 0;
  tree->used = 0;
}

void tree_free(Tree* tree) {
  free(tree);
}

Node* tree_root(const Tree* tree) {
  return tree->count ? tree_node(tree, 0) : NULL;
}
uint32_t tree_count(const Tree* tree) {
  return tree->count;
}
Node* tree_node(const Tree* tree, uint32_t index) {
  return (Node*)(uintptr_t)&tree->nodes[index];
}

static void need(bool room) {
  if (!room) {
    fprintf(stderr, "a scene is too large for its tree\n");
    exit(2);
  }
}

const char* tree_keep(Tree* tree, const char* text) {
  const size_t size = strlen(text) + 1;
  need(tree->used + size <= MOST_TEXT);
  char* const kept = tree->texts + tree->used;
  memcpy(kept, text, size);
  tree->used += size;
  return kept;
}

static Node* add(Tree* tree, Node* parent, const char* key, NodeType type) {
  need(tree->count < MOST_NODES);
  Node* const node = &tree->nodes[tree->count++];
  node->type = type;
  node->key = key ? tree_keep(tree, key) : NULL;
  node->parent = parent;
  if (parent) {
    *(parent->last ? &parent->last->next : &parent->first) = node;
    parent->last = node;
  }
  return node;
}

Node* tree_list(Tree* tree, Node* parent, const char* key) {
  return add(tree, parent, key, NODE_LIST);
}
Node* tree_object(Tree* tree, Node* parent, const char* key) {
  return add(tree, parent, key, NODE_OBJECT);
}

Node* tree_leaf(Tree* tree, Node* parent, const char* key, const char* format, ...) {
  char text[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  Node* const node = add(tree, parent, key, NODE_LEAF);
  node->text = tree_keep(tree, text);
  return node;
}

Node* tree_number(Tree* tree, Node* parent, const char* key, double value) {
  return tree_leaf(tree, parent, key, "%.17g", value);
}

Node* tree_text(Tree* tree, Node* parent, const char* key, const char* text) {
  return tree_leaf(tree, parent, key, "\"%s\"", text);
}

// ---------------------------------------------------------------- read

static void copy(Tree* tree, Node* parent, const JwJson* json) {
  if (json->type == JW_JSON_ARRAY || json->type == JW_JSON_OBJECT) {
    Node* const node = json->type == JW_JSON_ARRAY ? tree_list(tree, parent, json->key)
                                                   : tree_object(tree, parent, json->key);
    for (const JwJson* child = json->first; child; child = child->next) {
      copy(tree, node, child);
    }
  } else if (json->type == JW_JSON_NUMBER) {
    tree_number(tree, parent, json->key, json->number);
  } else if (json->type == JW_JSON_TEXT) {
    tree_text(tree, parent, json->key, json->text);
  } else {
    static const char* const words[] = {
        [JW_JSON_NULL] = "null", [JW_JSON_FALSE] = "false", [JW_JSON_TRUE] = "true"};
    tree_leaf(tree, parent, json->key, "%s", words[json->type]);
  }
}

bool tree_read(Tree* tree, const char* text, size_t size) {
  JwPool pool = jw_pool(jw_allocator_default());
  JwJson* root = NULL;
  JwJsonError error;
  const JwJsonInput input = {text, size, 0, NULL};
  const bool good = jw_json_parse(&pool, &input, &root, &error) == JW_STATUS_OK;
  tree_clear(tree);
  if (good) {
    copy(tree, NULL, root);
  }
  jw_pool_release(&pool);
  return good;
}

// ---------------------------------------------------------------- write

static void put(Tree* tree, const char* text) {
  const size_t size = strlen(text);
  need(tree->size + size < MOST_TEXT);
  memcpy(tree->out + tree->size, text, size + 1);
  tree->size += size;
}

// Two levels get lines of their own; what is inside them stands on one.
static void write_node(Tree* tree, const Node* node, int depth) {
  if (node->type == NODE_LEAF) {
    put(tree, node->text);
    return;
  }
  const bool lines = depth < 2;
  bool first = true;
  put(tree, node->type == NODE_LIST ? "[" : "{");
  for (const Node* child = node->first; child; child = child->next) {
    if (child->gone) {
      continue;
    }
    put(tree, first ? "" : ",");
    put(tree, lines ? (depth ? "\n    " : "\n  ") : (first ? "" : " "));
    first = false;
    if (child->key) {
      put(tree, "\"");
      put(tree, child->key);
      put(tree, "\": ");
    }
    write_node(tree, child, depth + 1);
  }
  put(tree, lines && !first ? (depth ? "\n  " : "\n") : "");
  put(tree, node->type == NODE_LIST ? "]" : "}");
}

const char* tree_write(Tree* tree, size_t* size) {
  tree->size = 0;
  write_node(tree, tree_root(tree), 0);
  put(tree, "\n");
  *size = tree->size;
  return tree->out;
}
