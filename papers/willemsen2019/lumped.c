// SPDX-License-Identifier: MIT
// Sections 2, 3 and 4 and Appendix B: a mass against a barrier, two masses.
// And the iterative scheme of Ducceschi and Bilbao 2019, (23), for one misprint of it.

#include "note.h"

#include <math.h>

// (16), and with a spring (21): a division.  The mass is below: eta = u - b.
void jw_note_mass_barrier(JwNote* note) {
  const double eta = jw_note_eta(note, 0, 0, JW_LEVEL_NOW), psi = note->psi[0][0];
  const double g = jw_note_g(&note->system.contact[0], eta),
               inertia = jw_note_mass_inertia(note, 0);
  JwNotePoint* const u = &note->w[0];
  u->next = (inertia * jw_note_mass_free(note, 0) + g * g / 4.0 * u->prev - psi * g)
            / (inertia + g * g / 4.0);
  jw_note_psi(note, 0, g);
}

// (24) with (78), (79).  u is mass 1, above; w is mass 2, below: eta = w - u.
void jw_note_mass_mass(JwNote* note) {
  const double eta = jw_note_eta(note, 0, 0, JW_LEVEL_NOW),
               past = jw_note_eta(note, 0, 0, JW_LEVEL_PREV);
  const double psi = note->psi[0][0], g = jw_note_g(&note->system.contact[0], eta), q = g * g / 4.0;
  const double m1 = jw_note_mass_inertia(note, 0), m2 = jw_note_mass_inertia(note, 1);
  double a[4] = {m1 + q, -q, -q, m2 + q};
  double v[2] = {m1 * jw_note_mass_free(note, 0) - q * past + psi * g,
                 m2 * jw_note_mass_free(note, 1) + q * past - psi * g};
  jw_note_solve(a, v, 2);
  note->w[0].next = v[0];
  note->w[1].next = v[1];
  jw_note_psi(note, 0, g);
}

static double potential(const JwNoteContact* contact, double eta) {
  const double x = eta > 0.0 ? eta : 0.0;
  return contact->stiffness / (contact->exponent + 1.0) * pow(x, contact->exponent + 1.0);
}

// (23): r - 2u + 2u- + k2 w0^2 u + (k2/M) (phi(r + a) - phi(a))/r = 0, r = u+ - u-, a = u- - b; as
// printed a = b - u-.  Its left-hand side rises with r, so bisection finds the root; psi of the
// ledger is sqrt(phi+ + phi), since the scheme stores the mean of phi at its two ends.
void jw_note_iterated(JwNote* note) {
  const JwNoteContact* const contact = &note->system.contact[0];
  JwNotePoint* const u = &note->w[0];
  const double inertia = jw_note_mass_inertia(note, 0);
  const double past = jw_note_eta(note, 0, 0, JW_LEVEL_PREV);
  const double a = note->system.printed == JW_AS_PRINTED_D23 ? -past : past;
  const double r_free = jw_note_mass_free(note, 0) - u->prev;
  double low = r_free - 1.0, high = r_free + 1.0; // A metre either way: far beyond any step
  for (int i = 0; i < 200; ++i) {
    const double r = 0.5 * (low + high);
    const double force = r != 0.0 ? (potential(contact, r + a) - potential(contact, a)) / r : 0.0;
    if (r - r_free + force / inertia > 0.0) {
      high = r;
    } else {
      low = r;
    }
  }
  u->next = u->prev + 0.5 * (low + high);
  const double next = jw_note_eta(note, 0, 0, JW_LEVEL_NEXT),
               now = jw_note_eta(note, 0, 0, JW_LEVEL_NOW);
  note->psi[0][0] = sqrt(potential(contact, next) + potential(contact, now));
}
