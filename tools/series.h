// SPDX-License-Identifier: MIT
// series.h: what `jawari sweep` and `jawari dataset` have in common: a small file says what is computed many times.
#ifndef JAWARI_TOOL_SERIES_H
#define JAWARI_TOOL_SERIES_H

#include "outfile.h"
#include "sweep.h"
#include "tool.h"

/// Its rows in a verb's table; WHAT are "Points" or "Sounds".
#define JW_OPTION_WORKERS(FIELD, WHAT)                                                             \
  {                                                                                                \
    "--workers", "-j", "N", WHAT " computed side by side; without it, one a core.",                \
        JW_OPTION_COUNT, FIELD, 1, 1024, NULL                                                      \
  }
#define JW_OPTION_SILENT(FIELD)                                                                    \
  { "--quiet", "-q", NULL, "No progress, no closing line.", JW_OPTION_FLAG, FIELD, 0, 0, NULL }

/// The text of the file, to be freed, and the folder from which it names scenes.  Prints what is wrong.
bool jw_series_read(const char* file, char** text, size_t* size, char folder[PATH_MAX]);

/// Print why it was refused; the exit status.
int jw_series_refused(JwStatus status, const char* error);

/// "dir/train.json" goes into "train" and an ending, where the command is given.  Prints what is wrong.
bool jw_series_output(const char* file, const char* ending, char path[PATH_MAX]);

void jw_series_print_axes(const JwSweep* sweep);

#endif // JAWARI_TOOL_SERIES_H
