// SPDX-License-Identifier: MIT
// origin.h: where a file comes from, kept in every file that is written.
#ifndef JAWARI_TOOL_ORIGIN_H
#define JAWARI_TOOL_ORIGIN_H

#include <jawari/scene.h>

#include <stdio.h>

/// What is kept, in this order in all files.
typedef enum {
  JW_ORIGIN_SOFTWARE,
  JW_ORIGIN_COMMAND,
  JW_ORIGIN_SCENE,
  JW_ORIGIN_TITLE,
  JW_ORIGIN_HASH,
  JW_ORIGIN_INCLUDES,
  JW_ORIGIN_RATE,
  JW_ORIGIN_OVERSAMPLE,
  JW_ORIGIN_RULE,
  JW_ORIGIN_TIMES,
  JW_ORIGIN_TEXT, ///< The scene itself
  JW_ORIGIN_COUNT
} JwOriginKey;

extern const char* const jw_origin_names[JW_ORIGIN_COUNT];

typedef struct {
  char* values[JW_ORIGIN_COUNT];
} JwOrigin;

typedef struct {
  const char* name; ///< Of the scene
  const JwScene* scene;
  double rate;
  uint32_t oversample;
  const char* rule; ///< NULL: each contact's own
  bool sounds;      ///< A sound and not a table
} JwOriginDef;

/// False without memory, which is said.
bool jw_origin_make(JwOrigin* origin, const JwOriginDef* def);
void jw_origin_free(JwOrigin* origin);

/// Every value as one line "# name: value", the scene's text as a JSON text.
void jw_origin_comment(const JwOrigin* origin, FILE* file);

/// All of it as lines "name: value", to be freed; without the scene's text where that is longer
/// than `most`.
char* jw_origin_lines(const JwOrigin* origin, size_t most);

/// Put all of it into an SVG text as its metadata.  Frees the text and returns the new one; NULL
/// without memory.
char* jw_origin_svg(const JwOrigin* origin, char* svg);

/// A text as JSON has it, with its quotes.
void jw_origin_json(const char* text, FILE* file);

/// The command line, as a shell would take it.
void jw_origin_note_command(int argc, char** argv);

#endif // JAWARI_TOOL_ORIGIN_H
