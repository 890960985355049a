// SPDX-License-Identifier: MIT
// h5.h: growing tables in an HDF5 file, with their dimension scales.
#ifndef JAWARI_TOOL_H5_H
#define JAWARI_TOOL_H5_H

#include "origin.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct JwH5File JwH5File;
typedef struct JwH5Table JwH5Table;

#define JW_H5_RANK 4

typedef enum {
  JW_H5_DOUBLES,
  JW_H5_FLOATS,
  JW_H5_TEXTS ///< Of JW_H5_TEXT bytes each, ended by a zero
} JwH5Type;

#define JW_H5_TEXT 256

/// What rows are, and where: with `count` they are those of other files, under the same path.
typedef struct {
  JwH5Type type;
  const char* const* files; ///< Relative to the file that names them
  const uint64_t* rows;     ///< Of each
  uint32_t count;           ///< 0: the table holds its rows itself
} JwH5Rows;

/// A dataset.  Its scales, one a dimension, are made before it; its first dimension grows with what
/// is appended.
typedef struct {
  const char* path;              ///< "group/name"; groups are made if needed
  const char* units;             ///< SI; "1" for a number
  const char* long_name;         ///< What it is, in words
  JwH5Table* scales[JW_H5_RANK]; ///< NULL ends them; none: this is a scale itself
} JwH5Def;

/// NULL when it cannot be written.  An existing file is emptied.
JwH5File* jw_h5_create(const char* path, const JwOrigin* origin);

/// True when everything reached the file.
bool jw_h5_close(JwH5File* file);

/// NULL on failure; belongs to the file.
JwH5Table* jw_h5_table(JwH5File* file, const JwH5Def* def);
JwH5Table* jw_h5_table_of(JwH5File* file, const JwH5Def* def, const JwH5Rows* rows);

/// Values are of the table's type.
bool jw_h5_append(JwH5Table* table, const void* values, uint32_t rows);

/// A scale whose numbers are known, and one that counts names, which it keeps as its attribute
/// `names`.
JwH5Table* jw_h5_scale(JwH5File* file, const JwH5Def* def, const double* values, uint32_t count);
JwH5Table* jw_h5_names(JwH5File* file, const JwH5Def* def, const char* const* names,
                       uint32_t count);

bool jw_h5_text(JwH5Table* table, const char* key, const char* text);

/// The same of the whole file; and read one, to be freed: NULL where there is none.
bool jw_h5_note(JwH5File* file, const char* key, const char* text);
char* jw_h5_read_note(const char* path, const char* key);

#endif // JAWARI_TOOL_H5_H
