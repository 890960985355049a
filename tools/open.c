// SPDX-License-Identifier: MIT
// Find and read a scene by the name given on the command line.

#include "tool.h"

#include <jawari/builtin.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Scenes are at most 1 MiB (docs/scene-format.md, Limits); one byte more shows that there is more.
#define MOST_BYTES (1024u * 1024u + 1u)

// "file:1:2: error: message", with the word in colour.
static void print_diagnostic(const JwDiagnostic* diagnostic) {
  const size_t size = jw_diagnostic_format(diagnostic, NULL, 0) + 1;
  char* const text = (char*)malloc(size);
  if (!text) {
    return;
  }
  jw_diagnostic_format(diagnostic, text, size);
  const char* const word = diagnostic->warning ? ": warning: " : ": error: ";
  const char* const colored =
      diagnostic->warning ? ": \033[1;35mwarning:\033[0m " : ": \033[1;31merror:\033[0m ";
  const char* const at = strstr(text, word);
  if (jw_tool_colors(stderr) && at) {
    fprintf(stderr, "%.*s%s%s", (int)(at - text), text, colored, at + strlen(word));
  } else {
    fputs(text, stderr);
  }
  if (size > 1 && text[size - 2] != '\n') {
    fputs("\n", stderr);
  }
  free(text);
}

void jw_tool_print_errors(const JwScene* scene) {
  const uint32_t count = jw_scene_diagnostics(scene);
  for (uint32_t i = 0; i < count; ++i) {
    const JwDiagnostic diagnostic = jw_scene_diagnostic(scene, i);
    print_diagnostic(&diagnostic);
  }
}

void jw_tool_print_warnings(JwScene* scene, JwWorld* world) {
  jw_scene_warn(scene, world);
  const uint32_t count = jw_scene_warnings(scene);
  for (uint32_t i = 0; i < count; ++i) {
    const JwDiagnostic diagnostic = jw_scene_warning(scene, i);
    print_diagnostic(&diagnostic);
    jw_tool_count_warning();
  }
}

// From a stream, which can be read once only; it includes from the folder that was named.
static JwStatus read_stream(FILE* file, const JwSceneOptions* options, const char* folder,
                            JwScene** scene) {
  char* const text = (char*)malloc(MOST_BYTES);
  if (!text) {
    return JW_STATUS_NO_MEMORY;
  }
  const size_t size = fread(text, 1, MOST_BYTES, file);
  if (ferror(file)) {
    free(text);
    return JW_STATUS_IO;
  }
  const JwStatus status = jw_scene_parse_in(folder, text, size, options, scene);
  free(text);
  return status;
}

static JwStatus read_pipe(const char* name, const JwSceneOptions* options, const char* folder,
                          JwScene** scene) {
  FILE* const file = fopen(name, "rb");
  if (!file) {
    return JW_STATUS_IO;
  }
  const JwStatus status = read_stream(file, options, folder, scene);
  fclose(file);
  return status;
}

static int not_found(const char* name) {
  uint32_t count = 0, best = 4;
  const char* nearest = NULL;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t distance = jw_tool_distance(scenes[i].name, name);
    if (distance < best) {
      best = distance;
      nearest = scenes[i].name;
    }
  }
  if (nearest) {
    jw_tool_fail("there is no file and no built-in scene \"%s\"; did you mean \"%s\"?", name,
                 nearest);
  } else {
    jw_tool_fail("there is no file and no built-in scene \"%s\"; `jawari scenes` names them", name);
  }
  return JW_EXIT_FAILED;
}

int jw_tool_open(const char* name, const JwSceneWish* wish, JwScene** scene) {
  JwSceneOptions options = jw_scene_options();
  const bool stream = strcmp(name, "-") == 0;
  options.file = stream ? "<stdin>" : name;
  options.sets = wish->sets.items;
  options.set_count = wish->sets.count;
  struct stat about;
  JwStatus status = JW_STATUS_OK;
  const JwBuiltinScene* const builtin = jw_builtin_find(name);
  const bool exists = stat(name, &about) == 0;
  *scene = NULL;
  errno = 0;
  if (stream) {
    status = read_stream(stdin, &options, wish->folder, scene);
  } else if (exists && S_ISDIR(about.st_mode) && !builtin) {
    jw_tool_fail("%s is a folder, not a scene", name);
    return JW_EXIT_FAILED;
  } else if (exists && S_ISREG(about.st_mode)) {
    status =
        jw_scene_load(name, &options, scene); // A file comes before a built-in scene of its name
  } else if (exists && !S_ISDIR(about.st_mode)) {
    status = read_pipe(name, &options, wish->folder, scene);
  } else if (builtin) {
    status = jw_builtin_load(builtin->name, &options, scene);
  } else {
    return not_found(name);
  }
  if (status && *scene && jw_scene_diagnostics(*scene)) {
    jw_tool_print_errors(*scene);
    return status == JW_STATUS_IO ? JW_EXIT_FAILED : JW_EXIT_SCENE;
  }
  if (status && jw_stop_wanted()) {
    return JW_EXIT_STOPPED;
  }
  if (status) {
    jw_tool_fail("cannot read %s: %s", name, errno ? strerror(errno) : jw_status_name(status));
    return JW_EXIT_FAILED;
  }
  return JW_EXIT_OK;
}

bool jw_tool_read(const char* path, char** text, size_t* size) {
  const size_t most = MOST_BYTES;
  FILE* const file = fopen(path, "rb");
  *text = (char*)malloc(most + 1);
  if (!file || !*text) {
    jw_tool_fail("cannot read %s: %s", path, file ? "no memory" : strerror(errno));
    return file && fclose(file) && false;
  }
  *size = fread(*text, 1, most, file);
  const bool good = !ferror(file) || jw_tool_fail("cannot read %s: %s", path, strerror(errno));
  fclose(file);
  (*text)[*size] = '\0';
  return good;
}
