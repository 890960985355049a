// SPDX-License-Identifier: MIT
// sha256.h: the hash by which a scene's text is known.
#ifndef JAWARI_TOOL_SHA256_H
#define JAWARI_TOOL_SHA256_H

#include <stddef.h>

/// As 64 hexadecimal digits and a zero.
void jw_sha256(const void* data, size_t size, char hex[65]);

#endif // JAWARI_TOOL_SHA256_H
