// SPDX-License-Identifier: MIT
// note.h: the systems of Willemsen's collisions note, written out as printed.
//
// Each system is a row of one table (systems.c): its parts, its contacts, and one function that
// advances it by the note's own closed form (a division, a 2 x 2 or a 3 x 3 system), corrected.
// Nothing here calls the engine but engine.c, which builds the same system from the public header
// and lays the two motions side by side.  Arrays are naive and full of zeros on purpose.
//
// `printed` switches one equation back to what is printed; the ledger then opens (errata.c).
#ifndef JAWARI_NOTE_H
#define JAWARI_NOTE_H

#include <stdbool.h>
#include <stddef.h>

enum { JW_NOTE_POINTS = 101, JW_NOTE_SIDE = 13, JW_NOTE_CONTACTS = 2 };

/// Which part of a system.  The order is that of the unknowns.
typedef enum {
  JW_PART_STRING,
  JW_PART_STRING_2,
  JW_PART_MASS,
  JW_PART_MASS_2,
  JW_PART_PLATE,
  JW_PART_BARRIER,
  JW_PARTS
} JwNotePart;

typedef struct {
  double length, mass, tension, bending; ///< m, kg/m, N, N m2
  double density;                        ///< kg/m3, for one misprint
  double loss[2];                        ///< s0 (1/s), s1 (m2/s)
  double hump, hump_at; ///< Displacement at the start: a raised cosine, half as wide
  double sine;          ///< Or its first mode
  int points;           ///< Intervals of the grid, or modes + 1
  bool modes;
} JwNoteString;

typedef struct {
  double mass, frequency, loss; ///< kg, Hz, kg/s
  double displacement, velocity;
} JwNoteMass;

typedef struct {
  double spacing, mass, bending; ///< m, kg/m2, N m
  double density;                ///< kg/m3, for one misprint
  double loss[2];
  int points[2]; ///< Intervals
} JwNotePlate;

typedef enum { JW_NOTE_COLLISION, JW_NOTE_CONNECTION, JW_NOTE_SPRING } JwNoteLaw;

/// eta = u_a - u_b.
typedef struct {
  JwNoteLaw law;
  JwNotePart a, b;
  double stiffness, exponent;    ///< Collision, connection
  double linear, cubic, damping; ///< Spring: K1, K3, sx
  bool along;                    ///< At every point of the string, stiffness per metre
} JwNoteContact;

typedef struct {
  JwNotePart part;
  double amplitude, duration, at;
} JwNoteForce;

/// What differs between two runs of one system.
typedef enum { JW_NOTE_LOSSLESS, JW_NOTE_LOSSY, JW_NOTE_FORCED, JW_NOTE_VARIANTS } JwNoteVariant;

/// An equation as printed.  Names give its number in the note, or (D) in Ducceschi and Bilbao 2019.
typedef enum {
  JW_AS_CORRECTED,
  JW_AS_PRINTED_18,
  JW_AS_PRINTED_23,
  JW_AS_PRINTED_27,
  JW_AS_PRINTED_30,
  JW_AS_PRINTED_40,
  JW_AS_PRINTED_43_STRING,
  JW_AS_PRINTED_43_PLATE,
  JW_AS_PRINTED_43_FORCE,
  JW_AS_PRINTED_46C,
  JW_AS_PRINTED_48,
  JW_AS_PRINTED_53,
  JW_AS_PRINTED_56,
  JW_AS_PRINTED_60,
  JW_AS_PRINTED_62A,
  JW_AS_PRINTED_62C,
  JW_AS_PRINTED_65_ROW_1,
  JW_AS_PRINTED_65_ROW_1_EARLIER,
  JW_AS_PRINTED_65_ROW_2,
  JW_AS_PRINTED_69,
  JW_AS_PRINTED_74_STRING,
  JW_AS_PRINTED_74_PLATE,
  JW_AS_PRINTED_74_PSI,
  JW_AS_PRINTED_74_INDEX,
  JW_AS_PRINTED_90,
  JW_AS_PRINTED_D25,
  JW_AS_PRINTED_D43,
  JW_AS_PRINTED_D23,
  JW_AS_PRINTED_D50,
  JW_AS_PRINTED_D53,
  JW_AS_PRINTED_D59
} JwNotePrint;

typedef struct JwNote JwNote;

typedef struct {
  const char* id; ///< "tromba-spring"
  const char* title;
  const char* equations; ///< Where it stands and which closed form it is
  int strings, masses, plates;
  JwNoteString string[2];
  JwNoteMass mass[2];
  JwNotePlate plate;
  JwNoteContact contact[JW_NOTE_CONTACTS];
  int contacts;
  double barrier[3];      ///< Height: polynomial in metres along the string
  double at, plate_at[2]; ///< Where mass, spring and barrier meet string and plate
  JwNoteForce force;
  void (*step)(JwNote* note); ///< The closed form: from now and prev, set next and psi
  JwNotePrint printed;        ///< Which of its equations stands as printed
} JwNoteSystem;

/// Three levels of time.
typedef struct {
  double next[JW_NOTE_POINTS + 1], now[JW_NOTE_POINTS + 1], prev[JW_NOTE_POINTS + 1];
} JwNoteLine;
typedef struct {
  double next, now, prev;
} JwNotePoint;
typedef struct { ///< Point (i, j) at [i * JW_NOTE_SIDE + j]
  double next[JW_NOTE_SIDE * JW_NOTE_SIDE], now[JW_NOTE_SIDE * JW_NOTE_SIDE];
  double prev[JW_NOTE_SIDE * JW_NOTE_SIDE];
} JwNoteSheet;

typedef struct {
  double stored, lost, supplied;
  double first, peak, residual, worst; ///< As in the engine's ledger, by the note's own sums
} JwNoteLedger;

struct JwNote {
  JwNoteSystem system; ///< A copy, which a variant or a twin may have changed
  double k;
  int frame;
  JwNoteLine u[2];
  JwNotePoint w[2];
  JwNoteSheet v;
  double psi[JW_NOTE_CONTACTS][JW_NOTE_POINTS + 1]; ///< At n - 1/2; a contact at a point uses [0]
  double psi_before[JW_NOTE_CONTACTS][JW_NOTE_POINTS + 1]; ///< At n - 3/2, for misprints
  double force;                                            ///< External, now
  JwNoteLedger ledger;
};

// ---------------------------------------------------------------- table (systems.c)

size_t jw_note_count(void);
const JwNoteSystem* jw_note_at(size_t index);
const JwNoteSystem* jw_note_find(const char* id);
const char* jw_note_variant_name(JwNoteVariant variant);

/// The system without losses or force, without force, or whole.
JwNoteSystem jw_note_variant(const JwNoteSystem* system, JwNoteVariant variant);
/// Does the variant differ from the one before it?
bool jw_note_has_variant(const JwNoteSystem* system, JwNoteVariant variant);

// ---------------------------------------------------------------- run (ledger.c)

void jw_note_start(JwNote* note, const JwNoteSystem* system, double rate);
void jw_note_step(JwNote* note);

/// eta of a contact at a point of the string (0 for a contact at a place): next, now or prev.
typedef enum { JW_LEVEL_PREV, JW_LEVEL_NOW, JW_LEVEL_NEXT } JwNoteLevel;
double jw_note_eta(const JwNote* note, int contact, int point, JwNoteLevel level);
double jw_note_barrier(const JwNote* note, int point);

/// Number and first of the points of a contact.
int jw_note_contact_points(const JwNote* note, int contact, int* first);

// ---------------------------------------------------------------- parts (parts.c)

double jw_note_spacing(const JwNoteString* string);
/// Grid point where the mass or barrier meets the string: floor(x/h + 0.5).
int jw_note_bridge(const JwNote* note);
double jw_note_dxx(const double* u, const JwNoteString* string, int l);
double jw_note_laplacian(const double* v, const JwNotePlate* plate, int i, int j);

/// The states that leave contacts out, (46), and the same with the grid factored out, (62).
double jw_note_string_free(const JwNote* note, int s, int l);
double jw_note_mass_free(const JwNote* note, int m);
double jw_note_plate_free(const JwNote* note, int i, int j);
double jw_note_string_factored(const JwNote* note, int l);
double jw_note_plate_factored(const JwNote* note, int i, int j);

/// What multiplies the next value in (46): rA/k2 + rA s0/k and its like.
double jw_note_string_inertia(const JwNote* note, int s);
double jw_note_mass_inertia(const JwNote* note, int m);
double jw_note_plate_inertia(const JwNote* note);

/// All points of (46) into next.
void jw_note_string_advance(JwNote* note, int s);
void jw_note_plate_advance(JwNote* note);

/// Modes: decay, angular frequency, shape.
double jw_note_mode_decay(const JwNoteString* string, int p);
double jw_note_mode_omega(const JwNoteString* string, int p);
double jw_note_mode_shape(int p, double x);

/// sqrt(K (al+1)/2) x^((al-1)/2) for x > 0, else 0: equation (12).
double jw_note_g(const JwNoteContact* contact, double x);

/// psi+ = psi + g (eta+ - eta-)/2, for a contact at a place.
void jw_note_psi(JwNote* note, int contact, double g);

/// Solve a x = b in place (Gauss, largest pivot); b becomes x.
void jw_note_solve(double* a, double* b, int n);

// ---------------------------------------------------------------- the closed forms

void jw_note_mass_barrier(JwNote* note);
void jw_note_mass_mass(JwNote* note);
void jw_note_string_string(JwNote* note);
void jw_note_mass_string(JwNote* note);
void jw_note_weird(JwNote* note);
void jw_note_appendix_d(JwNote* note);
void jw_note_tromba_spring(JwNote* note);
void jw_note_tromba_factored(JwNote* note);
void jw_note_tromba_contact(JwNote* note);
void jw_note_string_barrier(JwNote* note);
void jw_note_modes_barrier(JwNote* note);
void jw_note_iterated(JwNote* note);

#endif // JAWARI_NOTE_H
