// SPDX-License-Identifier: MIT
// Components of masses and modal objects, many frames at a time.
//
// While every contact of such a component is open, nothing flows back from what ports read to the
// motion: its objects can be advanced for a whole chunk in registers (flight_body.h), and gaps and
// pickups be worked out afterwards, many frames side by side.  If a gap turns out to have closed on
// the way, the flight is repeated up to that frame, and the general step (step.c) goes on from
// there.
//
// A flight ends before anything that is not free motion: a gap closes, a control moves, a throw is
// due, rest is looked for, a force pushes a mass.  Forces on modal objects are part of it.
//
// The bits are those of the general step: the same operations in the same order on every number
// (test_flight.c).  The plain C kernels ("scalar") know no flight, so comparing widths compares
// both.

#include "flight/parts.h"

#include <string.h>

static bool is_open(const JwPoint* point) {
  const JwPointState* const state = point->step.state;
  return point->quick && !point->closed && state->psi == 0.0 && state->closure == 0
         && state->shift == 0.0;
}

// Forces of the frames to come, to the banks that they push; false when one pushes a mass.
static bool gather_forces(const JwWorld* world, JwFlight* flight, uint64_t frame, uint32_t count) {
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    flight->banks[i].drive_count = 0;
  }
  for (uint32_t i = 0; i < flight->drive_count; ++i) {
    const JwFlightDrive* const drive = &flight->drives[i];
    const JwForce* const force = jw_force_at(world, drive->index);
    if (jw_force_silent(world, drive->index, frame, count)) {
      continue;
    }
    JwFlightBank* const bank = drive->bank;
    if (!bank) {
      return false;
    }
    for (uint32_t t = 0; t < count; ++t) {
      drive->values[t] = jw_force_at_frame(world, drive->index, frame + t);
    }
    bank->spread[bank->drive_count] = force->side.spread;
    bank->force[bank->drive_count++] = drive->values;
  }
  return true;
}

static void save(JwFlight* flight, uint64_t frame, bool back) {
  const size_t now = frame % 3, prev = (frame + 2) % 3;
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    const JwFlightBank* const bank = &flight->banks[i];
    const size_t size = 4 * (size_t)bank->rows;
    double* const states[2] = {bank->buffer[now], bank->buffer[prev]};
    for (size_t s = 0; s < 2; ++s) {
      double* const kept = bank->saved + s * size;
      memcpy(back ? states[s] : kept, back ? kept : states[s], size * sizeof(double));
    }
  }
  for (uint32_t i = 0; i < flight->mass_count; ++i) {
    JwFlightMass* const mass = &flight->masses[i];
    double* const states[2] = {mass->buffer[now], mass->buffer[prev]};
    for (size_t s = 0; s < 2; ++s) {
      double* const kept = mass->saved + 2 * s;
      memcpy(back ? states[s] : kept, back ? kept : states[s], 2 * sizeof(double));
    }
  }
}

// Banks and masses in pairs: their chains run side by side.
static JW_REALTIME void fly(const JwFlight* flight, uint64_t frame, uint32_t count) {
  uint32_t masses = 0;
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    const JwFlightBank* const bank = &flight->banks[i];
    if (masses < flight->mass_count && !bank->drive_count) {
      flight->ops->both(bank, &flight->masses[masses++], frame, count);
    } else {
      flight->ops->bank(bank, frame, count);
    }
  }
  for (; masses < flight->mass_count; ++masses) {
    flight->ops->mass(&flight->masses[masses], frame, count);
  }
}

static void add_readings(const JwFlight* flight, uint32_t count, const double* but) {
  for (uint32_t i = 0; i < flight->reading_count; ++i) {
    const JwFlightReading* const reading = &flight->readings[i];
    if (reading->path != but) {
      flight->ops->add(count + 1, reading->sums, reading->path);
    }
  }
}

// Frames until the first gap closes.
static uint32_t free_frames(const JwFlight* flight, uint32_t count) {
  uint32_t least = count;
  for (uint32_t i = 0; i < flight->gap_count; ++i) {
    const JwFlightGap* const gap = &flight->gaps[i];
    least = flight->ops->closes(least, gap->path[0], gap->path[1], gap->point->rest);
  }
  return least;
}

// What a pickup gives, times a gain.
static void hear(const JwWorld* world, const JwFlight* flight, const JwFlightEar* ear,
                 uint32_t count, double gain, double* row) {
  const JwObject* const object = ear->pickup->side.object;
  const double position = object && object->position ? *object->position : 0.0;
  switch (ear->pickup->def.quantity) {
  case JW_QUANTITY_VELOCITY:
    if (!ear->steps) {
      flight->ops->velocity(count, ear->path, world->k, gain, row);
      break;
    }
    for (uint32_t t = 0; t < count; ++t) {
      row[t] = gain * (ear->steps[t + 1] / world->k);
    }
    break;
  case JW_QUANTITY_DISPLACEMENT:
    for (uint32_t t = 0; t < count; ++t) {
      row[t] = gain * (ear->path[t + 1] + position);
    }
    break;
  case JW_QUANTITY_FORCE:
    for (uint32_t t = 0; t < count; ++t) {
      row[t] = gain * ear->path[t + 1];
    }
    break;
  }
}

static void listen(const JwWorld* world, const JwFlight* flight, uint32_t at, uint32_t count) {
  const bool stereo = world->def.channels == 2;
  for (uint32_t i = 0; i < flight->ear_count; ++i) {
    const JwFlightEar* const ear = &flight->ears[i];
    double* const row = world->heard + (size_t)2 * JW_CHUNK * ear->index + at;
    hear(world, flight, ear, count, jw_pickup_gain(world, ear->index, false), row);
    if (stereo) {
      hear(world, flight, ear, count, jw_pickup_gain(world, ear->index, true), row + JW_CHUNK);
    }
  }
}

// How far one may go before something other than a contact happens.
static uint32_t clear_frames(const JwComponent* component, uint32_t most) {
  const JwComponentState* const state = component->state;
  const uint64_t rest = JW_REST_FRAMES - 1 - state->frame % JW_REST_FRAMES;
  const uint64_t throw = state->next_throw - state->frame;
  const uint64_t count = most < rest ? most : rest;
  return (uint32_t)(count < throw ? count : throw);
}

// What the general step would have left.
static void land(JwWorld* world, JwComponent* component, uint32_t count) {
  JwFlight* const flight = component->flight;
  for (uint32_t i = 0; i < flight->gap_count; ++i) {
    const JwFlightGap* const gap = &flight->gaps[i];
    gap->point->known = false;
    if (component->point_count > 1) { // Alone, an open point is not even noted
      gap->point->step.state->eta = (gap->path[0][count] - gap->path[1][count]) + gap->point->rest;
    }
  }
  for (uint32_t i = 0; i < flight->drive_count; ++i) {
    const uint32_t index = flight->drives[i].index;
    world->force_states[index].force =
        jw_force_at_frame(world, index, component->state->frame + count - 1);
  }
  component->known = component->heard = false;
  component->state->frame += count;
}

// Free flight: returns how many frames.
static uint32_t glide(const JwWorld* world, JwComponent* component, uint32_t count) {
  JwFlight* const flight = component->flight;
  const uint64_t frame = component->state->frame;
  count = count < flight->span ? count : flight->span;
  for (uint32_t i = 0; i < flight->gap_count; ++i) {
    if (!is_open(flight->gaps[i].point)) {
      return 0;
    }
  }
  if (!gather_forces(world, flight, frame, count)) {
    return 0;
  }
  save(flight, frame, false);
  fly(flight, frame, count);
  add_readings(flight, count, NULL);
  const uint32_t free = free_frames(flight, count);
  flight->span = free < count ? 8 : flight->span < JW_CHUNK ? 2 * flight->span : JW_CHUNK;
  if (free < count) {
    save(flight, frame, true);
    if (free) {
      fly(flight, frame, free);
    }
  }
  if (flight->pushed) {
    memset(flight->force, 0, JW_FLIGHT_ROWS * sizeof(double));
    flight->pushed = false;
  }
  return free;
}

// The one contact pushes: returns for how many frames.
static JW_REALTIME uint32_t press(const JwWorld* world, JwComponent* component, uint32_t count) {
  JwFlight* const flight = component->flight;
  JwPress* const p = &flight->press;
  JwPoint* const point = p->step ? flight->gaps[0].point : NULL;
  if (!point || !point->quick || p->step->state->shift != 0.0) {
    return 0;
  }
  for (uint32_t i = 0; i < flight->drive_count; ++i) {
    if (!jw_force_silent(world, flight->drives[i].index, component->state->frame, count)) {
      return 0;
    }
  }
  p->rest = point->rest;
  for (int s = 0; s < 2; ++s) {
    p->mass_spread[s] = p->mass[s] ? point->side[s].spread[0] : 0.0;
  }
  const uint32_t pressed = flight->ops->press(p, component->state->frame, count);
  if (pressed) {
    point->closed = flight->pushed = true;
    add_readings(flight, pressed, p->bank ? p->path[p->side] : NULL);
  }
  return pressed;
}

JW_REALTIME uint32_t jw_flight(JwWorld* world, JwComponent* component, uint32_t at, uint32_t most) {
  JwFlight* const flight = component->flight;
  if (!flight || !flight->ops || !component->state->awake || component->moving_count
      || component->stale || component->reread) {
    return 0;
  }
  uint32_t done = 0;
  for (uint32_t last = 1; last;) { // In turns, until neither can
    const uint32_t count = clear_frames(component, most - done);
    if (!count) {
      break;
    }
    last = glide(world, component, count);
    last = last ? last : press(world, component, count);
    if (last) {
      listen(world, flight, at + done, last);
      land(world, component, last);
      done += last;
    }
  }
  return done;
}
