// SPDX-License-Identifier: MIT
// Growing arrays, see list.h.

#include "base/list.h"

#include "base/size.h"

#include <string.h>

void* jw_list_add(JwList* list, const JwAllocator* allocator, size_t size) {
  if (list->count == list->capacity) {
    const uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
    size_t bytes;
    void* const items = list->capacity <= UINT32_MAX / 2 && jw_size_of(capacity, size, &bytes)
                            ? allocator->allocate(allocator->user, bytes)
                            : NULL;
    if (!items) {
      return NULL;
    }
    if (list->count) {
      memcpy(items, list->items, list->count * size);
      allocator->release(allocator->user, list->items);
    }
    list->items = items;
    list->capacity = capacity;
    list->size = size;
  }
  void* const item = (char*)list->items + list->count * size;
  memset(item, 0, size);
  ++list->count;
  return item;
}

void jw_list_free(JwList* list, const JwAllocator* allocator) {
  if (list->items) {
    allocator->release(allocator->user, list->items);
  }
  memset(list, 0, sizeof *list);
}

void* jw_copy(const JwAllocator* allocator, const void* source, uint64_t count, size_t size) {
  size_t bytes;
  if (!source || !count || !jw_size_of(count, size, &bytes)) {
    return NULL;
  }
  void* const copy = allocator->allocate(allocator->user, bytes);
  return copy ? memcpy(copy, source, bytes) : NULL;
}
