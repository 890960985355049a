// A collision between a bank or a mass and a mass or something rigid, alone, frame after frame.
//
// Included after flight_body.h.  From one frame to the next runs a chain: force, motion, penetration, power,
// force.  What is not part of it is kept out of it: the free motion of the next frame (nf) is worked out in the
// pass that pushes, figures and other ports afterwards.  The law is the rule `bounded`: collision.c,
// power_law.c and island.c written out for one point, the same operations in the same order.

#include "figures.h"

#include <math.h>

// One value in a pair: its bits need not leave the vector registers.
typedef double Real __attribute__((vector_size(16)));
typedef unsigned long long Bits __attribute__((vector_size(16)));

static inline Bits below(Real a, Real b) { return (Bits)(a < b); }

#include "numeric/power_body.h"

INLINE double root_of(double x, double p)
{
  if (!(x > JW_TINY)) {
    return 0.0;
  }
  return p == 0.0 ? 1.0 : p == 0.5 ? sqrt(x) : p == 1.0 ? x : power_of((Real){x, x}, (Real){p, p})[0];
}

INLINE double total(const Lanes* sum)
{
#if WIDTH == 4
  return (sum[0][0] + sum[0][1]) + (sum[0][2] + sum[0][3]);
#else
  return (sum[0][0] + sum[0][1]) + (sum[1][0] + sum[1][1]);
#endif
}

/// What a side's port reads: one frame ago, now, and in the next frame were nothing to push.
typedef struct {
  double past, now, free;
} Port;

/// What the other ports of the bank read at frame t.
INLINE void read_others(const JwPress* s, const Lanes* u, size_t t)
{
  const JwFlightBank* const bank = s->bank;
  for (uint32_t r = 0; r < bank->reading_count; ++r) {
    if (bank->weight[r] == s->weight) {
      continue;
    }
    const Lanes* const w = lanes_at(bank->weight[r], 0);
    Lanes* const sums = (Lanes*)(void*)bank->sums[r] + t * PARTS;
    Lanes sum[PARTS] = {{0.0}};
    for (uint32_t i = 0; i < bank->rows * PARTS; ++i) {
      sum[i % PARTS] += w[i] * u[i];
    }
    UNROLL for (int p = 0; p < PARTS; ++p) {
      sums[p] = sum[p];
    }
  }
}

/// Push a bank's free motion, which becomes its state; then its next free motion.
INLINE void push_bank(const JwPress* s, double force, unsigned at, Port* port)
{
  const JwFlightBank* const bank = s->bank;
  const uint32_t n = bank->rows * PARTS;
  Lanes *const next = (Lanes*)(void*)bank->buffer[(at + 1) % 3], *const nf = (Lanes*)(void*)bank->saved;
  const Lanes *const u = lanes_at(bank->buffer[at], 0), *const e = lanes_at(bank->e, 0), *const b = lanes_at(bank->b, 0);
  const Lanes *const w = lanes_at(s->weight, 0), *const spread = lanes_at(s->spread, 0);
  Lanes sum[PARTS] = {{0.0}}, later[PARTS] = {{0.0}};
  for (uint32_t i = 0; i < n; i += PARTS) {
    UNROLL for (uint32_t p = 0; p < PARTS; ++p) {
      const Lanes x = nf[i + p] + spread[i + p] * force;
      const Lanes y = x + (e[i + p] * (x - u[i + p]) - b[i + p] * x);
      next[i + p] = x;
      nf[i + p] = y;
      sum[p] += w[i + p] * x;
      later[p] += w[i + p] * y;
    }
  }
  port->past = port->now;
  port->now = total(sum);
  port->free = total(later);
}

static void start_bank(const JwPress* s, unsigned at, Port* port)
{
  const JwFlightBank* const bank = s->bank;
  const Lanes *const u = lanes_at(bank->buffer[at], 0), *const prev = lanes_at(bank->buffer[(at + 2) % 3], 0);
  const Lanes *const e = lanes_at(bank->e, 0), *const b = lanes_at(bank->b, 0), *const w = lanes_at(s->weight, 0);
  Lanes* const nf = (Lanes*)(void*)bank->saved;
  Lanes sum[3][PARTS] = {{{0.0}}};
  for (uint32_t i = 0; i < bank->rows * PARTS; ++i) {
    nf[i] = u[i] + (e[i] * (u[i] - prev[i]) - b[i] * u[i]);
    sum[0][i % PARTS] += w[i] * prev[i];
    sum[1][i % PARTS] += w[i] * u[i];
    sum[2][i % PARTS] += w[i] * nf[i];
  }
  *port = (Port){total(sum[0]), total(sum[1]), total(sum[2])};
  read_others(s, u, 0);
}

/// A mass, or something rigid: then all is zero, and stays so.
typedef struct {
  Mass m;
  double spread, u, nf;
} Body;

INLINE Body start_mass(const JwFlightMass* mass, double spread, unsigned at, Port* port)
{
  Body body = {{0.0, 0.0, 0.0}, 0.0, 0.0, 0.0};
  *port = (Port){0.0, 0.0, 0.0};
  if (mass) {
    const double prev = *mass->buffer[(at + 2) % 3];
    body.m = (Mass){mass->e, mass->b, mass->push};
    body.spread = spread;
    body.u = *mass->buffer[at];
    body.nf = mass_step(&body.m, body.u, prev);
    *port = (Port){0.0 + prev, 0.0 + body.u, 0.0 + body.nf};
  }
  return body;
}

INLINE void push_mass(const JwFlightMass* mass, Body* body, double force, unsigned at, Port* port)
{
  const double x = body->nf + body->spread * force;
  body->nf = mass_step(&body->m, x, body->u);
  body->u = x;
  *port = (Port){port->now, 0.0 + x, 0.0 + body->nf};
  if (mass) {
    *mass->buffer[(at + 1) % 3] = x;
  }
}

/// The law and what follows from its parameters.
typedef struct {
  const JwStep* step;
  double power, theory, potential, loss, twice_k, q;
} Law;

INLINE Law law_of(const JwStep* step)
{
  const JwLawParams* const law = step->law;
  return (Law){step,
               law->half_power,
               sqrt(0.5 * step->scale * law->stiffness * (law->exponent + 1.0)),
               step->scale * law->stiffness / (law->exponent + 1.0),
               law->loss > 0.0 ? step->scale * law->loss : 0.0,
               2.0 * law->k,
               step->q};
}

// Where the theoretical g does not hold for certain: the functions of power_law.c.
static __attribute__((noinline)) double careful_g(const JwStep* given, const JwSeen* seen, double root)
{
  JwStep step = *given;
  step.eta = step.root_of = seen->eta;
  step.root = root;
  return jw_g_bounded(&step, seen);
}

/// Force of a frame; psi goes on.
INLINE double force_of(const Law* law, double eta, double root, double r_free, double* psi)
{
  const double rate = law->loss > 0.0 ? law->loss * (root * root * eta) / law->twice_k : 0.0;
  const double q = law->q, damped = 1.0 + q * rate;
  double g = law->theory * root;
  if (__builtin_expect(!(eta > JW_TINY) || !jw_theory_holds(g, *psi, r_free, q, damped), 0)) {
    const JwSeen seen = {0.0, eta, r_free / damped, q / damped, *psi};
    g = careful_g(law->step, &seen, root);
  }
  const double a = 0.25 * g * g + rate, c = g * *psi, pivot = 1.0 + a * q;
  const double f = (a * r_free + c) / pivot, r = (r_free - q * c) / pivot;
  const double next = fabs(*psi + 0.5 * g * r);
  *psi = next < 1e-9 * *psi ? 0.0 : next;
  return f;
}

/// `side` is the bank's, or -1; known to the compiler.
INLINE uint32_t press_on(const JwPress* s, uint64_t frame, uint32_t count, int side)
{
  const Law law = law_of(s->step);
  JwPointState state = *s->step->state;
  JwStep step = {.state = &state};
  unsigned at = (unsigned)(frame % 3);
  Port port[2];
  Body body[2] = {start_mass(s->mass[0], s->mass_spread[0], at, &port[0]),
                  start_mass(s->mass[1], s->mass_spread[1], at, &port[1])};
  if (side >= 0) {
    start_bank(s, at, &port[side]);
  }
  double eta = (port[0].now - port[1].now) + s->rest, root = root_of(eta, law.power);
  s->path[0][0] = port[0].now, s->path[1][0] = port[1].now;
  uint32_t t = 0;
  for (; t < count && (eta > JW_TINY || state.psi != 0.0); at = at == 2 ? 0 : at + 1) {
    const double r_free = (port[0].free - port[0].past) - (port[1].free - port[1].past) + 0.0;
    const double f = force_of(&law, eta, root, r_free, &state.psi);
    ++t;
    UNROLL for (int i = 0; i < 2; ++i) {
      if (i == side) {
        push_bank(s, i ? f : -f, at, &port[i]);
        read_others(s, lanes_at(s->bank->buffer[(at + 1) % 3], 0), t);
      } else {
        push_mass(s->mass[i], &body[i], i ? f : -f, at, &port[i]);
      }
    }
    const double y = root * eta, now = law.potential * (y * y);
    step.eta = eta, step.f = f;
    step.eta_next = eta = (port[0].now - port[1].now) + s->rest;
    root = root_of(eta, law.power);
    const double y_next = root * eta;
    note_collision(&step, true, sqrt(law.potential * (y_next * y_next) + now));
    s->force[t] = 0.0 + f, s->path[0][t] = port[0].now, s->path[1][t] = port[1].now;
  }
  *s->step->state = state;
  s->step->root_of = eta, s->step->root = root;
  return t;
}

static uint32_t press(const JwPress* s, uint64_t frame, uint32_t count)
{
  return !s->bank ? press_on(s, frame, count, -1) : s->side ? press_on(s, frame, count, 1) : press_on(s, frame, count, 0);
}
