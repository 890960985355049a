// The "play" section of a scene, as a tree.

#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char* p;
  const char* end;
  uint32_t line;
  char* error;
} Reader;

#define MOST_DEPTH 16

static bool fail(Reader* r, const char* what)
{
  if (!r->error[0]) {
    snprintf(r->error, JW_ERROR_SIZE, "play, line %u: %s", r->line, what);
  }
  return false;
}

static void skip(Reader* r)
{
  while (r->p < r->end) {
    if (*r->p == '/' && r->p + 1 < r->end && r->p[1] == '/') {
      while (r->p < r->end && *r->p != '\n') {
        ++r->p;
      }
    } else if (*r->p == '/' && r->p + 1 < r->end && r->p[1] == '*') {
      for (r->p += 2; r->p < r->end && !(r->p[0] == '/' && r->p[-1] == '*'); ++r->p) {
        r->line += *r->p == '\n';
      }
      r->p += r->p < r->end;
    } else if (strchr(" \t\r\n", *r->p) && *r->p) {
      r->line += *r->p++ == '\n';
    } else {
      return;
    }
  }
}

static bool take(Reader* r, char c)
{
  skip(r);
  if (r->p < r->end && *r->p == c) {
    ++r->p;
    return true;
  }
  return false;
}

// A text without escapes: names and numbers need none.
static bool text(Reader* r, char* out, size_t size)
{
  size_t n = 0;
  if (!take(r, '"')) {
    return fail(r, "wanted a text");
  }
  for (; r->p < r->end && *r->p != '"'; ++r->p) {
    if (*r->p == '\\' || *r->p == '\n' || n + 1 >= size) {
      return fail(r, *r->p == '\\' ? "escapes are not used here" : "a text is too long");
    }
    out[n++] = *r->p;
  }
  out[n] = 0;
  return r->p++ < r->end || fail(r, "a text without its end");
}

static bool word(Reader* r, const char* wanted)
{
  const size_t n = strlen(wanted);
  if ((size_t)(r->end - r->p) < n || memcmp(r->p, wanted, n) != 0) {
    return false;
  }
  r->p += n;
  return true;
}

static bool number(Reader* r, double* value)
{
  char digits[64];
  size_t n = 0;
  while (r->p < r->end && *r->p && strchr("+-.0123456789eE", *r->p) && n + 1 < sizeof digits) {
    digits[n++] = *r->p++;
  }
  digits[n] = 0;
  char* end;
  *value = strtod(digits, &end);
  return (n && !*end) || fail(r, "wanted a value");
}

static JwNode* value(Reader* r, int depth);

static bool children(Reader* r, JwNode* node, char close, int depth)
{
  JwNode** link = &node->first;
  if (take(r, close)) {
    return true;
  }
  do {
    char key[sizeof node->key] = "";
    if (close == '}' && (!text(r, key, sizeof key) || !(take(r, ':') || fail(r, "wanted a colon")))) {
      return false;
    }
    JwNode* const child = value(r, depth + 1);
    if (!child) {
      return false;
    }
    memcpy(child->key, key, sizeof key);
    *link = child;
    link = &child->next;
  } while (take(r, ','));
  return take(r, close) || fail(r, "wanted a comma or the end");
}

static bool fill(Reader* r, JwNode* node, int depth)
{
  if (depth > MOST_DEPTH) {
    return fail(r, "too deep");
  }
  if (take(r, '{')) {
    node->type = JW_NODE_OBJECT;
    return children(r, node, '}', depth);
  }
  if (take(r, '[')) {
    node->type = JW_NODE_LIST;
    return children(r, node, ']', depth);
  }
  if (r->p < r->end && *r->p == '"') {
    node->type = JW_NODE_TEXT;
    return text(r, node->text, sizeof node->text);
  }
  if (word(r, "true") || word(r, "false")) {
    node->type = JW_NODE_FLAG;
    node->number = r->p[-2] == 'u';
    return true;
  }
  if (word(r, "null")) {
    return true;
  }
  node->type = JW_NODE_NUMBER;
  return number(r, &node->number);
}

static JwNode* value(Reader* r, int depth)
{
  skip(r);
  JwNode* const node = (JwNode*)calloc(1, sizeof *node);
  if (!node) {
    fail(r, "no memory");
    return NULL;
  }
  node->line = r->line;
  if (!fill(r, node, depth)) {
    jw_node_release(node);
    return NULL;
  }
  return node;
}

JwNode* jw_node_parse(const char* source, size_t size, char error[JW_ERROR_SIZE])
{
  Reader r = {source, source + size, 1, error};
  error[0] = 0;
  JwNode* const node = value(&r, 0);
  skip(&r);
  if (node && r.p != r.end) {
    fail(&r, "something follows the section");
    jw_node_release(node);
    return NULL;
  }
  return node;
}

void jw_node_release(JwNode* node)
{
  while (node) {
    JwNode* const next = node->next;
    jw_node_release(node->first);
    free(node);
    node = next;
  }
}

const JwNode* jw_node_member(const JwNode* object, const char* key)
{
  for (const JwNode* child = object ? object->first : NULL; child; child = child->next) {
    if (strcmp(child->key, key) == 0) {
      return child;
    }
  }
  return NULL;
}
