// SPDX-License-Identifier: MIT
// The published schemes as they are printed, in plain C: what `jawari bench` is measured against.
//
// Written as one writes them down first, neither slowed nor tuned, and compiled with -O2: the
// points in order, one loop for each equation, constants worked out beforehand, the pow and exp of
// libm.  Nothing is checked and no figure is kept.  test_naive.c holds each of them to the engine,
// which then uses the same rules.
//
//   string   Willemsen 2019, (62a) with the factor 6 of mu^2: one weighted sum of points at two times
//   plate    Willemsen 2019, (62c): 13 points now, 5 before; spacings are equal
//   ends     supported, u = dxx u = 0: the point beyond is minus the point before
//   barrier  Ducceschi and Bilbao 2019, (48) and (50): at every point eta, g = psi'(eta), a division, psi.  A second one
//            asks first whether the point touches, and takes no power where it does not
//   bridge   Willemsen 2019, (69), (70) and (74): string, bridge and plate by a 3 x 3 system
//   bow      f = FN sqrt(2A) v exp(-A v^2 + 1/2), by Newton's method until a step is below 1e-7 m/s

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t n; // Points that move: u[2] to u[n+1]; the ends are u[1] and u[n+2]
  double c0, c1, c2, d0, d1;
  double *u, *p, *next;
} String;

typedef struct {
  uint32_t nx, ny, stride; // As a string in both directions
  double c0, c1, c2, cd, d0, d1;
  double *u, *p, *next;
} Plate;

typedef struct {
  double inertia, tension, bending; // rho/k^2, T/h^2, EI/h^4
  double g, exponent;               // sqrt(K (alpha + 1)/2), (alpha - 1)/2
  double *b, *psi;
} Barrier;

typedef struct {
  uint32_t at, bowed;         // On the string
  size_t under;               // On the plate
  double k, gap, bow;         // Time step; bridge above plate; Z FN sqrt(2A) e^(1/2) of the bow
  double string, mass, plate; // Mass over k^2, with the loss that goes with it
  double w, w_prev, a, e;     // Bridge: w+ = a w - e w-
  double psi1, psi2, velocity;
} Tromba;

struct JwNaive {
  enum { STRING, PLATE, BARRIER, ASKING, TROMBA } kind;
  uint32_t steps, force_at;
  double force_step; // Duration of a step over that of the pulse
  String string;
  Plate plate;
  Barrier barrier;
  Tromba tromba;
  double out;
};

// ---------------------------------------------------------------- one step

static void turn(double** u, double** p, double** next) {
  double* const old = *p;
  *p = *u, *u = *next, *next = old;
}

static void hold_string(double* u, uint32_t n) {
  u[0] = -u[2];
  u[n + 3] = -u[n + 1];
}

static void advance_string(String* s) {
  const double *u = s->u, *p = s->p;
  hold_string(s->u, s->n);
  for (uint32_t l = 2; l < s->n + 2; ++l) {
    s->next[l] = s->c0 * u[l] + s->c1 * (u[l - 1] + u[l + 1]) + s->c2 * (u[l - 2] + u[l + 2])
                 + s->d0 * p[l] + s->d1 * (p[l - 1] + p[l + 1]);
  }
}

static void hold_plate(Plate* plate) {
  double* const u = plate->u;
  const size_t s = plate->stride;
  for (uint32_t y = 2; y < plate->ny + 2; ++y) {
    hold_string(u + y * s, plate->nx);
  }
  for (uint32_t x = 2; x < plate->nx + 2; ++x) {
    u[x] = -u[2 * s + x];
    u[(plate->ny + 3) * s + x] = -u[(plate->ny + 1) * s + x];
  }
}

static void advance_plate(Plate* plate) {
  const double *u = plate->u, *p = plate->p;
  const size_t s = plate->stride;
  hold_plate(plate);
  for (uint32_t y = 2; y < plate->ny + 2; ++y) {
    for (uint32_t x = 2; x < plate->nx + 2; ++x) {
      const size_t i = y * s + x;
      plate->next[i] = plate->c0 * u[i] + plate->c1 * (u[i - 1] + u[i + 1] + u[i - s] + u[i + s])
                       + plate->cd * (u[i - s - 1] + u[i - s + 1] + u[i + s - 1] + u[i + s + 1])
                       + plate->c2 * (u[i - 2] + u[i + 2] + u[i - 2 * s] + u[i + 2 * s])
                       + plate->d0 * p[i] + plate->d1 * (p[i - 1] + p[i + 1] + p[i - s] + p[i + s]);
    }
  }
}

static double positive_part(double x) {
  return 0.5 * (x + fabs(x));
}

// A u+ = v, A = rho/k^2 + g^2/4, v = rho/k^2 (2u - u-) + g^2/4 u- + g psi + L u + F
static inline void advance_barrier(JwNaive* t, uint32_t step, bool ask) {
  String* const s = &t->string;
  Barrier* const c = &t->barrier;
  double *u = s->u, *p = s->p, *next = s->next;
  const double phase = step * t->force_step;
  const double force =
      phase < 1.0 ? 5.0 * (1.0 - cos(6.283185307179586 * phase)) * (s->n + 1) : 0.0;
  hold_string(u, s->n);
  for (uint32_t l = 2; l < s->n + 2; ++l) {
    const double eta = c->b[l] - u[l];
    const double g = ask && eta <= 0.0 ? 0.0 : c->g * pow(positive_part(eta), c->exponent);
    const double a = c->inertia + g * g / 4.0;
    const double v =
        c->inertia * (2.0 * u[l] - p[l]) + g * g / 4.0 * p[l] + g * c->psi[l]
        + c->tension * (u[l + 1] - 2.0 * u[l] + u[l - 1])
        - c->bending * (u[l + 2] - 4.0 * u[l + 1] + 6.0 * u[l] - 4.0 * u[l - 1] + u[l - 2])
        + (l == t->force_at ? force : 0.0);
    next[l] = v / a;
    c->psi[l] += 0.5 * g * (p[l] - next[l]);
  }
}

// v + Z FN phi(v) = the velocity were there no bow, against the bow's.
static void bow(Tromba* t, String* s) {
  double* const next = &s->next[t->bowed];
  const double free = (*next - s->p[t->bowed]) / (2.0 * t->k) - 0.2;
  double v = t->velocity, c, change;
  int i = 0;
  do {
    c = t->bow * exp(-100.0 * v * v);
    change = (v + c * v - free) / (1.0 + c * (1.0 - 200.0 * v * v));
    v -= change;
  } while (fabs(change) > 1e-7 && ++i < 100);
  t->velocity = v;
  *next -= 2.0 * t->k * (free - v);
}

static void solve3(double a[3][3], double v[3]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      const double factor = a[j][i] / a[i][i];
      for (int k = i; k < 3; ++k) {
        a[j][k] -= factor * a[i][k];
      }
      v[j] -= factor * v[i];
    }
  }
  for (int i = 2; i >= 0; --i) {
    for (int k = i + 1; k < 3; ++k) {
      v[i] -= a[i][k] * v[k];
    }
    v[i] /= a[i][i];
  }
}

// Contact 1 between bridge and string, both ways; contact 2 between plate and bridge.
static void couple(Tromba* t, String* s, Plate* p) {
  const double w_free = t->a * t->w - t->e * t->w_prev;
  const double eta1 = t->w - s->u[t->at], eta1_prev = t->w_prev - s->p[t->at];
  const double eta2 = p->u[t->under] - t->w - t->gap, eta2_prev = p->p[t->under] - t->w_prev;
  const double g1 = sqrt(5e6 * 2.3 / 2.0) * pow(fabs(eta1), 0.15);
  const double g2 = sqrt(5e8 * 2.3 / 2.0) * pow(positive_part(eta2), 0.15);
  const double q1 = g1 * g1 / 4.0, q2 = g2 * g2 / 4.0;
  double a[3][3] = {
      {t->string + q1, -q1, 0.0}, {-q1, t->mass + q1 + q2, -q2}, {0.0, -q2, t->plate + q2}};
  double v[3] = {t->string * s->next[t->at] - q1 * eta1_prev + g1 * t->psi1,
                 t->mass * w_free + q1 * eta1_prev - g1 * t->psi1 - q2 * eta2_prev + g2 * t->psi2,
                 t->plate * p->next[t->under] + q2 * eta2_prev - g2 * t->psi2};
  solve3(a, v);
  t->psi1 += 0.5 * g1 * (v[1] - v[0] - eta1_prev);
  t->psi2 += 0.5 * g2 * (v[2] - v[1] - eta2_prev);
  s->next[t->at] = v[0];
  p->next[t->under] = v[2];
  t->w_prev = t->w, t->w = v[1];
}

// ---------------------------------------------------------------- running

static void clear_string(String* s) {
  const size_t bytes = (s->n + 4) * sizeof(double);
  memset(s->u, 0, bytes), memset(s->p, 0, bytes), memset(s->next, 0, bytes);
}

// The scenes start anew; the bare kernels run on.
static void start(JwNaive* t) {
  if (t->kind == BARRIER || t->kind == ASKING) {
    clear_string(&t->string);
    memset(t->barrier.psi, 0, (t->string.n + 4) * sizeof(double));
  }
  if (t->kind == TROMBA) {
    Plate* const p = &t->plate;
    const size_t bytes = (size_t)p->stride * (p->ny + 4) * sizeof(double);
    clear_string(&t->string);
    memset(p->u, 0, bytes), memset(p->p, 0, bytes), memset(p->next, 0, bytes);
    t->tromba.w = t->tromba.w_prev = t->tromba.psi1 = t->tromba.psi2 = 0.0;
    t->tromba.velocity = -0.2;
  }
}

static void advance(JwNaive* t, uint32_t step) {
  switch (t->kind) {
  case STRING: advance_string(&t->string); break;
  case PLATE: advance_plate(&t->plate); break;
  case BARRIER: advance_barrier(t, step, false); break;
  case ASKING: advance_barrier(t, step, true); break;
  case TROMBA:
    advance_string(&t->string);
    advance_plate(&t->plate);
    bow(&t->tromba, &t->string);
    couple(&t->tromba, &t->string, &t->plate);
    break;
  }
}

void jw_naive_run(JwNaive* t, double* out) {
  start(t);
  const bool string = t->kind != PLATE, plate = t->kind == PLATE || t->kind == TROMBA;
  for (uint32_t i = 0; i < t->steps; ++i) {
    advance(t, i);
    if (string) {
      turn(&t->string.u, &t->string.p, &t->string.next);
    }
    if (plate) {
      turn(&t->plate.u, &t->plate.p, &t->plate.next);
    }
    t->out = plate ? t->plate.u[t->tromba.under] : t->string.u[t->force_at];
    if (out) {
      out[i] = t->out;
    }
  }
}

void jw_naive_slice(void* naive) {
  jw_naive_run((JwNaive*)naive, NULL);
}

// ---------------------------------------------------------------- making

static double* zeros(size_t count) {
  double* const memory = (double*)calloc(count, sizeof(double));
  if (!memory) {
    abort();
  }
  return memory;
}

static JwNaive* create(int kind, uint32_t steps) {
  JwNaive* const t = (JwNaive*)calloc(1, sizeof *t);
  if (!t) {
    abort();
  }
  t->kind = kind, t->steps = steps;
  return t;
}

// lambda^2, mu^2, s = 2 s1 k/h^2, s0 k as in (60) and (62a).
static void make_string(String* s, uint32_t n, const double values[4]) {
  const double lambda2 = values[0], mu2 = values[1], loss = values[2], held = 1.0 + values[3];
  s->n = n;
  s->c0 = (2.0 - 2.0 * lambda2 - 6.0 * mu2 - 2.0 * loss) / held;
  s->c1 = (lambda2 + 4.0 * mu2 + loss) / held;
  s->c2 = -mu2 / held;
  s->d0 = (-1.0 + values[3] + 2.0 * loss) / held;
  s->d1 = -loss / held;
  s->u = zeros(n + 4), s->p = zeros(n + 4), s->next = zeros(n + 4);
}

// mu^2, s = 2 s1 k/h^2, s0 k as in (62c).
static void make_plate(Plate* p, const uint32_t points[2], const double values[3]) {
  const double mu2 = values[0], loss = values[1], held = 1.0 + values[2];
  p->nx = points[0], p->ny = points[1], p->stride = p->nx + 4;
  p->c0 = (2.0 - 20.0 * mu2 - 4.0 * loss) / held;
  p->c1 = (8.0 * mu2 + loss) / held;
  p->cd = -2.0 * mu2 / held;
  p->c2 = -mu2 / held;
  p->d0 = (-1.0 + values[2] + 4.0 * loss) / held;
  p->d1 = -loss / held;
  const size_t size = (size_t)p->stride * (p->ny + 4);
  p->u = zeros(size), p->p = zeros(size), p->next = zeros(size);
}

JwNaive* jw_naive_string(uint32_t n) {
  JwNaive* const t = create(STRING, 1000);
  make_string(&t->string, n, (const double[4]){0.25, 0.05, 0.0, 0.0});
  for (uint32_t l = 2; l < n + 2; ++l) {
    t->string.u[l] = t->string.p[l] = 1e-3 * sin(0.1 * l);
  }
  return t;
}

JwNaive* jw_naive_plate(uint32_t nx, uint32_t ny) {
  JwNaive* const t = create(PLATE, 100);
  make_plate(&t->plate, (const uint32_t[2]){nx, ny}, (const double[3]){0.02, 0.0, 0.0});
  t->plate.u[5 * t->plate.stride + 5] = t->plate.p[5 * t->plate.stride + 5] = 1e-3;
  return t;
}

// Place of a fraction of the length, nearest, in an array with two more points at either end of n.
static uint32_t nearest(double x, uint32_t n) {
  return (uint32_t)floor(x * (n + 1) + 0.5) + 1;
}

JwNaive* jw_naive_barrier(uint32_t frames, bool ask) {
  JwNaive* const t = create(ask ? ASKING : BARRIER, frames);
  Barrier* const c = &t->barrier;
  const uint32_t n = 521;
  const double k = 1.0 / 220500.0, h = 1.0 / (n + 1);
  make_string(&t->string, n, (const double[4]){0.0, 0.0, 0.0, 0.0});
  t->force_at = nearest(0.8, n), t->force_step = k / 1e-3;
  c->inertia = 0.063 / (k * k), c->tension = 500.0 / (h * h);
  c->bending = 2e11 * 3.14159265358979 * 6.25e-14 / 4.0 / (h * h * h * h);
  c->g = sqrt(5e6 * 2.4 / 2.0), c->exponent = 0.4 / 2.0;
  c->b = zeros(n + 4), c->psi = zeros(n + 4);
  for (uint32_t l = 2; l < n + 2; ++l) {
    const double x = (l - 1) * h;
    c->b[l] = -1e-4 - 1e-4 * x - 1e-3 * x * x;
  }
  return t;
}

JwNaive* jw_naive_tromba(const uint32_t points[3], uint32_t frames) {
  JwNaive* const t = create(TROMBA, frames);
  Tromba* const b = &t->tromba;
  const double pi = 3.14159265358979323846, k = 1.0 / 44100.0, hs = 1.9 / (points[0] + 1),
               hp = 1.35 / (points[1] + 1);
  const double area = pi * 2.5e-7, line = 7850.0 * area, speed = 2.0 * 1.9 * 32.0, sheet = 0.5;
  const double bending = 2e11 * pi * 6.25e-14 / 4.0, stiff = 2e5 * 1e-6 / 12.0 / 0.91;
  make_string(&t->string, points[0],
              (const double[4]){speed * speed * k * k / (hs * hs),
                                bending * k * k / (line * hs * hs * hs * hs),
                                2.0 * 0.05 * k / (hs * hs), 0.1 * k});
  make_plate(&t->plate, points + 1,
             (const double[3]){stiff * k * k / (sheet * hp * hp * hp * hp),
                               2.0 * 0.05 * k / (hp * hp), 2.0 * k});
  const double w0 = 2.0 * pi * 500.0, mass = 1e-3, loss = 0.05 * k / (2.0 * mass);
  b->k = k, b->gap = 5e-6;
  b->at = nearest(0.868, points[0]), b->bowed = nearest(0.2, points[0]);
  b->under = (size_t)nearest(0.75, points[2]) * t->plate.stride + nearest(0.8, points[1]);
  b->string = line * hs * (1.0 / (k * k) + 0.1 / k);
  b->mass = mass * (1.0 + loss) / (k * k);
  b->plate = sheet * hp * hp * (1.0 / (k * k) + 2.0 / k);
  b->a = (2.0 - w0 * w0 * k * k) / (1.0 + loss), b->e = (1.0 - loss) / (1.0 + loss);
  b->bow = 0.15 * sqrt(200.0) * exp(0.5) / (2.0 * k * b->string);
  return t;
}

double jw_naive_stored(const JwNaive* t) {
  double sum = t->tromba.psi2 * t->tromba.psi2;
  for (uint32_t l = 0; t->barrier.psi && l < t->string.n + 4; ++l) {
    sum += t->barrier.psi[l] * t->barrier.psi[l];
  }
  return 0.5 * sum;
}

double jw_naive_units(const JwNaive* t) {
  return t->steps
         * (t->kind == STRING  ? t->string.n
            : t->kind == PLATE ? (double)t->plate.nx * t->plate.ny
                               : 1.0);
}

void jw_naive_free(JwNaive* t) {
  double* const all[] = {t->string.u, t->string.p,   t->string.next, t->plate.u,
                         t->plate.p,  t->plate.next, t->barrier.b,   t->barrier.psi};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    free(all[i]);
  }
  free(t);
}
