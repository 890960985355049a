// SPDX-License-Identifier: MIT
// What an object must provide.
//
//   plan      work out its size from the definition and the sample rate; refuse what is unstable
//   layout    take its constant memory from the arena (called twice, see base/arena.h)
//   setup     fill the constants: kernel coefficients, admittances
//   start     write the initial state that the definition itself gives; NULL: none
//   advance   write the free next state: as if nothing touched (docs/physics.md, section 1)
//   weigh     turn a port's position into weights on its degrees of freedom
//   locate    where degree of freedom i lies on the object, as fractions; for grids alone
//   energy    stored energy between two states
//   dissipate energy lost in one step
//   offset    how far from the start of a buffer degree of freedom i is; NULL: i
//   floats    does nothing hold it, or only a hinge that it can turn about?  NULL: no
//   position  where its zero lies at the start (m), of what is placed
//   profile   height of something rigid x metres along a string; NULL: 0
//   stretch   write `scale` K u, in the order of a buffer, and return scale u.K u: K is the squared
//             slope, summed over it
//             (8.1); NULL: it has no mean stretch
//   strain    write the slope of the energy of its local stretch, in the order of a buffer (NULL:
//             not asked for), and
//             return that energy (8.3); NULL: it has none
//   tighten   change its tension while it runs; NULL: it has none that can be moved
//   pitch     how high it sounds (Hz), found once it has been set up; NULL: plan() has said it
//   check     what the parameter table does not say of its definition; NULL: nothing
//   arrays    the arrays that its definition points at; NULL: none
//
// What cannot move, a barrier, has none of these from `start` to `offset`: nobody asks.
//
// Objects know nothing of contacts.  A force F at a port with weights w adds y[i] w[i] F to
// next[i]: y is the admittance of a degree of freedom, and the same weights read the displacement,
// which makes the coupling neutral in energy.
//
// A mass has its step, u - prev, as a number of its own behind its displacement, and forces push
// that as well (mass.c): how far it moves is asked for, never worked out from two places.  So has
// every mode of a bank with a slow one.
//
// A kind is one file with one JwObjectOps; jw_object_ops() in kinds.c lists them.
#ifndef JAWARI_OBJECT_H
#define JAWARI_OBJECT_H

#include "base/arena.h"
#include "kernel/kernel.h"

#include <jawari/jawari.h>

typedef struct JwObject JwObject;

/// The three states of an object that a step knows.  Between two steps JW_NEXT is the one before
/// JW_PREV.
typedef enum { JW_PREV, JW_NOW, JW_NEXT, JW_LEVELS } JwLevel;

/// How places on an object are given.
typedef enum {
  JW_PLACES_NONE, ///< It has one place
  JW_PLACES_ROWS, ///< x is a whole number, below its shape_count
  JW_PLACES_LINE, ///< x from 0 to 1
  JW_PLACES_PLANE ///< x and y from 0 to 1
} JwPlaces;

/// An array that a definition points at: `*place` is the pointer in it.
typedef struct {
  const void** place;
  uint64_t count;
  size_t size; // Of an element
} JwOwned;

#define JW_MOST_OWNED 2

/// Weights of a port.  A dense port (modes) has one weight a degree of freedom, offsets unused.
typedef struct {
  uint32_t count, capacity;
  uint32_t* offset;
  double* weight;
} JwWeights;

typedef struct {
  double kinetic, potential;
} JwStored;

typedef struct {
  JwKind kind;
  JwPlaces places;
  bool lumped;       // A mass, or rigid: a force moves all of it alike
  double operations; // Additions and multiplications a degree of freedom and sample, about
  JwStatus (*plan)(JwObject* object, char* error);
  void (*layout)(JwObject* object, JwArena* arena);
  void (*setup)(JwObject* object);
  void (*start)(const JwObject* object, double* u, double* prev);
  void (*advance)(const JwObject* object, double* next, const double* u,
                  const double* prev) JW_REALTIME;
  void (*weigh)(const JwObject* object, const JwPort* port, JwWeights* weights) JW_REALTIME;
  void (*locate)(const JwObject* object, uint32_t dof, double* x, double* y);
  JwStored (*energy)(const JwObject* object, const double* u, const double* prev) JW_REALTIME;
  double (*dissipate)(const JwObject* object, const double* next, const double* u,
                      const double* prev) JW_REALTIME;
  uint32_t (*offset)(const JwObject* object, uint32_t dof) JW_REALTIME;
  bool (*floats)(const JwObject* object) JW_REALTIME;
  double (*position)(const JwObject* object);
  double (*profile)(const JwObject* object, double x) JW_REALTIME;
  double (*stretch)(const JwObject* object, double scale, const double* u, double* ku) JW_REALTIME;
  double (*strain)(const JwObject* object, const double* u, double* slope) JW_REALTIME;
  void (*tighten)(JwObject* object, double tension) JW_REALTIME;
  double (*pitch)(JwObject* object);
  JwStatus (*check)(const void* def, char* error);
  uint32_t (*arrays)(void* def, JwOwned owned[JW_MOST_OWNED]);
} JwObjectOps;

/// Slopes of a supported string's modes at places between its ends, of which one half is enough:
/// the other is its mirror image, with the other sign for every second mode (string_modes.c).
typedef struct {
  uint32_t half;            // How many places in one half
  double* table;            // By mode: (p pi/L) cos(p pi x/L)
  double *even[2], *odd[2]; // Scratch, by direction: slopes by even and odd modes, then what pulls
} JwSlopes;

/// A bank of damped oscillators: masses, modal objects, strings by modes, small plates.
typedef struct {
  double* e; // Kept velocity
  double* b; // Restoring part
  double *kinetic, *potential,
      *lost;     // Energy: of (u - p)^2, of (u + p)^2, lost to (next - p)^2 in a step (1.11, 1.5)
  double* begin; // Displacement before the first step that a velocity of 1 m/s starts with
  double*
      pushes; // By several contacts in one frame, summed before they move a displacement (settle.c); zeros else
  bool pushed;            // They are not all zeros
  struct JwShape* shapes; // Of a string by modes whose ends are not supported
  JwSlopes slopes;        // Of one that stiffens by the stretch of every place
} JwBank;

/// Tensions at which a string's pitch is known (string_pitch.c).
#define JW_PITCHES 33

/// A grid string's dimensionless coefficients (string_grid.c).
typedef struct {
  JwStringKernel kernel;
  double tau, beta, sigma, e; // Tension, bending, loss, kept velocity
  double y;                   // Admittance of an interior point
  uint32_t intervals, first;  // Grid intervals; grid point of degree of freedom 0
  uint32_t count, line;       // Points of one direction, and doubles that they take in a buffer
  double squares[JW_PITCHES]; // Of the pitch, by tension (string_pitch.c)
} JwGridString;

/// One row of the correction near free edges.
typedef struct {
  uint32_t at;    // Offset of the point
  uint32_t start; // First entry
  uint32_t u_count, p_count;
} JwRimRow;

/// A plate's dimensionless coefficients (plate_grid.c).
typedef struct {
  JwPlateKernel kernel;
  double beta_x, beta_y, beta_1, beta_k; // Bending along x, y, Poisson coupling, twist
  double tau_x, tau_y, sigma_x, sigma_y, e, ground;
  double y; // Admittance of an interior point
  uint32_t intervals[2], first[2];
  double* c0;
  JwRimRow* rim;
  uint32_t* rim_offset;
  double* rim_weight;
  uint32_t rim_rows, rim_entries;
} JwGridPlate;

/// One axis of a plate by modes (plate_modes.c).  Modes come by parity, [0] those of odd number,
/// whose sines are alike on both halves of the axis, and [1] the others; places are those of one
/// half.
typedef struct {
  uint32_t modes;               // In all
  uint32_t count[2], padded[2]; // Of each parity, and that as a multiple of 4
  uint32_t half, padded_half;   // Places
  double* at_place[2][2];       // Sines and cosines, by parity: half x padded
  double* at_mode[2][2];        // The same turned around: count x padded_half
  double* weight;               // Of a place (m)
  double* sines;                // Scratch of a port
} JwAxis;

/// A mode of a plate: how many half waves along its sides, and its frequency (Hz).
typedef struct {
  double frequency;
  uint32_t m, n;
} JwWaves;

/// A plate by modes.  A table has a number for every pair of half waves, in four blocks by parity;
/// a field one for every place, in four quarters.
typedef struct {
  const JwLanes* lanes;
  JwAxis axis[2];
  uint32_t block[2][2], table,
      quarter;           // Where a block of a table begins; doubles in a table, a quarter
  JwWaves* waves;        // By mode
  uint32_t* place;       // By mode: where it lies in a table
  double *gx, *gy, *gxy; // By mode: (m pi/a)^2, (n pi/b)^2, and the root of their product (1/m2)
  double* soft;          // A table: 1/(gx + gy)^2 (m4)
  double *numbers, *turned, *field[5]; // Scratch: a table, a product, fields
} JwPlateModes;

/// Room to read a grid in its natural order, for the ledger (unfold.c).  Every array has one
/// element before and after the grid points of an axis, and held points are zeros.
typedef struct {
  uint32_t* offset; // By degree of freedom
  double* field[3]; // Of all grid points
  double* row[6];   // Of one row
  double* half[2];  // 1, and 1/2 at the ends, along each axis
  uint32_t stride;  // Of field
  double* change;   // In the kernel's order: u+ - u-
  double* weight;   // In the kernel's order: 1/4y where there is a point, else 0
} JwPlain;

/// A grid whose object stiffens as it moves is laid for so many times its stiffness: its shortest
/// waves lie where the linear step is only just stable, their energy is next to nothing there, and
/// what stiffens them further would let them grow without the ledger's seeing it.
#define JW_STRETCH_ROOM 1.5

struct JwObject {
  const JwObjectOps* ops;
  double* level[JW_LEVELS]; // Of `buffer`, as the frame of its component has them
  char* name;
  double k; // Time step
  union {
    JwMassDef mass;
    JwStringDef string;
    JwPlateDef plate;
    JwModalDef modal;
    JwBarrierDef barrier;
  } def;
  JwObjectInfo info;
  uint32_t dofs;
  uint32_t size;   // Doubles in one buffer
  uint32_t points; // Of these, those from the start that hold the state

  double stretch;        // kappa (8.1), or EA - T (8.3); 0: it does not stiffen as it moves
  bool local;            // It does by the stretch of every place
  double strain_cost;    // Additions and multiplications to find that, about
  uint32_t row;          // Its point, where it does (step/stretch.c)
  double lightest;       // Grid: kinetic energy is at least this times |u - p|^2; else 0
  bool dense;            // Every port reads every degree of freedom
  bool tied;             // It is advanced with what it is tied to (step/hub.c)
  bool carries_step;     // A mass, a slow bank: a buffer is its displacements, then its steps
  uint32_t port_weights; // Most weights a port can have
  double* y;             // Admittance by offset
  JwBank bank;
  union {
    JwGridString string;
    JwGridPlate plate;
    JwPlateModes modes;
  } grid;
  JwPlain plain;
  // State, in the snapshot
  double* buffer[JW_LEVELS];
  double* position;   // Where its zero lies (m), of what is placed; else NULL
  double tension_now; // Of a grid string, as last set
  // Scene
  uint32_t component; // JW_NONE for barriers
};

#define JW_NONE UINT32_MAX

/// Gravity's pull, upwards positive (N).
static inline double jw_object_weight(const JwObject* object) {
  return object->ops->kind == JW_KIND_MASS ? -object->def.mass.mass * object->def.mass.gravity
                                           : 0.0;
}

const JwObjectOps* jw_object_ops(JwKind kind, const void* def);

/// Directions that it moves in: 2 of a string that moves up and across.  Degrees of freedom are
/// those
/// of the first direction, then as many of the second.
static inline uint32_t jw_object_directions(const JwObject* object) {
  return object->ops->places == JW_PLACES_LINE ? object->def.string.directions : 1;
}

/// Grid points or modes of a string in one direction.
static inline uint32_t jw_string_points(const JwObject* string) {
  return string->dofs / string->def.string.directions;
}

/// What of a motion up and across goes so many degrees from up: cosine and sine, exact every 90.
JW_REALTIME void jw_direction_parts(double degrees, double part[2]);

/// How far from the start of a buffer degree of freedom i is.
static inline uint32_t jw_object_offset(const JwObject* object, uint32_t dof) {
  return object->ops->offset ? object->ops->offset(object, dof) : dof;
}

/// Where its zero lies (m).
static inline double jw_object_zero(const JwObject* object) {
  return object->position ? *object->position : 0.0;
}

/// Stored energy between JW_PREV and JW_NOW, as they are between two steps.
static inline JwStored jw_object_stored(const JwObject* object) {
  return object->ops->energy(object, object->level[JW_NOW], object->level[JW_PREV]);
}

/// Is all of it at one place, which can be set?
static inline bool jw_object_can_be_thrown(const JwObject* object) {
  return object->ops->lumped && object->dofs > 0;
}

/// Is it made of oscillators, each of which can be still by itself?
static inline bool jw_object_is_bank(const JwObject* object) {
  return object->bank.e != NULL;
}

/// Room for a port's weights.
void jw_weights_layout(JwWeights* weights, const JwObject* object, JwArena* arena);

/// Grid weights along one axis of `intervals` intervals: at most four grid points and their
/// weights.
JW_REALTIME uint32_t jw_axis_weights(double x, uint32_t intervals, JwReading reading,
                                     uint32_t point[4], double weight[4]);

/// s0 and s1 from T60 at two frequencies, given the squared wave number at each.
JwStatus jw_losses_from_decay(const double decay[4],
                              double (*wave_number_squared)(double omega, double c2, double kappa2),
                              double c2, double kappa2, double loss[2], char* error);
double jw_stiff_wave_number_squared(double omega, double c2, double kappa2);

/// Round to a multiple of 2^-50, so that sums of coefficients below 4 are exact.
JW_REALTIME double jw_quantize(double x);

/// Room and tables for reading a grid of `intervals` in its natural order; then copy a - b (b may
/// be NULL) into plain.field[which], and return where grid point 0 lies.
void jw_plain_layout(JwObject* object, const uint32_t intervals[2], JwArena* arena);
void jw_plain_setup(JwObject* object, const uint32_t intervals[2]);
JW_REALTIME double* jw_plain_read(const JwObject* object, int which, const double* a,
                                  const double* b);

/// Energy that a grid loses in a step (grid_loss.c).
JW_REALTIME double jw_grid_dissipate(const JwObject* object, const double* next, const double* u,
                                     const double* prev);

// Oscillator banks, shared by masses, modal objects and strings by modes (bank.c).
void jw_bank_layout(JwObject* object, JwArena* arena);
/// How fast a mode comes back, the slower of its poles (1/s); and for plan() the sizes of a bank,
/// given its slowest.
double jw_mode_pace(const JwMode* mode);
void jw_bank_plan(JwObject* object, uint32_t modes, double slowest);
void jw_bank_mode(JwObject* object, uint32_t i, const JwMode* mode, JwScheme scheme);
JW_REALTIME void jw_bank_advance(const JwObject* object, double* next, const double* u,
                                 const double* prev);
JW_REALTIME JwStored jw_bank_energy(const JwObject* object, const double* u, const double* prev);
JW_REALTIME double jw_bank_dissipate(const JwObject* object, const double* next, const double* u,
                                     const double* prev);

/// How high a mode sounds, with its loss and scheme (Hz).
double jw_mode_pitch(const JwMode* mode, JwScheme scheme, double k);

/// How many modes of ascending frequency are stable at time step k; fails on the first that is not
/// when all must be.
bool jw_mode_stable(const JwMode* mode, JwScheme scheme, double k);

#endif // JAWARI_OBJECT_H
