// SPDX-License-Identifier: MIT
// The exact results of a single impact, without gravity.
//
// In w = mu v, W = mu v_in the motion (1) of lab.h has the first integral
//
//   x^(al+1) = m (al+1)/(k mu^2) S(w),   S(w) = W - w + log((1 + w)/(1 + W))                  (2)
//
// S vanishes at W and at the exit, where 1 + w = -W0(-exp(-(c + 1))), c = W - log(1 + W).  Both
// ends must come out to full precision, since the contact time
//
//   tau = (m/k)^(1/(al+1)) (mu^2/(al+1))^(al/(al+1)) / mu  int dw / ((1 + w) S^(al/(al+1)))   (3)
//
// is singular there.  So S is formed from the distance to the nearer end: at d = W - w, S = d W/(1
// + W) + L(-d/(1 + W)), and at e = w - w_out, S = -e w_out/(1 + w_out) + L(e/(1 + w_out)), with
// L(z) = log(1 + z) - z in a form that does not cancel.
//
// Without loss: v_out = -v_in, x^(al+1) = m (al+1)/(2 k) (v_in^2 - v^2), and tau is a ratio of
// Gamma functions.
//
// Proof by test: test_lab.c, against a second way to every number.

#include "lab.h"

#include <math.h>

double jw_lab_force(const JwLabImpact* impact, double x, double v) {
  return x > 0.0 ? impact->stiffness * pow(x, impact->exponent) * (1.0 + impact->loss * v) : 0.0;
}

double jw_lab_energy(const JwLabImpact* impact, double x, double v) {
  const double power = impact->exponent + 1.0;
  const double elastic = x > 0.0 ? impact->stiffness * pow(x, power) / power : 0.0;
  return 0.5 * impact->mass * v * v + elastic;
}

// The exit in w: w_out and 1 + w_out, each to its own full precision.
typedef struct {
  double w, one_plus;
} Exit;

static Exit exit_of(double entry) {
  const double c = -jw_lab_log1p_minus(entry);
  Exit exit = {.one_plus = -jw_lab_lambert_w0(-exp(-(c + 1.0)))};
  exit.w = exit.one_plus - 1.0;
  if (c > 0.3) {
    return exit;
  }
  // A small loss puts W0 next to its branch point, where its argument holds c to few digits:
  // polish -L(w) = c by Newton from the expansion in the entry, w = -W + 2 W^2/3.
  double w = exit.w < -1e-6 ? exit.w : -entry + 2.0 / 3.0 * entry * entry;
  for (int i = 0; i < 6; ++i) {
    w -= (-jw_lab_log1p_minus(w) - c) * (1.0 + w) / w;
  }
  return (Exit){w, 1.0 + w};
}

// S of (2), from the distances to the exit and to the entry.
static double first_integral(double entry, Exit exit, double from_exit, double from_entry) {
  if (from_entry < from_exit) {
    return from_entry * entry / (1.0 + entry) + jw_lab_log1p_minus(-from_entry / (1.0 + entry));
  }
  return -from_exit * exit.w / exit.one_plus + jw_lab_log1p_minus(from_exit / exit.one_plus);
}

static double compression_of(const JwLabImpact* impact, double s) {
  const double power = impact->exponent + 1.0;
  const double scale = impact->mass * power / (impact->stiffness * impact->loss * impact->loss);
  return pow(scale * fmax(s, 0.0), 1.0 / power);
}

double jw_lab_compression(const JwLabImpact* impact, double v_in, double v) {
  if (impact->loss == 0.0) {
    const double power = impact->exponent + 1.0;
    const double square = (v_in - v) * (v_in + v);
    return pow(0.5 * impact->mass * power / impact->stiffness * fmax(square, 0.0), 1.0 / power);
  }
  const double entry = impact->loss * v_in;
  const Exit exit = exit_of(entry);
  return compression_of(
      impact, first_integral(entry, exit, impact->loss * v - exit.w, impact->loss * (v_in - v)));
}

double jw_lab_largest_compression(const JwLabImpact* impact, double v_in) {
  return impact->loss == 0.0 ? jw_lab_compression(impact, v_in, 0.0)
                             : compression_of(impact, -jw_lab_log1p_minus(impact->loss * v_in));
}

double jw_lab_exit_velocity(const JwLabImpact* impact, double v_in) {
  return impact->loss == 0.0 ? -v_in : exit_of(impact->loss * v_in).w / impact->loss;
}

double jw_lab_exit_velocity_expanded(const JwLabImpact* impact, double v_in) {
  if (impact->loss == 0.0) {
    return -v_in;
  }
  const double w = impact->loss * v_in;
  const double sum = 1.0 + w * (1.0 + w * (2.0 / 3.0 + w * (2.0 / 9.0 + w * 14.0 / 135.0)));
  return -(1.0 - sum * exp(-2.0 * w)) / impact->loss;
}

typedef struct {
  double entry, power;
  Exit exit;
} Contact;

static double time_integrand(void* user, double from_exit, double from_entry) {
  const Contact* const contact = (const Contact*)user;
  const double one_plus = contact->exit.one_plus + from_exit;
  const double s = first_integral(contact->entry, contact->exit, from_exit, from_entry);
  return pow(s, -contact->power) / one_plus;
}

double jw_lab_contact_time(const JwLabImpact* impact, double v_in) {
  const double power = impact->exponent + 1.0;
  if (impact->loss == 0.0) {
    const double ratio = exp(lgamma(1.0 + 1.0 / power) - lgamma(0.5 + 1.0 / power));
    return 2.0 * 1.7724538509055160 * ratio * jw_lab_largest_compression(impact, v_in) / v_in;
  }
  const double entry = impact->loss * v_in;
  Contact contact = {entry, impact->exponent / power, exit_of(entry)};
  double error;
  const double integral =
      jw_lab_integrate(time_integrand, &contact, entry - contact.exit.w, &error);
  return pow(impact->mass / impact->stiffness, 1.0 / power)
         * pow(impact->loss * impact->loss / power, contact.power) / impact->loss * integral;
}
