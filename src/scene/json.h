// SPDX-License-Identifier: MIT
// JSON with comments: RFC 8259, plus // to the end of the line and /* ... */.
//
// Every value and key keeps its place in the text, so that an error found much later still points
// at it.  Departures from the RFC, all on the strict side: a key may stand once in an object,
// \u0000 is refused (texts end with a zero), a number must be finite, and not zero unless it is
// written as zero, and there are limits.  A comma before ] or } is an error.  A byte order mark at
// the start is skipped.
#ifndef JAWARI_SCENE_JSON_H
#define JAWARI_SCENE_JSON_H

#include "scene/pool.h"

#include <jawari/scene.h>

// Unless the limits say otherwise.
#define JW_JSON_MAX_BYTES ((size_t)1 << 20) ///< Longest text
#define JW_JSON_MAX_DEPTH 64u               ///< Objects and arrays inside each other
#define JW_JSON_MAX_VALUES 100000u          ///< Values in one text
#define JW_JSON_MAX_MEMBERS 4096u           ///< Keys in one object
// In any case.
#define JW_JSON_MAX_NUMBER 256u ///< Digits of one number: JW_DIGITS

typedef enum {
  JW_JSON_NULL,
  JW_JSON_FALSE,
  JW_JSON_TRUE,
  JW_JSON_NUMBER,
  JW_JSON_TEXT,
  JW_JSON_ARRAY,
  JW_JSON_OBJECT
} JwJsonType;

/// Where something stands: bytes from the start of text number `source`.
typedef struct {
  uint32_t source;
  uint32_t offset;
  uint32_t length;
} JwPlace;

typedef struct JwJson JwJson;

/// A value.  The children of an array or object form a list in the order of the text.
struct JwJson {
  JwJsonType type;
  JwPlace place;
  double number;    ///< Of a number
  const char* text; ///< Of a text, without escapes, ended by a zero
  uint32_t size;    ///< Bytes of `text`
  uint32_t count;   ///< Children
  JwJson* first;    ///< First child
  JwJson* last;
  JwJson* next; ///< Next child of the same parent
  JwJson* parent;
  const char* key; ///< Of an object's member; NULL otherwise
  uint32_t key_size;
  JwPlace key_place;
};

/// What is wrong with a text and where.
typedef struct {
  JwPlace place;
  char message[JW_ERROR_SIZE];
} JwJsonError;

/// What to parse; `source` is noted in every place.  `limits` NULL: those above.
typedef struct {
  const char* text;
  size_t size;
  uint32_t source;
  const JwSceneLimits* limits;
} JwJsonInput;

/// Parse a text.  On success `*root` lives in the pool.
JW_MUST_USE JwStatus jw_json_parse(JwPool* pool, const JwJsonInput* input, JwJson** root,
                                   JwJsonError* error);

/// The member of an object with this key, or NULL.
const JwJson* jw_json_member(const JwJson* object, const char* key);

/// Line and column of a byte of a text, both from 1; columns count characters, not bytes.
void jw_json_position(const char* text, size_t size, size_t offset, uint32_t* line,
                      uint32_t* column);

/// "a number", "a list" ...: how a type is called in messages.
const char* jw_json_type_name(JwJsonType type);

#endif // JAWARI_SCENE_JSON_H
