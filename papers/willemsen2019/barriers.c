// SPDX-License-Identifier: MIT
// A string on a barrier, by finite differences and by modes: Ducceschi and Bilbao 2019, (50) and
// (59). The barrier is below: eta = b - u.

#include "note.h"

#include <math.h>
#include <string.h>

// (50): a division a grid point.  At a point barrier the contact is spread over h.
void jw_note_string_barrier(JwNote* note) {
  const JwNoteContact* const contact = &note->system.contact[0];
  const double m = jw_note_string_inertia(note, 0);
  const double spread = contact->along ? 1.0 : jw_note_spacing(&note->system.string[0]);
  const bool printed = note->system.printed == JW_AS_PRINTED_D50;
  int first;
  const int count = jw_note_contact_points(note, 0, &first);
  jw_note_string_advance(note, 0);
  for (int j = 0; j < count; ++j) {
    const int l = contact->along ? first + j : jw_note_bridge(note);
    double* const psi = &note->psi[0][first + j];
    const double g = jw_note_g(contact, jw_note_eta(note, 0, first + j, JW_LEVEL_NOW)),
                 q = g * g / 4.0;
    double* const u = &note->u[0].next[l];
    const double past = note->u[0].prev[l], push = (printed ? -g : g) * *psi;
    *u = (m * *u + (q * past + push) / spread) / (m + q / spread);
    *psi -= g * (*u - past) / 2.0;
  }
}

// The modes' own matrix: diag(m (1 + s k)/k2) + sum over points of z z', z_p = X_p(x_j) g_j/2
// sqrt(h). (59) calls the sum rank one; its rank is the number of points that touch.  As "rank
// one", the vectors are added first.
static void add_points(const JwNote* note, double* a, double* v) {
  const JwNoteContact* const contact = &note->system.contact[0];
  const JwNoteString* const c = &note->system.string[0];
  const int modes = c->points - 1;
  const double h = contact->along ? jw_note_spacing(c) : 1.0;
  const double sign = note->system.printed == JW_AS_PRINTED_D53 ? -1.0 : 1.0;
  double all[JW_NOTE_POINTS] = {0}, at_all = 0.0;
  int first;
  const int count = jw_note_contact_points(note, 0, &first);
  for (int j = first; j < first + count; ++j) {
    const double x = contact->along ? (double)j / c->points : note->system.at;
    const double g = jw_note_g(contact, jw_note_eta(note, 0, j, JW_LEVEL_NOW));
    if (g == 0.0) {
      continue;
    }
    double z[JW_NOTE_POINTS], past = 0.0;
    for (int p = 0; p < modes; ++p) {
      z[p] = jw_note_mode_shape(p + 1, x) * g / 2.0 * sqrt(h);
      past += z[p] * note->u[0].prev[p + 1];
      all[p] += z[p];
    }
    at_all += past;
    for (int p = 0; p < modes; ++p) {
      v[p] += sign * 2.0 * sqrt(h) * note->psi[0][j] * z[p];
      if (note->system.printed != JW_AS_PRINTED_D59) {
        v[p] += z[p] * past;
        for (int r = 0; r < modes; ++r) {
          a[p * modes + r] += z[p] * z[r];
        }
      }
    }
  }
  for (int p = 0; note->system.printed == JW_AS_PRINTED_D59 && p < modes; ++p) {
    v[p] += all[p] * at_all;
    for (int r = 0; r < modes; ++r) {
      a[p * modes + r] += all[p] * all[r];
    }
  }
}

// (59) with (60), solved as a whole.  Mode p stands at u[p].
void jw_note_modes_barrier(JwNote* note) {
  static double a[JW_NOTE_POINTS * JW_NOTE_POINTS];
  double v[JW_NOTE_POINTS];
  const JwNoteString* const c = &note->system.string[0];
  const double k = note->k, m = c->mass * c->length / 2.0;
  const int modes = c->points - 1;
  JwNoteLine* const q = &note->u[0];
  memset(a, 0, sizeof a);
  for (int p = 0; p < modes; ++p) {
    const double omega = jw_note_mode_omega(c, p + 1), s = jw_note_mode_decay(c, p + 1);
    const double shape = jw_note_mode_shape(p + 1, note->system.force.at);
    a[p * modes + p] = m * (1.0 + s * k) / (k * k);
    v[p] = m / (k * k) * (2.0 * q->now[p + 1] - (1.0 - s * k) * q->prev[p + 1])
           - m * omega * omega * q->now[p + 1];
    v[p] += (note->system.printed == JW_AS_PRINTED_D53 ? -1.0 : 1.0) * shape * note->force;
  }
  add_points(note, a, v);
  jw_note_solve(a, v, modes);
  memcpy(q->next + 1, v, (size_t)modes * sizeof *v);
  int first;
  const int count = jw_note_contact_points(note, 0, &first);
  for (int j = first; j < first + count; ++j) {
    const double g = jw_note_g(&note->system.contact[0], jw_note_eta(note, 0, j, JW_LEVEL_NOW));
    const double moved =
        jw_note_eta(note, 0, j, JW_LEVEL_NEXT) - jw_note_eta(note, 0, j, JW_LEVEL_PREV);
    note->psi[0][j] += g * moved / 2.0;
  }
}
