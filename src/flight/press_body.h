// SPDX-License-Identifier: MIT
// A collision between a bank or a mass and a mass or something rigid, alone, frame after frame.
//
// From one frame to the next runs a chain: force, motion, penetration, power, force.  What is not
// part of it is kept out of it: the free motion of the next frame (nf) is worked out in the pass
// that pushes, other ports afterwards.  And since the penetration that the motion will give is
// known, but for its last digits, as soon as the force is, most of its power is worked out
// meanwhile (guess_of in power_scalar.h); should a wrong row have been guessed, the whole power is
// taken.  The law is the rule `bounded`: collision.c, power_law.c and island.c written out for one
// point, the same operations in the same order.
//
// Included after flight_body.h.

#include "figures.h"
#include "numeric/power_scalar.h"

#include <math.h>

// Not inline: in a loop that needs all registers its chain would pass through memory.
static __attribute__((noinline)) double power_one(double x, double p) {
  return power_of(x, p);
}

INLINE double root_of(double x, double p) {
  if (!(x > JW_TINY)) {
    return 0.0;
  }
  return p == 0.0 ? 1.0 : p == 0.5 ? sqrt(x) : p == 1.0 ? x : power_one(x, p);
}

/// Four partial sums: the order of jw_dot().
INLINE double total(const Lanes sum[PARTS]) {
  return (sum[0][0] + sum[0][1]) + (sum[PARTS - 1][2 % WIDTH] + sum[PARTS - 1][3 % WIDTH]);
}

/// What a side's port reads now, and how far it moves over the step were nothing to push.
typedef struct {
  double now, move;
} Port;

INLINE void read_rows(uint32_t rows, const double* weight, const double* u, Lanes sum[PARTS]) {
  const Lanes *const w = lanes_at(weight, 0), *const x = lanes_at(u, 0);
  Lanes partial[PARTS] = {{0.0}};
  for (uint32_t i = 0; i < rows * PARTS; ++i) {
    partial[i % PARTS] += w[i] * x[i];
  }
  UNROLL for (int p = 0; p < PARTS; ++p) {
    sum[p] = partial[p];
  }
}

/// What the other ports of the bank read at frame t.
INLINE void read_others(const JwPress* s, const double* u, size_t t) {
  const JwFlightBank* const bank = s->bank;
  for (uint32_t r = 0; r < bank->reading_count; ++r) {
    if (bank->weight[r] != s->weight) {
      read_rows(bank->rows, bank->weight[r], u, (Lanes*)(void*)(bank->sums[r] + 4 * t));
    }
  }
}

/// Push a bank's free motion by -f or f, and it becomes its state; afterwards, where nothing waits
/// for it, its next free motion.
INLINE void push_rows(const JwPress* s, int side, double f, unsigned at, uint32_t rows,
                      Port* port) {
  const JwFlightBank* const bank = s->bank;
  Lanes *const next = (Lanes*)(void*)bank->buffer[at == 2 ? 0 : at + 1], *const nf =
                                                                             (Lanes*)(void*)
                                                                                 bank->saved;
  const Lanes *const u = lanes_at(bank->buffer[at], 0), *const e = lanes_at(bank->e, 0),
                     *const b = lanes_at(bank->b, 0);
  const Lanes *const w = lanes_at(s->weight, 0), *const spread = lanes_at(s->spread, 0);
  Lanes sum[PARTS] = {{0.0}}, later[PARTS] = {{0.0}};
  UNROLL for (uint32_t i = 0; i < rows * PARTS; ++i) {
    const Lanes push = spread[i] * f, x = side ? nf[i] + push : nf[i] - push;
    next[i] = x;
    sum[i % PARTS] += w[i] * x;
  }
  const double past = port->now;
  port->now = total(sum);
  UNROLL for (uint32_t i = 0; i < rows * PARTS; ++i) {
    const Lanes x = next[i], y = x + (e[i] * (x - u[i]) - b[i] * x);
    nf[i] = y;
    later[i % PARTS] += w[i] * y;
  }
  port->move = total(later) - past;
}

/// A number of rows that the compiler knows, where there are few.
INLINE void push_bank(const JwPress* s, int side, double f, unsigned at, Port* port) {
  switch (s->bank->rows) {
  case 1: push_rows(s, side, f, at, 1, port); break;
  case 2: push_rows(s, side, f, at, 2, port); break;
  case 3: push_rows(s, side, f, at, 3, port); break;
  case 4: push_rows(s, side, f, at, 4, port); break;
  default: push_rows(s, side, f, at, s->bank->rows, port); break;
  }
}

/// `past` is what it read a frame ago.
static Port start_bank(const JwPress* s, unsigned at, double* past) {
  const JwFlightBank* const bank = s->bank;
  const double *const u = bank->buffer[at], *const prev = bank->buffer[(at + 2) % 3];
  for (uint32_t i = 0; i < 4 * bank->rows; ++i) {
    bank->saved[i] = u[i] + (bank->e[i] * (u[i] - prev[i]) - bank->b[i] * u[i]);
  }
  Lanes before[PARTS], now[PARTS], free[PARTS];
  read_rows(bank->rows, s->weight, prev, before);
  read_rows(bank->rows, s->weight, u, now);
  read_rows(bank->rows, s->weight, bank->saved, free);
  read_others(s, u, 0);
  *past = total(before);
  return (Port){total(now), total(free) - *past};
}

/// A mass, or something rigid: then all is zero, and stays so.
typedef struct {
  double e, b, push, spread, xf, df; // Its free motion: displacement and step of the next frame
} Body;

/// From displacement x and step d (1.10).
INLINE Port free_body(Body* m, double x, double d) {
  m->df = (m->e * d - m->b * x) + m->push;
  m->xf = x + m->df;
  return (Port){x, m->df + d};
}

INLINE Body start_mass(const JwFlightMass* mass, double spread, unsigned at, Port* port,
                       double* past) {
  Body body = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  *port = (Port){0.0, 0.0};
  *past = 0.0;
  if (mass) {
    body = (Body){mass->e, mass->b, mass->push, spread, 0.0, 0.0};
    *port = free_body(&body, mass->buffer[at][0], mass->buffer[at][1]);
    *past = mass->buffer[at][0] - mass->buffer[at][1];
  }
  return body;
}

/// From frame t - 1 to t.
INLINE Port push_mass(const JwFlightMass* mass, Body* body, double f, unsigned at, uint32_t t) {
  const double push = body->spread * f, x = body->xf + push, d = body->df + push;
  if (mass) {
    double* const next = mass->buffer[at == 2 ? 0 : at + 1];
    next[0] = x, next[1] = mass->steps[t] = d;
  }
  return free_body(body, x, d);
}

/// The law and what follows from its parameters.
typedef struct {
  const JwStep* step;
  double power, theory, quarter, potential, loss, q;
} Law;

INLINE Law law_of(const JwStep* step) {
  const JwLawParams* const law = step->law;
  const double theory = sqrt(0.5 * step->scale * law->stiffness * (law->exponent + 1.0));
  return (Law){step,
               law->half_power,
               theory,
               0.25 * theory,
               step->scale * law->stiffness / (law->exponent + 1.0),
               law->loss > 0.0 ? step->scale * law->loss / (2.0 * law->k) : 0.0,
               step->q};
}

// Where the theoretical g does not hold for certain: the functions of power_law.c.
static __attribute__((noinline)) double careful_g(const JwStep* given, const JwSeen* seen,
                                                  double root) {
  JwStep step = *given;
  step.eta = step.root_of = seen->eta;
  step.root = root;
  return jw_g_bounded(&step, seen);
}

/// Force of a frame; psi goes on.
INLINE double force_of(const Law* law, double eta, double root, double r_free, double* psi) {
  const double rate = law->loss > 0.0 ? law->loss * (root * root * eta) : 0.0;
  const double q = law->q, damped = 1.0 + q * rate;
  double g = law->theory * root, quarter = law->quarter * root; // A quarter of g, to the bit
  if (__builtin_expect(!(eta > JW_TINY) || !jw_theory_holds(g, *psi, r_free, q, damped), 0)) {
    const JwSeen seen = {0.0, eta, r_free / damped, q / damped, *psi, damped};
    g = careful_g(law->step, &seen, root);
    quarter = 0.25 * g;
  }
  const double a = quarter * g + rate, c = g * *psi, pivot = 1.0 + a * q;
  const double f = (a * r_free + c) / pivot, r = (r_free - q * c) / pivot;
  const double next = fabs(*psi + 0.5 * g * r);
  *psi = next < 1e-9 * *psi + JW_TINY ? 0.0 : next;
  return f;
}

/// `side` is the bank's, or -1; known to the compiler.
INLINE uint32_t press_on(const JwPress* s, uint64_t frame, uint32_t count, int side) {
  const Law law = law_of(s->step);
  const double rest = s->rest;
  double psi = s->step->state->psi;
  unsigned at = (unsigned)(frame % 3);
  Port port[2];
  double past[2];
  Body body[2] = {start_mass(s->mass[0], s->mass_spread[0], at, &port[0], &past[0]),
                  start_mass(s->mass[1], s->mass_spread[1], at, &port[1], &past[1])};
  if (side >= 0) {
    port[side] = start_bank(s, at, &past[side]);
  }
  const Exponent exponent = exponent_of(law.power);
  const bool general = law.power != 0.0 && law.power != 0.5 && law.power != 1.0;
  JwPointState state = *s->step->state;
  JwStep step = {.state = &state, .figures = &state}; // A contact at a place keeps its own
  double before = (past[0] - past[1]) + rest, eta = (port[0].now - port[1].now) + rest,
         potential = 0.0;
  Guess guess = guess_of(eta, &exponent);
  uint32_t t = 0;
  for (;; at = at == 2 ? 0 : at + 1) {
    const bool right = general && eta > JW_TINY && guessed(eta, &guess);
    const double root = right ? power_guessed(eta, &guess, &exponent) : root_of(eta, law.power);
    const double y = root * eta, next = law.potential * (y * y);
    s->path[0][t] = port[0].now, s->path[1][t] = port[1].now;
    if (t) {
      step.eta = before, step.eta_next = eta, step.f = s->force[t];
      state.psi = psi;
      note_collision(&step, true, sqrt(next + potential));
    }
    potential = next;
    if (t == count || !(eta > JW_TINY || psi != 0.0)) {
      break;
    }
    const double r_free = port[0].move - port[1].move + 0.0;
    const double f = force_of(&law, eta, root, r_free, &psi);
    if (general) {
      guess = guess_of((before + r_free) - law.q * f, &exponent);
    }
    before = eta;
    s->force[++t] = 0.0 + f;
    for (int i = 0; i < 2; ++i) {
      if (i == side) {
        push_bank(s, i, f, at, &port[i]);
        read_others(s, s->bank->buffer[at == 2 ? 0 : at + 1], t);
      } else {
        port[i] = push_mass(s->mass[i], &body[i], i ? f : -f, at, t);
      }
    }
    eta = (port[0].now - port[1].now) + rest;
  }
  state.psi = psi;
  *s->step->state = state;
  return t;
}

static JW_REALTIME uint32_t press(const JwPress* s, uint64_t frame, uint32_t count) {
  return !s->bank  ? press_on(s, frame, count, -1)
         : s->side ? press_on(s, frame, count, 1)
                   : press_on(s, frame, count, 0);
}
