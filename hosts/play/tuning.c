// SPDX-License-Identifier: MIT
// Scala scales (.scl) and keyboard maps (.kbm).
//
// A scale: lines, those with "!" first are comments; the first is a description, the second the
// number of pitches n, then n pitches: with a dot they are cents, otherwise a ratio "3/2" or "2".
// Degree 0 is 1/1 and not written; the last is the interval of repetition.
//
// A map: size, first and last key, middle key (degree 0), reference key, its frequency, the degree
// of the octave, then `size` degrees or "x" for keys left out.  Size 0: keys go up the scale one by
// one.

#include "file.h"
#include "octaves.h"

#include <jawari/play.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char* text;
  uint32_t line;
  const char* what; ///< "scale" or "map"
  char* error;
  char word[256]; ///< The line at hand, without blanks around it
} Lines;

static JwStatus fail(const Lines* lines, const char* message) {
  snprintf(lines->error, JW_ERROR_SIZE, "%s, line %u: %s, found \"%.60s\"", lines->what,
           lines->line, message, lines->word);
  return JW_STATUS_BAD_VALUE;
}

static bool next(Lines* lines) {
  for (bool comment = true; comment;) {
    if (!*lines->text) {
      lines->word[0] = 0;
      return false;
    }
    const size_t length = strcspn(lines->text, "\r\n");
    const char* from = lines->text;
    const char* to = from + length;
    lines->text = to + (*to == '\r' && to[1] == '\n' ? 2 : *to ? 1 : 0);
    ++lines->line;
    comment = *from == '!';
    from += strspn(from, " \t");
    const size_t size = from < to ? (size_t)(to - from) : 0, most = sizeof lines->word - 1;
    memcpy(lines->word, from, size < most ? size : most);
    lines->word[size < most ? size : most] = 0;
  }
  return true;
}

static bool whole(const char* word, long low, long high, long* value) {
  char* end;
  errno = 0;
  *value = strtol(word, &end, 10);
  return end != word && errno == 0 && (*end == 0 || *end == ' ' || *end == '\t') && *value >= low
         && *value <= high;
}

// Octaves of one line of a scale; NaN if it is none.
static double pitch(const char* word) {
  char* end;
  const size_t length = strcspn(word, " \t");
  if (memchr(word, '.', length)) {
    double cents;
    return jw_number_read(word, &cents) ? cents / 1200.0 : NAN;
  }
  const long above = strtol(word, &end, 10);
  long below = 1;
  if (end == word) {
    return NAN;
  }
  const char* p = end + strspn(end, " \t");
  if (*p == '/') {
    ++p;
    below = strtol(p, &end, 10);
    if (end == p) {
      return NAN;
    }
  }
  return above > 0 && below > 0 ? jw_octaves_of((double)above / (double)below) : NAN;
}

typedef struct {
  double octaves[JW_TUNING_MAX_STEPS + 1]; ///< Of degree 0 to `count`
  long count;
} Scale;

static JwStatus read_scale(Lines* lines, Scale* scale) {
  if (!next(lines)) {
    return fail(lines, "wanted a description");
  }
  if (!next(lines) || !whole(lines->word, 1, JW_TUNING_MAX_STEPS, &scale->count)) {
    return fail(lines, "wanted the number of pitches, 1 to 1024");
  }
  scale->octaves[0] = 0.0;
  for (long i = 1; i <= scale->count; ++i) {
    const double octaves = next(lines) ? pitch(lines->word) : (double)NAN;
    if (!(fabs(octaves) < 100.0)) {
      return fail(lines, "wanted a pitch: cents with a dot, or a ratio");
    }
    scale->octaves[i] = octaves;
  }
  return JW_STATUS_OK;
}

typedef struct {
  long size, first, last, middle, reference, octave;
  double frequency;
  long degree[JW_TUNING_MAX_STEPS]; ///< LONG_MIN stands for x
} Map;

#define LEFT_OUT (-1000000L)

static JwStatus read_map(Lines* lines, Map* map) {
  struct {
    long* value;
    long low, high;
    const char* wanted;
  } const heads[] = {
      {&map->size, 0, JW_TUNING_MAX_STEPS, "wanted the size of the map, 0 to 1024"},
      {&map->first, 0, 127, "wanted the first key, 0 to 127"},
      {&map->last, 0, 127, "wanted the last key, 0 to 127"},
      {&map->middle, 0, 127, "wanted the middle key, 0 to 127"},
      {&map->reference, 0, 127, "wanted the reference key, 0 to 127"},
  };
  for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i) {
    if (!next(lines) || !whole(lines->word, heads[i].low, heads[i].high, heads[i].value)) {
      return fail(lines, heads[i].wanted);
    }
  }
  if (!next(lines) || !jw_number_read(lines->word, &map->frequency)
      || !(map->frequency > 0.0 && map->frequency < 1e6)) {
    return fail(lines, "wanted the reference frequency in Hz");
  }
  if (!next(lines) || !whole(lines->word, 0, JW_TUNING_MAX_STEPS, &map->octave)) {
    return fail(lines, "wanted the degree of the octave");
  }
  for (long i = 0; i < map->size; ++i) {
    // Entries that are missing at the end count as x
    const bool there = next(lines);
    if (!there || lines->word[0] == 'x' || lines->word[0] == 'X') {
      map->degree[i] = LEFT_OUT;
    } else if (!whole(lines->word, -10000, 10000, &map->degree[i])) {
      return fail(lines, "wanted a degree of the scale, or x");
    }
  }
  return JW_STATUS_OK;
}

static long floor_div(long a, long b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static double degree_octaves(const Scale* scale, long degree) {
  const long turn = floor_div(degree, scale->count);
  return (double)turn * scale->octaves[scale->count] + scale->octaves[degree - turn * scale->count];
}

// Octaves of a key above the middle key; NaN if left out.
static double key_octaves(const Scale* scale, const Map* map, long key) {
  const long steps = key - map->middle;
  if (map->size == 0) {
    return degree_octaves(scale, steps);
  }
  const long turn = floor_div(steps, map->size), degree = map->degree[steps - turn * map->size];
  if (degree == LEFT_OUT) {
    return NAN;
  }
  return (double)turn * degree_octaves(scale, map->octave ? map->octave : scale->count)
         + degree_octaves(scale, degree);
}

JwStatus jw_tuning_parse(const char* scale_text, const char* map_text, JwTuning* tuning,
                         char error[JW_ERROR_SIZE]) {
  char unread[JW_ERROR_SIZE];
  error = error ? error : unread;
  if (!scale_text || !tuning) {
    snprintf(error, JW_ERROR_SIZE, "no scale");
    return JW_STATUS_BAD_VALUE;
  }
  Scale* const scale = (Scale*)malloc(sizeof *scale);
  Map* const map = (Map*)malloc(sizeof *map);
  JwStatus status = scale && map ? JW_STATUS_OK : JW_STATUS_NO_MEMORY;
  if (status) {
    snprintf(error, JW_ERROR_SIZE, "no memory");
  } else {
    Lines lines = {.text = scale_text, .what = "scale", .error = error};
    status = read_scale(&lines, scale);
    map->size = map->first = map->octave = 0;
    map->last = 127;
    map->middle = map->reference = 60;
    map->frequency = 440.0 * jw_octaves_up(-0.75);
  }
  if (!status && map_text) {
    Lines lines = {.text = map_text, .what = "map", .error = error};
    status = read_map(&lines, map);
    if (!status && isnan(key_octaves(scale, map, map->reference))) {
      snprintf(error, JW_ERROR_SIZE, "map: the reference key %ld is left out", map->reference);
      status = JW_STATUS_BAD_VALUE;
    }
  }
  for (long key = 0; !status && key < 128; ++key) {
    const bool inside = key >= map->first && key <= map->last;
    const double octaves = key_octaves(scale, map, key) - key_octaves(scale, map, map->reference);
    const bool sounds = inside && !isnan(octaves); // Not left out
    tuning->frequency[key] = sounds ? map->frequency * jw_octaves_up(octaves) : (double)NAN;
  }
  free(scale);
  free(map);
  return status;
}

JwTuning jw_tuning_equal(void) {
  JwTuning tuning;
  for (int key = 0; key < 128; ++key) {
    tuning.frequency[key] = 440.0 * jw_octaves_up((key - 69) / 12.0);
  }
  return tuning;
}

static char* load_text(const char* path, char error[JW_ERROR_SIZE]) {
  size_t size;
  char* const text = (char*)jw_file_read(path, 65536, &size, error);
  if (text && memchr(text, 0, size)) {
    snprintf(error, JW_ERROR_SIZE, "%s: not a text", path);
    free(text);
    return NULL;
  }
  if (text) {
    text[size] = 0;
  }
  return text;
}

JwStatus jw_tuning_load(const char* scale_path, const char* map_path, JwTuning* tuning,
                        char error[JW_ERROR_SIZE]) {
  char unread[JW_ERROR_SIZE];
  error = error ? error : unread;
  if (!scale_path || !tuning) {
    snprintf(error, JW_ERROR_SIZE, "no scale");
    return JW_STATUS_BAD_VALUE;
  }
  char* const scale = load_text(scale_path, error);
  char* const map = scale && map_path ? load_text(map_path, error) : NULL;
  const JwStatus status =
      scale && (map || !map_path) ? jw_tuning_parse(scale, map, tuning, error) : JW_STATUS_IO;
  free(scale);
  free(map);
  return status;
}
