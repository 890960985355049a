// SPDX-License-Identifier: MIT
// Read a command line by a verb's table; print its help.

#include "tool.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- find

static bool is_called(const JwOption* option, const char* word, size_t length) {
  return (strlen(option->name) == length && memcmp(option->name, word, length) == 0)
         || (option->letter && length == 2 && memcmp(option->letter, word, 2) == 0);
}

static const JwOption* find(const JwVerb* verb, const char* word, size_t length) {
  for (const JwOption* option = verb->options; option->name; ++option) {
    if (is_called(option, word, length)) {
      return option;
    }
  }
  return NULL;
}

static void unknown(const JwVerb* verb, const char* word) {
  const JwOption* nearest = NULL;
  uint32_t best = 4;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  for (const JwOption* option = verb->options; option->name; ++option) {
    const bool begins =
        strlen(name) > 2 && strncmp(option->name, name, strlen(name)) == 0; // An abbreviation
    const uint32_t distance = begins ? 0 : jw_tool_distance(option->name, name);
    if (distance < best) {
      best = distance;
      nearest = option;
    }
  }
  if (nearest) {
    jw_tool_fail("%s has no option \"%s\"; did you mean \"%s\"?", verb->name, name, nearest->name);
  } else {
    jw_tool_fail("%s has no option \"%s\"; `jawari %s --help` names them", verb->name, name,
                 verb->name);
  }
}

// ---------------------------------------------------------------- values

// A whole word that is a plain decimal number: no hexadecimal, no "nan", no "inf".
static bool read_number(const char* text, double* value) {
  char* end = NULL;
  errno = 0;
  *value = strtod(text, &end);
  return *text && strspn(text, "0123456789+-.eE") == strlen(text) && *end == '\0'
         && isfinite(*value);
}

static bool number(const JwOption* option, const char* text, double* value) {
  if (!read_number(text, value)) {
    return jw_tool_fail("%s wants a number, not \"%s\"", option->name, text);
  }
  if (option->type == JW_OPTION_COUNT && *value != floor(*value)) {
    return jw_tool_fail("%s wants a whole number, not %s", option->name, text);
  }
  if (!(*value >= option->minimum && *value <= option->maximum)) {
    return jw_tool_fail("%s is %s, must be %g to %g", option->name, text, option->minimum,
                        option->maximum);
  }
  return true;
}

static bool is_choice(const JwOption* option, const char* text) {
  const char* const* const choices = option->choices();
  for (uint32_t i = 0; choices[i]; ++i) {
    if (strcmp(choices[i], text) == 0) {
      return true;
    }
  }
  char list[200] = "";
  for (uint32_t i = 0; choices[i]; ++i) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
  }
  return jw_tool_fail("%s cannot be \"%s\"; it is one of %s", option->name, text, list);
}

static bool put(const JwOption* option, const char* text, void* fields) {
  void* const field = (char*)fields + option->offset;
  double value = 0.0;
  switch (option->type) {
  case JW_OPTION_FLAG: *(bool*)field = true; return true;
  case JW_OPTION_TEXT: *(const char**)field = text; return true;
  case JW_OPTION_CHOICE: *(const char**)field = text; return is_choice(option, text);
  case JW_OPTION_NUMBER: return number(option, text, (double*)field);
  case JW_OPTION_COUNT:
    if (!number(option, text, &value)) {
      return false;
    }
    *(uint32_t*)field = (uint32_t)value;
    return true;
  case JW_OPTION_LIST: {
    JwToolList* const list = (JwToolList*)field;
    if (list->count == JW_TOOL_LIST_MOST) {
      return jw_tool_fail("%s is given more than %d times", option->name, JW_TOOL_LIST_MOST);
    }
    list->items[list->count++] = text;
    return true;
  }
  }
  return false;
}

// ---------------------------------------------------------------- parse

// A value that stands in the same word, or is the next word.
static bool take_value(const JwOption* option, const char* attached, char** argv, int* i,
                       void* fields) {
  if (!attached && !argv[*i + 1]) {
    return jw_tool_fail("%s wants a value: %s %s", option->name, option->name, option->value);
  }
  const char* const text = attached ? attached : argv[++*i];
  return *text ? put(option, text, fields)
               : jw_tool_fail("%s is given an empty value", option->name);
}

// Letters in one word: flags, and at the end perhaps one with its value (-qd0.1, -qd 0.1, -d=0.1).
static bool take_letters(const JwVerb* verb, char** argv, int* i, void* fields) {
  for (const char* letter = argv[*i] + 1; *letter; ++letter) {
    const char word[3] = {'-', *letter, '\0'};
    const JwOption* const option = find(verb, word, 2);
    if (!option) {
      unknown(verb, letter == argv[*i] + 1 ? argv[*i] : word);
      return false;
    }
    if (option->type != JW_OPTION_FLAG) {
      return take_value(option, letter[1] ? letter + 1 + (letter[1] == '=') : NULL, argv, i,
                        fields);
    }
    if (letter[1] == '=') {
      return jw_tool_fail("%s takes no value", option->name);
    }
    put(option, NULL, fields);
  }
  return true;
}

// One option word and perhaps the next; false when wrong.
static bool take(const JwVerb* verb, char** argv, int* i, void* fields) {
  const char* const word = argv[*i];
  const size_t length = strcspn(word, "=");
  if (word[1] != '-') {
    return take_letters(verb, argv, i, fields);
  }
  const JwOption* const option = find(verb, word, length);
  if (!option) {
    unknown(verb, word);
    return false;
  }
  if (option->type == JW_OPTION_FLAG) {
    return word[length] == '=' ? jw_tool_fail("%s takes no value", option->name)
                               : put(option, NULL, fields);
  }
  return take_value(option, word[length] == '=' ? word + length + 1 : NULL, argv, i, fields);
}

JwParsed jw_tool_parse(const JwVerb* verb, int* argc, char** argv, void* fields) {
  int operands = 1;
  bool only_operands = false;
  for (int i = 1; i < *argc; ++i) {
    char* const word = argv[i];
    if (only_operands || word[0] != '-' || word[1] == '\0') {
      argv[operands++] = word;
    } else if (strcmp(word, "--") == 0) {
      only_operands = true;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      jw_tool_help(verb, stdout);
      return JW_PARSED_HELP;
    } else if (!take(verb, argv, &i, fields)) {
      return JW_PARSED_WRONG;
    }
  }
  *argc = operands;
  return JW_PARSED;
}

JwParsed jw_tool_parse_one(const JwVerb* verb, int argc, char** argv, void* fields,
                           const char* says) {
  const JwParsed parsed = jw_tool_parse(verb, &argc, argv, fields);
  if (parsed != JW_PARSED || argc == 2) {
    return parsed;
  }
  if (argc > 2) {
    jw_tool_fail("%s takes one %s, and \"%s\" is one more", verb->name, says ? "file" : "scene",
                 argv[2]);
  } else if (says) {
    jw_tool_fail("%s wants a file that says %s: see docs/sweeps.md", verb->name, says);
  } else {
    jw_tool_fail("%s wants a scene: a file, or a name that `jawari scenes` shows", verb->name);
  }
  return JW_PARSED_WRONG;
}

// ---------------------------------------------------------------- help

// Words broken into lines of at most 78 columns, indented; an empty line between paragraphs.
static void wrap(FILE* file, const char* text, uint32_t indent, uint32_t column) {
  while (*text) {
    const size_t length = strcspn(text, " \n");
    if (column > indent && column + length + 1 > 78) {
      fprintf(file, "\n%*s", (int)indent, "");
      column = indent;
    }
    fprintf(file, "%s%.*s", column > indent ? " " : "", (int)length, text);
    column += (uint32_t)length + (column > indent);
    text += length;
    if (*text == '\n') {
      fprintf(file, "\n%*s", (int)indent, "");
      column = indent;
    }
    text += *text != '\0';
  }
  fputs("\n", file);
}

static void option_help(FILE* file, const JwOption* option) {
  char head[64];
  snprintf(head, sizeof head, "  %s%s%s%s%s", option->letter ? option->letter : "",
           option->letter ? ", " : "", option->name, option->value ? " " : "",
           option->value ? option->value : "");
  fprintf(file, "%-26s", head);
  if (strlen(head) > 25) {
    fprintf(file, "\n%26s", "");
  }
  wrap(file, option->help, 26, 26);
}

void jw_tool_help(const JwVerb* verb, FILE* file) {
  fprintf(file, "jawari %s: %s\n\nusage: jawari %s%s%s%s\n\n", verb->name, verb->summary,
          verb->name, verb->usage[0] ? " " : "", verb->usage,
          verb->options[0].name ? " [options]" : "");
  wrap(file, verb->about, 0, 0);
  for (const JwOption* option = verb->options; option->name; ++option) {
    fputs(option == verb->options ? "\noptions:\n" : "", file);
    option_help(file, option);
  }
  fputs("\nexamples:\n", file);
  for (const char* line = verb->examples; *line;) {
    const char* const end = strchr(line, '\n');
    const size_t length = strcspn(line, "#\n");
    const size_t shown = length && line[length] == '#' ? length - 1 : length;
    fprintf(file, "  %.*s\n", (int)shown, line);
    if (line[length] == '#') {
      fprintf(file, "      %.*s\n", (int)(end - line - (long)length - 2), line + length + 2);
    }
    line = end + 1;
  }
}
