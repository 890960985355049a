// SPDX-License-Identifier: MIT
// Linked into the command, it lets memory end: JAWARI_SCARCE=N grants the program's own requests up to the one before number N, and
// none from then on.  Requests of other libraries are not looked at.

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
char* __real_strdup(const char* text);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
char* __wrap_strdup(const char* text);

static bool granted(void) {
  static _Atomic long asked; // From several threads
  const char* const end = getenv("JAWARI_SCARCE");
  const long number = ++asked;
  const bool good = !end || number < strtol(end, NULL, 10);
  errno = good ? errno : ENOMEM; // As malloc has it
  return good;
}

void* __wrap_malloc(size_t size) {
  return granted() ? __real_malloc(size) : NULL;
}

void* __wrap_calloc(size_t count, size_t size) {
  return granted() ? __real_calloc(count, size) : NULL;
}

void* __wrap_realloc(void* memory, size_t size) {
  return granted() ? __real_realloc(memory, size) : NULL;
}

char* __wrap_strdup(const char* text) {
  return granted() ? __real_strdup(text) : NULL;
}
