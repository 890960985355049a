// SPDX-License-Identifier: MIT
// What the functions that add to a world share.
#ifndef JAWARI_DEFINE_H
#define JAWARI_DEFINE_H

#include "model/world.h"

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
JwStatus
jw_world_fail(JwWorld* world, JwStatus status, const char* format, ...);
/// Of a call without a world: a bad value.
JwStatus jw_no_world(void);
JwStatus jw_no_memory(JwWorld* world);

/// A world and a definition are there, it is not too late, fields are in range; the sentence names
/// the kind and the name.
JwStatus jw_define_begin(JwWorld* world, JwKind kind, const void* def);

/// Why a definition is refused: its kind, its name, and a sentence.
JwStatus jw_define_refuse(JwWorld* world, JwStatus status, JwKind kind, const void* def,
                          const char* error);
/// What a definition calls itself; "" without a name.
const char* jw_define_name_of(JwKind kind, const void* def);

/// A copy of a name, "" for none.
JwStatus jw_define_name(JwWorld* world, const char* name, char** copy);

/// A copy of an array of a definition; an empty one stays NULL.
JwStatus jw_define_array(JwWorld* world, const void* source, uint64_t count, size_t size,
                         const void** copy);

/// Is there such a place?
JwStatus jw_port_check(JwWorld* world, const JwPort* port, const char* what);
/// Is there anything at the port that a force could move?
bool jw_port_can_move(const JwWorld* world, JwPort port);

/// Release what an object owns.
void jw_object_free(JwWorld* world, JwObject* object);

// identity.c
/// FNV-1a, eight bytes at a time.
JW_REALTIME uint64_t jw_mix(uint64_t hash, const void* data, size_t size);
/// Let `count` elements of `size` bytes be part of what the world is; NULL: their number alone.
void jw_identify(JwWorld* world, const void* data, uint64_t count, size_t size);
/// A definition's fields, by its table; a port.
void jw_identify_def(JwWorld* world, JwKind kind, const void* def);
void jw_identify_port(JwWorld* world, JwPort port);

#endif // JAWARI_DEFINE_H
