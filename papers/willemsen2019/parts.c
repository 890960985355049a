// SPDX-License-Identifier: MIT
// String, mass and plate as in the note: the states that leave contacts out, in both of its forms.
//
//   symbol  meaning                                     unit
//   rA, rH  mass per length, per area                   kg/m, kg/m2
//   s0, s1  losses, the densities in front (as in (71)) 1/s, m2/s
//   k, h    time step, spacing                          s, m
//
// (46a)  (rA/k2 + rA s0/k) u^I = rA/k2 (2u - u-) + T dxx u - EI dxxxx u + rA s0/k u- + 2 rA s1 dt-
// dxx u (46b)  (M/k2 + R/2k) w^I = M/k2 (2w - w-) - M w0^2 w + R/2k w- (46c)  (rH/k2 + rH s0/k) v^I
// = rH/k2 (2v - v-) - D dL dL v + rH s0/k v- + 2 rH s1 dt- dL v
//
// An external force, which the note has not, enters where (46) has its right-hand sides.

#include "note.h"

#include <math.h>

#define PI 3.14159265358979323846

double jw_note_spacing(const JwNoteString* string) {
  return string->length / string->points;
}

int jw_note_bridge(const JwNote* note) {
  return (int)floor(note->system.at * note->system.string[0].points + 0.5);
}

// Beyond a supported end the string continues upside down.
static double beyond(const double* u, int n, int l) {
  return l < 0 ? -u[-l] : l > n ? -u[2 * n - l] : u[l];
}

double jw_note_dxx(const double* u, const JwNoteString* string, int l) {
  const double h = jw_note_spacing(string);
  const int n = string->points;
  return (beyond(u, n, l + 1) - 2.0 * beyond(u, n, l) + beyond(u, n, l - 1)) / (h * h);
}

static double dxxxx(const double* u, const JwNoteString* string, int l) {
  const double h = jw_note_spacing(string);
  const int n = string->points;
  return (beyond(u, n, l + 2) - 4.0 * beyond(u, n, l + 1) + 6.0 * u[l] - 4.0 * beyond(u, n, l - 1)
          + beyond(u, n, l - 2))
         / (h * h * h * h);
}

static double sheet(const double* v, const JwNotePlate* plate, int i, int j) {
  const int nx = plate->points[0], ny = plate->points[1];
  const double sign = ((i < 0 || i > nx) != (j < 0 || j > ny)) ? -1.0 : 1.0;
  const int row = i < 0    ? -i
                  : i > nx ? 2 * nx - i
                           : i,
            column = j < 0    ? -j
                     : j > ny ? 2 * ny - j
                              : j;
  return sign * v[row * JW_NOTE_SIDE + column];
}

double jw_note_laplacian(const double* v, const JwNotePlate* plate, int i, int j) {
  const double h = plate->spacing;
  return (sheet(v, plate, i + 1, j) + sheet(v, plate, i - 1, j) + sheet(v, plate, i, j + 1)
          + sheet(v, plate, i, j - 1) - 4.0 * sheet(v, plate, i, j))
         / (h * h);
}

static double bilaplacian(const double* v, const JwNotePlate* plate, int i, int j) {
  const double h = plate->spacing;
  double sum = -4.0 * jw_note_laplacian(v, plate, i, j);
  sum += jw_note_laplacian(v, plate, i + 1, j) + jw_note_laplacian(v, plate, i - 1, j);
  sum += jw_note_laplacian(v, plate, i, j + 1) + jw_note_laplacian(v, plate, i, j - 1);
  return sum / (h * h);
}

double jw_note_string_inertia(const JwNote* note, int s) {
  const JwNoteString* const string = &note->system.string[s];
  return string->mass / (note->k * note->k) + string->mass * string->loss[0] / note->k;
}

double jw_note_mass_inertia(const JwNote* note, int m) {
  const JwNoteMass* const mass = &note->system.mass[m];
  return mass->mass / (note->k * note->k) + mass->loss / (2.0 * note->k);
}

double jw_note_plate_inertia(const JwNote* note) {
  const JwNotePlate* const plate = &note->system.plate;
  return plate->mass / (note->k * note->k) + plate->mass * plate->loss[0] / note->k;
}

// The force at a part, spread over h where it is a string's.
static double force_at(const JwNote* note, JwNotePart part, int l, double h) {
  const JwNoteForce* const force = &note->system.force;
  if (force->part != part) {
    return 0.0;
  }
  const bool string = part == JW_PART_STRING || part == JW_PART_STRING_2;
  const int points = note->system.string[part == JW_PART_STRING_2].points;
  return !string || l == (int)floor(force->at * points + 0.5) ? note->force / h : 0.0;
}

double jw_note_string_free(const JwNote* note, int s, int l) {
  const JwNoteString* const c = &note->system.string[s];
  const double* const u = note->u[s].now;
  const double* const p = note->u[s].prev;
  const double k = note->k, rA = c->mass, s0 = c->loss[0], s1 = c->loss[1];
  const double change = (jw_note_dxx(u, c, l) - jw_note_dxx(p, c, l)) / k; // dt- dxx u
  const double damping =
      note->system.printed == JW_AS_PRINTED_43_STRING ? (u[l] - p[l]) / k : change; // dt- u
  // As printed, (74) has s0 and s1 without the density here but with it on the left.
  const double density = note->system.printed == JW_AS_PRINTED_74_STRING ? 1.0 : rA;
  double sum = rA / (k * k) * (2.0 * u[l] - p[l]) + c->tension * jw_note_dxx(u, c, l)
               - c->bending * dxxxx(u, c, l);
  sum += density * s0 / k * p[l] + 2.0 * density * s1 * damping;
  sum += force_at(note, s ? JW_PART_STRING_2 : JW_PART_STRING, l, jw_note_spacing(c));
  return sum / jw_note_string_inertia(note, s);
}

double jw_note_mass_free(const JwNote* note, int m) {
  const JwNoteMass* const c = &note->system.mass[m];
  const double k = note->k, w0 = 2.0 * PI * c->frequency;
  const JwNotePoint w = note->w[m];
  const double stiffness = c->mass * (note->system.printed == JW_AS_PRINTED_23 ? w0 : w0 * w0);
  const double sum = c->mass / (k * k) * (2.0 * w.now - w.prev) - stiffness * w.now
                     + c->loss / (2.0 * k) * w.prev
                     + force_at(note, m ? JW_PART_MASS_2 : JW_PART_MASS, 0, 1.0);
  return sum / jw_note_mass_inertia(note, m);
}

double jw_note_plate_free(const JwNote* note, int i, int j) {
  const JwNotePlate* const c = &note->system.plate;
  const JwNoteSheet* const v = &note->v;
  const double k = note->k, rH = c->mass, h2 = c->spacing * c->spacing;
  const int at = i * JW_NOTE_SIDE + j;
  double change =
      (jw_note_laplacian(v->now, c, i, j) - jw_note_laplacian(v->prev, c, i, j)) / k; // dt- dL v
  if (note->system.printed == JW_AS_PRINTED_43_PLATE) {                               // dt- v
    change = (v->now[at] - v->prev[at]) / k;
  } else if (note->system.printed == JW_AS_PRINTED_46C) { // dt- dxx v
    const int row = JW_NOTE_SIDE;
    const double now = v->now[at + row] - 2.0 * v->now[at] + v->now[at - row];
    const double prev = v->prev[at + row] - 2.0 * v->prev[at] + v->prev[at - row];
    change = (now - prev) / (k * h2);
  }
  const double density = note->system.printed == JW_AS_PRINTED_74_PLATE ? 1.0 : rH;
  const double sum = rH / (k * k) * (2.0 * v->now[at] - v->prev[at])
                     - c->bending * bilaplacian(v->now, c, i, j)
                     + density * c->loss[0] / k * v->prev[at] + 2.0 * density * c->loss[1] * change;
  return sum / jw_note_plate_inertia(note);
}

// (62a) with lambda^2 and mu_s^2 of (60), at every point of the string.
double jw_note_string_factored(const JwNote* note, int l) {
  const JwNoteString* const c = &note->system.string[0];
  const double* const u = note->u[0].now;
  const double* const p = note->u[0].prev;
  const double k = note->k, h = jw_note_spacing(c), s0 = c->loss[0], s1 = c->loss[1];
  const int n = c->points;
  const double lambda2 = c->tension * k * k / (c->mass * h * h);
  const double mu2 = c->bending * k * k / (c->mass * h * h * h * h), d = 2.0 * s1 * k / (h * h);
  const double six = note->system.printed == JW_AS_PRINTED_62A ? 1.0 : 6.0;
  double sum = (2.0 - 2.0 * lambda2 - six * mu2 - 2.0 * d) * u[l];
  sum += (lambda2 + 4.0 * mu2 + d) * (beyond(u, n, l + 1) + beyond(u, n, l - 1));
  sum -= mu2 * (beyond(u, n, l + 2) + beyond(u, n, l - 2));
  sum += (-1.0 + s0 * k + 2.0 * d) * p[l] - d * (beyond(p, n, l + 1) + beyond(p, n, l - 1));
  sum += force_at(note, JW_PART_STRING, l, h) * k * k / c->mass;
  return sum / (1.0 + s0 * k);
}

// (62c) with mu_p^2 of (60), at every point of the plate.
double jw_note_plate_factored(const JwNote* note, int i, int j) {
  const JwNotePlate* const c = &note->system.plate;
  const JwNoteSheet* const v = &note->v;
  const double k = note->k, h2 = c->spacing * c->spacing, s0 = c->loss[0];
  const int at = i * JW_NOTE_SIDE + j;
  // As printed, (60) has the string's density in place of the plate's.
  const double swapped =
      note->system.printed == JW_AS_PRINTED_60 ? note->system.string[0].density / c->density : 1.0;
  const double mu2 = c->bending * k * k / (c->mass * swapped * h2 * h2),
               d = 2.0 * c->loss[1] * k / h2;
  double near[2] = {0.0, 0.0}, corner = 0.0, far = 0.0;
  for (int side = -1; side <= 1; side += 2) {
    near[0] += sheet(v->now, c, i + side, j) + sheet(v->now, c, i, j + side);
    near[1] += sheet(v->prev, c, i + side, j) + sheet(v->prev, c, i, j + side);
    corner += sheet(v->now, c, i + side, j + 1) + sheet(v->now, c, i + side, j - 1);
    far += sheet(v->now, c, i + 2 * side, j) + sheet(v->now, c, i, j + 2 * side);
  }
  const double kept =
      note->system.printed == JW_AS_PRINTED_62C ? -1.0 + 4.0 * d : -1.0 + s0 * k + 4.0 * d;
  const double sum = (2.0 - 20.0 * mu2 - 4.0 * d) * v->now[at] + (8.0 * mu2 + d) * near[0]
                     - 2.0 * mu2 * corner - mu2 * far + kept * v->prev[at] - d * near[1];
  return sum / (1.0 + s0 * k);
}

void jw_note_string_advance(JwNote* note, int s) {
  for (int l = 1; l < note->system.string[s].points; ++l) {
    note->u[s].next[l] = jw_note_string_free(note, s, l);
  }
}

void jw_note_plate_advance(JwNote* note) {
  for (int i = 1; i < note->system.plate.points[0]; ++i) {
    for (int j = 1; j < note->system.plate.points[1]; ++j) {
      note->v.next[i * JW_NOTE_SIDE + j] = jw_note_plate_free(note, i, j);
    }
  }
}

double jw_note_mode_decay(const JwNoteString* string, int p) {
  const double wave = p * PI / string->length;
  return string->loss[0] + string->loss[1] * wave * wave;
}

double jw_note_mode_omega(const JwNoteString* string, int p) {
  const double wave2 = p * PI / string->length * (p * PI / string->length);
  return sqrt(wave2 * (string->tension + string->bending * wave2) / string->mass);
}

double jw_note_mode_shape(int p, double x) {
  return sin(p * PI * x);
}

double jw_note_g(const JwNoteContact* contact, double x) {
  return x > 0.0 ? sqrt(contact->stiffness * (contact->exponent + 1.0) / 2.0)
                       * pow(x, (contact->exponent - 1.0) / 2.0)
                 : 0.0;
}

void jw_note_psi(JwNote* note, int contact, double g) {
  const double moved =
      jw_note_eta(note, contact, 0, JW_LEVEL_NEXT) - jw_note_eta(note, contact, 0, JW_LEVEL_PREV);
  note->psi[contact][0] += (note->system.printed == JW_AS_PRINTED_18 ? 1.0 : g) * moved / 2.0;
}

void jw_note_solve(double* a, double* b, int n) {
  for (int j = 0; j < n; ++j) {
    int pivot = j;
    for (int i = j + 1; i < n; ++i) {
      pivot = fabs(a[i * n + j]) > fabs(a[pivot * n + j]) ? i : pivot;
    }
    for (int l = 0; l < n; ++l) {
      const double swap = a[j * n + l];
      a[j * n + l] = a[pivot * n + l];
      a[pivot * n + l] = swap;
    }
    const double swap = b[j];
    b[j] = b[pivot];
    b[pivot] = swap;
    for (int i = j + 1; i < n; ++i) {
      const double factor = a[i * n + j] / a[j * n + j];
      for (int l = j; l < n; ++l) {
        a[i * n + l] -= factor * a[j * n + l];
      }
      b[i] -= factor * b[j];
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int l = j + 1; l < n; ++l) {
      b[j] -= a[j * n + l] * b[l];
    }
    b[j] /= a[j * n + j];
  }
}
