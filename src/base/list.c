// Growing arrays, see list.h.

#include "base/list.h"

#include <string.h>

void* jw_list_add(JwList* list, const JwAllocator* allocator, size_t size)
{
  if (list->count == list->capacity) {
    const uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
    void* const items = allocator->allocate(allocator->user, capacity * size);
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

void jw_list_free(JwList* list, const JwAllocator* allocator)
{
  if (list->items) {
    allocator->release(allocator->user, list->items);
  }
  memset(list, 0, sizeof *list);
}

void* jw_copy(const JwAllocator* allocator, const void* source, size_t count, size_t size)
{
  if (!source || !count) {
    return NULL;
  }
  void* const copy = allocator->allocate(allocator->user, count * size);
  return copy ? memcpy(copy, source, count * size) : NULL;
}
