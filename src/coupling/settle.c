// Forces that work against each other, settled once more where they pushed.
//
// Two stiff contacts on one place hold each other: each alone would move it by q f in one sample, a metre,
// and what is left of both is a micrometre.  Solved and pushed in sixteen digits, the place ends up eps q f
// from where the laws think it is; each law does the work f times that, and since every law rounds for itself
// the works do not cancel: residuals of 1e-6 in a second.
//
//   symbol  meaning                                            unit
//   m       how far the gap has closed, read from the objects  m
//   r       the same as the law was solved for                 m
//
// So what the pushes missed is solved for with the same laws, and pushed as a small force of its own,
//
//   dr = (m - r) - B df,   df = a dr                                                   (2.6)
//
// whose rounding is eps q df.  The laws end the step with r + dr = m - B df: m is one number for all contacts of a place, so
// that their works cancel as their forces do.  Wanted where some q|f| is much larger than every motion, without which
// nothing is lost.
//
// Tested by test_island.c and test/random.

#include "world.h"

#include <math.h>

// The pushes cost this many times the rounding of the motion before they are worth a second round.
#define FIGHT 16.0

static JwPoint* active_point(const JwComponent* component, const JwIsland* island, uint32_t i)
{
  return island->points[component->active[i]];
}

static bool fights(const JwComponent* component, const JwIsland* island, uint32_t n)
{
  double alone = 0.0, together = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    const JwPoint* const point = active_point(component, island, i);
    if (point->group) {
      return false;
    }
    alone = fmax(alone, point->step.q * fabs(point->step.f));
    together = fmax(together, fmax(fabs(point->step.r_free), fabs(point->step.r)));
  }
  return alone > FIGHT * together;
}

static double moved(const JwPoint* point)
{
  double r = point->step.shift;
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &point->side[s];
    const JwObject* const object = side->object;
    const double move = object ? jw_side_move(side, object->next, object->now, object->prev) : 0.0;
    r += s ? -move : move;
  }
  return r;
}

void jw_island_settle(JwComponent* component, const JwIsland* island, uint32_t n)
{
  if (n < 2 || island->iterates || !fights(component, island, n)) {
    return;
  }
  JwPoint** const points = (JwPoint**)(void*)(component->work + component->capacity);
  double *const pushed = component->pushed, *const solved = component->pushed + component->capacity;
  jw_island_gather(component, island, n);
  for (uint32_t i = 0; i < n; ++i) {
    JwPoint* const point = points[i] = active_point(component, island, i);
    pushed[i] = point->step.f;
    solved[i] = point->step.r;
    component->free[i] = moved(point) - point->step.r;
    point->step.c = 0.0; // Of the law only the slope is left
  }
  jw_island_eliminate(component, points, n, n);
  for (uint32_t i = 0; i < n; ++i) {
    jw_point_push(points[i], points[i]->step.f);
    points[i]->step.f += pushed[i];
  }
  for (uint32_t i = 0; i < n; ++i) {
    points[i]->step.r += solved[i];
  }
}
