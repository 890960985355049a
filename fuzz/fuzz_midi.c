// SPDX-License-Identifier: MIT
// MIDI files: whatever the bytes, a song in order or a sentence, and nothing else.

#include <jawari/play.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  JwSong song;
  char error[JW_ERROR_SIZE] = "";
  if (jw_song_parse(data, size, &song, error)) {
    if (!error[0] || song.events) {
      abort();
    }
    return 0;
  }
  double last = 0.0;
  for (uint32_t i = 0; i < song.count; ++i) {
    const JwSongEvent* const e = &song.events[i];
    if (!(e->time >= last) || e->data[0] < 0x80 || e->data[0] >= 0xf0 || e->data[1] > 127
        || e->data[2] > 127 || (e->size != 2 && e->size != 3)) {
      abort();
    }
    last = e->time;
  }
  if (!(song.duration >= last)) {
    abort();
  }
  jw_song_release(&song);
  return 0;
}
