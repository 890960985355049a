// The whole state in one piece, in and out.
//
// All that changes while running lies in one stretch of memory; a snapshot is a header and a copy of
// it.  What follows from controlled numbers (weights of moved ports, islands, a string's tension) is
// worked out anew.  The header tells the world's shape, so that another world's snapshot is refused,
// and a sum over the bytes, so that a damaged one is.

#include "world.h"

#include <string.h>

typedef struct {
  char magic[8];
  uint64_t shape;
  uint64_t size;
  uint64_t sum;
} Header;

static const char magic[8] = {'j', 'w', 's', 'n', 'a', 'p', '1', 0};

// FNV-1a, eight bytes at a time.
static uint64_t mix_bytes(uint64_t hash, const void* data, size_t size)
{
  const unsigned char* bytes = (const unsigned char*)data;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  for (; size > 0; --size, ++bytes) {
    hash = (hash ^ *bytes) * 0x100000001b3u;
  }
  return hash;
}

static uint64_t shape_of(const JwWorld* world)
{
  uint64_t hash = mix_bytes(0xcbf29ce484222325u, &world->k, sizeof world->k);
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    const uint32_t numbers[3] = {(uint32_t)object->ops->kind, object->dofs, object->size};
    hash = mix_bytes(hash, numbers, sizeof numbers);
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    const uint32_t numbers[4] = {(uint32_t)contact->kind, contact->point_count, contact->port[0].object.index,
                                 contact->port[1].object.index};
    hash = mix_bytes(hash, numbers, sizeof numbers);
  }
  const uint32_t rest[2] = {world->forces.count, world->pickups.count};
  return mix_bytes(hash, rest, sizeof rest);
}

size_t jw_world_snapshot_size(const JwWorld* world) { return world->prepared ? sizeof(Header) + world->state_size : 0; }

JwStatus jw_world_snapshot(const JwWorld* world, void* memory, size_t size)
{
  if (!world->prepared) {
    return JW_STATUS_BAD_ORDER;
  }
  if (size < jw_world_snapshot_size(world)) {
    return JW_STATUS_TOO_LARGE;
  }
  Header header = {{0}, shape_of(world), world->state_size, mix_bytes(0, world->state, world->state_size)};
  memcpy(header.magic, magic, sizeof magic);
  memcpy(memory, &header, sizeof header);
  memcpy((unsigned char*)memory + sizeof header, world->state, world->state_size);
  return JW_STATUS_OK;
}

JwStatus jw_world_restore(JwWorld* world, const void* memory, size_t size)
{
  if (!world->prepared) {
    return JW_STATUS_BAD_ORDER;
  }
  Header header;
  if (size < sizeof header) {
    return JW_STATUS_BAD_SNAPSHOT;
  }
  memcpy(&header, memory, sizeof header);
  const unsigned char* const state = (const unsigned char*)memory + sizeof header;
  if (memcmp(header.magic, magic, sizeof magic) != 0 || header.size != world->state_size
      || size - sizeof header < header.size || header.shape != shape_of(world)
      || header.sum != mix_bytes(0, state, header.size)) {
    return JW_STATUS_BAD_SNAPSHOT;
  }
  // Controls first: they move the model to where it was, and disturb the state on the way.
  memcpy(world->state, state, header.size);
  jw_controls_restore(world);
  memcpy(world->state, state, header.size);
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_rest(world, jw_contact_at(world, i));
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    jw_graph_build(world, &world->components[i]);
    world->components[i].reread = false;
  }
  return JW_STATUS_OK;
}
