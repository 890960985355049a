// SPDX-License-Identifier: MIT
// A little room: the first reflections of a box, from walls that all take the same share.
//
// A wall answers like a second source behind it, and walls together like sources behind those: with
// m, l and n mirrors along the three sides an image lies at m Lx + sx, or m Lx + Lx - sx where m is
// odd, and so on (J. Allen and D. Berkley, J. Acoust. Soc. Am. 65, 1979).  Against the direct
// sound, d0 long, what comes from an image at d is
//
//   sqrt(1 - walls)^(|m| + |l| + |n|) d0/d, (d - d0)/c later                             (9.3)
//
// and each wall is a low-pass at `dull` besides, so that what met n walls is read from a line that
// went through n of them.  The direct sound passes as it is.  Two ears, 20 cm apart and turned to
// the source, hear each image from their own place; a mono sound is heard in their middle.
// Whatever the pickups hear together is taken to come from one place.  Tested by test_air.c.

#include "listen/listen.h"

#include <stdio.h>
#include <stdlib.h>

#define EAR 0.1 // From the middle, m
#define SILENT 1e-200
#define LEAST_DISTANCE 0.1

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return length_of(d);
}

/// Where an ear is: 0 the middle, 1 left, -1 right, for who looks at the source.
static void ear_place(const JwWorldDef* def, int side, double place[3]) {
  const double x = def->source[0] - def->listener[0], y = def->source[1] - def->listener[1];
  const double ahead = sqrt(x * x + y * y), reach = side * EAR / (ahead > 0.0 ? ahead : 1.0);
  place[0] = def->listener[0] - reach * (ahead > 0.0 ? y : 1.0);
  place[1] = def->listener[1] + reach * x;
  place[2] = def->listener[2];
}

static void add_tap(const JwWorldDef* def, const int mirrors[3], const double ear[3], JwEar* to) {
  const int walls = abs(mirrors[0]) + abs(mirrors[1]) + abs(mirrors[2]);
  if (walls == 0 || walls > (int)def->reflections) {
    return;
  }
  double image[3];
  for (int i = 0; i < 3; ++i) {
    const double own = mirrors[i] % 2 ? def->room[i] - def->source[i] : def->source[i];
    image[i] = mirrors[i] * def->room[i] + own;
  }
  const double direct = distance(def->source, ear), far = distance(image, ear);
  double gain = direct / far;
  for (int i = 0; i < walls; ++i) {
    gain *= sqrt(1.0 - def->walls);
  }
  const double frames = (far - direct) * def->sample_rate / JW_SPEED_OF_SOUND;
  to->taps[to->count++] = (JwTap){gain, (uint32_t)(frames + 0.5), (uint32_t)walls - 1};
}

static void listen_from(const JwWorldDef* def, int side, JwEar* ear) {
  const int most = (int)def->reflections;
  double place[3];
  ear_place(def, side, place);
  for (int x = -most; x <= most; ++x) {
    for (int y = -most; y <= most; ++y) {
      for (int z = -most; z <= most; ++z) {
        add_tap(def, (const int[3]){x, y, z}, place, ear);
      }
    }
  }
}

bool jw_room_check(const JwWorldDef* def, char error[JW_ERROR_SIZE]) {
  for (int i = 0; i < 6; ++i) {
    const double at = i < 3 ? def->source[i] : def->listener[i - 3], most = def->room[i % 3];
    if (!(at < most)) {
      snprintf(error, JW_ERROR_SIZE, "%s[%d] is %g, must be below room[%d], which is %g",
               i < 3 ? "source" : "listener", i % 3, at, i % 3, most);
      return false;
    }
  }
  const double apart = distance(def->source, def->listener);
  if (apart < LEAST_DISTANCE) {
    snprintf(error, JW_ERROR_SIZE, "listener is %g m from source, must be at least %g", apart,
             LEAST_DISTANCE);
  }
  return apart >= LEAST_DISTANCE;
}

void jw_room_lay(const JwWorldDef* def, JwRoom* room) {
  for (uint32_t c = 0; c < def->channels; ++c) {
    listen_from(def, def->channels == 1 ? 0 : c ? -1 : 1, &room->ears[c]);
    for (uint32_t i = 0; i < room->ears[c].count; ++i) {
      const uint32_t frames = room->ears[c].taps[i].frames;
      room->longest = frames > room->longest ? frames : room->longest;
    }
  }
  room->size = 2 * JW_CHUNK;
  while (room->size < room->longest + JW_CHUNK) {
    room->size *= 2;
  }
}

// Through one wall more than the line before: a low-pass by Tustin's rule.
static void pass_wall(const JwWorld* world, JwRoom* room, uint32_t wall, double* x,
                      uint32_t count) {
  const double w = 6.283185307179586 * world->def.dull * world->k;
  const double open = w / (2.0 + w), keep = (2.0 - w) / (2.0 + w);
  double *const before = &room->state->before[wall], *const behind = &room->state->behind[wall];
  double* const line = room->lines + (size_t)wall * room->size;
  for (uint32_t i = 0; i < count; ++i) {
    const double y = keep * *behind + open * (x[i] + *before);
    *before = x[i];
    *behind = fabs(y) < SILENT ? 0.0 : y;
    x[i] = line[(room->state->at + i) & (room->size - 1)] = *behind;
  }
}

static bool is_silent(const double* x, uint32_t count) {
  bool silent = true;
  for (uint32_t i = 0; i < count; ++i) {
    silent = silent && x[i] == 0.0;
  }
  return silent;
}

JW_REALTIME void jw_room_run(const JwWorld* world, JwRoom* room, uint32_t count) {
  const uint32_t channels = world->def.channels;
  double x[JW_CHUNK];
  for (uint32_t i = 0; i < count; ++i) {
    const double left = world->mixed[i];
    x[i] = channels == 2 ? 0.5 * (left + world->mixed[JW_CHUNK + i]) : left;
  }
  const bool silent = is_silent(x, count);
  for (uint32_t wall = 0; wall < world->def.reflections; ++wall) {
    pass_wall(world, room, wall, x, count);
  }
  // What comes in, and all that the walls still hold, must have left the lines
  room->state->left =
      silent && is_silent(room->state->behind, world->def.reflections)
          ? room->state->left - (room->state->left < count ? room->state->left : count)
          : room->longest + count;
  for (uint32_t c = 0; c < channels && room->state->left; ++c) {
    double* restrict const out = world->mixed + (size_t)JW_CHUNK * c;
    for (uint32_t t = 0; t < room->ears[c].count; ++t) {
      const JwTap tap = room->ears[c].taps[t];
      const double* restrict const line = room->lines + (size_t)tap.walls * room->size;
      const uint32_t from = room->state->at - tap.frames;
      for (uint32_t i = 0; i < count; ++i) {
        out[i] += tap.gain * line[(from + i) & (room->size - 1)];
      }
    }
  }
  room->state->at = (room->state->at + count) & (room->size - 1);
}
