// SPDX-License-Identifier: MIT
// song.h: standard MIDI files.
#ifndef JAWARI_SONG_H
#define JAWARI_SONG_H

#include <jawari/base.h>

/// A channel message and when it comes.
typedef struct {
  double time; ///< s from the start
  uint8_t data[3];
  uint8_t size;
} JwSongEvent;

/// A song: its channel messages in the order of time.
typedef struct {
  JwSongEvent* events;
  uint32_t count;
  double duration; ///< s, to the end of the longest track
} JwSong;

#define JW_SONG_MAX_EVENTS 1000000u ///< Messages in one file

/// Read a standard MIDI file, format 0 or 1.  On failure `error` gets one sentence with the byte.
JW_MUST_USE JwStatus jw_song_parse(const uint8_t* data, size_t size, JwSong* song,
                                   char error[JW_ERROR_SIZE]);
JW_MUST_USE JwStatus jw_song_load(const char* path, JwSong* song, char error[JW_ERROR_SIZE]);
void jw_song_release(JwSong* song);

/// Read a whole file of at most `limit` bytes; to be freed.  NULL with a sentence in `error`.
uint8_t* jw_file_read(const char* path, size_t limit, size_t* size, char error[JW_ERROR_SIZE]);

#endif // JAWARI_SONG_H
