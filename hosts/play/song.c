// SPDX-License-Identifier: MIT
// Standard MIDI files.
//
// A file is chunks: "MThd" with format, number of tracks and division, then "MTrk" chunks; others
// are skipped.  A track is pairs of a delta time (ticks, 7 bits a byte) and an event: a channel
// message, with or without its status byte (running status); a meta event (0xff), of which tempo
// and end matter here; a system message (0xf0, 0xf7), skipped.  Tracks of format 1 run side by
// side: their events are sorted by tick, in the order of the file where ticks are equal, and tempo
// turns ticks into seconds.
//
// Anything that does not fit is an error with its byte; nothing is guessed.

#include "file.h"

#include <jawari/play.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPO = 0 }; // Status of a tempo event in the list: no channel message has it

typedef struct {
  uint64_t tick;
  uint32_t order;
  uint32_t tempo; // Microseconds a quarter
  uint8_t data[3];
  uint8_t size;
} Event;

typedef struct {
  const uint8_t* data;
  size_t size, at;
  size_t end; // Of the chunk at hand
  Event* events;
  uint32_t count, capacity;
  uint64_t last_tick;
  uint16_t division;
  char* error;
  JwStatus status;
} Reader;

static bool fail(Reader* r, JwStatus status, const char* what) {
  if (!r->status) {
    r->status = status;
    snprintf(r->error, JW_ERROR_SIZE, "byte %zu: %s", r->at, what);
  }
  return false;
}

static bool byte(Reader* r, uint8_t* value) {
  if (r->at >= r->end) {
    return fail(r, JW_STATUS_BAD_VALUE, "the track ends inside an event");
  }
  *value = r->data[r->at++];
  return true;
}

static bool data_byte(Reader* r, uint8_t* value) {
  return byte(r, value) && (*value < 0x80 || fail(r, JW_STATUS_BAD_VALUE, "a data byte above 127"));
}

static bool varying(Reader* r, uint32_t* value) {
  uint8_t b = 0x80;
  *value = 0;
  for (int i = 0; i < 4 && (b & 0x80); ++i) {
    if (!byte(r, &b)) {
      return false;
    }
    *value = (*value << 7) | (b & 0x7fu);
  }
  return !(b & 0x80) || fail(r, JW_STATUS_BAD_VALUE, "a number of more than four bytes");
}

static Event* add(Reader* r, uint64_t tick) {
  if (r->count == JW_SONG_MAX_EVENTS) {
    fail(r, JW_STATUS_TOO_LARGE, "more than 1000000 events");
    return NULL;
  }
  if (r->count == r->capacity) {
    const uint32_t capacity = r->capacity ? 2 * r->capacity : 256;
    Event* const events = (Event*)realloc(r->events, capacity * sizeof *events);
    if (!events) {
      fail(r, JW_STATUS_NO_MEMORY, "no memory");
      return NULL;
    }
    r->events = events;
    r->capacity = capacity;
  }
  Event* const event = &r->events[r->count];
  memset(event, 0, sizeof *event);
  event->tick = tick;
  event->order = r->count++;
  return event;
}

// ---------------------------------------------------------------- events

static bool channel_message(Reader* r, uint64_t tick, uint8_t status, uint8_t first) {
  const uint8_t size =
      (status & 0xe0) == 0xc0 ? 2 : 3; // Program change and channel pressure are short
  uint8_t second = 0;
  if (size == 3 && !data_byte(r, &second)) {
    return false;
  }
  Event* const event = add(r, tick);
  if (!event) {
    return false;
  }
  event->data[0] = status;
  event->data[1] = first;
  event->data[2] = second;
  event->size = size;
  return true;
}

static bool meta(Reader* r, uint64_t tick, bool* over) {
  uint8_t type;
  uint32_t length;
  if (!byte(r, &type) || !varying(r, &length)) {
    return false;
  }
  if (length > r->end - r->at) {
    return fail(r, JW_STATUS_BAD_VALUE, "a meta event reaches beyond its track");
  }
  const uint8_t* const p = r->data + r->at;
  if (type == 0x51) {
    Event* const event = length == 3 ? add(r, tick) : NULL;
    if (!event) {
      return fail(r, JW_STATUS_BAD_VALUE, "a tempo that is not three bytes");
    }
    event->tempo = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
  }
  *over = type == 0x2f;
  r->at += length;
  return true;
}

static bool skip_system(Reader* r) {
  uint32_t length;
  if (!varying(r, &length)) {
    return false;
  }
  if (length > r->end - r->at) {
    return fail(r, JW_STATUS_BAD_VALUE, "a system message reaches beyond its track");
  }
  r->at += length;
  return true;
}

static bool track(Reader* r) {
  uint64_t tick = 0;
  uint8_t running = 0;
  bool over = false;
  while (!over) {
    uint32_t delta;
    uint8_t status;
    if (r->at == r->end) {
      return fail(r, JW_STATUS_BAD_VALUE, "a track without its end");
    }
    if (!varying(r, &delta) || !byte(r, &status)) {
      return false;
    }
    tick += delta;
    bool good;
    if (status == 0xff) {
      running = 0;
      good = meta(r, tick, &over);
    } else if (status == 0xf0 || status == 0xf7) {
      running = 0;
      good = skip_system(r);
    } else if (status > 0xf0) {
      return fail(r, JW_STATUS_BAD_VALUE, "a message that has no place in a file");
    } else if (status >= 0x80) {
      uint8_t first;
      running = status;
      good = data_byte(r, &first) && channel_message(r, tick, running, first);
    } else if (running) {
      good = channel_message(r, tick, running, status);
    } else {
      return fail(r, JW_STATUS_BAD_VALUE, "data without a status before it");
    }
    if (!good) {
      return false;
    }
  }
  r->last_tick = tick > r->last_tick ? tick : r->last_tick;
  return true;
}

// ---------------------------------------------------------------- chunks

static uint32_t number(const uint8_t* p, int bytes) {
  uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) {
    value = value << 8 | p[i];
  }
  return value;
}

static bool header(Reader* r) {
  if (r->size < 14 || memcmp(r->data, "MThd", 4) != 0) {
    return fail(r, JW_STATUS_BAD_VALUE, "not a standard MIDI file");
  }
  const uint32_t length = number(r->data + 4, 4), format = number(r->data + 8, 2);
  r->division = (uint16_t)number(r->data + 12, 2);
  if (length < 6 || length > r->size - 8) {
    return fail(r, JW_STATUS_BAD_VALUE, "a header of the wrong length");
  }
  if (format > 1) {
    return fail(r, JW_STATUS_BAD_VALUE, "only formats 0 and 1 are read");
  }
  const int frames = -(int8_t)(r->division >> 8);
  if (r->division == 0
      || (r->division & 0x8000
          && ((frames != 24 && frames != 25 && frames != 29 && frames != 30)
              || !(r->division & 0xff)))) {
    return fail(r, JW_STATUS_BAD_VALUE, "a division that stands for no time");
  }
  r->at = 8 + length;
  return true;
}

static bool chunks(Reader* r) {
  while (r->size - r->at >= 8) {
    const uint32_t length = number(r->data + r->at + 4, 4);
    const bool is_track = memcmp(r->data + r->at, "MTrk", 4) == 0;
    r->at += 8;
    if (length > r->size - r->at) {
      return fail(r, JW_STATUS_BAD_VALUE, "a chunk reaches beyond the file");
    }
    r->end = r->at + length;
    if (is_track && !track(r)) {
      return false;
    }
    r->at = r->end;
  }
  return true;
}

// ---------------------------------------------------------------- ticks to seconds

static int by_tick(const void* a, const void* b) {
  const Event* const x = (const Event*)a;
  const Event* const y = (const Event*)b;
  return x->tick != y->tick    ? (x->tick < y->tick ? -1 : 1)
         : x->order < y->order ? -1
                               : x->order > y->order;
}

static bool timed(Reader* r, JwSong* song) {
  song->events = (JwSongEvent*)malloc((r->count + 1) * sizeof *song->events);
  if (!song->events) {
    return fail(r, JW_STATUS_NO_MEMORY, "no memory");
  }
  if (r->count) {
    qsort(r->events, r->count, sizeof *r->events, by_tick);
  }
  const bool film = (r->division & 0x8000) != 0;
  const int frames = -(int8_t)(r->division >> 8);
  const double rate = frames == 29 ? 30000.0 / 1001.0 : frames;
  double tick_length =
      film ? 1.0 / (rate * (r->division & 0xff)) : 0.5 / r->division; // 120 quarters a minute
  double time = 0.0;
  uint64_t tick = 0;
  for (uint32_t i = 0; i < r->count; ++i) {
    const Event* const e = &r->events[i];
    time += (double)(e->tick - tick) * tick_length;
    tick = e->tick;
    if (e->data[0] == TEMPO) {
      tick_length = film ? tick_length : 1e-6 * e->tempo / r->division;
    } else {
      const JwSongEvent event = {time, {e->data[0], e->data[1], e->data[2]}, e->size};
      song->events[song->count++] = event;
    }
  }
  song->duration = time + (double)(r->last_tick - tick) * tick_length;
  return true;
}

JwStatus jw_song_parse(const uint8_t* data, size_t size, JwSong* song, char error[JW_ERROR_SIZE]) {
  char unread[JW_ERROR_SIZE];
  error = error ? error : unread;
  if (!data || !song) {
    snprintf(error, JW_ERROR_SIZE, "no song");
    return JW_STATUS_BAD_VALUE;
  }
  memset(song, 0, sizeof *song);
  Reader r = {.data = data, .size = size, .error = error};
  (void)(header(&r) && chunks(&r) && timed(&r, song));
  free(r.events);
  return r.status;
}

void jw_song_release(JwSong* song) {
  if (song) {
    free(song->events);
    memset(song, 0, sizeof *song);
  }
}

// ---------------------------------------------------------------- files

uint8_t* jw_file_read(const char* path, size_t limit, size_t* size, char error[JW_ERROR_SIZE]) {
  FILE* const file = fopen(path, "rb");
  uint8_t* const data = file ? (uint8_t*)malloc(limit + 1) : NULL;
  *size = data ? fread(data, 1, limit + 1, file) : 0;
  const bool good = data && !ferror(file) && *size <= limit;
  if (!good) {
    snprintf(error, JW_ERROR_SIZE, "%s: %s", path,
             !file           ? "cannot be opened"
             : !data         ? "no memory"
             : *size > limit ? "too large"
                             : "cannot be read");
    free(data);
  }
  if (file) {
    fclose(file);
  }
  return good ? data : NULL;
}

JwStatus jw_song_load(const char* path, JwSong* song, char error[JW_ERROR_SIZE]) {
  size_t size;
  char unread[JW_ERROR_SIZE];
  error = error ? error : unread;
  if (!path || !song) {
    snprintf(error, JW_ERROR_SIZE, "no song");
    return JW_STATUS_BAD_VALUE;
  }
  memset(song, 0, sizeof *song);
  uint8_t* const data = jw_file_read(path, (size_t)1 << 24, &size, error);
  if (!data) {
    return JW_STATUS_IO;
  }
  char inside[JW_ERROR_SIZE];
  const JwStatus status = jw_song_parse(data, size, song, inside);
  free(data);
  if (status) {
    snprintf(error, JW_ERROR_SIZE, "%.200s: %.200s", path, inside);
  }
  return status;
}
