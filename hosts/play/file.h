// SPDX-License-Identifier: MIT
// file.h: whole files.
#ifndef JAWARI_FILE_H
#define JAWARI_FILE_H

#include <jawari/base.h>

/// Read a whole file of at most `limit` bytes; to be freed.  NULL with a sentence in `error`.
uint8_t* jw_file_read(const char* path, size_t limit, size_t* size, char error[JW_ERROR_SIZE]);

#endif // JAWARI_FILE_H
