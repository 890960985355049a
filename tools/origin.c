// SPDX-License-Identifier: MIT
// Where a file comes from: program, command, scene with its text and hash, rate, rule.  Nothing
// that differs between two runs of one command, such as the time of day, so that they give the same
// bytes.

#include "origin.h"

#include "sha256.h"
#include "tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char* const jw_origin_names[JW_ORIGIN_COUNT] = {
    "software",    "command",    "scene", "title", "scene_hash", "includes",
    "sample_rate", "oversample", "rule",  "times", "scene_text"};

static char* command = NULL;

// ---------------------------------------------------------------- the command

static bool is_plain(const char* word) {
  return *word
         && !word[strspn(
             word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-")];
}

// In quotes, where a quote itself is '\''.
static char* quote(char* to, const char* word) {
  const bool plain = is_plain(word);
  *to++ = ' ';
  if (!plain) {
    *to++ = '\'';
  }
  for (; *word; ++word) {
    if (*word == '\'') {
      memcpy(to, "'\\''", 4);
      to += 4;
    } else {
      *to++ = *word;
    }
  }
  if (!plain) {
    *to++ = '\'';
  }
  return to;
}

void jw_origin_note_command(int argc, char** argv) {
  size_t size = 16;
  for (int i = 1; i < argc; ++i) {
    size += 4 * strlen(argv[i]) + 3;
  }
  command = (char*)malloc(size);
  if (!command) {
    return;
  }
  char* end = command + snprintf(command, size, "jawari");
  for (int i = 1; i < argc; ++i) {
    end = quote(end, argv[i]);
  }
  *end = '\0';
}

// ---------------------------------------------------------------- make

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static char*
text_of(const char* format, ...) {
  va_list one, two;
  va_start(one, format);
  va_copy(two, one);
  const int length = vsnprintf(NULL, 0, format, one);
  char* const text = length < 0 ? NULL : (char*)malloc((size_t)length + 1);
  if (text) {
    vsnprintf(text, (size_t)length + 1, format, two);
  }
  va_end(two);
  va_end(one);
  return text;
}

// "name sha256:...", one after the other.
static char* list_includes(const JwScene* scene) {
  char* list = text_of("%s", "");
  for (uint32_t i = 1; i < jw_scene_files(scene) && list; ++i) {
    const JwSceneFile file = jw_scene_file(scene, i);
    char hex[65];
    jw_sha256(file.text, file.size, hex);
    char* const longer = text_of("%s%s%s sha256:%s", list, i > 1 ? ", " : "", file.name, hex);
    free(list);
    list = longer;
  }
  return list;
}

static char* times_of(const JwOriginDef* def) {
  if (!def->sounds) {
    return text_of(
        "pickups and fields at n/rate, energy half a step of the world later; see each time column");
  }
  const double n = def->oversample;
  return text_of(
      "sample n of a velocity at (n + %.17g)/rate, of a displacement at (n + %.17g)/rate, of a force at n/rate",
      0.5 / n, 1.0 / n);
}

bool jw_origin_make(JwOrigin* origin, const JwOriginDef* def) {
  const JwSceneFile file = jw_scene_file(def->scene, 0);
  char hex[65];
  jw_sha256(file.text, file.size, hex);
  char** const v = origin->values;
  v[JW_ORIGIN_SOFTWARE] = text_of("jawari %s", jw_version());
  v[JW_ORIGIN_COMMAND] = text_of("%s", command ? command : "");
  v[JW_ORIGIN_SCENE] = text_of("%s", def->name);
  v[JW_ORIGIN_TITLE] = text_of("%s", jw_scene_info(def->scene).title);
  v[JW_ORIGIN_HASH] = text_of("sha256:%s", hex);
  v[JW_ORIGIN_INCLUDES] = list_includes(def->scene);
  v[JW_ORIGIN_RATE] = text_of("%.17g", def->rate);
  v[JW_ORIGIN_OVERSAMPLE] = text_of("%u", def->oversample);
  v[JW_ORIGIN_RULE] = text_of("%s", def->rule ? def->rule : "own");
  v[JW_ORIGIN_TIMES] = times_of(def);
  v[JW_ORIGIN_TEXT] = text_of("%.*s", (int)file.size, file.text);
  for (int i = 0; i < JW_ORIGIN_COUNT; ++i) {
    if (!v[i]) {
      return jw_tool_fail("no memory");
    }
  }
  return true;
}

void jw_origin_free(JwOrigin* origin) {
  for (int i = 0; i < JW_ORIGIN_COUNT; ++i) {
    free(origin->values[i]);
    origin->values[i] = NULL;
  }
}

// ---------------------------------------------------------------- write

void jw_origin_json(const char* text, FILE* file) {
  fputc('"', file);
  for (const unsigned char* c = (const unsigned char*)text; *c; ++c) {
    if (*c == '"' || *c == '\\') {
      fprintf(file, "\\%c", *c);
    } else if (*c == '\n') {
      fputs("\\n", file);
    } else if (*c < 0x20) {
      fprintf(file, "\\u%04x", *c);
    } else {
      fputc(*c, file);
    }
  }
  fputc('"', file);
}

void jw_origin_comment(const JwOrigin* origin, FILE* file) {
  for (int i = 0; i < JW_ORIGIN_COUNT; ++i) {
    fprintf(file, "# %s: ", jw_origin_names[i]);
    if (i == JW_ORIGIN_TEXT || strpbrk(origin->values[i], "\r\n")) {
      jw_origin_json(origin->values[i], file);
    } else {
      fputs(origin->values[i], file);
    }
    fputc('\n', file);
  }
}

char* jw_origin_lines(const JwOrigin* origin, size_t most) {
  char* lines = text_of("%s", "");
  for (int i = 0; i < JW_ORIGIN_COUNT && lines; ++i) {
    const bool fits = i != JW_ORIGIN_TEXT || strlen(origin->values[i]) <= most;
    const char* const value = fits ? origin->values[i] : "(too long to be kept here)";
    char* const longer = text_of("%s%s: %s\n", lines, jw_origin_names[i], value);
    free(lines);
    lines = longer;
  }
  if (!lines) {
    jw_tool_fail("no memory");
  }
  return lines;
}

// Write text as XML has it, at most six times as long; returns where it ends.
static char* put_xml(const char* text, char* out) {
  for (; *text; ++text) {
    if (*text == '<' || *text == '>') {
      out += sprintf(out, "%s", *text == '<' ? "&lt;" : "&gt;");
    } else if (*text == '&') {
      out += sprintf(out, "&amp;");
    } else if ((unsigned char)*text >= 0x20 || strchr("\t\n\r", *text)) {
      *out++ = *text; // What XML cannot hold is left out
    }
  }
  return out;
}

char* jw_origin_svg(const JwOrigin* origin, char* svg) {
  char* const lines = svg ? jw_origin_lines(origin, SIZE_MAX) : NULL;
  char* const made = lines ? (char*)malloc(strlen(svg) + 6 * strlen(lines) + 64) : NULL;
  if (made) {
    const char* const close = strstr(svg, "</svg>");
    const size_t before = (size_t)(close - svg);
    memcpy(made, svg, before);
    char* const end = put_xml(lines, made + before + sprintf(made + before, "<metadata>\n"));
    sprintf(end, "</metadata>\n%s", close);
  } else if (lines) {
    jw_tool_fail("no memory");
  }
  free(lines);
  free(svg);
  return made;
}
