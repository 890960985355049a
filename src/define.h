// SPDX-License-Identifier: MIT
// What the functions that add to a world share.
#ifndef JAWARI_DEFINE_H
#define JAWARI_DEFINE_H

#include "world.h"

JwStatus jw_no_memory(JwWorld* world);

/// A world and a definition are there, it is not too late, fields are in range; the sentence names
/// the kind and the name.
JwStatus jw_define_begin(JwWorld* world, JwKind kind, const void* def);

/// A copy of a name, "" for none.
JwStatus jw_define_name(JwWorld* world, const char* name, char** copy);

/// A copy of an array of a definition; an empty one stays NULL.
JwStatus jw_define_array(JwWorld* world, const void* source, uint64_t count, size_t size,
                         const void** copy);

/// Is there anything at the port that a force could move?
bool jw_port_can_move(const JwWorld* world, JwPort port);

/// Release what an object owns.
void jw_object_free(JwWorld* world, JwObject* object);

#endif // JAWARI_DEFINE_H
