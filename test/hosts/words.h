// SPDX-License-Identifier: MIT
// words.h: an LV2 host's numbers for URIs, and events on their way to a plug-in.
#ifndef JAWARI_TEST_HOSTS_WORDS_H
#define JAWARI_TEST_HOSTS_WORDS_H

#include <lv2/atom/atom.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline LV2_URID words_map(LV2_URID_Map_Handle handle, const char* uri) {
  static char words[32][128];
  static uint32_t count;
  (void)handle;
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(words[i], uri) == 0) {
      return i + 1;
    }
  }
  if (count == 32) {
    abort();
  }
  snprintf(words[count], sizeof words[0], "%s", uri);
  return ++count;
}

/// A block's MIDI.
typedef union {
  LV2_Atom_Sequence sequence;
  int64_t aligned; ///< As events want it
  uint8_t bytes[32768];
} Words;

static inline void words_clear(Words* events) {
  memset(events, 0, sizeof(LV2_Atom_Sequence));
  events->sequence.atom.type = words_map(NULL, LV2_ATOM__Sequence);
  events->sequence.atom.size = sizeof(LV2_Atom_Sequence_Body);
}

static inline void words_add(Words* events, uint32_t frame, const uint8_t* data, uint32_t size) {
  const LV2_Atom_Event event = {{frame}, {size, words_map(NULL, LV2_MIDI__MidiEvent)}};
  uint8_t* const at = events->bytes + sizeof(LV2_Atom) + events->sequence.atom.size;
  if (at + sizeof event + 8 > events->bytes + sizeof *events) {
    abort();
  }
  memcpy(at, &event, sizeof event);
  memcpy(at + sizeof event, data, size);
  events->sequence.atom.size += (uint32_t)sizeof event + 8;
}

#endif // JAWARI_TEST_HOSTS_WORDS_H
