// SPDX-License-Identifier: MIT
// The outputs of a rendering: what they are called, and that none takes the place of another or of
// what is read.

#include "identity.h"
#include "job.h"

#include <string.h>

#define MOST_OUTPUTS (4 + JW_TOOL_LIST_MOST)

static bool is_output(const JwJobOptions* options, const char* path) {
  return options->output && strcmp(options->output, path) == 0 && jw_tool_ends(path, ".h5");
}

// Energy and fields may go into an output that is HDF5.
static uint32_t list_outputs(const JwJobOptions* options, const char* paths[MOST_OUTPUTS]) {
  const char* const energy =
      options->energy && is_output(options, options->energy) ? NULL : options->energy;
  const char* const single[] = {options->output, energy, options->stats, options->plot};
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof single / sizeof single[0]; ++i) {
    paths[count] = single[i];
    count += single[i] != NULL;
  }
  for (uint32_t i = 0; i < options->fields.count; ++i) {
    const char* const equals = strchr(options->fields.items[i], '=');
    if (equals && !(options->output && strcmp(options->output, equals + 1) == 0)) {
      paths[count++] = equals + 1;
    }
  }
  return count;
}

bool jw_outputs_use_stdout(const JwJobOptions* options) {
  const char* paths[MOST_OUTPUTS];
  const uint32_t count = list_outputs(options, paths);
  bool uses = false;
  for (uint32_t i = 0; i < count; ++i) {
    uses = uses || strcmp(paths[i], "-") == 0;
  }
  return uses;
}

// No output may take the place of another.
bool jw_outputs_differ(const JwJobOptions* options) {
  const char* paths[MOST_OUTPUTS];
  const uint32_t count = list_outputs(options, paths);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (strcmp(paths[i], "-") == 0 && strcmp(paths[j], "-") == 0) {
        return jw_tool_fail("only one output can be \"-\"");
      }
      if (strcmp(paths[i], paths[j]) == 0) {
        return jw_tool_fail("two outputs are called %s", paths[i]);
      }
      if (strcmp(paths[i], "-") != 0 && strcmp(paths[j], "-") != 0
          && jw_same_file(paths[i], paths[j])) {
        return jw_tool_fail("%s and %s are one file", paths[j], paths[i]);
      }
    }
  }
  return true;
}

// Without pickups an HDF5 output still holds energy and fields.
bool jw_outputs_hold_more(const JwJobOptions* options) {
  bool more = options->energy && is_output(options, options->energy);
  for (uint32_t i = 0; i < options->fields.count; ++i) {
    const char* const equals = strchr(options->fields.items[i], '=');
    more = more || !equals || is_output(options, equals + 1);
  }
  return more && jw_tool_ends(options->output, ".h5");
}

bool jw_outputs_write_more(const JwJobOptions* options) {
  return options->energy || options->fields.count || options->plot || options->stats;
}

bool jw_outputs_spare_inputs(const JwJob* job) {
  const JwJobOptions* const options = job->options;
  const char* const songs[] = {options->midi, options->scale, options->map};
  const char* paths[MOST_OUTPUTS];
  const uint32_t count = list_outputs(options, paths);
  JwReadFiles files;
  bool good = jw_read_files(&files, options->scene, options->wish.folder, job->scene);
  for (size_t i = 0; i < sizeof songs / sizeof songs[0]; ++i) {
    if (songs[i] && files.count < JW_READ_MOST) {
      files.paths[files.count++] = songs[i];
    }
  }
  for (uint32_t i = 0; i < count && good; ++i) {
    good = jw_keeps_inputs(&files, paths[i]);
  }
  jw_read_files_free(&files);
  return good;
}
