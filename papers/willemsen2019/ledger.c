// SPDX-License-Identifier: MIT
// A written-out run: start, step, and the note's own ledger.
//
// The energies are the textbook sums, not the engine's: the two ledgers share no formula.
//
//   mass    M/2 (dt- w)^2 + M w0^2/2 w w-                      lost R (dt. w)^2
//   string  h [rA/2 |dt- u|^2 + T/2 <dx+ u, dx+ u-> + EI/2 <dxx u, dxx u->]
//                                  lost 2 rA s0 h |dt. u|^2 - 2 rA s1 h <dt. u, dt- dxx u>
//   plate   h^2 [rH/2 |dt- v|^2 + D/2 <dL v, dL v->]           lost likewise
//   mode    m/2 (dt- q)^2 + m w^2/2 q q-                       lost 2 m s (dt. q)^2
//   contact psi^2/2; spring K1/2 (mu_t- eta)^2 + K3/4 eta^2 eta-^2, lost 2 sx (dt. eta)^2
//   force   supplied F dt. u

#include "note.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// Two neighbouring levels of time, and the one before, for the losses.
typedef struct {
  const JwNote* note;
  JwNoteLevel now, prev;
  bool central; // Velocities over two steps: a misprint
} Between;

static const double* line(const JwNote* note, int s, JwNoteLevel level) {
  const JwNoteLine* const u = &note->u[s];
  return level == JW_LEVEL_NEXT ? u->next : level == JW_LEVEL_NOW ? u->now : u->prev;
}

static double point(const JwNote* note, int m, JwNoteLevel level) {
  const JwNotePoint w = note->w[m];
  return level == JW_LEVEL_NEXT ? w.next : level == JW_LEVEL_NOW ? w.now : w.prev;
}

static const double* sheet(const JwNote* note, JwNoteLevel level) {
  const JwNoteSheet* const v = &note->v;
  return level == JW_LEVEL_NEXT ? v->next : level == JW_LEVEL_NOW ? v->now : v->prev;
}

static double square(double x) {
  return x * x;
}

// ---------------------------------------------------------------- reading

double jw_note_barrier(const JwNote* note, int l) {
  const JwNoteString* const string = &note->system.string[0];
  const double fraction = note->system.contact[0].along && string->points
                              ? (double)l / string->points
                              : note->system.at;
  const double x = fraction * string->length, *const b = note->system.barrier;
  return b[0] + x * (b[1] + x * b[2]);
}

static double read_string(const JwNote* note, int s, int l, JwNoteLevel level) {
  const JwNoteString* const string = &note->system.string[s];
  const double* const u = line(note, s, level);
  const bool along = note->system.contact[0].along;
  if (!string->modes) {
    return u[along ? l : (int)floor(note->system.at * string->points + 0.5)];
  }
  double sum = 0.0;
  for (int p = 1; p < string->points; ++p) {
    sum += jw_note_mode_shape(p, along ? (double)l / string->points : note->system.at) * u[p];
  }
  return sum;
}

static double read_part(const JwNote* note, JwNotePart part, int l, JwNoteLevel level) {
  const JwNotePlate* const plate = &note->system.plate;
  switch (part) {
  case JW_PART_STRING: return read_string(note, 0, l, level);
  case JW_PART_STRING_2: return read_string(note, 1, l, level);
  case JW_PART_MASS: return point(note, 0, level);
  case JW_PART_MASS_2: return point(note, 1, level);
  case JW_PART_PLATE:
    return sheet(note,
                 level)[(int)floor(note->system.plate_at[0] * plate->points[0] + 0.5) * JW_NOTE_SIDE
                        + (int)floor(note->system.plate_at[1] * plate->points[1] + 0.5)];
  default: return jw_note_barrier(note, l);
  }
}

double jw_note_eta(const JwNote* note, int contact, int l, JwNoteLevel level) {
  const JwNoteContact* const c = &note->system.contact[contact];
  return read_part(note, c->a, l, level) - read_part(note, c->b, l, level);
}

int jw_note_contact_points(const JwNote* note, int contact, int* first) {
  const bool along = note->system.contact[contact].along;
  *first = along ? 1 : 0;
  return along ? note->system.string[0].points - 1 : 1;
}

// ---------------------------------------------------------------- stored

static double speed(const Between* b, double next, double now, double prev) {
  return b->central ? (next - prev) / (2.0 * b->note->k)
                    : (b->now == JW_LEVEL_NEXT ? next - now : now - prev) / b->note->k;
}

static double mass_energy(const Between* b, int m) {
  const JwNoteMass* const c = &b->note->system.mass[m];
  const JwNotePoint w = b->note->w[m];
  return c->mass / 2.0 * square(speed(b, w.next, w.now, w.prev))
         + c->mass / 2.0 * square(2.0 * PI * c->frequency) * point(b->note, m, b->now)
               * point(b->note, m, b->prev);
}

static double modes_energy(const Between* b, int s) {
  const JwNoteString* const c = &b->note->system.string[s];
  const JwNoteLine* const q = &b->note->u[s];
  const double *const now = line(b->note, s, b->now), *const prev = line(b->note, s, b->prev);
  double sum = 0.0;
  for (int p = 1; p < c->points; ++p) {
    sum += square(speed(b, q->next[p], q->now[p], q->prev[p]))
           + square(jw_note_mode_omega(c, p)) * now[p] * prev[p];
  }
  return c->mass * c->length / 4.0 * sum;
}

static double string_energy(const Between* b, int s) {
  const JwNoteString* const c = &b->note->system.string[s];
  const JwNoteLine* const u = &b->note->u[s];
  const double *const now = line(b->note, s, b->now), *const prev = line(b->note, s, b->prev);
  const double h = jw_note_spacing(c);
  double kinetic = 0.0, tension = 0.0, bending = 0.0;
  for (int l = 0; l < c->points; ++l) {
    kinetic += square(speed(b, u->next[l], u->now[l], u->prev[l]));
    tension += (now[l + 1] - now[l]) / h * ((prev[l + 1] - prev[l]) / h);
    bending += l ? jw_note_dxx(now, c, l) * jw_note_dxx(prev, c, l) : 0.0;
  }
  return h / 2.0 * (c->mass * kinetic + c->tension * tension + c->bending * bending);
}

static double plate_energy(const Between* b) {
  const JwNotePlate* const c = &b->note->system.plate;
  const JwNoteSheet* const v = &b->note->v;
  const double *const now = sheet(b->note, b->now), *const prev = sheet(b->note, b->prev);
  double kinetic = 0.0, bending = 0.0;
  for (int i = 1; i < c->points[0]; ++i) {
    for (int j = 1; j < c->points[1]; ++j) {
      const int at = i * JW_NOTE_SIDE + j;
      kinetic += square(speed(b, v->next[at], v->now[at], v->prev[at]));
      bending += jw_note_laplacian(now, c, i, j) * jw_note_laplacian(prev, c, i, j);
    }
  }
  return c->spacing * c->spacing / 2.0 * (c->mass * kinetic + c->bending * bending);
}

static double contact_energy(const Between* b, int contact, const double* psi) {
  const JwNoteContact* const c = &b->note->system.contact[contact];
  if (c->law == JW_NOTE_SPRING) {
    const double eta = jw_note_eta(b->note, contact, 0, b->now),
                 past = jw_note_eta(b->note, contact, 0, b->prev);
    return c->linear / 2.0 * square((eta + past) / 2.0) + c->cubic / 4.0 * square(eta * past);
  }
  const double h = c->along ? jw_note_spacing(&b->note->system.string[0]) : 1.0;
  int first;
  const int count = jw_note_contact_points(b->note, contact, &first);
  double sum = 0.0;
  for (int j = first; j < first + count; ++j) {
    sum += h * square(psi[j]) / 2.0;
  }
  return sum;
}

static double stored(const Between* b, double psi[JW_NOTE_CONTACTS][JW_NOTE_POINTS + 1]) {
  const JwNoteSystem* const system = &b->note->system;
  double sum = system->plates ? plate_energy(b) : 0.0;
  for (int s = 0; s < system->strings; ++s) {
    sum += system->string[s].modes ? modes_energy(b, s) : string_energy(b, s);
  }
  for (int m = 0; m < system->masses; ++m) {
    sum += mass_energy(b, m);
  }
  for (int c = 0; c < system->contacts; ++c) {
    sum += contact_energy(b, c, psi[c]);
  }
  return sum;
}

// ---------------------------------------------------------------- lost and supplied

static double string_loss(const JwNote* note, int s) {
  const JwNoteString* const c = &note->system.string[s];
  const JwNoteLine* const u = &note->u[s];
  double sum = 0.0;
  for (int l = 1; l < c->points; ++l) {
    const double v = (u->next[l] - u->prev[l]) / (2.0 * note->k);
    const double bend =
        c->modes ? 0.0 : (jw_note_dxx(u->now, c, l) - jw_note_dxx(u->prev, c, l)) / note->k;
    sum += c->modes
               ? c->length / 2.0 * 2.0 * c->mass * jw_note_mode_decay(c, l) * v * v
               : jw_note_spacing(c) * 2.0 * c->mass * (c->loss[0] * v * v - c->loss[1] * v * bend);
  }
  return sum;
}

static double plate_loss(const JwNote* note) {
  const JwNotePlate* const c = &note->system.plate;
  double sum = 0.0;
  for (int i = 1; i < c->points[0]; ++i) {
    for (int j = 1; j < c->points[1]; ++j) {
      const int at = i * JW_NOTE_SIDE + j;
      const double v = (note->v.next[at] - note->v.prev[at]) / (2.0 * note->k);
      const double bend =
          (jw_note_laplacian(note->v.now, c, i, j) - jw_note_laplacian(note->v.prev, c, i, j))
          / note->k;
      sum += c->loss[0] * v * v - c->loss[1] * v * bend;
    }
  }
  return c->spacing * c->spacing * 2.0 * c->mass * sum;
}

static double lost_power(const JwNote* note) {
  const JwNoteSystem* const system = &note->system;
  double sum = system->plates ? plate_loss(note) : 0.0;
  for (int s = 0; s < system->strings; ++s) {
    sum += string_loss(note, s);
  }
  for (int m = 0; m < system->masses; ++m) {
    sum += system->mass[m].loss * square((note->w[m].next - note->w[m].prev) / (2.0 * note->k));
  }
  for (int c = 0; c < system->contacts; ++c) {
    const double moved =
        jw_note_eta(note, c, 0, JW_LEVEL_NEXT) - jw_note_eta(note, c, 0, JW_LEVEL_PREV);
    sum += system->contact[c].law == JW_NOTE_SPRING
               ? 2.0 * system->contact[c].damping * square(moved / (2.0 * note->k))
               : 0.0;
  }
  return sum;
}

static double supplied_power(const JwNote* note) {
  const JwNoteForce* const force = &note->system.force;
  const bool mass = force->part == JW_PART_MASS || force->part == JW_PART_MASS_2;
  const int s = force->part == JW_PART_STRING_2, m = force->part == JW_PART_MASS_2;
  if (mass) {
    return note->force * (note->w[m].next - note->w[m].prev) / (2.0 * note->k);
  }
  const JwNoteString* const string = &note->system.string[s];
  double moved = 0.0;
  for (int p = 1; p < string->points; ++p) {
    const double weight = string->modes ? jw_note_mode_shape(p, force->at)
                          : p == (int)floor(force->at * string->points + 0.5) ? 1.0
                                                                              : 0.0;
    moved += weight * (note->u[s].next[p] - note->u[s].prev[p]);
  }
  return note->force * moved / (2.0 * note->k);
}

// ---------------------------------------------------------------- start and step

static double potential(const JwNoteContact* c, double eta) {
  const double x = c->law == JW_NOTE_CONNECTION ? fabs(eta) : eta > 0.0 ? eta : 0.0;
  return c->stiffness / (c->exponent + 1.0) * pow(x, c->exponent + 1.0);
}

// prev = u - k v + (k^2/2) a, from the free step at rest: second order, as the engine starts.
static void go_back(JwNote* note) {
  const JwNoteSystem* const system = &note->system;
  for (int s = 0; s < system->strings; ++s) {
    JwNoteLine* const u = &note->u[s];
    memcpy(u->prev, u->now, sizeof u->prev);
    for (int l = 1; l < system->string[s].points; ++l) {
      const double omega = jw_note_mode_omega(&system->string[s], l),
                   decay = jw_note_mode_decay(&system->string[s], l);
      u->next[l] = system->string[s].modes
                       ? u->now[l] * (1.0 - square(omega * note->k) / (1.0 + decay * note->k))
                       : jw_note_string_free(note, s, l);
    }
    for (int l = 1; l < system->string[s].points; ++l) {
      u->prev[l] = u->now[l] + 0.5 * (u->next[l] - u->now[l]);
    }
  }
  for (int m = 0; m < system->masses; ++m) {
    note->w[m].prev = note->w[m].now;
    const double moved = jw_note_mass_free(note, m) - note->w[m].now;
    note->w[m].prev = note->w[m].now - note->k * system->mass[m].velocity + 0.5 * moved;
  }
}

void jw_note_start(JwNote* note, const JwNoteSystem* system, double rate) {
  memset(note, 0, sizeof *note);
  note->system = *system;
  note->k = 1.0 / rate;
  for (int s = 0; s < system->strings; ++s) {
    const JwNoteString* const c = &system->string[s];
    for (int l = 1; l < c->points; ++l) {
      const double x = (double)l / c->points, far = fabs(x - c->hump_at) / 0.5;
      note->u[s].now[l] =
          c->modes ? (l == 1 ? c->sine : 0.0)
                   : c->sine * sin(PI * x)
                         + (far < 0.5 ? c->hump * 0.5 * (1.0 + cos(2.0 * PI * far)) : 0.0);
    }
  }
  for (int m = 0; m < system->masses; ++m) {
    note->w[m].now = system->mass[m].displacement;
  }
  go_back(note);
  for (int c = 0; c < system->contacts; ++c) {
    int first;
    const int count = jw_note_contact_points(note, c, &first);
    for (int j = first; j < first + count && system->contact[c].law != JW_NOTE_SPRING; ++j) {
      const double eta = jw_note_eta(note, c, j, JW_LEVEL_NOW);
      // No system starts with a contact pressed: what is open now was open before.
      const double phi = 2.0 * potential(&system->contact[c], eta);
      note->psi[c][j] = note->psi_before[c][j] =
          eta < 0.0 && system->contact[c].law == JW_NOTE_CONNECTION ? -sqrt(phi) : sqrt(phi);
    }
  }
  const Between between = {note, JW_LEVEL_NOW, JW_LEVEL_PREV, false};
  note->ledger.first = note->ledger.stored = note->ledger.peak = stored(&between, note->psi);
}

// A raised cosine, as in Ducceschi and Bilbao 2019.
static double force_now(const JwNote* note) {
  const double frames = note->system.force.duration / note->k;
  return note->frame < frames
             ? note->system.force.amplitude * 0.5 * (1.0 - cos(2.0 * PI * note->frame / frames))
             : 0.0;
}

static void book(JwNote* note, double before[JW_NOTE_CONTACTS][JW_NOTE_POINTS + 1]) {
  JwNoteLedger* const ledger = &note->ledger;
  const bool central =
      note->system.printed == JW_AS_PRINTED_D25 || note->system.printed == JW_AS_PRINTED_D43;
  const Between right = {note, JW_LEVEL_NEXT, JW_LEVEL_NOW, false},
                wrong = {note, JW_LEVEL_NOW, JW_LEVEL_PREV, true};
  ledger->stored = central ? stored(&wrong, before) : stored(&right, note->psi);
  ledger->first = central && note->frame == 0 ? ledger->stored : ledger->first;
  ledger->lost += note->k * lost_power(note);
  ledger->supplied += note->k * supplied_power(note);
  ledger->peak = fmax(ledger->peak, ledger->stored);
  ledger->residual =
      ((ledger->stored - ledger->first) + (ledger->lost - ledger->supplied)) / ledger->peak;
  ledger->worst = fabs(ledger->residual) <= ledger->worst ? ledger->worst
                                                          : fabs(ledger->residual); // Keeps a NaN
}

void jw_note_step(JwNote* note) {
  double before[JW_NOTE_CONTACTS][JW_NOTE_POINTS + 1];
  memcpy(before, note->psi, sizeof before);
  note->force = force_now(note);
  note->system.step(note);
  book(note, before);
  memcpy(note->psi_before, before, sizeof before);
  for (int s = 0; s < 2; ++s) {
    memcpy(note->u[s].prev, note->u[s].now, sizeof note->u[s].prev);
    memcpy(note->u[s].now, note->u[s].next, sizeof note->u[s].now);
    note->w[s].prev = note->w[s].now;
    note->w[s].now = note->w[s].next;
  }
  memcpy(note->v.prev, note->v.now, sizeof note->v.prev);
  memcpy(note->v.now, note->v.next, sizeof note->v.now);
  ++note->frame;
}
