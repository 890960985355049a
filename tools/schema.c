// jawari schema: what an editor needs to know of scenes.

#include "tool.h"

#include <jawari/builtin.h>

static const JwOption options[] = {
  {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int run(int argc, char** argv)
{
  const JwParsed parsed = jw_tool_parse(&jw_verb_schema, &argc, argv, NULL);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc > 1) {
    jw_tool_fail("schema takes no \"%s\"", argv[1]);
    return JW_EXIT_USAGE;
  }
  fputs(jw_scene_schema(), stdout);
  return JW_EXIT_OK;
}

const JwVerb jw_verb_schema = {
  .name = "schema",
  .summary = "the JSON Schema of scenes, for editors",
  .usage = "",
  .about = "Prints the JSON Schema of the scene format: editors that know it complete keys and mark what is wrong.",
  .examples = "jawari schema > jawari.schema.json # then \"$schema\": \"jawari.schema.json\" in a scene\n",
  .options = options,
  .run = run,
};
