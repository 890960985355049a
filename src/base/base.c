// Status names, version, default allocator.

#include <jawari/base.h>

#include <stdlib.h>
#include <string.h>

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char* jw_version(void)
{
  return STRING(JW_VERSION_MAJOR) "." STRING(JW_VERSION_MINOR) "." STRING(JW_VERSION_PATCH);
}

const char* jw_status_name(JwStatus status)
{
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
  return status < JW_STATUS_COUNT ? names[status] : "unknown status";
}

#define ALIGNMENT 64

static void* allocate(void* user, size_t size)
{
  (void)user;
  if (size > SIZE_MAX - ALIGNMENT) {
    return NULL;
  }
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void* const memory = aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
  return memory ? memset(memory, 0, rounded ? rounded : ALIGNMENT) : NULL;
}

static void release(void* user, void* memory)
{
  (void)user;
  free(memory);
}

JwAllocator jw_allocator_default(void)
{
  const JwAllocator allocator = {allocate, release, NULL};
  return allocator;
}
