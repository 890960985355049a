// SPDX-License-Identifier: MIT
// Messages, nearest words, colours.

#include "tool.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool jw_tool_colors(FILE* file) {
  const char* const no = getenv("NO_COLOR");
  const char* const terminal = getenv("TERM");
  return isatty(fileno(file)) && !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
}

static void say(const char* format, va_list arguments) {
  fputs(jw_tool_colors(stderr) ? "\033[1;31mjawari:\033[0m " : "jawari: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
}

bool jw_tool_fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  return false;
}

static bool misused;

int jw_tool_failure(void) {
  return misused ? JW_EXIT_USAGE : JW_EXIT_FAILED;
}

bool jw_tool_misuse(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  misused = true;
  return false;
}

const char* jw_tool_cause(void) {
  return errno ? strerror(errno) : "the disk may be full";
}

static uint32_t warnings;

void jw_tool_count_warning(void) {
  ++warnings;
}
uint32_t jw_tool_warnings(void) {
  return warnings;
}

void jw_tool_warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs(jw_tool_colors(stderr) ? "jawari: \033[1;35mwarning:\033[0m " : "jawari: warning: ",
        stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
  va_end(arguments);
  jw_tool_count_warning();
}

int jw_tool_close_warnings(bool strict, int status) {
  if (warnings == 0) {
    return status;
  }
  fprintf(stderr, "jawari: %u warning%s%s\n", warnings, warnings > 1 ? "s" : "",
          strict ? ", which --strict makes errors" : "");
  return strict && status == JW_EXIT_OK ? JW_EXIT_SCENE : status;
}

bool jw_tool_ends(const char* path, const char* ending) {
  const size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool jw_tool_ending(const char* option, const char* path, const char* endings) {
  struct stat about;
  if (strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode))) {
    return true;
  }
  char ending[16];
  for (const char* at = endings; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    snprintf(ending, sizeof ending, "%.*s", (int)length, at);
    if (jw_tool_ends(path, ending)) {
      return true;
    }
    at += length;
  }
  return jw_tool_fail("%s: the ending says how to write, and of %s must be %s", path, option,
                      endings);
}

#define LONGEST 40

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Rows of the usual table, two back for swapped neighbours.
uint32_t jw_tool_distance(const char* a, const char* b) {
  const size_t n = strlen(a), m = strlen(b);
  uint32_t row[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) {
    return UINT32_MAX;
  }
  for (size_t i = 0; i <= n; ++i) {
    for (size_t j = 0; j <= m; ++j) {
      if (i == 0 || j == 0) {
        row[i][j] = (uint32_t)(i + j);
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      row[i][j] = least(row[i - 1][j - 1] + !same, 1 + least(row[i - 1][j], row[i][j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[i][j] = least(row[i][j], row[i - 2][j - 2] + 1);
      }
    }
  }
  return row[n][m];
}

void jw_tool_note(double frequency, char text[24]) {
  static const char* const names[] = {"C",  "C#", "D",  "D#", "E",  "F",
                                      "F#", "G",  "G#", "A",  "A#", "B"};
  const double semitones = 69.0 + 12.0 * log2(frequency / 440.0);
  const int nearest = (int)lround(semitones);
  const int cents = (int)lround(100.0 * (semitones - nearest));
  if (nearest < 0 || nearest > 140) {
    text[0] = '\0';
  } else {
    snprintf(text, 24, "%s%d %+d", names[nearest % 12], nearest / 12 - 1, cents);
  }
}
