// SPDX-License-Identifier: MIT
// A growing array for the time before prepare.  Elements move when it grows: keep indices.
#ifndef JAWARI_LIST_H
#define JAWARI_LIST_H

#include <jawari/base.h>

typedef struct {
  void* items;
  uint32_t count, capacity;
  size_t size; // Of an element
} JwList;

/// Room for one more, zeroed; NULL without memory, and then the list is as it was.
void* jw_list_add(JwList* list, const JwAllocator* allocator, size_t size);
void jw_list_free(JwList* list, const JwAllocator* allocator);

/// A copy of `count` elements of `size` bytes, or NULL; NULL source or zero count give NULL too.
void* jw_copy(const JwAllocator* allocator, const void* source, uint64_t count, size_t size);

#define JW_AT(LIST, TYPE, INDEX) (&((TYPE*)(LIST).items)[INDEX])

#endif // JAWARI_LIST_H
