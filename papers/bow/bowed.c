// SPDX-License-Identifier: MIT
// Bow a string and say what its motion is.
//
//   symbol  meaning                                                             unit
//   v       velocity of the string under the bow                                m/s
//   vB      velocity of the bow                                                 m/s
//   A       sharpness of the friction curve, whose top is at |v - vB| = 1/sqrt(2A)
//   beta    place of the bow, as a fraction of the length
//   f0      fundamental: (1/2L) sqrt(T/rA) sqrt(1 + pi^2 EI / (T L^2))          Hz
//
// In Helmholtz motion one corner runs around the string: under the bow the string moves with the
// bow for the fraction 1 - beta of the period and slips back once, at -vB (1 - beta)/beta.
//
// Sticking: v is on the rising part of the friction curve, |v - vB| < 1/sqrt(2A).  A slip is
// counted where v falls below zero and afterwards sticks again: the two thresholds lie apart, so
// that ripple on one of them is not counted twice.
//
// Pitch: the best lag of the autocorrelation between 0.6 and 1.6 periods says whether there is a
// tone and which; the phase of that tone's fundamental, in two windows half of the recording apart,
// says its frequency.  Hann windows of n periods let neighbours n/2 harmonics away through by less
// than 1e-4. With 2 x 20 periods an error of 0.01 rad in phase is 0.14 cents.

#include "bow/bowed.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

// Lengths, radii, densities, tensions and moduli as measured; losses chosen so that a plucked
// string rings for the seconds that such strings do.
const JwBowedString jw_bowed_strings[JW_BOWED_STRINGS] = {
    {"violin A4", 0.32, 3e-4, 2547.0, 57.1, 19.5e9, {440.0, 1.5, 5000.0, 0.1}},
    {"cello G2", 0.69, 6.05e-4, 5357.0, 112.7, 8.6e9, {98.0, 3.0, 2000.0, 0.2}},
    {"tromba", 1.9, 5e-4, 7850.0, 91.2, 2e11, {32.0, 29.0, 960.0, 0.056}},
};

JwBowedDef jw_bowed_default(JwBowedName string) {
  const JwBowedDef def = {
      .string = &jw_bowed_strings[string],
      .sample_rate = 44100.0,
      .beta = 0.1,
      .force = 0.2,
      .speed = 0.2,
      .method = JW_BOW_REFINED,
      .moving = true,
      .settle = 60,
      .look = 40,
  };
  return def;
}

static double fundamental(const JwBowedString* s) {
  const double area = PI * s->radius * s->radius,
               bending = s->young * PI * pow(s->radius, 4.0) / 4.0;
  const double stiff = 1.0 + PI * PI * bending / (s->tension * s->length * s->length);
  return sqrt(s->tension / (s->density * area)) * sqrt(stiff) / (2.0 * s->length);
}

static JwStatus build(const JwBowedDef* def, JwWorld** world) {
  JwWorldDef world_def = jw_world_default();
  world_def.sample_rate = def->sample_rate;
  world_def.ledger = true;
  JwStatus status = jw_world_create(&world_def, world);
  if (status) {
    return status;
  }
  JwStringDef string = jw_string_default();
  string.length = def->string->length;
  string.radius = def->string->radius;
  string.density = def->string->density;
  string.tension = def->string->tension;
  string.young = def->string->young;
  for (int i = 0; i < 4; ++i) {
    string.decay[i] = def->string->decay[i];
  }
  JwObjectId id;
  status = jw_world_add_string(*world, &string, &id);
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(id, def->beta);
  bow.force = def->force;
  bow.speed = def->speed;
  bow.method = def->method;
  JwContactId contact;
  status = status ? status : jw_world_add_bow(*world, &bow, &contact);
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = bow.port;
  JwPickupId heard;
  status = status ? status : jw_world_add_pickup(*world, &pickup, &heard);
  // Helmholtz motion with its corner at the far end: straight, and turning around the near end.
  JwInitialDef turning = jw_initial_default();
  turning.object = id;
  turning.quantity = JW_INITIAL_VELOCITY;
  turning.x = 1.0 - 1e-3;
  turning.amplitude = def->speed / def->beta;
  status = status || !def->moving ? status : jw_world_add_initial(*world, &turning);
  return status ? status : jw_world_prepare(*world);
}

// ---------------------------------------------------------------- what the motion is

typedef struct {
  const double* v;
  size_t count;
  double rate;
} Signal;

// Correlation of the signal with itself `lag` samples later, 1 if equal.
static double likeness(const Signal* s, size_t lag, size_t count) {
  double both = 0.0, first = 0.0, second = 0.0;
  for (size_t n = 0; n < count && n + lag < s->count; ++n) {
    both += s->v[n] * s->v[n + lag];
    first += s->v[n] * s->v[n];
    second += s->v[n + lag] * s->v[n + lag];
  }
  return first > 0.0 && second > 0.0 ? both / sqrt(first * second) : 0.0;
}

// Period in samples by the best lag, whole samples.
static size_t best_lag(const Signal* s, double period, double* quality) {
  size_t best = 0;
  *quality = -1.0;
  for (size_t lag = (size_t)(0.6 * period); lag <= (size_t)(1.6 * period); ++lag) {
    const double here = likeness(s, lag, (size_t)(6.0 * period)); // Six periods are enough to tell
    if (here > *quality) {
      *quality = here;
      best = lag;
    }
  }
  return best;
}

// Phase of the component at `frequency` in `count` samples from `start`.
static double phase(const Signal* s, size_t start, size_t count, double frequency) {
  double re = 0.0, im = 0.0;
  for (size_t n = 0; n < count; ++n) {
    const double window = 0.5 - 0.5 * cos(2.0 * PI * ((double)n + 0.5) / (double)count);
    const double angle = 2.0 * PI * frequency * (double)(start + n) / s->rate;
    re += window * s->v[start + n] * cos(angle);
    im -= window * s->v[start + n] * sin(angle);
  }
  return atan2(im, re);
}

static double refine_pitch(const Signal* s, double frequency) {
  for (int pass = 0; pass < 3; ++pass) {
    const size_t half = s->count / 2;
    const double turned = phase(s, half, half, frequency) - phase(s, 0, half, frequency);
    frequency += remainder(turned, 2.0 * PI) / (2.0 * PI) * s->rate / (double)half;
  }
  return frequency;
}

static void count_slips(const Signal* s, double speed, double width, JwBowedMotion* motion) {
  size_t stuck = 0, slips = 0;
  bool slipping = false;
  const double sign = speed < 0.0 ? -1.0 : 1.0;
  for (size_t n = 0; n < s->count; ++n) {
    const bool sticks = fabs(s->v[n] - speed) < width;
    stuck += sticks;
    if (!slipping && sign * s->v[n] < 0.0) {
      ++slips;
    }
    slipping = sign * s->v[n] < 0.0 || (slipping && !sticks);
  }
  motion->sticking = (double)stuck / (double)s->count;
  motion->slips =
      motion->pitch > 0.0 ? (double)slips / ((double)s->count / s->rate * motion->pitch) : 0.0;
}

static void describe(const JwBowedDef* def, const Signal* s, JwBowedMotion* motion) {
  const size_t lag = best_lag(s, s->rate / motion->expected, &motion->steady);
  // A tone repeats itself; 0.8 leaves room for half a sample of misfit at a sharp corner.
  motion->pitch = motion->steady > 0.8 ? refine_pitch(s, s->rate / (double)lag) : 0.0;
  count_slips(s, def->speed, 1.0 / sqrt(2.0 * jw_bow_default().sharpness), motion);
}

JwStatus jw_bowed_run(const JwBowedDef* def, JwBowedMotion* motion) {
  *motion = (JwBowedMotion){.expected = fundamental(def->string)};
  const double period = def->sample_rate / motion->expected;
  const size_t settle = (size_t)(def->settle * period), count = (size_t)(def->look * period);
  double* const v = (double*)malloc((settle + count) * sizeof *v);
  JwWorld* world = NULL;
  JwStatus status = v ? build(def, &world) : JW_STATUS_NO_MEMORY;
  if (!status) {
    double* const channels[1] = {v};
    status = jw_world_run_double(world, channels, (uint32_t)(settle + count));
  }
  if (!status) {
    const Signal signal = {v + settle, count, def->sample_rate};
    motion->residual = jw_world_energy(world).worst_residual;
    describe(def, &signal, motion);
  }
  jw_world_destroy(world);
  free(v);
  return status;
}

double jw_bowed_cents(double frequency, double reference) {
  return frequency > 0.0 && reference > 0.0 ? 1200.0 * log2(frequency / reference) : NAN;
}

bool jw_bowed_speaks(const JwBowedMotion* motion) {
  return fabs(jw_bowed_cents(motion->pitch, motion->expected)) < 50.0
         && fabs(motion->slips - 1.0) < 0.05;
}
