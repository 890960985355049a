// h5.h: growing tables in an HDF5 file.
#ifndef JAWARI_TOOL_H5_H
#define JAWARI_TOOL_H5_H

#include <stdbool.h>
#include <stdint.h>

typedef struct JwH5File JwH5File;
typedef struct JwH5Table JwH5Table;

/// NULL when it cannot be written.  An existing file is emptied.
JwH5File* jw_h5_create(const char* path);

/// True when everything reached the file.
bool jw_h5_close(JwH5File* file);

/// A dataset of rows; `columns` 0: one number a row, as a plain line of numbers.  `path` is
/// "group/name"; the group is made if needed.  NULL on failure; belongs to the file.
JwH5Table* jw_h5_table(JwH5File* file, const char* path, uint32_t columns);

bool jw_h5_append(JwH5Table* table, const double* values, uint32_t rows);

/// Attributes of a table.
bool jw_h5_text(JwH5Table* table, const char* key, const char* text);
bool jw_h5_numbers(JwH5Table* table, const char* key, const double* values, uint32_t count);

#endif // JAWARI_TOOL_H5_H
