// SPDX-License-Identifier: MIT
// Engine and written-out form, side by side, and what rounding may make of either.
//
// The ledger.  A state x is stored with a relative error eps/2, so x - x- carries an absolute error
// of about eps |x|, and the kinetic energy M/2 ((x - x-)/k)^2 a relative one of 2 eps |x|/(k |v|):
// the cancellation in x - x-.  Each step's update makes a new such error, which changes the energy
// by M v dx/k once; signs are random, so n steps leave sqrt(n) of them.  Where |x| < k |v| the
// roundings of the products, a few eps, are what is left.  Two for the square and two for the few
// roundings of an update:
//
//   bound = 4 eps sqrt(n) max(1, |x|/(k |v|))
//
// with |x| and |v| the root mean squares of a part over its points and the run, and the part with
// the largest quotient taken.
//
// The motion.  Both forms are the same map, each step rounded differently.  How far that takes them
// apart depends on the system (contacts amplify what reaches them), so it is measured, on the
// written-out form alone: four twins of it run along, whose states are moved after every step by 4
// eps of what goes into them (an update has about eight roundings of eps/2) and whose parameters
// are moved once by what the engine's storage of its coefficients can do (multiples of 2^-50 on
// grids; the kept velocity e, near 1, rounded to 2^-53 elsewhere), all signs at random.  The
// tolerance is four times the largest departure of a twin: two forms have roundings, and a few
// draws need not be the worst.

#include "engine.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TWINS = 4 };

typedef struct {
  double difference, departure, size; // Largest so far
  double x2, v2;                      // Sums of squares
  uint64_t count;
  double last[JW_NOTE_VALUES];
} Part;

typedef struct {
  JwNoteWorld engine;
  JwNote written, twin[TWINS];
  uint64_t noise[TWINS];
  Part part[JW_PARTS];
} Race;

// ---------------------------------------------------------------- twins

// A sign at random: the top bit of a linear congruence.
static double sign(uint64_t* noise) {
  *noise = *noise * 6364136223846793005u + 1442695040888963407u;
  return *noise >> 63 ? 1.0 : -1.0;
}

// Zero stays zero: it is stored exactly.
static void move(double* parameter, double unit, uint64_t* noise) {
  const double by = unit * sign(noise);
  *parameter += *parameter == 0.0 ? 0.0 : by;
}

// One unit in each coefficient of the engine: tau, beta, sigma and e of grids, e of the rest.
static void move_parameters(JwNoteSystem* system, double k, uint64_t* noise) {
  const double unit = 0x1p-50, fine = 0x1p-53;
  for (int s = 0; s < system->strings; ++s) {
    JwNoteString* const c = &system->string[s];
    const double h = jw_note_spacing(c), y = k * k / (c->mass * h);
    move(&c->loss[0], (c->modes ? fine : unit) / (2.0 * k), noise);
    if (!c->modes) {
      move(&c->tension, unit * h / y, noise);
      move(&c->bending, unit * h * h * h / y, noise);
      move(&c->loss[1], unit * k * h / (2.0 * c->mass * y), noise);
    }
  }
  for (int m = 0; m < system->masses; ++m) {
    move(&system->mass[m].loss, fine * system->mass[m].mass / k, noise);
  }
  if (system->plates) {
    JwNotePlate* const c = &system->plate;
    const double h2 = c->spacing * c->spacing, y = k * k / (c->mass * h2);
    move(&c->bending, unit * h2 / y, noise);
    move(&c->loss[0], unit / (2.0 * k), noise);
    move(&c->loss[1], unit * k / (2.0 * c->mass * y), noise);
  }
}

static double moved(double now, double scale, uint64_t* noise) {
  return now + 4.0 * DBL_EPSILON * scale * sign(noise);
}

// The largest value that goes into the update of point i: of its neighbours, two to either side.
static double around(const double* now, const double* prev, int i, int stride) {
  double largest = 0.0;
  for (int j = -2; j <= 2; ++j) {
    const int at = i + j * stride;
    if (at >= 0 && at < JW_NOTE_POINTS) {
      largest = fmax(largest, fmax(fabs(now[at]), fabs(prev[at])));
    }
  }
  return largest;
}

static void move_string(const JwNoteString* c, JwNoteLine* u, uint64_t* noise) {
  for (int l = 1; l < c->points; ++l) {
    const double scale = around(u->now, u->prev, l, c->modes ? 0 : 1);
    u->now[l] = moved(u->now[l], scale, noise);
  }
}

static void move_plate(const JwNotePlate* c, JwNoteSheet* v, uint64_t* noise) {
  for (int i = 1; i < c->points[0]; ++i) {
    for (int j = 1; j < c->points[1]; ++j) {
      const int at = i * JW_NOTE_SIDE + j;
      const double scale =
          fmax(around(v->now, v->prev, at, 1), around(v->now, v->prev, at, JW_NOTE_SIDE));
      v->now[at] = moved(v->now[at], scale, noise);
    }
  }
}

static void move_state(JwNote* note, uint64_t* noise) {
  for (int s = 0; s < note->system.strings; ++s) {
    move_string(&note->system.string[s], &note->u[s], noise);
  }
  for (int m = 0; m < note->system.masses; ++m) {
    JwNotePoint* const w = &note->w[m];
    w->now = moved(w->now, fmax(fabs(w->now), fabs(w->prev)), noise);
  }
  if (note->system.plates) {
    move_plate(&note->system.plate, &note->v, noise);
  }
}

// ---------------------------------------------------------------- one frame

static void look_at(Race* race, JwNotePart p) {
  double engine[JW_NOTE_VALUES], written[JW_NOTE_VALUES], twin[JW_NOTE_VALUES];
  Part* const part = &race->part[p];
  const uint32_t count = jw_note_values(&race->written, p, written);
  if (count
      && jw_world_field(race->engine.world, race->engine.part[p], engine, JW_NOTE_VALUES)
             != count) {
    part->difference = HUGE_VAL; // Not the same object
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const double apart = fabs(engine[i] - written[i]);
    part->difference = isfinite(apart) ? fmax(part->difference, apart) : HUGE_VAL;
    part->size = fmax(part->size, fabs(engine[i]));
    part->x2 += engine[i] * engine[i];
    const double change = part->count ? engine[i] - part->last[i] : 0.0; // k v
    part->v2 += change * change;
    part->last[i] = engine[i];
  }
  part->count += count;
  for (int t = 0; t < TWINS && count; ++t) {
    jw_note_values(&race->twin[t], p, twin);
    for (uint32_t i = 0; i < count; ++i) {
      part->departure = fmax(part->departure, fabs(twin[i] - written[i]));
    }
  }
}

static double read_place(const JwNoteWorld* note, const JwNoteSystem* system, JwNotePart part) {
  const bool plate = part == JW_PART_PLATE;
  const JwPort port = {note->part[part],
                       plate                      ? system->plate_at[0]
                       : system->contact[0].along ? 0.5
                                                  : system->at,
                       system->plate_at[1], JW_READ_NEAREST, 0.0};
  double displacement = 0.0, velocity;
  return jw_world_probe(note->world, port, &displacement, &velocity) ? NAN : displacement;
}

static void keep(double* values, uint32_t frame, double value) {
  if (values) {
    values[frame] = value;
  }
}

static void trace_frame(Race* race, const JwNoteTrace* trace, uint32_t frame) {
  const JwNoteSystem* const system = &race->written.system;
  const JwNotePart a = system->contact[0].a, b = system->contact[0].b;
  const JwNotePart first = a == JW_PART_BARRIER ? b : a, second = a == JW_PART_BARRIER ? a : b;
  const int middle = system->contact[0].along ? system->string[0].points / 2 : 0;
  const JwEnergy energy = jw_world_energy(race->engine.world);
  // eta = u_a - u_b gives the written-out place of `first` from the other's.
  const double eta = jw_note_eta(&race->written, 0, middle, JW_LEVEL_NOW);
  const double other = second == JW_PART_BARRIER ? jw_note_barrier(&race->written, middle)
                                                 : read_place(&race->engine, system, second);
  keep(trace->t, frame, (double)frame * race->written.k);
  keep(trace->engine, frame, read_place(&race->engine, system, first));
  keep(trace->written, frame, a == JW_PART_BARRIER ? other - eta : other + eta);
  keep(trace->other, frame, other);
  keep(trace->kinetic, frame, energy.kinetic);
  keep(trace->potential, frame, energy.potential);
  keep(trace->contact, frame, energy.contact);
  keep(trace->lost, frame, energy.lost);
  keep(trace->supplied, frame, energy.supplied);
  keep(trace->residual, frame, energy.residual);
  keep(trace->written_residual, frame, race->written.ledger.residual);
}

// ---------------------------------------------------------------- the whole way

static bool start(Race* race, const JwNoteSystem* system, char* error) {
  const double rate = 44100.0;
  memset(race, 0, sizeof *race);
  const JwStatus status = jw_note_build(&race->engine, system, rate);
  if (status) {
    snprintf(error, JW_ERROR_SIZE, "%.40s: %.400s", system->id,
             race->engine.world ? jw_world_error(race->engine.world) : "no memory");
    return false;
  }
  jw_note_start(&race->written, system, rate);
  for (int t = 0; t < TWINS; ++t) {
    JwNoteSystem other = *system;
    race->noise[t] = 1u + (uint64_t)t;
    move_parameters(&other, 1.0 / rate, &race->noise[t]);
    jw_note_start(&race->twin[t], &other, rate);
  }
  return true;
}

static void judge(const Race* race, uint32_t frames, JwNoteComparison* result) {
  double quotient = 1.0, worst = -1.0;
  for (int p = 0; p < JW_PARTS; ++p) {
    const Part* const part = &race->part[p];
    if (part->count == 0) {
      continue;
    }
    const double allowed = 4.0 * part->departure;
    quotient = part->v2 > 0.0 ? fmax(quotient, sqrt(part->x2 / part->v2)) : quotient; // |x|/(k |v|)
    const double ratio = part->difference / allowed;
    if (!(ratio <= worst)) { // Not a number counts as the worst
      worst = ratio;
      result->difference = part->difference / part->size;
      result->tolerance = allowed / part->size;
    }
  }
  result->bound = 4.0 * DBL_EPSILON * sqrt(frames) * quotient;
  result->engine_residual = jw_world_energy(race->engine.world).worst_residual;
  result->written_residual = race->written.ledger.worst;
  for (int i = 0; i < race->written.system.contacts; ++i) {
    const bool spring = race->written.system.contact[i].law == JW_NOTE_SPRING;
    result->closures[i] =
        spring ? 1 : jw_world_contact_figures(race->engine.world, race->engine.contact[i]).closures;
  }
}

// Advance the engine by one frame, and the written-out forms with it unless it runs alone.
static bool advance(Race* race, bool alone, char* error) {
  if (jw_world_run_double(race->engine.world, NULL, 1)) {
    snprintf(error, JW_ERROR_SIZE, "%s: %s", race->written.system.id,
             jw_world_error(race->engine.world));
    return false;
  }
  if (!alone) {
    jw_note_step(&race->written);
    for (int t = 0; t < TWINS; ++t) {
      jw_note_step(&race->twin[t]);
      move_state(&race->twin[t], &race->noise[t]);
    }
  }
  return true;
}

static bool run(const JwNoteSystem* system, const JwNoteTrace* trace, bool alone,
                JwNoteComparison* result) {
  static Race race; // Large, and used by one at a time
  bool good = start(&race, system, result->error);
  for (uint32_t frame = 0; frame < result->frames && good; ++frame) {
    if (trace) {
      trace_frame(&race, trace, frame);
    }
    for (int p = 0; p < JW_PARTS; ++p) {
      look_at(&race, (JwNotePart)p);
    }
    good = advance(&race, alone, result->error);
  }
  if (good) {
    judge(&race, result->frames, result);
  }
  jw_world_destroy(race.engine.world);
  return good;
}

bool jw_note_compare(const JwNoteSystem* system, uint32_t frames, const JwNoteTrace* trace,
                     JwNoteComparison* result) {
  memset(result, 0, sizeof *result);
  result->frames = frames;
  return run(system, trace, false, result);
}

bool jw_note_keep_books(const JwNoteSystem* system, uint32_t frames, JwNoteComparison* result) {
  memset(result, 0, sizeof *result);
  result->frames = frames;
  const bool good = run(system, NULL, true, result);
  result->difference = result->tolerance = NAN; // Nothing was compared
  return good;
}
