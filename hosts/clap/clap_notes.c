// SPDX-License-Identifier: MIT
// CLAP's notes as MIDI: each gets a channel of its own, so that its expressions move it alone.

#include "clap.h"

#include <math.h>
#include <string.h>

#define BEND_RANGE 48.0 ///< Semitones, of MPE's member channels

static void send(JwClap* self, uint32_t frame, uint8_t status, uint8_t one, uint8_t two) {
  const JwPlayerEvent event = {frame, {status, one, two}, (status & 0xf0) == 0xd0 ? 2 : 3};
  self->events[self->event_count++] = event;
}

// All channels but the first are members of a zone; what comes as MIDI on the first moves all notes.
static void open_zone(JwClap* self, uint32_t frame) {
  if (!self->mpe) {
    send(self, frame, 0xb0, 101, 0);
    send(self, frame, 0xb0, 100, 6);
    send(self, frame, 0xb0, 6, JW_CLAP_NOTES);
    self->mpe = true;
  }
}

static bool is_meant(const JwClapNote* note, const clap_event_note_t* event) {
  return note->held && (event->note_id < 0 || note->id < 0 || event->note_id == note->id)
         && (event->port_index < 0 || event->port_index == note->port)
         && (event->channel < 0 || event->channel == note->channel)
         && (event->key < 0 || event->key == note->key);
}

// One that is free, the longest unused first; else the oldest.
static JwClapNote* find_place(JwClap* self) {
  JwClapNote* best = &self->notes[0];
  for (uint32_t i = 1; i < JW_CLAP_NOTES; ++i) {
    JwClapNote* const note = &self->notes[i];
    if (note->held != best->held ? !note->held : note->since < best->since) {
      best = note;
    }
  }
  return best;
}

static uint8_t channel_of(const JwClap* self, const JwClapNote* note) {
  return (uint8_t)(1 + (note - self->notes));
}

static void end_note(JwClap* self, JwClapNote* note, uint32_t frame,
                     const clap_output_events_t* out) {
  send(self, frame, (uint8_t)(0x80 | channel_of(self, note)), (uint8_t)note->key, 0);
  note->held = false;
  clap_event_note_t event = {
      .note_id = note->id, .port_index = note->port, .channel = note->channel, .key = note->key};
  event.header.size = sizeof event;
  event.header.type = CLAP_EVENT_NOTE_END;
  event.header.space_id = CLAP_CORE_EVENT_SPACE_ID;
  event.header.time = self->part + frame;
  if (out) {
    out->try_push(out, &event.header);
  }
}

static void begin_note(JwClap* self, const clap_event_note_t* event, uint32_t frame,
                       const clap_output_events_t* out) {
  if (event->key < 0 || event->key > 127) {
    return;
  }
  open_zone(self, frame);
  JwClapNote* const note = find_place(self);
  if (note->held) {
    end_note(self, note, frame, out);
  }
  const JwClapNote started = {event->note_id, event->port_index, event->channel, event->key,
                              true,           ++self->clock};
  *note = started;
  const uint8_t channel = channel_of(self, note);
  // MIDI has 127 strengths; the softest is still a note
  const double velocity = fmin(fmax(event->velocity, 0.0), 1.0);
  send(self, frame, (uint8_t)(0xe0 | channel), 0, 64);
  send(self, frame, (uint8_t)(0x90 | channel), (uint8_t)event->key,
       (uint8_t)fmax(1.0, floor(127.0 * velocity + 0.5)));
}

static void end_notes(JwClap* self, const clap_event_note_t* event, uint32_t frame,
                      const clap_output_events_t* out) {
  for (uint32_t i = 0; i < JW_CLAP_NOTES; ++i) {
    if (is_meant(&self->notes[i], event)) {
      end_note(self, &self->notes[i], frame, out);
    }
  }
}

static uint8_t seven_bits(double share) {
  return (uint8_t)floor(127.0 * fmin(fmax(share, 0.0), 1.0) + 0.5);
}

// Steps of 0.6 cents.
static void bend(JwClap* self, uint32_t frame, uint8_t channel, double semitones) {
  const double share = fmin(fmax(semitones / BEND_RANGE, -1.0), 1.0);
  const int value = 8192 + (int)floor(share * (share < 0.0 ? 8192.0 : 8191.0) + 0.5);
  send(self, frame, (uint8_t)(0xe0 | channel), (uint8_t)(value & 127), (uint8_t)(value >> 7));
}

static void express(JwClap* self, const clap_event_note_expression_t* event, uint32_t frame) {
  const clap_event_note_t who = {.note_id = event->note_id,
                                 .port_index = event->port_index,
                                 .channel = event->channel,
                                 .key = event->key};
  for (uint32_t i = 0; i < JW_CLAP_NOTES && isfinite(event->value); ++i) {
    const JwClapNote* const note = &self->notes[i];
    const uint8_t channel = channel_of(self, note);
    if (!is_meant(note, &who)) {
      continue;
    }
    switch (event->expression_id) {
    case CLAP_NOTE_EXPRESSION_TUNING: bend(self, frame, channel, event->value); break;
    case CLAP_NOTE_EXPRESSION_PRESSURE:
      send(self, frame, (uint8_t)(0xd0 | channel), seven_bits(event->value), 0);
      break;
    case CLAP_NOTE_EXPRESSION_BRIGHTNESS:
      send(self, frame, (uint8_t)(0xb0 | channel), 74, seven_bits(event->value));
      break;
    case CLAP_NOTE_EXPRESSION_EXPRESSION:
      send(self, frame, (uint8_t)(0xb0 | channel), 11, seven_bits(event->value));
      break;
    default: break; // Volume, pan and vibrato of one note: nothing in an instrument answers
    }
  }
}

void jw_clap_event(JwClap* self, const clap_event_header_t* event, uint32_t frame,
                   const clap_output_events_t* out) {
  if (event->space_id != CLAP_CORE_EVENT_SPACE_ID) {
    return;
  }
  const void* const body = event;
  switch (event->type) {
  case CLAP_EVENT_NOTE_ON: begin_note(self, (const clap_event_note_t*)body, frame, out); break;
  case CLAP_EVENT_NOTE_OFF:
  case CLAP_EVENT_NOTE_CHOKE: end_notes(self, (const clap_event_note_t*)body, frame, out); break;
  case CLAP_EVENT_NOTE_EXPRESSION:
    express(self, (const clap_event_note_expression_t*)body, frame);
    break;
  case CLAP_EVENT_MIDI: {
    const uint8_t* const data = ((const clap_event_midi_t*)body)->data;
    if (data[0] >= 0x80 && data[0] < 0xf0) {
      send(self, frame, data[0], data[1], data[2]);
    }
    break;
  }
  default: break;
  }
}
