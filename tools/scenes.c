// SPDX-License-Identifier: MIT
// jawari scenes: what is built in.

#include "tool.h"

#include <jawari/builtin.h>

#include <string.h>

typedef struct {
  bool names;
  const char* show;
} Fields;

static const JwOption options[] = {
    {"--names", NULL, NULL, "Names only, one a line.", JW_OPTION_FLAG, offsetof(Fields, names), 0,
     0, NULL},
    {"--show", NULL, "NAME", "Print the text of a scene, to start from.", JW_OPTION_TEXT,
     offsetof(Fields, show), 0, 0, NULL},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int show(const char* name) {
  const JwBuiltinScene* const scene = jw_builtin_find(name);
  if (!scene) {
    jw_tool_fail("there is no built-in scene \"%s\"; `jawari scenes` names them", name);
    return JW_EXIT_FAILED;
  }
  fwrite(scene->text, 1, scene->size, stdout);
  return JW_EXIT_OK;
}

static int run(int argc, char** argv) {
  Fields fields = {false, NULL};
  const JwParsed parsed = jw_tool_parse(&jw_verb_scenes, &argc, argv, &fields);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc > 1) {
    jw_tool_fail("scenes takes no \"%s\"; to see one: jawari scenes --show %s", argv[1], argv[1]);
    return JW_EXIT_USAGE;
  }
  if (fields.show) {
    return show(fields.show);
  }
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if (fields.names) {
      printf("%s\n", scenes[i].name);
    } else {
      printf("%-24s %s\n", scenes[i].name, scenes[i].title);
    }
  }
  return JW_EXIT_OK;
}

const JwVerb jw_verb_scenes = {
    .name = "scenes",
    .summary = "the built-in scenes",
    .usage = "",
    .about =
        "Lists the scenes that the program carries; each can be rendered by its name, from anywhere.",
    .examples =
        "jawari scenes # names and titles\n"
        "jawari scenes --show tromba-marina > mine.json # a copy to change\n"
        "for s in $(jawari scenes --names); do jawari render $s; done # all of them, here\n",
    .options = options,
    .run = run,
};
