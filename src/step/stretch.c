// SPDX-License-Identifier: MIT
// Strings and plates that stiffen as they move: a row of the island for each (law/tension.c).
//
//   symbol  meaning                                                     unit
//   S       squared slope, summed over the object: u.K u                m (string), m2 (plate)
//   kappa   sqrt(G/4L) of a string, sqrt(E H/(4 (1 - nu^2) A)) of a plate
//   psi     kappa u+.K u, the load                                      sqrt(J)
//   g       2 kappa K u, the weights of the row
//
// Since K is symmetric, psi+ - psi = kappa u.K (u+ - u-) = g.(u+ - u-)/2: the step of (8.2) keeps psi on kappa u+.K u
// for ever, to rounding, and nothing drifts.  The row is one more point of the island of whatever touches the object.

#include "step/step.h"

static const JwLawParams no_law = {.kind = JW_KIND_COUNT};

void jw_stretch_layout(JwWorld* world, JwObject* object, JwArena* arena, JwArena* state) {
  JwSide side = {.object = object, .whole = !object->dense, .carries = object->carries_step};
  side.weights.count = side.weights.capacity = object->dense ? object->dofs : object->size;
  side.weights.weight = JW_TAKE(arena, side.weights.count, double);
  side.spread = JW_TAKE(arena, side.weights.count, double);
  JwPointState* const point_state = JW_TAKE(state, 1, JwPointState);
  if (world->points) {
    JwPoint* const point = &world->points[object->row];
    point->side[0] = side;
    point->step.state = point->step.figures = point_state;
    point->step.law = &no_law;
    point->step.scale = 1.0;
    point->contact = JW_NONE;
    point->ops = &jw_tension_ops;
    point->dense = &jw_stretch_ops;
  }
}

// Weights, compliance and motion of the row in this step.
static JW_REALTIME void read(JwPoint* point) {
  JwStep* const step = &point->step;
  JwSide* const side = &point->side[0];
  const JwObject* const object = side->object;
  double* const w = side->weights.weight;
  const uint32_t count = side->weights.count;
  // The weights are g = 2 kappa K u, of which u.g/2 is psi
  step->eta = 0.5 * object->ops->stretch(object, 2.0 * object->stretch, object->level[JW_NOW], w);
  step->q = jw_spread(count, w, object->y, side->spread);
  step->eta_prev = step->eta;
  if (object->dense) { // Whose motion is a difference of readings, with these weights
    jw_side_reread(side);
  }
  step->r_free = jw_side_motion(side);
}

static double start(JwPoint* point) {
  read(point);
  return point->step.r_free;
}

// psi of the two states there are, kappa u.K u- with K u in the weights: nothing later would bring it there.
static void begun(JwPoint* point) {
  point->step.state->psi = 0.5 * jw_side_read(&point->side[0], JW_PREV);
}

const JwDenseOps jw_stretch_ops = {read, start, begun, NULL, NULL};
