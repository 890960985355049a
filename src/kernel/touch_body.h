// SPDX-License-Identifier: MIT
// Contact points of a string with WIDTH lanes side by side: one step of those that touch.  Included
// after points_body.h.
//
// The rule, the solve and psi are numeric/contact_body.h, the same lines that a single contact runs
// (law/power_law.c).  The potential and the notes are the operations of jw_potential() and
// note_collision() in the same order, with choices instead of branches.  Tested by test_along.c:
// the
// same bits as those.
//
// Each stage is taken over a batch of points before the next: its chains of divisions and
// polynomials are short enough to overlap in the window that a core looks ahead.  In one loop a
// point takes 1.4 times as long.

/// Fours that are taken through all stages together, `count` of them.
typedef struct {
  const JwTouching* t;
  JwFour* four;
  int count;
  uint32_t live;      // One bit for each lane of the last four that is in use
  Lanes later[BATCH]; // Free next value, then eta at n + 1
  Lanes root[BATCH];  // Of it
  bool sure[BATCH];   // Is g_th what is chosen, in all lanes in use?
} Batch;

/// Part j of a batch: some lanes of four i.
#define EACH_PART(b) for (int j = 0; j < (b)->count * PARTS; ++j)
INLINE JwFour* four_at(const Batch* b, int j) {
  return &b->four[j / PARTS];
}
INLINE int lane_at(int j) {
  return j % PARTS * WIDTH;
}

INLINE uint32_t unused(const Batch* b, int j) {
  return j / PARTS + 1 < b->count ? 0 : ~(b->live >> lane_at(j)) & ALL_LANES;
}

#include "numeric/contact_body.h"

/// Choose g and solve.
INLINE void solve_part(Batch* b, int j, const double* next, bool lossy) {
  const JwTouching* const t = b->t;
  JwFour* const four = four_at(b, j);
  const int lane = lane_at(j);
  const Lanes free_next = gathered(next, four->at + lane), eta = load(four->eta + lane, 0);
  const Lanes held = load(four->psi + lane, 0), root = load(four->root + lane, 0),
              free = t->sign * (free_next - load(four->prev + lane, 0)), q = all(t->q);
  const Waiting whole = {held, free, q, above(eta, all(JW_KERNEL_TINY))};
  const Lanes rate = lossy ? t->loss * (root * root * eta) : all(0.0), theory = t->theory * root;
  Lanes g = theory;
  b->sure[j] =
      !lossy && (bits_of_mask(surely_theory(&whole, theory, all(1))) | unused(b, j)) == ALL_LANES;
  if (!b->sure[j]) {
    const Lanes damped = 1.0 + q * rate;
    const Waiting seen = {held, lossy ? free / damped : free, lossy ? q / damped : q, whole.closed};
    g = bounded_g(&seen, theory);
    put_counts(four->active + lane, whole.closed | above(size_of(held), all(0.0)));
  }
  Lanes f, r;
  solve_alone(lossy ? 0.25 * g * g + rate : 0.25 * g * g, g * held, free, q, &f, &r);
  b->later[j] = free_next;
  if (lossy) {
    double* const lost = t->records->lost + lane;
    store(lost, 0, load(lost, 0) + 0.5 * rate * r * r);
  }
  store(four->f + lane, 0, f);
  store(four->psi + lane, 0, next_psi(held, g, r, JW_KERNEL_TINY));
}

INLINE void push_part(Batch* b, int j, double* next) {
  const JwTouching* const t = b->t;
  JwFour* const four = four_at(b, j);
  const int lane = lane_at(j);
  const Lanes pushed = b->later[j] - t->sign * (t->spread * load(four->f + lane, 0));
  const uint32_t idle = unused(b, j);
  for (int i = 0; i < WIDTH; ++i) {
    if (!(idle >> i & 1)) {
      next[four->at[lane + i]] = pushed[i];
    }
  }
  store(four->prev + lane, 0, load(four->u + lane, 0));
  store(four->u + lane, 0, pushed);
  b->later[j] = t->sign * pushed + load(four->rest + lane, 0);
}

/// root = jw_positive_power(later)
INLINE void find_roots(Batch* b) {
  const double p = b->t->power;
  EACH_PART(b) {
    b->root[j] = chosen(above(b->later[j], all(JW_KERNEL_TINY)), b->later[j], all(1));
  }
  if (p == 0.5) {
    EACH_PART(b) {
      b->root[j] = square_root(b->root[j]);
    }
  } else if (p != 1.0) { // 0 too: x^0 is 1 to the bit
    raise_batch((const double*)b->root, b->count * PARTS, p, (double*)b->root);
  }
}

/// phi = stiffness (root eta)^2
INLINE Lanes potential(const JwTouching* t, Lanes root, Lanes eta) {
  const Lanes y = root * eta;
  return t->stiffness * (y * y);
}

/// Records that every part may raise.
typedef struct {
  Lanes push, penetration, largest_psi, largest_wanted, misfit;
} Raised;

#define RAISE(name, value) raised->name = larger(value, raised->name)
#define RAISE_RARE(name, value)                                                                    \
  store(records->name + lane, 0, larger(value, load(records->name + lane, 0)))

/// What is noted of lanes that close, open or do not push; returns one bit for each that is open
/// and empty.
INLINE uint32_t note_change(const Batch* b, int j, Lanes later, Lanes wanted, Raised* raised) {
  JwRecords* const records = b->t->records;
  JwFour* const four = four_at(b, j);
  const int lane = lane_at(j);
  const Lanes psi = load(four->psi + lane, 0), f = load(four->f + lane, 0);
  const Mask closed = above(load(four->eta + lane, 0), all(JW_KERNEL_TINY)),
             closure = counts_at(four->closure + lane);
  const Mask loaded = counts_at(four->active + lane) | closed | above(psi, all(0.0));
  const Mask noted = loaded | ~is_zero(closure);
  RAISE(penetration, only(noted, later));
  RAISE(largest_wanted, only(loaded, wanted));
  RAISE(misfit, size_of(psi - only(loaded, wanted)));
  RAISE_RARE(pull, -f);
  RAISE_RARE(parked, only(~(closed | above(later, all(JW_KERNEL_TINY))), 0.5 * psi * psi));
  const Mask ended = ~closed & closure, longest = counts_at(records->longest_closure + lane);
  put_counts(records->longest_closure + lane,
             (Mask)chosen(negative(longest - ended), (Lanes)ended, (Lanes)longest));
  records->closures += (uint32_t)__builtin_popcount(bits_of_mask(is_zero(closure) & closed));
  records->closed_samples += (uint32_t)__builtin_popcount(bits_of_mask(closed));
  put_counts(four->closure + lane, (closure - closed) & closed);
  return bits_of_mask(~loaded) & ~unused(b, j);
}

/// Figures, and the turn to the next sample.  Most points stay closed and push: then little is to
/// be done.
INLINE uint32_t note_part(const Batch* b, int j, Raised* raised) {
  JwFour* const four = four_at(b, j);
  const int lane = lane_at(j);
  const Lanes later = b->later[j], root = only(above(later, all(JW_KERNEL_TINY)), b->root[j]);
  const Lanes now = potential(b->t, load(four->root + lane, 0), load(four->eta + lane, 0));
  const Lanes wanted = square_root(potential(b->t, root, later) + now);
  const Lanes psi = load(four->psi + lane, 0), f = load(four->f + lane, 0);
  const Mask closure = counts_at(four->closure + lane);
  const uint32_t idle = unused(b, j);
  uint32_t done = 0;
  RAISE(push, f);
  RAISE(largest_psi, psi);
  if (b->sure[j] && (bits_of_mask(~is_zero(closure) & above(f, all(0.0))) | idle) == ALL_LANES) {
    RAISE(penetration, later);
    RAISE(largest_wanted, wanted);
    RAISE(misfit, size_of(psi - wanted));
    put_counts(four->closure + lane,
               closure - ~is_zero(closure)); // One more, but 0 in lanes that hold no point
    b->t->records->closed_samples += WIDTH - (uint32_t)__builtin_popcount(idle);
  } else {
    done = note_change(b, j, later, wanted, raised);
  }
  store(four->eta + lane, 0, later);
  store(four->root + lane, 0, root);
  return done;
}
#undef RAISE
#undef RAISE_RARE

INLINE uint32_t note_batch(const Batch* b) {
  JwRecords* const records = b->t->records;
  uint32_t done = 0;
  for (int lane = 0; lane < 4; lane += WIDTH) {
#define RECORD(name) load(records->name + lane, 0)
    Raised raised = {RECORD(push), RECORD(penetration), RECORD(largest_psi), RECORD(largest_wanted),
                     RECORD(misfit)};
    for (int j = lane / WIDTH; j < b->count * PARTS; j += PARTS) {
      done |= note_part(b, j, &raised);
    }
#undef RECORD
#define RECORD(name) store(records->name + lane, 0, raised.name);
    RECORD(push) RECORD(penetration) RECORD(largest_psi) RECORD(largest_wanted) RECORD(misfit)
#undef RECORD
  }
  return done;
}

/// Roots of points that have just closed.
static void begin(Batch* b) {
  EACH_PART(b) {
    b->later[j] = load(four_at(b, j)->eta + lane_at(j), 0);
  }
  find_roots(b);
  EACH_PART(b) {
    store(four_at(b, j)->root + lane_at(j), 0,
          only(above(b->later[j], all(JW_KERNEL_TINY)), b->root[j]));
  }
}

INLINE uint32_t touch_batch(Batch* b, double* next) {
  if (b->t->loss > 0.0) {
    EACH_PART(b) {
      solve_part(b, j, next, true);
    }
  } else {
    EACH_PART(b) {
      solve_part(b, j, next, false);
    }
  }
  EACH_PART(b) {
    push_part(b, j, next);
  }
  find_roots(b);
  return note_batch(b);
}

// Batches are of one size, or nearly: a short one takes as long as the chains of its stages.
static JW_REALTIME bool touch(const JwTouching* touching, double* next) {
  const JwTouching t = *touching;
  const int fours = (int)(t.count + 3) / 4, batches = (fours + FOURS - 1) / FOURS;
  uint32_t done = 0;
  for (int i = 0; i < batches; ++i) {
    const int first = i * fours / batches, end = (i + 1) * fours / batches;
    Batch batch;
    batch.t = &t;
    batch.four = t.four + first;
    batch.count = end - first;
    batch.live = end == fours && t.count % 4 ? (1u << t.count % 4) - 1 : 0xf;
    if (t.known < t.count && t.known < 4 * (uint32_t)end) {
      begin(&batch);
    }
    done |= touch_batch(&batch, next);
  }
  return done != 0;
}
