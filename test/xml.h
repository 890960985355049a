// SPDX-License-Identifier: MIT
// A tiny judge of XML: tags nest, attributes are quoted, & and < are escaped.  No entities but the
// five, no doctype: what our own writers produce.
#ifndef JAWARI_TEST_XML_H
#define JAWARI_TEST_XML_H

#include <stdbool.h>
#include <string.h>

static inline bool xml_entity(const char* s) {
  static const char* const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strncmp(s, known[i], strlen(known[i])) == 0) {
      return true;
    }
  }
  return false;
}

// Past one tag; NULL if it is broken.  `*closed` when it ends in "/>".
static inline const char* xml_attributes(const char* s, bool* closed) {
  *closed = false;
  while (*s && *s != '>') {
    if (*s == '"') {
      for (++s; *s && *s != '"'; ++s) {
        if (*s == '<' || (*s == '&' && !xml_entity(s))) {
          return NULL;
        }
      }
      if (!*s) {
        return NULL;
      }
    } else if (*s == '<' || *s == '&') {
      return NULL;
    }
    *closed = *s == '/';
    ++s;
  }
  return *s ? s + 1 : NULL;
}

/// True when `s` is one element, well formed.
static inline bool xml_well_formed(const char* s) {
  const char* open[64];
  size_t size[64], depth = 0, roots = 0;
  while (*s) {
    if (*s == '&' && !xml_entity(s)) {
      return false;
    }
    if (*s != '<') {
      if (depth == 0 && !strchr(" \n", *s)) {
        return false;
      }
      ++s;
      continue;
    }
    const bool end = s[1] == '/';
    const char* const name = s + 1 + end;
    const size_t length = strcspn(name, " />\n");
    bool closed;
    s = xml_attributes(name + length, &closed);
    if (!s || length == 0
        || (end
            && (depth == 0 || size[depth - 1] != length
                || strncmp(open[depth - 1], name, length) != 0))) {
      return false;
    }
    if (end) {
      --depth;
    } else if (!closed) {
      if (depth == 64) {
        return false;
      }
      open[depth] = name;
      size[depth++] = length;
    }
    roots += !end && depth == !closed;
  }
  return depth == 0 && roots == 1;
}

#endif // JAWARI_TEST_XML_H
