// SPDX-License-Identifier: MIT
// Sections 7 and 8: the tromba marina.  String u, bridge w (a mass), body v (a plate).
//
// Section 7 joins string and bridge by a spring, F = K1 mu_tt eta_s + K3 eta_s^2 mu_t. eta_s + 2 sx
// dt. eta_s with eta_s = u - w, and lets the bridge collide with the body, eta_c = v - w.  The
// spring's force is eliminated first, F = F' - Theta v+, and a 3 x 3 system is left: (42) without
// losses, (59) with them, (65) with the grid factored out.  Section 8 replaces the spring by a
// two-sided contact, eta_1 = w - u: (74).

#include "note.h"

#include <math.h>

enum { COLLISION = 0, SPRING = 1 };

typedef struct {
  double now, prev;
} Past;

static Past past_of(const JwNote* note, int contact) {
  const Past past = {jw_note_eta(note, contact, 0, JW_LEVEL_NOW),
                     jw_note_eta(note, contact, 0, JW_LEVEL_PREV)};
  return past;
}

static int plate_point(const JwNote* note) {
  const JwNotePlate* const plate = &note->system.plate;
  const int i = (int)floor(note->system.plate_at[0] * plate->points[0] + 0.5);
  const int j = (int)floor(note->system.plate_at[1] * plate->points[1] + 0.5);
  return i * JW_NOTE_SIDE + j;
}

// Put the three values found at the bridge; psi of the collision follows.
static void put(JwNote* note, const double x[3]) {
  note->u[0].next[jw_note_bridge(note)] = x[0];
  note->w[0].next = x[1];
  note->v.next[plate_point(note)] = x[2];
}

// (44)-(59); without losses (34)-(42).
void jw_note_tromba_spring(JwNote* note) {
  const JwNoteContact* const spring = &note->system.contact[SPRING];
  const Past s = past_of(note, SPRING), c = past_of(note, COLLISION);
  const double k = note->k, hs = jw_note_spacing(&note->system.string[0]);
  const double hp2 = note->system.plate.spacing * note->system.plate.spacing;
  const double g = jw_note_g(&note->system.contact[COLLISION], c.now), q = g * g / 4.0;
  const double f = note->psi[COLLISION][0] * g;
  const double mu = jw_note_string_inertia(note, 0), mw = jw_note_mass_inertia(note, 0);
  const double mv = jw_note_plate_inertia(note);
  jw_note_string_advance(note, 0);
  jw_note_plate_advance(note);
  const double uI = note->u[0].next[jw_note_bridge(note)], wI = jw_note_mass_free(note, 0);
  const double vI = note->v.next[plate_point(note)];
  const double even = spring->linear / 4.0 + spring->cubic * s.now * s.now / 2.0;
  const double plus = even + spring->damping / k, minus = even - spring->damping / k; // (45)
  // As printed in two drafts, (43a) lets the string push the bridge and not the bridge the string.
  const double felt = note->system.printed == JW_AS_PRINTED_43_FORCE ? 0.0 : 1.0 / hs;
  const double Psi = 1.0 / plus + felt / mu + 1.0 / (mw + q); // (52)
  const double back = note->system.printed == JW_AS_PRINTED_40 ? c.prev : s.prev;
  const double F = (spring->linear * s.now / (2.0 * plus) + minus / plus * back + uI
                    - (mw * wI - q * c.prev + f) / (mw + q))
                   / Psi; // (50)
  // As printed, (48) does not see the plate's next value: neither does F then.
  const bool blind = note->system.printed == JW_AS_PRINTED_48;
  const double Theta = blind ? 0.0 : q / (Psi * (mw + q)); // (51)
  double a[9] = {mu,  0.0,      -Theta * felt, 0.0, mw + q, Theta - (blind ? 0.0 : q),
                 0.0, -q / hp2, mv + q / hp2};
  double v[3] = {mu * uI - F * felt, mw * wI - q * c.prev + f + F,
                 mv * vI + (q * c.prev - f) / hp2};
  jw_note_solve(a, v, 3); // (59)
  put(note, v);
  jw_note_psi(note, COLLISION, g);
}

// (56) and (58), with theta_s and theta_b of (53) and (54), phi+ and phi- of (57).
static void one_division(const JwNote* note, const double free[2], double g, double* F,
                         double* Theta) {
  const JwNoteContact* const spring = &note->system.contact[SPRING];
  const JwNoteString* const string = &note->system.string[0];
  const JwNoteMass* const mass = &note->system.mass[0];
  const Past s = past_of(note, SPRING), c = past_of(note, COLLISION);
  const double k = note->k, h = jw_note_spacing(string), G = g * g * k * k;
  // (53) is h (rA + s0 k) with the losses of (46).  With those of (62) it is h rA (1 + s0 k).
  const double inertia = note->system.printed == JW_AS_PRINTED_53
                             ? string->mass + string->loss[0] * k
                             : string->mass * (1.0 + string->loss[0] * k);
  const double ts = h * inertia, tb = 4.0 * mass->mass + 2.0 * mass->loss * k;
  const double even = k * (spring->linear + 2.0 * spring->cubic * s.now * s.now);
  const double plus = even + 4.0 * spring->damping, minus = even - 4.0 * spring->damping;
  const double X = (tb + G) * (2.0 * k * spring->linear * s.now + minus * s.prev + plus * free[0]);
  const double Y = plus * (tb * free[1] - G * c.prev + 4.0 * k * k * note->psi[COLLISION][0] * g);
  const double D = plus * k * k * (tb + G + 4.0 * ts) + 4.0 * k * ts * (tb + G);
  const double outer = plus * ts * (tb + G);
  *F = (note->system.printed == JW_AS_PRINTED_56 ? outer * X - Y : outer * (X - Y))
       / (plus * (tb + G) * D);
  *Theta = plus * ts * G / D;
}

// (65), the states of (62) going in.
void jw_note_tromba_factored(JwNote* note) {
  const JwNoteString* const string = &note->system.string[0];
  const JwNoteMass* const mass = &note->system.mass[0];
  const JwNotePlate* const plate = &note->system.plate;
  const Past c = past_of(note, COLLISION);
  const double k = note->k, h = jw_note_spacing(string), hp2 = plate->spacing * plate->spacing;
  const double g = jw_note_g(&note->system.contact[COLLISION], c.now), q = g * g * k * k / 4.0;
  const double f = k * k * note->psi[COLLISION][0] * g;
  for (int l = 1; l < string->points; ++l) {
    note->u[0].next[l] = jw_note_string_factored(note, l);
  }
  for (int i = 1; i < plate->points[0]; ++i) {
    for (int j = 1; j < plate->points[1]; ++j) {
      note->v.next[i * JW_NOTE_SIDE + j] = jw_note_plate_factored(note, i, j);
    }
  }
  const double free[2] = {note->u[0].next[jw_note_bridge(note)], jw_note_mass_free(note, 0)};
  const double vI = note->v.next[plate_point(note)];
  double F, Theta;
  one_division(note, free, g, &F, &Theta);
  double row1 = Theta * k * k / (string->mass * h), row2 = Theta * k * k - q;
  row1 = note->system.printed == JW_AS_PRINTED_65_ROW_1 ? Theta / (string->mass * h)
         : note->system.printed == JW_AS_PRINTED_65_ROW_1_EARLIER
             ? Theta / (string->mass * h * h * k * k)
             : row1;
  row2 = note->system.printed == JW_AS_PRINTED_65_ROW_2 ? Theta - q : row2;
  const double du = 1.0 + string->loss[0] * k,
               mw = mass->mass * (1.0 + mass->loss * k / (2.0 * mass->mass));
  const double mv = plate->mass * (1.0 + plate->loss[0] * k);
  double a[9] = {du, 0.0, -row1, 0.0, mw + q, row2, 0.0, -q / hp2, mv + q / hp2};
  double v[3] = {du * free[0] - F * k * k / (h * string->mass),
                 mw * free[1] - q * c.prev + f + k * k * F, mv * vI + (q * c.prev - f) / hp2};
  jw_note_solve(a, v, 3);
  put(note, v);
  jw_note_psi(note, COLLISION, g);
}

// (69) for the two-sided contact.  psi keeps the sign of eta, so that g is never negative; as
// printed, eta |eta|^((al-3)/2) is 0 times infinity where string and bridge meet.
static double two_sided(const JwNote* note, double eta) {
  const JwNoteContact* const contact = &note->system.contact[SPRING];
  if (note->system.printed == JW_AS_PRINTED_69) {
    return eta * sqrt(contact->stiffness * (contact->exponent + 1.0) / 2.0)
           * pow(fabs(eta), (contact->exponent - 3.0) / 2.0);
  }
  return jw_note_g(contact, fabs(eta));
}

// (74), with R in kg/s for the note's M R.
void jw_note_tromba_contact(JwNote* note) {
  const Past one = past_of(note, SPRING), two = past_of(note, COLLISION);
  const double hs = jw_note_spacing(&note->system.string[0]);
  const double hp2 = note->system.plate.spacing * note->system.plate.spacing;
  const double g1 = two_sided(note, one.now), q1 = g1 * g1 / 4.0;
  const double g2 = jw_note_g(&note->system.contact[COLLISION], two.now), q2 = g2 * g2 / 4.0;
  const double psi1 = note->psi[SPRING][0], psi2 = note->psi[COLLISION][0];
  const double mu = jw_note_string_inertia(note, 0), mw = jw_note_mass_inertia(note, 0);
  const double mv = jw_note_plate_inertia(note);
  jw_note_string_advance(note, 0);
  jw_note_plate_advance(note);
  const double uI = note->u[0].next[jw_note_bridge(note)], vI = note->v.next[plate_point(note)];
  const bool late = note->system.printed == JW_AS_PRINTED_74_PSI,
             bare = note->system.printed == JW_AS_PRINTED_74_INDEX;
  const double psi_row2 = late ? note->psi_before[SPRING][0] : psi1; // psi_1^(n-1)
  const double q3 = bare ? q1 : q2, g3 = bare ? g1 : g2,
               psi3 = bare ? psi1 : psi2; // g, eta, psi without 2
  const double eta3 = bare ? one.prev : two.prev;
  double a[9] = {mu + q1 / hs, -q1 / hs, 0.0,       -q1,          mw + q1 + q2,
                 -q2,          0.0,      -q2 / hp2, mv + q3 / hp2};
  double v[3] = {mu * uI - (q1 * one.prev - psi1 * g1) / hs,
                 mw * jw_note_mass_free(note, 0) + q1 * one.prev - psi_row2 * g1 - q2 * two.prev
                     + psi2 * g2,
                 mv * vI + (q3 * eta3 - psi3 * g3) / hp2};
  jw_note_solve(a, v, 3);
  put(note, v);
  jw_note_psi(note, SPRING, g1);
  jw_note_psi(note, COLLISION, g2);
}
