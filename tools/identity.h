// SPDX-License-Identifier: MIT
// identity.h: which file a path leads to, whatever its spelling.
#ifndef JAWARI_TOOL_IDENTITY_H
#define JAWARI_TOOL_IDENTITY_H

#include "tool.h"

#define JW_READ_MOST (JW_SCENE_MAX_INCLUDES + 8)

/// Everything that a command reads.
typedef struct {
  const char* paths[JW_READ_MOST];
  uint32_t count;
  char* joined[JW_READ_MOST]; ///< Those of `paths` that are to be freed
} JwReadFiles;

/// The scene by its name and what it includes from `folder`; false without memory, which is said.
bool jw_read_files(JwReadFiles* files, const char* name, const char* folder, const JwScene* scene);
void jw_read_files_free(JwReadFiles* files);

/// Do two paths lead to one regular file, or would they?  A path that leads nowhere yet is known by
/// its folder and name.
bool jw_same_file(const char* a, const char* b);

/// False, after saying so, where writing `output` would take the place of something that is read.
bool jw_keeps_inputs(const JwReadFiles* files, const char* output);

#endif // JAWARI_TOOL_IDENTITY_H
