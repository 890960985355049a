// The same physics as anybody would write it first.
//
// Points in order, a loop a rule, coefficients in the struct, pow and exp of libm, every barrier point in
// every sample.  Same schemes as the engine's: the grid updates of docs/physics.md, quadratised contacts,
// each solved by its own formula, bridge and collision by a 2 x 2 system.  Compiled with -O2.

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t n; // Points that move, u[2] the first; two zeros at either end
  double c0, c1, c2, d0, d1, y;
  double *u, *p, *next;
} String;

typedef struct {
  uint32_t nx, ny, stride;
  double c0, cx1, cy1, cd, cx2, cy2, d0, dx, dy, y;
  double *u, *p, *next;
} Plate;

struct JwNaive {
  enum { STRING, PLATE, BARRIER, TROMBA } kind;
  uint32_t steps;
  String string;
  Plate plate;
  double k, alpha, stiffness;
  double *b, *psi; // Barrier
  double w, w_prev, w_next, mass, mass_a, mass_e, mass_y, psi1, psi2, velocity; // Bridge, contacts, bow
  double out;
};

static double* zeros(size_t count)
{
  double* const memory = (double*)calloc(count, sizeof(double));
  if (!memory) {
    abort();
  }
  return memory;
}

static void make_string(String* s, uint32_t n, const double values[5])
{
  const double tau = values[0], beta = values[1], sigma = values[2], e = values[3];
  s->n = n, s->y = values[4];
  s->c2 = -beta, s->c1 = tau + 4.0 * beta + sigma, s->c0 = 1.0 + e - 2.0 * tau - 6.0 * beta - 2.0 * sigma;
  s->d1 = -sigma, s->d0 = 2.0 * sigma - e;
  s->u = zeros(n + 4), s->p = zeros(n + 4), s->next = zeros(n + 4);
}

static void make_plate(Plate* p, uint32_t nx, uint32_t ny, const double values[5])
{
  const double beta = values[0], sigma = values[1], r = values[2], e = values[3];
  p->nx = nx, p->ny = ny, p->stride = nx + 4, p->y = values[4];
  p->cx2 = -beta, p->cy2 = -r * r * beta, p->cd = -2.0 * r * beta;
  p->cx1 = 4.0 * (1.0 + r) * beta + sigma, p->cy1 = r * p->cx1;
  p->dx = -sigma, p->dy = -r * sigma, p->d0 = 2.0 * sigma * (1.0 + r) - e;
  p->c0 = 1.0 + e - 6.0 * beta * (1.0 + r * r) - 8.0 * r * beta - 2.0 * sigma * (1.0 + r);
  const size_t size = (size_t)p->stride * (ny + 4);
  p->u = zeros(size), p->p = zeros(size), p->next = zeros(size);
}

static void advance_string(String* s)
{
  for (uint32_t l = 2; l < s->n + 2; ++l) {
    s->next[l] = s->c0 * s->u[l] + s->c1 * (s->u[l - 1] + s->u[l + 1]) + s->c2 * (s->u[l - 2] + s->u[l + 2])
                 + s->d0 * s->p[l] + s->d1 * (s->p[l - 1] + s->p[l + 1]);
  }
  s->next[2] -= s->c2 * s->u[2];
  s->next[s->n + 1] -= s->c2 * s->u[s->n + 1];
}

static void advance_plate(Plate* p)
{
  for (uint32_t y = 2; y < p->ny + 2; ++y) {
    for (uint32_t x = 2; x < p->nx + 2; ++x) {
      const size_t i = (size_t)y * p->stride + x, s = p->stride;
      p->next[i] = p->c0 * p->u[i] + p->cx1 * (p->u[i - 1] + p->u[i + 1]) + p->cy1 * (p->u[i - s] + p->u[i + s])
                   + p->cd * (p->u[i - s - 1] + p->u[i - s + 1] + p->u[i + s - 1] + p->u[i + s + 1])
                   + p->cx2 * (p->u[i - 2] + p->u[i + 2]) + p->cy2 * (p->u[i - 2 * s] + p->u[i + 2 * s])
                   + p->d0 * p->p[i] + p->dx * (p->p[i - 1] + p->p[i + 1]) + p->dy * (p->p[i - s] + p->p[i + s]);
      if (x == 2 || x == p->nx + 1) {
        p->next[i] -= p->cx2 * p->u[i];
      }
      if (y == 2 || y == p->ny + 1) {
        p->next[i] -= p->cy2 * p->u[i];
      }
    }
  }
}

static void turn(double** u, double** p, double** next)
{
  double* const old = *p;
  *p = *u, *u = *next, *next = old;
}

// f = g psi + g^2/4 (eta+ - eta-), eta+ = eta* - q f
static void collide_barrier(JwNaive* t, uint32_t step)
{
  String* const s = &t->string;
  const double h = 1.0 / (s->n + 1), q = s->y;
  for (uint32_t l = 2; l < s->n + 2; ++l) {
    const double eta = t->b[l] - s->u[l];
    double g = 0.0;
    if (eta > 0.0) {
      g = sqrt(0.5 * t->stiffness * h * (t->alpha + 1.0)) * pow(eta, 0.5 * (t->alpha - 1.0));
    }
    const double r = s->p[l] - s->next[l];
    const double f = (0.25 * g * g * r + g * t->psi[l]) / (1.0 + 0.25 * g * g * q);
    s->next[l] += q * f;
    t->psi[l] += 0.5 * g * (r - q * f);
  }
  const double pulse = step * t->k < 1e-3 ? 10.0 * 0.5 * (1.0 - cos(6.283185307179586 * step * t->k / 1e-3)) : 0.0;
  s->next[2 + (uint32_t)(0.8 * s->n)] += s->y * pulse;
}

static void bow(JwNaive* t)
{
  String* const s = &t->string;
  const uint32_t at = 2 + (uint32_t)(0.2 * s->n);
  const double v = t->velocity, a = 100.0;
  const double c = 0.15 * sqrt(2.0 * a) * exp(-a * v * v + 0.5);
  const double free = (s->next[at] - s->p[at]) / (2.0 * t->k) - 0.2;
  t->velocity = free / (1.0 + c * s->y / (2.0 * t->k));
  s->next[at] -= s->y * c * t->velocity;
}

// The bridge between string and plate: connection 1, collision 2, one system for both forces.
static void couple_bridge(JwNaive* t)
{
  String* const s = &t->string;
  Plate* const p = &t->plate;
  const uint32_t l = 2 + (uint32_t)(0.868 * s->n);
  const size_t i = (size_t)(2 + (uint32_t)(0.75 * p->ny)) * p->stride + 2 + (uint32_t)(0.8 * p->nx);
  t->w_next = t->mass_a * t->w - t->mass_e * t->w_prev;
  const double eta1 = t->w - s->u[l], eta2 = p->u[i] - t->w - 5e-6;
  const double g1 = sqrt(0.5 * 5e6 * 2.3) * pow(fabs(eta1), 0.15);
  const double g2 = eta2 > 0.0 ? sqrt(0.5 * 5e8 * 2.3) * pow(eta2, 0.15) : 0.0;
  const double r1 = (t->w_next - s->next[l]) - (t->w_prev - s->p[l]);
  const double r2 = (p->next[i] - t->w_next) - (p->p[i] - t->w_prev);
  const double a1 = 0.25 * g1 * g1, a2 = 0.25 * g2 * g2;
  const double b11 = t->mass_y + s->y, b22 = t->mass_y + p->y, b12 = -t->mass_y;
  const double m11 = 1.0 + a1 * b11, m12 = a1 * b12, m21 = a2 * b12, m22 = 1.0 + a2 * b22;
  const double v1 = a1 * r1 + g1 * t->psi1, v2 = a2 * r2 + g2 * t->psi2, det = m11 * m22 - m12 * m21;
  const double f1 = (v1 * m22 - v2 * m12) / det, f2 = (m11 * v2 - m21 * v1) / det;
  t->psi1 += 0.5 * g1 * (r1 - b11 * f1 - b12 * f2);
  t->psi2 += 0.5 * g2 * (r2 - b12 * f1 - b22 * f2);
  s->next[l] += s->y * f1;
  t->w_next += t->mass_y * (f2 - f1);
  p->next[i] -= p->y * f2;
  t->w_prev = t->w, t->w = t->w_next;
}

static void start(JwNaive* t)
{
  if (t->kind < BARRIER) {
    return;
  }
  String* const s = &t->string;
  const size_t bytes = (s->n + 4) * sizeof(double);
  memset(s->u, 0, bytes), memset(s->p, 0, bytes), memset(s->next, 0, bytes);
  if (t->kind == BARRIER) {
    memset(t->psi, 0, bytes);
    return;
  }
  const size_t size = (size_t)t->plate.stride * (t->plate.ny + 4) * sizeof(double);
  memset(t->plate.u, 0, size), memset(t->plate.p, 0, size), memset(t->plate.next, 0, size);
  t->w = t->w_prev = t->psi1 = t->psi2 = 0.0;
  t->velocity = -0.2;
}

void jw_naive_slice(void* naive)
{
  JwNaive* const t = (JwNaive*)naive;
  start(t);
  for (uint32_t i = 0; i < t->steps; ++i) {
    if (t->kind != PLATE) {
      advance_string(&t->string);
    }
    if (t->kind == PLATE || t->kind == TROMBA) {
      advance_plate(&t->plate);
    }
    if (t->kind == BARRIER) {
      collide_barrier(t, i);
    }
    if (t->kind == TROMBA) {
      bow(t);
      couple_bridge(t);
    }
    if (t->kind != PLATE) {
      t->out += t->string.next[3];
      turn(&t->string.u, &t->string.p, &t->string.next);
    }
    if (t->kind == PLATE || t->kind == TROMBA) {
      t->out += t->plate.next[3 * t->plate.stride];
      turn(&t->plate.u, &t->plate.p, &t->plate.next);
    }
  }
}

JwNaive* jw_naive_string(uint32_t n)
{
  JwNaive* const t = (JwNaive*)calloc(1, sizeof *t);
  const double values[5] = {0.25, 0.05, 0.0, 1.0, 1e-5};
  t->kind = STRING, t->steps = 1000;
  make_string(&t->string, n, values);
  for (uint32_t l = 2; l < n + 2; ++l) {
    t->string.u[l] = t->string.p[l] = 1e-3 * sin(0.1 * l);
  }
  return t;
}

JwNaive* jw_naive_plate(uint32_t nx, uint32_t ny)
{
  JwNaive* const t = (JwNaive*)calloc(1, sizeof *t);
  const double values[5] = {0.02, 0.0, 1.0, 1.0, 1e-5};
  t->kind = PLATE, t->steps = 100;
  make_plate(&t->plate, nx, ny, values);
  t->plate.u[5 * t->plate.stride + 5] = t->plate.p[5 * t->plate.stride + 5] = 1e-3;
  return t;
}

JwNaive* jw_naive_barrier(uint32_t frames)
{
  JwNaive* const t = (JwNaive*)calloc(1, sizeof *t);
  const uint32_t n = 521;
  const double k = 1.0 / 220500.0, h = 1.0 / (n + 1), m = 0.063, y = k * k / (m * h);
  const double bending = 2e11 * 3.14159265358979 * 6.25e-14 / 4.0;
  const double values[5] = {y * 500.0 / h, y * bending / (h * h * h), 0.0, 1.0, y};
  t->kind = BARRIER, t->steps = frames, t->k = k, t->alpha = 1.4, t->stiffness = 5e6;
  make_string(&t->string, n, values);
  t->b = zeros(n + 4), t->psi = zeros(n + 4);
  for (uint32_t l = 2; l < n + 2; ++l) {
    const double x = (l - 1) * h;
    t->b[l] = -1e-4 - 1e-4 * x - 1e-3 * x * x;
  }
  return t;
}

JwNaive* jw_naive_tromba(const uint32_t points[3], uint32_t frames)
{
  JwNaive* const t = (JwNaive*)calloc(1, sizeof *t);
  const double k = 1.0 / 44100.0, hs = 1.9 / (points[0] + 1);
  const double area = 3.14159265358979 * 2.5e-7, m = 7850.0 * area, speed = 2.0 * 1.9 * 32.0;
  const double damped = 1.0 + 0.1 * k, ys = k * k / (m * hs * damped);
  const double string[5] = {ys * m * speed * speed / hs, ys * 2e11 * 3.14159265358979 * 6.25e-14 / 4.0 / (hs * hs * hs),
                            ys * 2.0 * m * 0.05 / (k * hs), (1.0 - 0.1 * k) / damped, ys};
  const double hx = 1.35 / (points[1] + 1), hy = 0.18 / (points[2] + 1), mp = 0.5, held = 1.0 + 2.0 * k;
  const double yp = k * k / (mp * hx * hy * held), stiff = 2e5 * 1e-6 / 12.0 / 0.91;
  const double plate[5] = {yp * stiff * hy / (hx * hx * hx), yp * 2.0 * mp * 0.05 * hy / (k * hx), hx * hx / (hy * hy),
                           (1.0 - 2.0 * k) / held, yp};
  const double w0 = 6.283185307179586 * 500.0, loss = 0.05 * k / 2e-3;
  t->kind = TROMBA, t->steps = frames, t->k = k;
  make_string(&t->string, points[0], string);
  make_plate(&t->plate, points[1], points[2], plate);
  t->mass_a = (2.0 - w0 * w0 * k * k) / (1.0 + loss), t->mass_e = (1.0 - loss) / (1.0 + loss);
  t->mass_y = k * k / (1e-3 * (1.0 + loss));
  return t;
}

double jw_naive_units(const JwNaive* t)
{
  return t->steps * (t->kind == STRING ? t->string.n : t->kind == PLATE ? (double)t->plate.nx * t->plate.ny : 1.0);
}

void jw_naive_free(JwNaive* t)
{
  double* const all[] = {t->string.u, t->string.p, t->string.next, t->plate.u, t->plate.p, t->plate.next, t->b, t->psi};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    free(all[i]);
  }
  free(t);
}
