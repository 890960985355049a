// SPDX-License-Identifier: MIT
// outfile.h: a file that appears whole or not at all.
//
// What is written goes into a temporary file beside the target and takes its name at the end.  "-",
// and targets that are no regular files (a pipe, a device), get a copy of the bytes instead.
#ifndef JAWARI_TOOL_OUTFILE_H
#define JAWARI_TOOL_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

typedef struct {
  char name[PATH_MAX];   ///< As the user knows it
  char target[PATH_MAX]; ///< Links followed
  char part[PATH_MAX];   ///< The temporary file; "" while there is none
  int fd;                ///< Of the temporary file
  bool copies;
} JwOutFile;

/// Create the temporary file.  Prints what is wrong.
bool jw_out_open(JwOutFile* out, const char* path);

/// Give the file its name, or copy it.  Whatever happens, no temporary file is left.
bool jw_out_commit(JwOutFile* out);

/// Take everything back.
void jw_out_cancel(JwOutFile* out);

/// A stream on the temporary file; closing it leaves the file to commit or cancel.
FILE* jw_out_stream(JwOutFile* out);

/// A stream on the target itself, which is no regular file; nothing is left to commit.  NULL after
/// printing why.
FILE* jw_out_direct(JwOutFile* out);

/// Scratch space in the folder of `path` that vanishes when closed; NULL after printing why.
FILE* jw_out_scratch(const char* path);

/// Remove every temporary file of this process at once; for a signal handler.
void jw_out_abandon(void);

#endif // JAWARI_TOOL_OUTFILE_H
