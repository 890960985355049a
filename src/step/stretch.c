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
// led it astray.  Where others of the island push as well, all are solved, which says how; the step
// is foreseen once more with those forces, and all are solved again.
//
// The row is one more point of the island of whatever touches the object.

#include "step/step.h"

#include <math.h>

static const JwLawParams no_law = {.kind = JW_KIND_COUNT};

void jw_stretch_layout(JwWorld* world, JwObject* object, JwArena* arena, JwArena* state) {
  JwSide side = {.object = object, .whole = true, .carries = object->carries_step};
  side.weights.count = side.weights.capacity = object->dense ? object->dofs : object->size;
  side.weights.weight = JW_TAKE(arena, side.weights.count, double);
  side.spread = JW_TAKE(arena, side.weights.count, double);
  JwPointState* const point_state = JW_TAKE(state, 1, JwPointState);
  JwStretch* const stretch = JW_TAKE(arena, 1, JwStretch);
  const uint32_t count = object->local ? side.weights.count : 0;
  double* const inertia = JW_TAKE(arena, count, double);
  double* const slope = JW_TAKE(arena, count, double);
  double* const motion = JW_TAKE(arena, count, double);
  double* const middle = JW_TAKE(arena, count, double);
  if (world->points) {
    *stretch = (JwStretch){
        jw_lanes_best(), &world->components[object->component], inertia, slope, motion, middle};
    JwPoint* const point = &world->points[object->row];
    point->side[0] = side;
    point->step.state = point->step.figures = point_state;
    point->step.law = &no_law;
    point->step.scale = 1.0;
    point->contact = JW_NONE;
    point->ops = &jw_tension_ops;
    point->dense = object->local ? &jw_local_stretch_ops : &jw_mean_stretch_ops;
    point->stretch = stretch;
  }
}

static JwRow row_of(const JwPoint* point) {
  const JwSide* const side = &point->side[0];
  const JwStretch* const stretch = point->stretch;
  const JwObject* const object = side->object;
  return (JwRow){.slope = object->local ? stretch->slope : side->weights.weight,
                 .g = side->weights.weight,
                 .spread = side->spread,
                 .y = object->y,
                 .inertia = stretch->inertia,
                 .next = object->level[JW_NEXT],
                 .now = object->level[JW_NOW],
                 .prev = object->level[JW_PREV],
                 .motion = stretch->motion,
                 .middle = stretch->middle};
}

// Turn the weights, and find what follows from them: compliance and motion.
static void weigh(JwPoint* point, double gain, double turn) {
  JwStep* const step = &point->step;
  const JwSide* const side = &point->side[0];
  const JwRow row = row_of(point);
  double sums[2];
  jw_row_weigh(point->stretch->lanes, side->weights.count, gain, turn, &row, sums);
  step->q = sums[0];
  step->r_free = side->carries ? jw_side_motion(side) : sums[1];
}

// Is it time to look?  After the step, of which `asked` will be the psi.
static bool looks(JwPoint* point) {
  JwPointState* const state = point->step.state;
  state->largest_psi = fmax(state->largest_psi, fabs(state->psi));
  return ++state->closed_samples % JW_LOOK_FRAMES == 0;
}

static void note_misfit(JwPoint* point, double asked) {
  JwPointState* const state = point->step.state;
  state->largest_wanted = fmax(state->largest_wanted, fabs(asked));
  const double miss = fabs(state->psi - asked);
  state->misfit = fmax(state->misfit, miss);
  state->squares += miss * miss;
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
  step->eta_prev = step->eta;
  weigh(point, 1.0, 0.0);
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

const JwDenseOps jw_mean_stretch_ops = {
    .read = read_mean, .start = start_mean, .begun = begun_mean, .note = note_mean};

// ---------------------------------------------------------------- by the stretch of every place

static double load_at(const JwObject* object, const double* u) {
  return sqrt(2.0 * object->ops->strain(object, u, NULL));
}

// The psi that the middle between two states asks for.
static double load_between(const JwPoint* point, const double* a, const double* b) {
  const JwSide* const side = &point->side[0];
  double* const middle = point->stretch->middle;
  for (uint32_t i = 0; i < side->weights.count; ++i) {
    middle[i] = 0.5 * (a[i] + b[i]);
  }
  return load_at(side->object, middle);
}

// Weights g = grad V/sqrt(2 V), compliance and motion.
static void read_slope(JwPoint* point) {
  JwStep* const step = &point->step;
  const JwObject* const object = point->side[0].object;
  const double psi =
      sqrt(2.0 * object->ops->strain(object, object->level[JW_NOW], point->stretch->slope));
  step->eta = step->eta_prev = psi;
  weigh(point, psi > JW_TINY ? 1.0 / psi : 0.0, 0.0);
}

// Where the step leads.
typedef struct {
  double along;  // r.grad V (J)
  double size;   // r.Y^-1 r (J)
  double wanted; // The psi that the middle of the step asks for
} Foreseen;

// A push of f on one of the object's sides adds to what was foreseen.
static void expect_push(const JwPoint* point, const JwSide* side, double f, double sums[2]) {
  const JwStretch* const stretch = point->stretch;
  for (uint32_t i = 0; i < side->weights.count; ++i) {
    const uint32_t at = jw_side_at(side, i);
    const double by = side->spread[i] * f;
    sums[0] += stretch->slope[at] * by;
    sums[1] += stretch->inertia[at] * by * (2.0 * stretch->motion[at] + by);
    stretch->motion[at] += by;
    stretch->middle[at] += 0.5 * by;
  }
}

static void expect_others(const JwPoint* point, double sums[2]) {
  const JwIsland* const island = &point->stretch->component->islands[point->island];
  for (uint32_t i = 0; i < island->count; ++i) {
    const JwPoint* const other = island->points[i];
    for (int s = 0; s < 2 && other != point && other->closed; ++s) {
      if (other->side[s].object == point->side[0].object) {
        expect_push(point, &other->side[s], s ? other->step.f : -other->step.f, sums);
      }
    }
  }
}

// The row pushes with f, and the others as they were solved for, or not at all.
static Foreseen foresee(const JwPoint* point, double f, bool others) {
  const JwSide* const side = &point->side[0];
  const JwRow row = row_of(point);
  double sums[2];
  jw_row_foresee(point->stretch->lanes, side->weights.count, f, &row, sums);
  if (others) {
    expect_others(point, sums);
  }
  return (Foreseen){sums[0], sums[1], load_at(side->object, row.middle)};
}

#define MOST_GAIN 2.0 // Where psi is next to nothing, half of it is no measure
#define MOST_TURN 1.0 // Of g, in the measure g.Y g: where next to nothing moves, neither is r

// (8.4): eta is sqrt(2 V), and grad V is kept.
static void turn_to(JwPoint* point, const Foreseen* ahead) {
  const JwStep* const step = &point->step;
  const double psi = step->state->psi, loads = ahead->wanted + psi;
  const double gain = step->eta < loads ? 2.0 / loads : MOST_GAIN / step->eta,
               kept = step->eta > JW_TINY ? gain : 0.0;
  const double missed = 2.0 * (ahead->wanted - psi) - kept * ahead->along,
               most = MOST_TURN * sqrt(step->q * ahead->size);
  const double turn = ahead->size > 0.0 ? fmin(fmax(missed, -most), most) / ahead->size : 0.0;
  weigh(point, kept, turn);
}

// Does any other of the island push, in this step or in the last?  Then all are solved twice, and
// the first time needs no turn.
static bool others_push(const JwPoint* point) {
  const JwIsland* const island = &point->stretch->component->islands[point->island];
  bool any = false;
  for (uint32_t i = 0; i < island->count; ++i) {
    any = any || (island->points[i] != point && island->points[i]->closed);
  }
  return any;
}

static JW_REALTIME void read_local(JwPoint* point) {
  read_slope(point);
  if (others_push(point)) {
    return;
  }
  const JwStep* const step = &point->step;
  const double f = (0.25 * step->r_free + step->state->psi) / (1.0 + 0.25 * step->q);
  const Foreseen ahead = foresee(point, f, false);
  turn_to(point, &ahead);
}

static JW_REALTIME bool again_local(JwPoint* point) {
  const Foreseen ahead = foresee(point, point->step.f, true);
  turn_to(point, &ahead);
  return true;
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

const JwDenseOps jw_local_stretch_ops = {.read = read_local,
                                         .start = start_local,
                                         .again = again_local,
                                         .begun = begun_local,
                                         .note = note_local};
