// SPDX-License-Identifier: MIT
// jawari schema: the JSON Schema of scenes, for editors.

#include "schema_text.h"
#include "tool.h"

static const JwOption options[] = {
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int run(int argc, char** argv) {
  char none = 0;
  const JwParsed parsed = jw_tool_parse(&jw_verb_schema, &argc, argv, &none);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc > 1) {
    jw_tool_fail("schema takes nothing, and \"%s\" is something", argv[1]);
    return JW_EXIT_USAGE;
  }
  fwrite(jw_schema_text, 1, sizeof jw_schema_text, stdout);
  return JW_EXIT_OK;
}

const JwVerb jw_verb_schema = {
    .name = "schema",
    .summary = "the JSON Schema of scenes, for editors",
    .usage = "",
    .about =
        "Prints the JSON Schema by which editors complete and check scenes: every key with its meaning, unit and range. A scene "
        "names it as \"$schema\".",
    .examples =
        "jawari schema > jawari.schema.json # beside your scenes, which then say \"$schema\": \"jawari.schema.json\"\n",
    .options = options,
    .run = run,
};
