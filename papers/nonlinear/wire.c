// SPDX-License-Identifier: MIT
// A string of a few modes that stretches, by every rule there is for g, and by Runge and Kutta.
//
//   symbol   meaning                                               unit
//   q, p     modal displacements now and a step ago                m
//   b, y     restoring part and admittance of a mode               1, m/N
//   V        energy of the stretch                                 J
//   psi, g   its load, and the weights of the load                 sqrt(J), sqrt(N/m)
//
// One step is q+ = 2 q - p - b q - y g f with f = (psi+ + psi)/2 and psi+ = psi + g.(q+ - p)/2: the
// energy sum (4 - b)/8y (q - p)^2 + b/8y (q + p)^2 + psi^2/2 stays, whatever g is.

#include "nonlinear.h"

#include <math.h>
#include <string.h>

enum { MODES = JW_WIRE_MODES, PLACES = 32, FINER = 4 };

const char* const jw_drift_names[JW_DRIFT_RULES] = {"plain",     "sign rule",  "bounded",
                                                    "regulated", "two solves", "two solves, force"};

static const double pi = 3.14159265358979323846;

// Slopes of the modes of a string of length 1, in the middles of equal parts of it.
static const double* slopes_at(int j) {
  static double table[PLACES][MODES];
  for (int n = 0; table[0][0] == 0.0 && n < PLACES * MODES; ++n) {
    const int i = MODES - 1 - n % MODES, at = PLACES - 1 - n / MODES; // The first comes last
    table[at][i] = (i + 1) * pi * cos((i + 1) * pi * (at + 0.5) / PLACES);
  }
  return table[j];
}

static double local_strain(const JwWire* wire, const double* q, double* slope) {
  const double excess = wire->stretching - wire->tension, h = wire->length / PLACES;
  double sum = 0.0;
  for (int j = 0; j < PLACES; ++j) {
    const double* const unit = slopes_at(j);
    double wave[MODES], s = 0.0;
    for (int i = 0; i < MODES; ++i) {
      wave[i] = unit[i] / wire->length;
      s += wave[i] * q[i];
    }
    const double w = sqrt(1.0 + s * s), e = s * s / (1.0 + w);
    sum += 0.5 * excess * h * e * e;
    for (int i = 0; slope && i < MODES; ++i) {
      slope[i] += excess * h * s * (e / w) * wave[i];
    }
  }
  return sum;
}

double jw_wire_strain(const JwWire* wire, const double* q, double* slope) {
  if (slope) {
    memset(slope, 0, MODES * sizeof *slope);
  }
  if (wire->local) {
    return local_strain(wire, q, slope);
  }
  const double stiff = (wire->stretching - wire->tension) / (4.0 * wire->length);
  double squares = 0.0, k[MODES];
  for (int i = 0; i < MODES; ++i) {
    k[i] = 0.5 * (i + 1) * pi * ((i + 1) * pi) / wire->length;
    squares += k[i] * q[i] * q[i];
  }
  for (int i = 0; slope && i < MODES; ++i) {
    slope[i] = 2.0 * stiff * squares * k[i] * q[i];
  }
  return 0.5 * stiff * squares * squares;
}

static double frequency_squared(const JwWire* wire, int i) {
  const double k2 = pow((i + 1) * pi / wire->length, 2.0);
  return k2 * (wire->tension + wire->bending * k2) / wire->mass;
}

static double modal_mass(const JwWire* wire) {
  return 0.5 * wire->mass * wire->length;
}

void jw_wire_exact_step(const JwWire* wire, double k, double* q, double* v) {
  static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  double dq[MODES] = {0.0}, dv[MODES] = {0.0}, sum_q[MODES] = {0.0}, sum_v[MODES] = {0.0};
  for (int n = 0; n < 4; ++n) {
    double at[MODES] = {0.0}, speed[MODES] = {0.0}, slope[MODES];
    for (int i = 0; i < MODES; ++i) {
      at[i] = q[i] + part[n] * k * dq[i];
      speed[i] = v[i] + part[n] * k * dv[i];
    }
    (void)jw_wire_strain(wire, at, slope);
    for (int i = 0; i < MODES; ++i) {
      dq[i] = speed[i];
      dv[i] = -frequency_squared(wire, i) * at[i] - slope[i] / modal_mass(wire);
      sum_q[i] += weight[n] * dq[i];
      sum_v[i] += weight[n] * dv[i];
    }
  }
  for (int i = 0; i < MODES; ++i) {
    q[i] += k / 6.0 * sum_q[i];
    v[i] += k / 6.0 * sum_v[i];
  }
}

// ---------------------------------------------------------------- the quadratised string

typedef struct {
  double q[MODES], p[MODES], b[MODES], y[MODES], psi;
} State;

static double dot(const double* a, const double* b) {
  double sum = 0.0;
  for (int i = 0; i < MODES; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

static double load_between(const JwWire* wire, const double* a, const double* b) {
  double middle[MODES];
  for (int i = 0; i < MODES; ++i) {
    middle[i] = 0.5 * (a[i] + b[i]);
  }
  return sqrt(2.0 * jw_wire_strain(wire, middle, NULL));
}

// The next state by a given g; returns the next psi.
static double advance(const State* s, const double* g, double* next) {
  double motion[MODES], compliance = 0.0;
  for (int i = 0; i < MODES; ++i) {
    next[i] = s->q[i] + ((s->q[i] - s->p[i]) - s->b[i] * s->q[i]);
    motion[i] = next[i] - s->p[i];
    compliance += s->y[i] * g[i] * g[i];
  }
  const double f = (0.25 * dot(g, motion) + s->psi) / (1.0 + 0.25 * compliance);
  for (int i = 0; i < MODES; ++i) {
    next[i] -= s->y[i] * g[i] * f;
    motion[i] = next[i] - s->p[i];
  }
  return s->psi + 0.5 * dot(g, motion);
}

// g <- g + by Y^-1 d/(d.Y^-1 d)
static void turn(const State* s, double* g, const double* d, double by) {
  double size = 0.0;
  for (int i = 0; i < MODES; ++i) {
    size += d[i] * d[i] / s->y[i];
  }
  for (int i = 0; i < MODES && size > 0.0; ++i) {
    g[i] += by * d[i] / (s->y[i] * size);
  }
}

static void scale(double* g, double by) {
  for (int i = 0; i < MODES; ++i) {
    g[i] *= by;
  }
}

// The free motion along g, and g.Y g.
static double free_motion(const State* s, const double* g, double* compliance) {
  double sum = 0.0;
  *compliance = 0.0;
  for (int i = 0; i < MODES; ++i) {
    sum += g[i] * (2.0 * (s->q[i] - s->p[i]) - s->b[i] * s->q[i]);
    *compliance += s->y[i] * g[i] * g[i];
  }
  return sum;
}

// Where psi would end below zero g is made smaller: by the free motion alone, or so that it ends there.
static void keep_positive(const State* s, JwDrift drift, double* g) {
  double compliance;
  const double theta = free_motion(s, g, &compliance);
  if (drift == JW_DRIFT_SIGN && theta < -4.0 * s->psi && theta != 0.0) {
    scale(g, -4.0 * s->psi / theta);
  } else if (drift == JW_DRIFT_BOUNDED && s->psi > 0.0) {
    const double z = -0.5 * theta, reach = sqrt(z * z + compliance * s->psi * s->psi);
    const double release =
        z > 0.0 ? 2.0 * s->psi / (z + reach) : 2.0 * (reach - z) / (compliance * s->psi);
    scale(g, fmin(1.0, release));
  }
}

static void land(const JwWire* wire, const State* s, bool force, double psi_now, double* g) {
  double next[MODES], motion[MODES];
  (void)advance(s, g, next);
  for (int i = 0; i < MODES; ++i) {
    motion[i] = next[i] - s->p[i];
  }
  const double wanted = load_between(wire, next, s->q);
  if (force && wanted + s->psi > 0.0) {
    scale(g, fmin(2.0, 2.0 * psi_now / (wanted + s->psi)));
  }
  turn(s, g, motion, 2.0 * (wanted - s->psi) - dot(g, motion));
}

static void choose(const JwWire* wire, const State* s, JwDrift drift, double k, double* g) {
  const double psi_now = sqrt(2.0 * jw_wire_strain(wire, s->q, g));
  scale(g, psi_now > 0.0 ? 1.0 / psi_now : 0.0);
  if (drift == JW_DRIFT_SIGN || drift == JW_DRIFT_BOUNDED) {
    keep_positive(s, drift, g);
  } else if (drift == JW_DRIFT_REGULATED) {
    double d[MODES];
    for (int i = 0; i < MODES; ++i) {
      d[i] = s->q[i] - s->p[i];
    }
    turn(s, g, d, -1000.0 * k * (s->psi - load_between(wire, s->q, s->p)));
  } else if (drift >= JW_DRIFT_TWO) {
    land(wire, s, drift == JW_DRIFT_FORCE, psi_now, g);
  }
}

static double energy_of(const State* s) {
  double sum = 0.5 * s->psi * s->psi;
  for (int i = 0; i < MODES; ++i) {
    const double d = s->q[i] - s->p[i], twice = s->q[i] + s->p[i];
    sum += ((4.0 - s->b[i]) * d * d + s->b[i] * twice * twice) / (8.0 * s->y[i]);
  }
  return sum;
}

// From rest: half a step of the acceleration back.
static State start(const JwWire* wire, bool exact, double k, double amplitude) {
  State s;
  double slope[MODES];
  const double at = 0.28;
  for (int i = 0; i < MODES; ++i) {
    const double n = (i + 1) * pi, w2 = frequency_squared(wire, i);
    s.q[i] = 2.0 * amplitude / (n * n * at * (1.0 - at)) * sin(n * at);
    s.b[i] = exact ? 4.0 * pow(sin(0.5 * sqrt(w2) * k), 2.0) : w2 * k * k;
    s.y[i] = exact ? k * k / modal_mass(wire) * 0.25 * (4.0 - s.b[i]) : k * k / modal_mass(wire);
  }
  (void)jw_wire_strain(wire, s.q, slope);
  for (int i = 0; i < MODES; ++i) {
    s.p[i] = s.q[i] - 0.5 * (s.b[i] * s.q[i] + s.y[i] * slope[i]);
  }
  s.psi = load_between(wire, s.q, s.p);
  return s;
}

JwWireErrors jw_wire_run(const JwWire* wire, JwDrift drift, bool exact, double rate, double seconds,
                         double amplitude) {
  const double k = 1.0 / rate;
  State s = start(wire, exact, k, amplitude);
  const double first = energy_of(&s);
  double q[MODES], v[MODES] = {0.0}, sums[4] = {0.0};
  memcpy(q, s.q, sizeof q);
  JwWireErrors errors = {0};
  for (int n = 0; n < (int)(seconds * rate + 0.5); ++n) {
    double g[MODES], next[MODES], force[2] = {0.0, 0.0};
    choose(wire, &s, drift, k, g);
    s.psi = advance(&s, g, next);
    memcpy(s.p, s.q, sizeof s.p);
    memcpy(s.q, next, sizeof s.q);
    for (int i = 0; i < FINER; ++i) {
      jw_wire_exact_step(wire, k / FINER, q, v);
    }
    for (int i = 0; i < MODES; ++i) {
      const double wave = (i + 1) * pi / wire->length,
                   end = wire->tension * wave + wire->bending * wave * wave * wave;
      sums[0] += pow(s.q[i] - q[i], 2.0);
      sums[1] += q[i] * q[i];
      force[0] += end * s.q[i];
      force[1] += end * q[i];
    }
    sums[2] += pow(force[0] - force[1], 2.0);
    sums[3] += force[1] * force[1];
    errors.drift = fmax(errors.drift, fabs(s.psi - load_between(wire, s.q, s.p)));
    errors.energy = fmax(errors.energy, fabs(energy_of(&s) / first - 1.0));
  }
  errors.displacement = sqrt(sums[0] / sums[1]);
  errors.force = sqrt(sums[2] / sums[3]);
  errors.drift /= sqrt(2.0 * first);
  return errors;
}
