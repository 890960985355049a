// SPDX-License-Identifier: MIT
// jawari check: every error of every file, and nothing else.

#include "tool.h"

typedef struct {
  bool strict;
  JwSceneWish wish;
} Options;

static const JwOption options[] = {
    JW_OPTION_WISH(offsetof(Options, wish)),
    JW_OPTION_STRICT(offsetof(Options, strict)),
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

// What the parser accepts must also build and prepare.
static int build(const char* name, JwScene* scene) {
  const JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  JwStatus status = jw_scene_build(scene, &def, &world);
  if (status) {
    jw_tool_print_errors(scene);
    return status == JW_STATUS_NO_MEMORY ? JW_EXIT_FAILED : JW_EXIT_SCENE;
  }
  status = jw_world_prepare(world);
  if (status) {
    jw_tool_fail("%s: %s", name, jw_world_error(world));
  } else {
    jw_tool_print_warnings(scene, world);
  }
  jw_world_destroy(world);
  return !status ? JW_EXIT_OK : status == JW_STATUS_NO_MEMORY ? JW_EXIT_FAILED : JW_EXIT_SCENE;
}

static int check(const char* name, const JwSceneWish* wish) {
  JwScene* scene = NULL;
  const uint32_t before = jw_tool_warnings();
  int status = jw_tool_open(name, wish, &scene);
  status = status ? status : build(name, scene);
  jw_scene_destroy(scene);
  if (!status) {
    printf("%s: %s\n", name, jw_tool_warnings() > before ? "good, with warnings" : "good");
  }
  return status;
}

static int run(int argc, char** argv) {
  Options o = {.strict = false};
  const JwParsed parsed = jw_tool_parse(&jw_verb_check, &argc, argv, &o);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc < 2) {
    jw_tool_fail("check wants one scene or more");
    return JW_EXIT_USAGE;
  }
  int worst = JW_EXIT_OK;
  for (int i = 1; i < argc; ++i) {
    const int status = check(argv[i], &o.wish);
    worst = status > worst ? status : worst;
  }
  return jw_tool_close_warnings(o.strict, worst);
}

const JwVerb jw_verb_check = {
    .name = "check",
    .summary = "say what is wrong with scenes",
    .usage = "SCENE...",
    .about =
        "Reads scenes and builds them, without computing any sound. Every error of a file is shown at once, as "
        "compilers do: file:line:column: error: message, then the line with a caret. A warning is about what is "
        "allowed but probably not meant: what cannot be heard, what starts with energy, a bow that cannot make its "
        "string speak. The exit status is 0 when all are good and 3 when one is not, with --strict also when "
        "there is a warning.",
    .examples = "jawari check my.json # one file\n"
                "jawari check scenes/*.json # many\n"
                "jawari scenes --show tromba-marina | jawari check - # standard input\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
