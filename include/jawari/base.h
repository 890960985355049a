// SPDX-License-Identifier: MIT
// jawari/base.h: status, allocator, attributes.
#ifndef JAWARI_BASE_H
#define JAWARI_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JW_VERSION_MAJOR 0
#define JW_VERSION_MINOR 1
#define JW_VERSION_PATCH 0
/// In one number, 1002003 for 1.2.3: `#if JW_VERSION >= 1002000`.
#define JW_VERSION (JW_VERSION_MAJOR * 1000000 + JW_VERSION_MINOR * 1000 + JW_VERSION_PATCH)

/// Exported from the shared library.
#if defined(__GNUC__)
#define JW_API __attribute__((visibility("default")))
#else
#define JW_API
#endif

/// The result must be looked at.
#if defined(__GNUC__)
#define JW_MUST_USE __attribute__((warn_unused_result))
#else
#define JW_MUST_USE
#endif

/// Real-time safe: no allocation, lock, system call or unbounded loop.  From 20 on clang checks it,
/// from call to call (-Wfunction-effects) and running (-fsanitize=realtime).
#if defined(__clang__) && __clang_major__ >= 20
#define JW_REALTIME __attribute__((nonblocking))
#else
#define JW_REALTIME
#endif

/// What a call came to.  The sentence that goes with it is jw_world_error() or the JwError given.
typedef enum {
  JW_STATUS_OK = 0,
  JW_STATUS_NO_MEMORY,     ///< The allocator returned nothing
  JW_STATUS_BAD_VALUE,     ///< A value is out of its range or not a number
  JW_STATUS_BAD_REFERENCE, ///< An id or a name stands for nothing
  JW_STATUS_BAD_ORDER,     ///< Not now: before prepare, or after it
  JW_STATUS_TOO_LARGE,     ///< More memory, work, points or contacts than the world's limits
  JW_STATUS_UNSTABLE,      ///< The sample rate is too low for this object
  JW_STATUS_NOT_FINITE,    ///< The state stopped being finite; the rest of the block is silence
  JW_STATUS_FULL,          ///< The command queue is full; try again after the next block
  JW_STATUS_BAD_SNAPSHOT,  ///< Not a snapshot of this world
  JW_STATUS_BAD_SCENE,     ///< A scene file has errors
  JW_STATUS_IO,            ///< Reading or writing failed
  JW_STATUS_CANCELLED,     ///< Ended by jw_world_cancel()
  JW_STATUS_COUNT
} JwStatus;

/// One short name for a status: "bad value".
JW_API const char* jw_status_name(JwStatus status);

/// The same as a sentence, for calls that leave none: "A value is out of its range or not a
/// number."
JW_API const char* jw_status_text(JwStatus status);

/// The version of the library that is running: "0.1.0".
JW_API const char* jw_version(void);

/// Where memory comes from.  `allocate` returns zeroed memory aligned to 64 bytes, or NULL.
typedef struct JwAllocator {
  void* (*allocate)(void* user, size_t size);
  void (*release)(void* user, void* memory);
  void* user;
} JwAllocator;

/// malloc and free.
JW_API JwAllocator jw_allocator_default(void);

/// The number that a text begins with, as scenes write it: a sign, digits, a point, an exponent,
/// whatever the program's locale. Returns its letters; 0 where there is none, or one beyond all
/// numbers.
JW_API size_t jw_number_read(const char* text, double* value);

/// Longest error sentence, with its end.
#define JW_ERROR_SIZE 512

#ifdef __cplusplus
}
#endif

#endif // JAWARI_BASE_H
