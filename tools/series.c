// SPDX-License-Identifier: MIT
// What verbs do that compute a scene many times, as a small file says.

#include "series.h"

#include <string.h>

bool jw_series_read(const char* file, char** text, size_t* size, char folder[PATH_MAX]) {
  const char* const slash = strrchr(file, '/');
  const int length = slash ? (int)(slash - file) + (slash == file) : 1;
  return jw_tool_read(file, text, size)
         && (snprintf(folder, PATH_MAX, "%.*s", length, slash ? file : ".") < PATH_MAX
             || jw_tool_fail("%s: the path is too long", file));
}

int jw_series_refused(JwStatus status, const char* error) {
  if (status == JW_STATUS_NO_MEMORY) {
    jw_tool_fail("no memory");
    return JW_EXIT_FAILED;
  }
  fprintf(stderr, "%s%s", error, *error && error[strlen(error) - 1] == '\n' ? "" : "\n");
  return JW_EXIT_SCENE;
}

bool jw_series_output(const char* file, const char* ending, char path[PATH_MAX]) {
  const char* const slash = strrchr(file, '/');
  const char* const name = slash ? slash + 1 : file;
  const size_t length = strlen(name) - (jw_tool_ends(name, ".json") ? strlen(".json") : 0);
  return snprintf(path, PATH_MAX, "%.*s%s", (int)length, name, ending) < PATH_MAX
         || jw_tool_fail("%s: the path is too long", file);
}

void jw_series_print_axes(const JwSweep* sweep) {
  for (uint32_t i = 0; i < jw_sweep_axes(sweep); ++i) {
    printf("  varies  %-24s %s\n", jw_sweep_axis_name(sweep, i), jw_sweep_axis_unit(sweep, i));
  }
}
