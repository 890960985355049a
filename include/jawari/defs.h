// SPDX-License-Identifier: MIT
// jawari/defs.h: what a world is made of.
//
// Each definition starts from its default (`JwStringDef def = jw_string_default();`), is edited,
// and is copied by the call that adds it.  Units are SI and unwritten.  Unit, range, default and
// meaning of every field stand once, in the parameter tables (jawari/params.h); the comments here
// give the physics.  Equation numbers are those of docs/physics.md.
#ifndef JAWARI_DEFS_H
#define JAWARI_DEFS_H

#include <jawari/base.h>
#include <jawari/id.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// "Not given": for fields that have an alternative, and only for those.
#define JW_UNSET ((double)NAN)

/// The world: sample rate, what to measure, and limits against unreasonable requests.
typedef struct {
  double sample_rate;
  bool ledger; ///< Keep the energy ledger; the motion is the same to the bit either way
  double
      energy_floor;  ///< An object below this energy (J), touched by nothing, becomes exactly zero
  uint32_t channels; ///< 0: one channel a pickup; 1: mono; 2: stereo by each pickup's pan
  bool unscaled; ///< Pickups give what they hear in SI units: neither gain nor pan has a part in it
  uint32_t threads;      ///< Parts that share nothing may run side by side
  uint32_t queue;        ///< Commands that fit between two blocks
  uint64_t max_points;   ///< Most grid points and modes, all objects together
  uint64_t max_contacts; ///< Most contact points, all contacts together
  uint64_t max_bytes;    ///< Most memory
  double max_operations; ///< Most work a sample: see JwCost.operations
  JwAllocator allocator;
} JwWorldDef;

// ---------------------------------------------------------------- objects

/// How an end or edge is held.
typedef enum { JW_END_SUPPORTED, JW_END_CLAMPED, JW_END_FREE } JwEnd;

/// How a string is computed.
typedef enum { JW_METHOD_GRID, JW_METHOD_MODES } JwMethod;

/// How a mode is advanced: poles exact at any rate, or the papers' leapfrog.
typedef enum { JW_SCHEME_EXACT, JW_SCHEME_LEAPFROG } JwScheme;

/// A point mass: free, on a spring, damped, falling.
typedef struct {
  const char* name;
  double mass;
  double frequency;    ///< Of the spring that holds it; 0: free
  double loss;         ///< R (kg/s)
  double position;     ///< Where the spring holds it; a free mass starts here
  double displacement; ///< At the start, from `position`
  double velocity;     ///< At the start
  double gravity;      ///< Downward acceleration
  JwScheme scheme;
} JwMassDef;

/// A string or bar, by finite differences or by modes (docs/physics.md, section 1).
typedef struct {
  const char* name;
  double length;
  double radius;
  double density;
  double young;
  double mass_per_length; ///< Instead of density and radius
  double bending;         ///< EI, instead of young and radius
  double tension;         ///< One of tension and frequency
  double frequency;       ///< The wanted fundamental
  double cents;           ///< Detuned by so much
  double bend;            ///< The tension may later rise by this factor: the grid is laid for it
  double loss[2];         ///< s0 (1/s) and s1 (m2/s)
  double decay[4];        ///< Instead: f1, T60 at f1, f2, T60 at f2
  JwEnd ends[2];
  JwMethod method;
  JwScheme scheme; ///< For modes
  uint32_t points; ///< Grid intervals; 0: as many as stability allows
  uint32_t modes;  ///< 0: as many as the sample rate allows
} JwStringDef;

/// A plate, a membrane, or both.
typedef struct {
  const char* name;
  double size[2];
  double thickness;
  double density;
  double young;
  double young_across; ///< Along the second side; unset: isotropic
  double poisson;
  double shear;         ///< Shear modulus; unset: that of an isotropic plate
  double mass_per_area; ///< Instead of density and thickness
  double bending;       ///< D, instead of young, poisson and thickness
  double tension;       ///< N/m
  double loss[2];       ///< s0 (1/s) and s1 (m2/s)
  double decay[4];      ///< Instead: f1, T60 at f1, f2, T60 at f2
  JwEnd edges[4];       ///< left, right, near, far
  uint32_t points[2];   ///< Grid intervals; 0: as many as stability allows
} JwPlateDef;

/// One mode of a modal object.
typedef struct {
  double frequency; ///< Hz, without loss
  double decay;     ///< sigma (1/s): amplitude falls as exp(-sigma t)
  double mass;      ///< Modal mass (kg)
} JwMode;

/// An object given by its modes; a port's x counts the rows of `shapes`.
typedef struct {
  const char* name;
  const JwMode* modes;
  uint32_t mode_count;
  const double* shapes; ///< shape_count rows of mode_count weights
  uint32_t shape_count;
  JwScheme scheme;
} JwModalDef;

/// Something rigid: a point, or a profile along a string.
typedef struct {
  const char* name;
  double position;          ///< Height; added to the profile
  const double* polynomial; ///< Height = sum c_i x^i, x in metres along the string
  uint32_t polynomial_count;
  const double* table;  ///< Pairs x (m), height; straight lines between
  uint32_t table_count; ///< Pairs
  double from, to;      ///< The part of the string above it, as fractions of its length
} JwBarrierDef;

// ---------------------------------------------------------------- ports

/// How a port between grid points reads and pushes.
typedef enum { JW_READ_NEAREST, JW_READ_LINEAR, JW_READ_CUBIC } JwReading;

/// A place on an object: fractions of its length or sides; the shape's number on a modal object.
typedef struct {
  JwObjectId object;
  double x, y;
  JwReading reading;
} JwPort;

/// A port with linear reading.
static inline JwPort jw_port(JwObjectId object, double x) {
  JwPort port = {object, x, 0.0, JW_READ_LINEAR};
  return port;
}

// ---------------------------------------------------------------- contacts

/// How the collision's g is chosen (docs/physics.md, section 3).
typedef enum {
  JW_RULE_BOUNDED, ///< Never pulls, parks nothing
  JW_RULE_PLAIN,   ///< The papers'
  JW_RULE_RELEASED,
  JW_RULE_REFINED, ///< A second direct solve
  JW_RULE_NEWTON,  ///< The iterative reference; not real-time safe
  JW_RULE_AUTO ///< `refined` for collisions between masses and rigid things, `bounded` for all others: the default
} JwRule;

/// `below` and `above` push each other apart when they overlap; the sign of `gap` is the same in
/// all laws: eta = u_below - u_above - gap, f = K [eta]^alpha (+ Hunt-Crossley loss).
typedef struct {
  const char* name;
  JwPort below, above;
  double gap;
  double stiffness; ///< K (N/m^alpha); per metre of string when `along`
  double exponent;  ///< alpha
  double loss;      ///< lambda: f += lambda [eta]^alpha d(eta)/dt
  JwRule rule;
  bool along;   ///< Everywhere along the string, not at the ports' x only
  bool grouped; ///< With `along`: one psi for the whole contact area
} JwCollisionDef;

/// A two-sided contact: K [|eta| - slack]^alpha sgn(eta), eta = u_a - u_b - gap.
typedef struct {
  const char* name;
  JwPort a, b;
  double gap;
  double slack;
  double stiffness;
  double exponent;
  double loss;
  JwRule rule;
} JwConnectionDef;

/// K1 eta + K3 eta^3 + 2 sx d(eta)/dt, eta = u_a - u_b - gap.
typedef struct {
  const char* name;
  JwPort a, b;
  double gap;
  double linear;  ///< K1 (N/m)
  double cubic;   ///< K3 (N/m3)
  double damping; ///< sx (kg/s)
} JwSpringDef;

/// How the bow's friction is solved (docs/physics.md, section 2).
typedef enum {
  JW_BOW_REFINED,  ///< Two direct solves; passive: the default
  JW_BOW_PASSIVE,  ///< c from the last velocity
  JW_BOW_ONE_STEP, ///< The published single Newton step, for comparison
  JW_BOW_NEWTON    ///< The iterative reference; not real-time safe
} JwBowMethod;

/// A bow on a port: friction f = FN phi(v), phi(v) = sqrt(2A) v exp(-A v^2 + 1/2), v against the
/// bow.
typedef struct {
  const char* name;
  JwPort port;
  double force;     ///< FN (N)
  double speed;     ///< vB (m/s)
  double sharpness; ///< A (s2/m2)
  JwBowMethod method;
} JwBowDef;

// ---------------------------------------------------------------- excitation

/// The form of a force over time.
typedef enum {
  JW_FORCE_PULSE,  ///< Raised cosine: rises and falls within `duration`
  JW_FORCE_PLUCK,  ///< Rises as half a cosine within `duration`, then lets go
  JW_FORCE_STEADY, ///< Constant for `duration`
  JW_FORCE_SIGNAL  ///< From samples, at the world's rate, times `amplitude`
} JwForceShape;

/// A force on a port.
typedef struct {
  const char* name;
  JwPort port;
  JwForceShape shape;
  double amplitude;
  double start;
  double duration;
  const float* signal;
  uint32_t signal_count;
} JwForceDef;

/// What the initial state gives.
typedef enum { JW_INITIAL_DISPLACEMENT, JW_INITIAL_VELOCITY } JwInitialQuantity;

/// The form of an initial state over the object.
typedef enum {
  JW_SHAPE_TRIANGLE, ///< A pluck: straight from the ends to the peak
  JW_SHAPE_HUMP,     ///< A raised cosine of `width` around the peak
  JW_SHAPE_SINE      ///< The first mode of a supported string or plate
} JwInitialShape;

/// A plucked shape or struck velocity, there when the world starts.
typedef struct {
  JwObjectId object;
  JwInitialQuantity quantity;
  JwInitialShape shape;
  double x, y;
  double amplitude;
  double width; ///< Fraction of the length
} JwInitialDef;

// ---------------------------------------------------------------- pickups

/// What a pickup hears.
typedef enum { JW_QUANTITY_VELOCITY, JW_QUANTITY_DISPLACEMENT, JW_QUANTITY_FORCE } JwQuantity;

/// A pickup on a port, or on a contact for its force.
typedef struct {
  const char* name;
  JwQuantity quantity;
  JwPort port;
  JwContactId contact;
  double gain;
  double pan; ///< -1 left to 1 right
} JwPickupDef;

// ---------------------------------------------------------------- change while running

/// What can be changed while running.
typedef enum {
  JW_CONTROL_FORCE, ///< Bow: normal force.  Force exciter: amplitude
  JW_CONTROL_SPEED, ///< Bow: speed
  JW_CONTROL_X,     ///< Position of a bow, a force, a pickup, or a contact's first port
  JW_CONTROL_Y,
  JW_CONTROL_X2, ///< Position of a contact's second port
  JW_CONTROL_Y2,
  JW_CONTROL_GAP,       ///< Of a contact
  JW_CONTROL_STIFFNESS, ///< Of a collision or connection; K1 of a spring
  JW_CONTROL_LOSS,      ///< Of a contact
  JW_CONTROL_TENSION,   ///< Of a string by finite differences, within its `bend`
  JW_CONTROL_FREQUENCY, ///< The same by its pitch (Hz)
  JW_CONTROL_CENTS,     ///< The same in cents above the pitch that was asked for
  JW_CONTROL_POSITION,  ///< Where a mass's spring holds it; a barrier's height
  JW_CONTROL_GAIN,      ///< Of a pickup
  JW_CONTROL_PAN,
  JW_CONTROL_COUNT
} JwControl;

/// A control on something: exactly one of the four ids is not null.
typedef struct {
  JwControl control;
  JwObjectId object;
  JwContactId contact;
  JwExciterId exciter;
  JwPickupId pickup;
} JwTarget;

/// A point of a curve; straight lines between points, the last value held.
typedef struct {
  double time;
  double value;
} JwBreakpoint;

// ---------------------------------------------------------------- defaults, read from the tables

JW_API JwWorldDef jw_world_default(void);
JW_API JwMassDef jw_mass_default(void);
JW_API JwStringDef jw_string_default(void);
JW_API JwPlateDef jw_plate_default(void);
JW_API JwModalDef jw_modal_default(void);
JW_API JwBarrierDef jw_barrier_default(void);
JW_API JwCollisionDef jw_collision_default(void);
JW_API JwConnectionDef jw_connection_default(void);
JW_API JwSpringDef jw_spring_default(void);
JW_API JwBowDef jw_bow_default(void);
JW_API JwForceDef jw_force_default(void);
JW_API JwInitialDef jw_initial_default(void);
JW_API JwPickupDef jw_pickup_default(void);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_DEFS_H
