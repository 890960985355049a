// SPDX-License-Identifier: MIT
// Status names, version, default allocator.

#include <jawari/base.h>

#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <malloc.h>
#endif

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char* jw_version(void) {
  return STRING(JW_VERSION_MAJOR) "." STRING(JW_VERSION_MINOR) "." STRING(JW_VERSION_PATCH);
}

const char* jw_status_name(JwStatus status) {
  static const char* const names[JW_STATUS_COUNT] = {
      [JW_STATUS_OK] = "ok",
      [JW_STATUS_NO_MEMORY] = "no memory",
      [JW_STATUS_BAD_VALUE] = "bad value",
      [JW_STATUS_BAD_REFERENCE] = "bad reference",
      [JW_STATUS_BAD_ORDER] = "bad order",
      [JW_STATUS_TOO_LARGE] = "too large",
      [JW_STATUS_UNSTABLE] = "unstable",
      [JW_STATUS_NOT_FINITE] = "not finite",
      [JW_STATUS_FULL] = "queue full",
      [JW_STATUS_BAD_SNAPSHOT] = "bad snapshot",
      [JW_STATUS_BAD_SCENE] = "bad scene",
      [JW_STATUS_IO] = "input or output failed",
      [JW_STATUS_CANCELLED] = "cancelled",
  };
  return (unsigned)status < JW_STATUS_COUNT ? names[status] : "unknown status";
}

const char* jw_status_text(JwStatus status) {
  static const char* const texts[JW_STATUS_COUNT] = {
      [JW_STATUS_OK] = "It went well.",
      [JW_STATUS_NO_MEMORY] = "There is not enough memory.",
      [JW_STATUS_BAD_VALUE] = "A value is out of its range, not a number, or missing.",
      [JW_STATUS_BAD_REFERENCE] =
          "An id or a name stands for nothing, or for something that has no such control.",
      [JW_STATUS_BAD_ORDER] =
          "Not now: this works only before, or only after, the world is prepared.",
      [JW_STATUS_TOO_LARGE] =
          "It would take more than the limits allow, or than there is room for.",
      [JW_STATUS_UNSTABLE] = "The sample rate is too low for this object.",
      [JW_STATUS_NOT_FINITE] =
          "The state has stopped being finite; from there on there is silence until the world is reset.",
      [JW_STATUS_FULL] = "The queue of commands is full; it is emptied by the next block.",
      [JW_STATUS_BAD_SNAPSHOT] = "This is no snapshot of this world, or it is damaged.",
      [JW_STATUS_BAD_SCENE] = "The scene has errors; its diagnostics name them.",
      [JW_STATUS_IO] = "Reading or writing failed.",
      [JW_STATUS_CANCELLED] = "It was cancelled.",
  };
  return (unsigned)status < JW_STATUS_COUNT ? texts[status] : "This status is not known.";
}

#define ALIGNMENT 64

#if defined(_WIN32) // Which has no aligned_alloc()
static void* take(size_t size) {
  return _aligned_malloc(size, ALIGNMENT);
}
static void give_back(void* memory) {
  _aligned_free(memory);
}
#else
static void* take(size_t size) {
  return aligned_alloc(ALIGNMENT, size);
}
static void give_back(void* memory) {
  free(memory);
}
#endif

static void* allocate(void* user, size_t size) {
  (void)user;
  if (size > SIZE_MAX - ALIGNMENT) {
    return NULL;
  }
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void* const memory = take(rounded ? rounded : ALIGNMENT);
  return memory ? memset(memory, 0, rounded ? rounded : ALIGNMENT) : NULL;
}

static void release(void* user, void* memory) {
  (void)user;
  give_back(memory);
}

JwAllocator jw_allocator_default(void) {
  const JwAllocator allocator = {allocate, release, NULL};
  return allocator;
}
