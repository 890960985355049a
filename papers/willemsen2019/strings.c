// SPDX-License-Identifier: MIT
// Sections 5 and 6, the "weird case" (80) and Appendix D: strings, a mass, a barrier.

#include "note.h"

// (27), at each grid point.  u is string 1, above; w is string 2, below: eta = w - u, K per metre.
void jw_note_string_string(JwNote* note) {
  const JwNoteContact* const contact = &note->system.contact[0];
  const double k = note->k;
  jw_note_string_advance(note, 0);
  jw_note_string_advance(note, 1);
  const double m1 = jw_note_string_inertia(note, 0), m2 = jw_note_string_inertia(note, 1);
  for (int l = 1; l < note->system.string[0].points; ++l) {
    const double eta = jw_note_eta(note, 0, l, JW_LEVEL_NOW),
                 past = jw_note_eta(note, 0, l, JW_LEVEL_PREV);
    double* const psi = &note->psi[0][l];
    const double g = jw_note_g(contact, eta), q = g * g / 4.0;
    const double last = note->system.printed == JW_AS_PRINTED_27 ? g * g / (k * k) : q;
    double a[4] = {m1 + q, -q, -q, m2 + last};
    double v[2] = {m1 * note->u[0].next[l] - q * past + *psi * g,
                   m2 * note->u[1].next[l] + q * past - *psi * g};
    jw_note_solve(a, v, 2);
    note->u[0].next[l] = v[0];
    note->u[1].next[l] = v[1];
    *psi += g * (jw_note_eta(note, 0, l, JW_LEVEL_NEXT) - past) / 2.0;
  }
}

// (30), then (31) for the whole string.  The string u is above, the mass w below: eta = w - u.
void jw_note_mass_string(JwNote* note) {
  const double eta = jw_note_eta(note, 0, 0, JW_LEVEL_NOW),
               past = jw_note_eta(note, 0, 0, JW_LEVEL_PREV);
  const double psi = note->psi[0][0], g = jw_note_g(&note->system.contact[0], eta), q = g * g / 4.0;
  const double h = jw_note_spacing(&note->system.string[0]), k = note->k;
  const double m1 = jw_note_string_inertia(note, 0), m2 = jw_note_mass_inertia(note, 0);
  const int lm = jw_note_bridge(note);
  const double last = note->system.printed == JW_AS_PRINTED_30 ? g * g / (k * k) : q;
  double a[4] = {m1 + q / h, -q / h, -q, m2 + last};
  double v[2] = {m1 * jw_note_string_free(note, 0, lm) + (-q * past + psi * g) / h,
                 m2 * jw_note_mass_free(note, 0) + q * past - psi * g};
  jw_note_solve(a, v, 2);
  const double next = v[1] - v[0];
  jw_note_string_advance(note, 0);
  note->u[0].next[lm] += (q * (next - past) + psi * g) / h / m1;
  note->w[0].next = v[1];
  jw_note_psi(note, 0, g);
}

// (80): the mass between the string above (eta = w - u) and the barrier below (eta = b - w).  The
// note prints no solution; expanding (80) as it does (28) gives this 2 x 2 system.
void jw_note_weird(JwNote* note) {
  const double past = jw_note_eta(note, 0, 0, JW_LEVEL_PREV);
  const double g1 = jw_note_g(&note->system.contact[0], jw_note_eta(note, 0, 0, JW_LEVEL_NOW));
  const double g2 = jw_note_g(&note->system.contact[1], jw_note_eta(note, 1, 0, JW_LEVEL_NOW));
  const double q1 = g1 * g1 / 4.0, q2 = g2 * g2 / 4.0, f1 = note->psi[0][0] * g1,
               f2 = note->psi[1][0] * g2;
  const double h = jw_note_spacing(&note->system.string[0]);
  const double m1 = jw_note_string_inertia(note, 0), m2 = jw_note_mass_inertia(note, 0);
  const int lm = jw_note_bridge(note);
  jw_note_string_advance(note, 0);
  double a[4] = {m1 + q1 / h, -q1 / h, -q1, m2 + q1 + q2};
  double v[2] = {m1 * note->u[0].next[lm] + (-q1 * past + f1) / h,
                 m2 * jw_note_mass_free(note, 0) + q1 * past - f1 + q2 * note->w[0].prev + f2};
  jw_note_solve(a, v, 2);
  note->u[0].next[lm] = v[0];
  note->w[0].next = v[1];
  jw_note_psi(note, 0, g1);
  jw_note_psi(note, 1, g2);
}

// (87) and (90): the same parts without stiffness, spring and losses, solved for the velocities dB,
// dM of the two gaps.  Losses, where a variant has them, are added as in (46).
void jw_note_appendix_d(JwNote* note) {
  const JwNoteString* const c = &note->system.string[0];
  const JwNoteMass* const mass = &note->system.mass[0];
  const double k = note->k, h = jw_note_spacing(c), rA = c->mass, M = mass->mass;
  const double gM = jw_note_g(&note->system.contact[0], jw_note_eta(note, 0, 0, JW_LEVEL_NOW));
  const double gB = jw_note_g(&note->system.contact[1], jw_note_eta(note, 1, 0, JW_LEVEL_NOW));
  const double fM = note->psi[0][0] * gM, fB = note->psi[1][0] * gB;
  const int l = jw_note_bridge(note);
  JwNoteLine* const u = &note->u[0];
  JwNotePoint* const w = &note->w[0];
  jw_note_string_advance(note, 0);
  // What the free string does at l beyond inertia and s0 is T dxx u, the s1 term and the force.
  const double inertia = jw_note_string_inertia(note, 0);
  const double pull = inertia * u->next[l] - rA / (k * k) * (2.0 * u->now[l] - u->prev[l])
                      - rA * c->loss[0] / k * u->prev[l];
  const double moved =
      note->system.printed == JW_AS_PRINTED_90 ? u->now[l] + u->prev[l] : u->now[l] - u->prev[l];
  const double damped = 1.0 + c->loss[0] * k, qM = k * k * gM * gM / 4.0,
               qB = k * k * gB * gB / 4.0;
  double a[4] = {1.0 + mass->loss * k / (2.0 * M) + qB / M, -qM / M, damped,
                 damped + qM / (rA * h)};
  double v[2] = {-(w->now - w->prev) / k + k * fM / (2.0 * M) - k * fB / (2.0 * M),
                 -moved / k - k / (2.0 * rA) * pull - k * fM / (2.0 * rA * h)};
  jw_note_solve(a, v, 2);
  w->next = w->prev - 2.0 * k * v[0];                // (84)
  u->next[l] = u->prev[l] - 2.0 * k * (v[0] + v[1]); // (89)
  jw_note_psi(note, 0, gM);
  jw_note_psi(note, 1, gB);
}
