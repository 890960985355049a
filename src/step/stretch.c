// SPDX-License-Identifier: MIT
// Strings and plates that stiffen as they move: a row of the island for each (law/tension.c).
//
//   symbol  meaning                                                     unit
//   V       energy of the stretch                                       J
//   psi     the load, sqrt(2 V) at n + 1/2                              sqrt(J)
//   g       slope of sqrt(2 V), the weights of the row                  sqrt(N/m)
//   Y       admittances of the object, a diagonal                       m/N
//   r       u+ - u-                                                     m
//
// **By the mean stretch** V is kappa^2 (u.K u)^2/2, with kappa sqrt(G/4L) of a string and
// sqrt(E H/(4 (1 - nu^2) A)) of a plate, and g = 2 kappa K u.  Since K is symmetric, psi+ - psi =
// kappa u.K (u+ - u-) = g.r/2: the step of (8.2) keeps psi on kappa u+.K u for ever, to rounding,
// and nothing drifts.
//
// **By the stretch of every place** psi would drift from sqrt(2 V), by a part of k^3 in every step.
// So the step is foreseen, as if nothing but the row pushed; V halfway to where it leads says what
// psi is wanted, the slope of V is divided by what then makes it the force, and g is turned along
// the motion by what psi would still miss:
//
//   g0 = 2 grad V/(wanted + psi),   g = g0 + (2 (wanted - psi) - g0.r) Y^-1 r/(r.Y^-1 r)     (8.4)
//
// Any g keeps the ledger closed; this one keeps psi on sqrt(2 V), and brings it back from whatever
// led it astray.
//
// The row is one more point of the island of whatever touches the object.

#include "step/step.h"

#include <math.h>

static const JwLawParams no_law = {.kind = JW_KIND_COUNT};

static void layout_local(JwStretch* stretch, uint32_t count, JwArena* arena) {
  stretch->inertia = JW_TAKE(arena, count, double);
  stretch->motion = JW_TAKE(arena, count, double);
  stretch->middle = JW_TAKE(arena, count, double);
}

void jw_stretch_layout(JwWorld* world, JwObject* object, JwArena* arena, JwArena* state) {
  JwSide side = {.object = object, .whole = !object->dense, .carries = object->carries_step};
  side.weights.count = side.weights.capacity = object->dense ? object->dofs : object->size;
  side.weights.weight = JW_TAKE(arena, side.weights.count, double);
  side.spread = JW_TAKE(arena, side.weights.count, double);
  JwPointState* const point_state = JW_TAKE(state, 1, JwPointState);
  JwStretch* const stretch = JW_TAKE(arena, object->local, JwStretch);
  JwStretch arrays = {0};
  if (object->local) {
    layout_local(&arrays, side.weights.count, arena);
  }
  if (world->points) {
    JwPoint* const point = &world->points[object->row];
    point->side[0] = side;
    point->step.state = point->step.figures = point_state;
    point->step.law = &no_law;
    point->step.scale = 1.0;
    point->contact = JW_NONE;
    point->ops = &jw_tension_ops;
    point->dense = object->local ? &jw_local_stretch_ops : &jw_mean_stretch_ops;
    if (object->local) {
      *stretch = arrays;
      point->stretch = stretch;
    }
  }
}

static void read_motion(JwPoint* point) {
  JwSide* const side = &point->side[0];
  if (side->object->dense) { // Whose motion is a difference of readings, with these weights
    jw_side_reread(side);
  }
  point->step.r_free = jw_side_motion(side);
}

#define LOOK_FRAMES 64 // How often psi is compared with what the motion asks for

// Is it time to look?  After the step, of which `asked` will be the psi.
static bool looks(JwPoint* point) {
  JwPointState* const state = point->step.state;
  state->largest_psi = fmax(state->largest_psi, fabs(state->psi));
  return ++state->closed_samples % LOOK_FRAMES == 0;
}

static void note_misfit(JwPoint* point, double asked) {
  JwPointState* const state = point->step.state;
  state->largest_wanted = fmax(state->largest_wanted, fabs(asked));
  state->misfit = fmax(state->misfit, fabs(state->psi - asked));
}

// ---------------------------------------------------------------- by the mean stretch

// Weights, compliance and motion of the row in this step.
static JW_REALTIME void read_mean(JwPoint* point) {
  JwStep* const step = &point->step;
  JwSide* const side = &point->side[0];
  const JwObject* const object = side->object;
  double* const w = side->weights.weight;
  // The weights are g = 2 kappa K u, of which u.g/2 is psi
  step->eta = 0.5 * object->ops->stretch(object, 2.0 * object->stretch, object->level[JW_NOW], w);
  step->q = jw_spread(side->weights.count, w, object->y, side->spread);
  step->eta_prev = step->eta;
  read_motion(point);
}

static double start_mean(JwPoint* point) {
  read_mean(point);
  return point->step.r_free;
}

// psi of the two states there are, kappa u.K u- with K u in the weights: nothing later would bring
// it there.
static void begun_mean(JwPoint* point) {
  point->step.state->psi = 0.5 * jw_side_read(&point->side[0], JW_PREV);
}

// The weights are still 2 kappa K u.
static JW_REALTIME void note_mean(JwPoint* point) {
  if (looks(point)) {
    note_misfit(point, 0.5 * jw_side_read(&point->side[0], JW_NEXT));
  }
}

const JwDenseOps jw_mean_stretch_ops = {read_mean, start_mean, begun_mean, note_mean, NULL};

// ---------------------------------------------------------------- by the stretch of every place

// The psi that the middle between two states asks for.
static double load_between(const JwPoint* point, const double* a, const double* b) {
  const JwSide* const side = &point->side[0];
  double* const middle = point->stretch->middle;
  for (uint32_t i = 0; i < side->weights.count; ++i) {
    middle[i] = 0.5 * (a[i] + b[i]);
  }
  return sqrt(2.0 * side->object->ops->strain(side->object, middle, NULL));
}

// Weights g = grad V/sqrt(2 V), compliance and motion.
static void read_slope(JwPoint* point) {
  JwStep* const step = &point->step;
  JwSide* const side = &point->side[0];
  const JwObject* const object = side->object;
  double* const g = side->weights.weight;
  const double psi = sqrt(2.0 * object->ops->strain(object, object->level[JW_NOW], g)),
               part = psi > JW_TINY ? 1.0 / psi : 0.0;
  for (uint32_t i = 0; i < side->weights.count; ++i) {
    g[i] *= part;
  }
  step->eta = step->eta_prev = psi;
  step->q = jw_spread(side->weights.count, g, object->y, side->spread);
  read_motion(point);
}

// What the row alone would do.
typedef struct {
  double along;  // g.r
  double size;   // r.Y^-1 r (J)
  double wanted; // The psi that the middle of the step asks for
} Foreseen;

static Foreseen foresee(const JwPoint* point) {
  const JwStep* const step = &point->step;
  const JwSide* const side = &point->side[0];
  const JwStretch* const stretch = point->stretch;
  double* const* const level = side->object->level;
  const JwForesight row = {level[JW_NEXT],   level[JW_PREV],  side->weights.weight, side->spread,
                           stretch->inertia, stretch->middle, stretch->motion};
  const double f = (0.25 * step->r_free + step->state->psi) / (1.0 + 0.25 * step->q);
  double sums[2];
  jw_foresee(side->weights.count, &row, f, sums);
  return (Foreseen){sums[0], sums[1], load_between(point, stretch->middle, level[JW_NOW])};
}

#define MOST_GAIN 2.0 // Where psi is next to nothing, half of it is no measure
#define MOST_TURN 1.0 // Of g, in the measure g.Y g: where next to nothing moves, neither is r

static JW_REALTIME void read_local(JwPoint* point) {
  read_slope(point);
  JwStep* const step = &point->step;
  JwSide* const side = &point->side[0];
  const JwStretch* const stretch = point->stretch;
  const double psi = step->state->psi;
  const Foreseen ahead = foresee(point);
  const double loads = ahead.wanted + psi;
  const double gain = 2.0 * step->eta < MOST_GAIN * loads ? 2.0 * step->eta / loads : MOST_GAIN;
  const double missed = 2.0 * (ahead.wanted - psi) - gain * ahead.along;
  const double most = MOST_TURN * sqrt(step->q * ahead.size);
  const double turn = ahead.size > 0.0 ? fmin(fmax(missed, -most), most) / ahead.size : 0.0;
  double* const g = side->weights.weight;
  jw_turn(side->weights.count, gain, turn, stretch->inertia, stretch->motion, g);
  step->q = jw_spread(side->weights.count, g, side->object->y, side->spread);
  read_motion(point);
}

static double start_local(JwPoint* point) {
  const JwSide* const side = &point->side[0];
  for (uint32_t i = 0; i < side->weights.count; ++i) {
    const double y = side->object->y[i];
    point->stretch->inertia[i] = y > 0.0 ? 1.0 / y : 0.0;
  }
  read_slope(point);
  return point->step.r_free;
}

// The load halfway between the two states there are.
static void begun_local(JwPoint* point) {
  double* const* const level = point->side[0].object->level;
  point->step.state->psi = load_between(point, level[JW_NOW], level[JW_PREV]);
}

static JW_REALTIME void note_local(JwPoint* point) {
  if (looks(point)) {
    double* const* const level = point->side[0].object->level;
    note_misfit(point, load_between(point, level[JW_NEXT], level[JW_NOW]));
  }
}

const JwDenseOps jw_local_stretch_ops = {read_local, start_local, begun_local, note_local, NULL};
