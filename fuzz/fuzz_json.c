// SPDX-License-Identifier: MIT
// Our JSON reader against json-c, on any bytes.
//
// 1. Nothing we do with the bytes may crash, leak or read outside (the sanitizers watch).
// 2. What we accept, json-c accepts, and the two trees are equal.
// 3. What json-c accepts in strict mode and we refuse, we refuse for one of the reasons that
//    scene/json.h documents.
//
// Without json-c only the first is checked.

#include "scene/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_JSON_C
#include <json-c/json.h>

static json_object* other(const char* text, size_t size) {
  json_tokener* const tokener = json_tokener_new_ex(128);
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  // With its closing zero, so that a bare number is known to have ended.
  json_object* root = json_tokener_parse_ex(tokener, text, (int)size + 1);
  const bool good = json_tokener_get_error(tokener) == json_tokener_success;
  json_tokener_free(tokener);
  if (!good) {
    json_object_put(root);
  }
  return good ? (root ? root : json_object_new_string("(null)")) : NULL;
}

/// Write blanks over comments: json-c stumbles over some, and takes none when strict.
static void blank_comments(char* text, size_t size) {
  bool quoted = false;
  for (size_t i = 0; i < size; ++i) {
    if (text[i] == '"') {
      quoted = !quoted;
    } else if (quoted && text[i] == '\\') {
      ++i;
    } else if (!quoted && text[i] == '/' && i + 1 < size) {
      const bool block = text[i + 1] == '*';
      char* const end = strstr(text + i + 2, block ? "*/" : "\n");
      const size_t stop = end ? (size_t)(end - text) + (block ? 2 : 0) : size;
      memset(text + i, ' ', stop - i);
      i = stop - 1;
    }
  }
}

static void check(bool claim, const char* what, const char* text) {
  if (!claim) {
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
  }
}

static void compare_leaf(const JwJson* ours, json_object* theirs, const char* text) {
  if (ours->type == JW_JSON_NUMBER) {
    const double value = json_object_get_double(theirs);
    // json-c keeps whole numbers in 64 bits and stops at their ends.
    check(value == ours->number || fabs(ours->number) > 9.2e18, "numbers differ", text);
  } else if (ours->type == JW_JSON_TEXT) {
    const size_t length = (size_t)json_object_get_string_len(theirs);
    const char* const value = json_object_get_string(theirs);
    const bool equal = length == ours->size && memcmp(value, ours->text, length) == 0;
    check(equal || strstr(value, "\xEF\xBF\xBD"), "texts differ", text);
  } else {
    check(json_object_get_boolean(theirs) == (ours->type == JW_JSON_TRUE), "flags differ", text);
  }
}

// json-c 0.16 turns some good surrogate pairs into U+FFFD, in keys too.
static bool has_replaced_key(json_object* object) {
  json_object_object_foreach(object, key, value) {
    (void)value;
    if (strstr(key, "\xEF\xBF\xBD")) {
      return true;
    }
  }
  return false;
}

static void compare(const JwJson* ours, json_object* theirs, const char* text) {
  if (ours->type == JW_JSON_NULL) {
    check(theirs == NULL, "null differs", text);
  } else if (ours->type == JW_JSON_ARRAY) {
    check(json_object_is_type(theirs, json_type_array), "not a list", text);
    check(json_object_array_length(theirs) == ours->count, "lengths differ", text);
    size_t i = 0;
    for (const JwJson* child = ours->first; child; child = child->next) {
      compare(child, json_object_array_get_idx(theirs, i++), text);
    }
  } else if (ours->type == JW_JSON_OBJECT) {
    check(json_object_is_type(theirs, json_type_object), "not an object", text);
    const bool replaced = has_replaced_key(theirs);
    check(replaced || (uint32_t)json_object_object_length(theirs) == ours->count, "counts differ",
          text);
    for (const JwJson* child = ours->first; child; child = child->next) {
      json_object* value = NULL;
      const bool found = json_object_object_get_ex(theirs, child->key, &value);
      check(found || replaced, "key missing", text);
      if (found) {
        compare(child, value, text);
      }
    }
  } else {
    compare_leaf(ours, theirs, text);
  }
}

/// The reasons of scene/json.h, and those where json-c is lax even in strict mode: control
/// characters in texts, 5. and -.5, 1.e5, NaN and Infinity, single quotes around keys.
static bool documented(const char* message) {
  static const char* const reasons[] = {
      "stands twice",   "\\u0000",   "too large",  "too small",       "nested deeper",
      "more than",      "at most",   "too many",   "write an escape", "never closed",
      "byte 0x",        "surrogate", "needless 0", "not UTF-8",       "after the point",
      "after the sign", "found 'N'", "found 'I'",  "found '''"};
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; ++i) {
    if (strstr(message, reasons[i])) {
      return true;
    }
  }
  return false;
}

static void differ(const JwJson* root, const JwJsonError* error, char* text, size_t size) {
  if (memchr(text, 0, size) || size > 100000) {
    return; // json-c ends at a zero
  }
  if (root) {
    blank_comments(text, size);
  }
  json_object* const theirs = other(text, size);
  if (root) {
    // json-c knows no byte order mark.
    const bool marked = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    check(theirs || marked, "accepted by us alone", text);
    if (theirs && root->type != JW_JSON_NULL) {
      compare(root, theirs, text);
    }
  } else {
    check(!theirs || documented(error->message), error->message, text);
  }
  json_object_put(theirs);
}
#else
static void differ(const JwJson* root, const JwJsonError* error, char* text, size_t size) {
  (void)root, (void)error, (void)text, (void)size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char* const text = (char*)malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  JwPool pool = jw_pool(jw_allocator_default());
  JwJson* root = NULL;
  JwJsonError error;
  const JwJsonInput input = {text, size, 0, NULL};
  const JwStatus status = jw_json_parse(&pool, &input, &root, &error);
  if ((status == JW_STATUS_OK) != (root != NULL) || (status && !error.message[0])) {
    abort();
  }
  differ(root, &error, text, size);
  jw_pool_release(&pool);
  free(text);
  return 0;
}
