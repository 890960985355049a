// SPDX-License-Identifier: MIT
// folder.h: a folder that appears whole or not at all; outfile.h for more than one file.
#ifndef JAWARI_TOOL_FOLDER_H
#define JAWARI_TOOL_FOLDER_H

#include "outfile.h"

#include <stddef.h>

typedef struct {
  char name[PATH_MAX]; ///< As the user knows it, without a slash at its end
  char part[PATH_MAX]; ///< The temporary folder beside it; "" while there is none
  bool replaces;       ///< There is one of this name, to be replaced
} JwOutFolder;

/// Make the temporary folder.  One of this name is replaced if it holds `mark`; anything else there
/// is refused.  Prints what is wrong.
bool jw_folder_open(JwOutFolder* folder, const char* path, const char* mark);

/// The path of a file in the temporary folder; its own folders are made.  False when it is too
/// long, or they cannot be made.
bool jw_folder_path(const JwOutFolder* folder, const char* name, char path[PATH_MAX]);

/// Write a file there.  Prints what is wrong.
bool jw_folder_write(const JwOutFolder* folder, const char* name, const void* data, size_t size);

/// Give it its name; whatever happens, nothing temporary is left.
bool jw_folder_commit(JwOutFolder* folder);

/// Take everything back.
void jw_folder_cancel(JwOutFolder* folder);

#endif // JAWARI_TOOL_FOLDER_H
