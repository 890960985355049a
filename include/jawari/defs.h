// SPDX-License-Identifier: MIT
// jawari/defs.h: what a world is made of.
//
// Each definition starts from its default (`JwStringDef def = jw_string_default();`), is edited,
// and is copied by the call that adds it.  In brackets stand unit, range and default of each field,
// written from the parameter tables (jawari/params.h) by `ninja -C build refresh-scene-format`; the
// words give the physics.  Equation numbers are those of docs/physics.md.
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
  /// Frames a second [Hz; 1000 to 1e8; default 44100]
  double sample_rate;
  /// Keep the energy ledger; the motion is the same to the bit either way [default false]
  bool ledger;
  /// An object below this energy, touched by nothing, becomes exactly zero
  /// [J; 0 to 1e-6; default 1e-36]
  double energy_floor;
  /// 0: one channel a pickup; 1: mono; 2: stereo by each pickup's pan [0 to 2; default 0]
  uint32_t channels;
  /// Pickups give what they hear in SI units: neither gain nor pan has a part in it [default false]
  bool unscaled;
  /// Sides of a box that answers with reflections, where there are one or two channels; NaN: none
  /// [m; 0.5 to 100; optional] [m; 0.5 to 100; default JW_UNSET]
  double room[3];
  /// Where in it what sounds is, from a corner [m; 0 to 100; default 2]
  double source[3];
  /// Where in it that is heard [m; 0 to 100; default 1.5]
  double listener[3];
  /// Share of the energy that a wall takes [0 to 1; default 0.3]
  double walls;
  /// Above this the walls take more [Hz; 100 to 100000; default 4000]
  double dull;
  /// Walls that a sound meets at most [1 to 3; default 2]
  uint32_t reflections;
  /// Parts that share nothing may run side by side [1 to 64; default 1]
  uint32_t threads;
  /// Commands that fit between two blocks [1 to 65536; default 1024]
  uint32_t queue;
  /// Most grid points and modes, all objects together [1 to 1e9; default 4e6]
  uint64_t max_points;
  /// Most contact points, all contacts together [1 to 1e7; default 65536]
  uint64_t max_contacts;
  /// Most memory, bytes [4096 to 1e12; default 1073741824]
  uint64_t max_bytes;
  /// Most work a sample: see JwCost.operations [1 to 1e18; default 2e9]
  double max_operations;
  JwAllocator allocator;
} JwWorldDef;

// ---------------------------------------------------------------- objects

/// How an end or edge is held.
typedef enum { JW_END_SUPPORTED, JW_END_CLAMPED, JW_END_FREE } JwEnd;

/// How a string is computed.
typedef enum { JW_METHOD_GRID, JW_METHOD_MODES } JwMethod;

/// How a string or plate stiffens as it moves (docs/physics.md, section 8).
typedef enum {
  JW_NONLINEAR_NONE, ///< Not at all
  JW_NONLINEAR_MEAN, ///< By its mean stretch: Kirchhoff and Carrier's string, Berger's plate
  JW_NONLINEAR_LOCAL ///< By the stretch of every place
} JwNonlinear;

/// How a mode is advanced: poles exact at any rate, or the papers' leapfrog.
typedef enum { JW_SCHEME_EXACT, JW_SCHEME_LEAPFROG } JwScheme;

/// A point mass: free, on a spring, damped, falling.
typedef struct {
  const char* name;
  /// Mass [kg; 1e-12 to 1e9; needed]
  double mass;
  /// Of the spring that holds it; 0: free [Hz; 0 to 1e6; default 0]
  double frequency;
  /// Damping R [kg/s; 0 to 1e9; default 0]
  double loss;
  /// Where the spring holds it; a free mass starts here [m; -1e6 to 1e6; default 0]
  double position;
  /// At the start, from `position` [m; -1e6 to 1e6; default 0]
  double displacement;
  /// At the start [m/s; -1e6 to 1e6; default 0]
  double velocity;
  /// Downward acceleration [m/s2; -1e6 to 1e6; default 0]
  double gravity;
  /// Time step: exact poles, or leapfrog [default leapfrog]
  JwScheme scheme;
} JwMassDef;

/// A string or bar, by finite differences or by modes (docs/physics.md, section 1).
typedef struct {
  const char* name;
  /// Length [m; 0.0001 to 10000; needed]
  double length;
  /// Radius [m; 1e-7 to 10; default 0.0005]
  double radius;
  /// Density [kg/m3; 0.001 to 1e6; default 7850]
  double density;
  /// Young's modulus; 0: an ideal string [Pa; 0 to 1e14; default 2e11]
  double young;
  /// Instead of density and radius [kg/m; 1e-9 to 1e6; default JW_UNSET]
  double mass_per_length;
  /// EI, instead of young and radius [N m2; 0 to 1e9; default JW_UNSET]
  double bending;
  /// One of tension and frequency [N; 0 to 1e9; default JW_UNSET]
  double tension;
  /// The wanted fundamental [Hz; 0.001 to 1e6; default JW_UNSET]
  double frequency;
  /// Detuned by so much [cents; -4800 to 4800; default 0]
  double cents;
  /// The tension may later rise by this factor: the grid is laid for it [1 to 16; default 1]
  double bend;
  /// s0, for all frequencies alike, and s1, rising with frequency [1/s, m2/s; 0 to 1e9; default 0]
  double loss[2];
  /// Instead: f1, T60 at f1, f2, T60 at f2 [Hz, s, Hz, s; 0 to 1e9; default JW_UNSET]
  double decay[4];
  /// How the two ends are held [default supported]
  JwEnd ends[2];
  /// Finite differences on a grid, or modes [default grid]
  JwMethod method;
  /// For modes [default exact]
  JwScheme scheme;
  /// Grid intervals; 0: as many as stability allows [0 to 1e6; default 0]
  uint32_t points;
  /// 0: as many as the sample rate allows [0 to 100000; default 0]
  uint32_t modes;
  /// How it stiffens as it moves [default none]
  JwNonlinear nonlinear;
  /// EA, for that, instead of young and radius [N; 0 to 1e12; default JW_UNSET]
  double stretching;
  /// Directions that it moves in: up, and with 2 also across [1 to 2; default 1]
  uint32_t directions;
} JwStringDef;

/// A plate, a membrane, or both.
typedef struct {
  const char* name;
  /// Length of the two sides [m; 0.0001 to 10000; default 1]
  double size[2];
  /// Thickness [m; 1e-7 to 100; default 0.001]
  double thickness;
  /// Density [kg/m3; 0.001 to 1e6; default 7850]
  double density;
  /// Young's modulus along the first side; 0: a membrane [Pa; 0 to 1e14; default 2e11]
  double young;
  /// Along the second side; unset: isotropic [Pa; 0 to 1e14; default JW_UNSET]
  double young_across;
  /// Poisson's ratio [0 to 0.499; default 0.3]
  double poisson;
  /// Shear modulus; unset: that of an isotropic plate [Pa; 0 to 1e14; default JW_UNSET]
  double shear;
  /// Instead of density and thickness [kg/m2; 1e-9 to 1e6; default JW_UNSET]
  double mass_per_area;
  /// D, instead of young, poisson and thickness [N m; 0 to 1e9; default JW_UNSET]
  double bending;
  /// Tension, for a membrane [N/m; 0 to 1e9; default 0]
  double tension;
  /// s0, for all frequencies alike, and s1, rising with frequency [1/s, m2/s; 0 to 1e9; default 0]
  double loss[2];
  /// Instead: f1, T60 at f1, f2, T60 at f2 [Hz, s, Hz, s; 0 to 1e9; default JW_UNSET]
  double decay[4];
  /// left, right, near, far [default supported]
  JwEnd edges[4];
  /// Finite differences on a grid, or modes, where all edges are supported [default grid]
  JwMethod method;
  /// For modes [default exact]
  JwScheme scheme;
  /// Grid intervals; 0: as many as stability allows [0 to 100000; default 0]
  uint32_t points[2];
  /// 0: those below 0.4 of the sample rate [0 to 100000; default 0]
  uint32_t modes;
  /// How it stiffens as it moves [default none]
  JwNonlinear nonlinear;
} JwPlateDef;

/// One mode of a modal object.
typedef struct {
  /// Hz, without loss
  double frequency;
  /// sigma (1/s): amplitude falls as exp(-sigma t)
  double decay;
  /// Modal mass (kg)
  double mass;
} JwMode;

/// An object given by its modes; a port's x counts the rows of `shapes`.
typedef struct {
  const char* name;
  const JwMode* modes;
  uint32_t mode_count;
  /// shape_count rows of mode_count weights
  const double* shapes;
  uint32_t shape_count;
  /// Time step: exact poles, or leapfrog [default exact]
  JwScheme scheme;
} JwModalDef;

/// Something rigid: a point, or a profile along a string.
typedef struct {
  const char* name;
  /// Height; added to the profile [m; -1e6 to 1e6; default 0]
  double position;
  /// Height = sum c_i x^i, x in metres along the string
  const double* polynomial;
  uint32_t polynomial_count;
  /// Pairs x (m), height; straight lines between
  const double* table;
  /// Pairs
  uint32_t table_count;
  /// First place above it, as a fraction of the string [0 to 1; default 0]
  double from;
  /// Last place above it, as a fraction of the string [0 to 1; default 1]
  double to;
} JwBarrierDef;

// ---------------------------------------------------------------- ports

/// How a port between grid points reads and pushes.
typedef enum { JW_READ_NEAREST, JW_READ_LINEAR, JW_READ_CUBIC } JwReading;

/// A place on an object: fractions of its length or sides; the shape's number on a modal object.
typedef struct {
  JwObjectId object;
  double x, y;
  JwReading reading;
  /// Which way it reads and pushes, on a string that moves in two directions: 0 up, 90 across
  double degrees;
} JwPort;

/// A port with linear reading.
static inline JwPort jw_port(JwObjectId object, double x) {
  JwPort port = {object, x, 0.0, JW_READ_LINEAR, 0.0};
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
  JW_RULE_AUTO     ///< The default: `refined` between masses and rigid things, else `bounded`
} JwRule;

/// `below` and `above` push each other apart when they overlap; the sign of `gap` is the same in
/// all laws: eta = u_below - u_above - gap, f = K [eta]^alpha (+ Hunt-Crossley loss).
typedef struct {
  const char* name;
  JwPort below, above;
  /// How much higher the first is than the second where they touch [m; -1e6 to 1e6; default 0]
  double gap;
  /// K; per metre of string when `along` [N/m^a; 0 to 1e20; needed]
  double stiffness;
  /// alpha [1 to 8; default 1.5]
  double exponent;
  /// lambda: f += lambda [eta]^alpha d(eta)/dt [N s/m^(a+1); 0 to 1e20; default 0]
  double loss;
  /// How the contact is solved [default auto]
  JwRule rule;
  /// Everywhere along the string, not at the ports' x only [default false]
  bool along;
  /// With `along`: one psi for the whole contact area [default false]
  bool grouped;
} JwCollisionDef;

/// A two-sided contact: K [|eta| - slack]^alpha sgn(eta), eta = u_a - u_b - gap.
typedef struct {
  const char* name;
  JwPort a, b;
  /// How much higher the first is than the second where it is at rest [m; -1e6 to 1e6; default 0]
  double gap;
  /// Free play to either side [m; 0 to 1e6; default 0]
  double slack;
  /// Stiffness K [N/m^a; 0 to 1e20; needed]
  double stiffness;
  /// Exponent a of the force [1 to 8; default 1]
  double exponent;
  /// Hunt-Crossley loss [N s/m^(a+1); 0 to 1e20; default 0]
  double loss;
  /// How the contact is solved [default auto]
  JwRule rule;
} JwConnectionDef;

/// K1 eta + K3 eta^3 + 2 sx d(eta)/dt, eta = u_a - u_b - gap.
typedef struct {
  const char* name;
  JwPort a, b;
  /// How much higher the first is than the second where it is at rest [m; -1e6 to 1e6; default 0]
  double gap;
  /// K1 [N/m; 0 to 1e20; default 0]
  double linear;
  /// K3 [N/m3; 0 to 1e20; default 0]
  double cubic;
  /// sx [kg/s; 0 to 1e20; default 0]
  double damping;
} JwSpringDef;

/// How the bow's friction is solved (docs/physics.md, section 2).
typedef enum {
  JW_BOW_REFINED,  ///< Two direct solves; passive: the default
  JW_BOW_PASSIVE,  ///< c from the last velocity
  JW_BOW_ONE_STEP, ///< The published single Newton step, for comparison
  JW_BOW_NEWTON    ///< The iterative reference; not real-time safe
} JwBowMethod;

/// Dry friction between two ports: f = mu N v/sqrt(v^2 + v0^2), against their motion, N what
/// presses
/// them together.
typedef struct {
  const char* name;
  JwPort a, b;
  /// Another contact at a place, added before: its push presses; null: none
  JwContactId pressed_by;
  /// Presses besides [N; 0 to 1e6; default 0]
  double force;
  /// mu [0 to 100; default 0.3]
  double coefficient;
  /// v0: far below this speed it sticks [m/s; 1e-6 to 100; default 0.001]
  double creep;
} JwFrictionDef;

/// A bow on a port: friction f = FN phi(v), phi(v) = sqrt(2A) v exp(-A v^2 + 1/2), v against the
/// bow.
typedef struct {
  const char* name;
  JwPort port;
  /// FN [N; 0 to 1e6; default 0.2]
  double force;
  /// vB [m/s; -1000 to 1000; default 0.2]
  double speed;
  /// A [s2/m2; 0.001 to 1e6; default 100]
  double sharpness;
  /// How the friction is solved [default refined]
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
  /// Form over time [default pulse]
  JwForceShape shape;
  /// Largest force, upward positive [N; -1e6 to 1e6; default 1]
  double amplitude;
  /// When it starts [s; 0 to 1e6; default 0]
  double start;
  /// How long it lasts [s; 1e-7 to 1e6; default 0.001]
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
  /// Plucked displacement, or struck velocity [default displacement]
  JwInitialQuantity quantity;
  /// Form over the object [default triangle]
  JwInitialShape shape;
  /// Place of the peak, as a fraction of the length [0 to 1; default 0.5]
  double x;
  /// On a plate: as a fraction of the second side [0 to 1; default 0.5]
  double y;
  /// Peak value [m or m/s; -1e6 to 1e6; default 0.001]
  double amplitude;
  /// Fraction of the length [1e-6 to 2; default 0.1]
  double width;
  /// Which way, of a string that moves in two directions [degrees; -180 to 180; default 0]
  double degrees;
} JwInitialDef;

// ---------------------------------------------------------------- pickups

/// What a pickup hears.
typedef enum {
  JW_QUANTITY_VELOCITY,
  JW_QUANTITY_DISPLACEMENT,
  JW_QUANTITY_FORCE,
  JW_QUANTITY_PRESSURE ///< In the air, of a sphere that breathes as fast as the place moves
} JwQuantity;

/// A pickup on a port, or on a contact for its force.
typedef struct {
  const char* name;
  /// What is heard [default velocity]
  JwQuantity quantity;
  JwPort port;
  JwContactId contact;
  /// Factor to the output [-1e12 to 1e12; default 1]
  double gain;
  /// -1 left to 1 right [-1 to 1; default 0]
  double pan;
  /// Pressure: radius of the sphere that moves as much air [m; 0.001 to 100; default 0.1]
  double size;
  /// Pressure: how far from it is listened [m; 0.01 to 100; default 1]
  double distance;
} JwPickupDef;

// ---------------------------------------------------------------- change while running

/// What can be changed while running.
typedef enum {
  JW_CONTROL_FORCE, ///< Bow: normal force.  Friction: what presses.  Force exciter: amplitude
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
JW_API JwFrictionDef jw_friction_default(void);
JW_API JwBowDef jw_bow_default(void);
JW_API JwForceDef jw_force_default(void);
JW_API JwInitialDef jw_initial_default(void);
JW_API JwPickupDef jw_pickup_default(void);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_DEFS_H
