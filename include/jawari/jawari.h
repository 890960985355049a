// SPDX-License-Identifier: MIT
// jawari.h: things that vibrate and collide.
//
//   world     owns everything and advances it
//   object    a mass, string, plate, modal object or barrier
//   port      a place on an object
//   contact   two ports and a law: collision, connection, spring, bow
//   exciter   a force on a port
//   pickup    what is heard
//
//   JwWorldDef def = jw_world_default();
//   JwWorld* world = NULL;
//   jw_world_create(&def, &world);
//   ... jw_world_add_string(), jw_world_add_collision(), jw_world_add_pickup() ...
//   jw_world_prepare(world);             // all memory, all checks
//   jw_world_run(world, channels, 64);   // real-time safe, any number of frames
//   jw_world_destroy(world);
//
// Every call that can fail returns a status.  jw_world_error() has the sentence to it, but of calls
// marked JW_REALTIME, which write none: jw_status_text() has one for each status.  NULL is allowed
// wherever it can mean something: for an id or a number that is not wanted, for output that is not
// wanted.  A NULL world or definition is a bad value.  Which call may be made from which thread:
// docs/threads.md.
#ifndef JAWARI_JAWARI_H
#define JAWARI_JAWARI_H

#include <jawari/base.h>
#include <jawari/defs.h>
#include <jawari/id.h>
#include <jawari/params.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JwWorld JwWorld;

// ---------------------------------------------------------------- define

JW_API JW_MUST_USE JwStatus jw_world_create(const JwWorldDef* def, JwWorld** world);
/// Undefined while another thread runs the world or sends to it: end that first.
JW_API void jw_world_destroy(JwWorld* world);

/// What the last failed call had to say; never NULL.  Without a world, what the last failed call of
/// this thread that had none, or jw_world_create(), had to say.
JW_API const char* jw_world_error(const JwWorld* world);

JW_API JW_MUST_USE JwStatus jw_world_add_mass(JwWorld* world, const JwMassDef* def, JwObjectId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_string(JwWorld* world, const JwStringDef* def,
                                                JwObjectId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_plate(JwWorld* world, const JwPlateDef* def,
                                               JwObjectId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_modal(JwWorld* world, const JwModalDef* def,
                                               JwObjectId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_barrier(JwWorld* world, const JwBarrierDef* def,
                                                 JwObjectId* id);

JW_API JW_MUST_USE JwStatus jw_world_add_collision(JwWorld* world, const JwCollisionDef* def,
                                                   JwContactId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_connection(JwWorld* world, const JwConnectionDef* def,
                                                    JwContactId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_spring(JwWorld* world, const JwSpringDef* def,
                                                JwContactId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_friction(JwWorld* world, const JwFrictionDef* def,
                                                  JwContactId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_bow(JwWorld* world, const JwBowDef* def, JwContactId* id);

JW_API JW_MUST_USE JwStatus jw_world_add_force(JwWorld* world, const JwForceDef* def,
                                               JwExciterId* id);
JW_API JW_MUST_USE JwStatus jw_world_add_initial(JwWorld* world, const JwInitialDef* def);
JW_API JW_MUST_USE JwStatus jw_world_add_pickup(JwWorld* world, const JwPickupDef* def,
                                                JwPickupId* id);

/// Let a control follow a curve from the start.  Times rise; the first value holds before its time.
JW_API JW_MUST_USE JwStatus jw_world_add_curve(JwWorld* world, JwTarget target,
                                               const JwBreakpoint* points, uint32_t count);

/// Throw a mass `time` seconds after the start: from the first frame at or after that on, it is at
/// `position` with `velocity`.
JW_API JW_MUST_USE JwStatus jw_world_add_throw(JwWorld* world, JwObjectId mass, double time,
                                               const double position_and_velocity[2]);

// ---------------------------------------------------------------- prepare

/// What a world will take, known before prepare.
typedef struct {
  uint64_t points;   ///< Grid points and modes
  uint64_t contacts; ///< Contact points
  uint64_t bytes;    ///< Memory after prepare
  double
      operations; ///< Additions and multiplications a sample at most: everything touching, every solve taken
} JwCost;

/// Works before and after prepare; JW_STATUS_TOO_LARGE where prepare would refuse.
JW_API JW_MUST_USE JwStatus jw_world_cost(JwWorld* world, JwCost* cost);

/// Check everything, take all memory, set the initial state.  Once; after JW_STATUS_CANCELLED
/// again.
JW_API JW_MUST_USE JwStatus jw_world_prepare(JwWorld* world);

/// End the call of prepare or run that is under way, or the next, with JW_STATUS_CANCELLED: within
/// 1e8 operations, or one sample of a world that takes more.  From any thread, and from a signal
/// handler.  A run leaves silence in the rest of its block and the world at the frame that it has
/// come to; it can be run on.
JW_API JW_REALTIME void jw_world_cancel(JwWorld* world);

// ---------------------------------------------------------------- run

/// Output channels: see JwWorldDef.channels.
JW_API uint32_t jw_world_channels(const JwWorld* world);

/// Advance by `count` frames.  Frame n is the step from u(n) to u(n+1), in seconds n k to (n + 1)
/// k: of it a pickup hears the displacement u(n+1), the velocity (u(n+1) - u(n))/k, which is that
/// of (n + 1/2) k, or the force at n k. With `out` NULL, or that of a channel, nothing is written
/// there.  Returns JW_STATUS_NOT_FINITE, with silence in the rest of the block, if the state stops
/// being finite; nothing is clamped.  JW_STATUS_BAD_ORDER, and nothing is done, before prepare and
/// while another thread runs the same world.
JW_API JW_REALTIME JwStatus jw_world_run(JwWorld* world, float* const* out, uint32_t count);

/// The same, output in double precision.
JW_API JW_REALTIME JwStatus jw_world_run_double(JwWorld* world, double* const* out, uint32_t count);

/// Frames run since the start.
JW_API JW_REALTIME uint64_t jw_world_frame(const JwWorld* world);

/// Back to the initial state.  Queued commands are dropped.
JW_API void jw_world_reset(JwWorld* world);

// ---------------------------------------------------------------- change, from one other thread

/// Move a control to `value` in a straight line over `seconds`, from the next block on.
/// JW_STATUS_BAD_REFERENCE where the target has no such control: a place on a modal object, a
/// barrier under things that do not touch each other (only a curve can move that, since it is known
/// beforehand).
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_world_set(JwWorld* world, JwTarget target, double value,
                                                     double seconds);

/// Where a control is now, at the frame that the next block begins with; commands in the queue do
/// not count.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_world_get(const JwWorld* world, JwTarget target,
                                                     double* value);

/// The least and the largest value that a control takes, before prepare as well as after it;
/// JW_STATUS_BAD_REFERENCE where the target has no such control.
JW_API JW_MUST_USE JwStatus jw_world_control_range(const JwWorld* world, JwTarget target,
                                                   double range[2]);

/// Would jw_world_set() take this value?
JW_API JW_REALTIME bool jw_world_allows(const JwWorld* world, JwTarget target, double value);

/// Throw a mass: from the next block on it is at `position` with `velocity`.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_world_throw(JwWorld* world, JwObjectId mass,
                                                       double position, double velocity);

/// Start a force exciter (pulse, pluck, steady, signal) anew with `amplitude`.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_world_trigger(JwWorld* world, JwExciterId exciter,
                                                         double amplitude);

// ---------------------------------------------------------------- snapshot

JW_API size_t jw_world_snapshot_size(const JwWorld* world);

/// Write the whole state into `memory`; running on from it gives the same samples to the bit.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_world_snapshot(const JwWorld* world, void* memory,
                                                          size_t size);

/// Take a state back.  A snapshot of another world, or a damaged one, is refused and changes
/// nothing.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_world_restore(JwWorld* world, const void* memory,
                                                         size_t size);

// ---------------------------------------------------------------- look

/// Where the energy is, in joules.  stored + lost - supplied keeps its first value to rounding;
/// `residual` is that difference divided by the largest energy seen.
typedef struct {
  double kinetic, potential, stretch, contact; ///< The parts of `stored`; stretch: of what stiffens
  double stored, lost, supplied;
  double peak;           ///< Largest of stored, lost and supplied so far
  double residual;       ///< 1e-12 is healthy, 1e-6 is a bug
  double worst_residual; ///< Largest |residual| so far
} JwEnergy;

/// Between the last two states: at half a step before the frames run.  Zeros while the ledger is
/// off.
JW_API JW_REALTIME JwEnergy jw_world_energy(const JwWorld* world);

/// What one object holds, and what one contact holds, in joules; at the same time as
/// jw_world_energy(), with or without the ledger.
JW_API double jw_world_object_energy(const JwWorld* world, JwObjectId object);
JW_API double jw_world_contact_energy(const JwWorld* world, JwContactId contact);

/// What a contact did so far.  For a contact along a string: the worst of its points, closures
/// added.
typedef struct {
  double force;             ///< Now (N)
  double eta;               ///< Penetration now (m)
  double misfit;            ///< Largest |psi - sqrt(2 phi)| over the largest of either
  double pull;              ///< Largest attracting force of a collision (N); loss forces count
  double push;              ///< Largest repelling force (N)
  double parked;            ///< Largest psi^2/2 left after the first open sample (J)
  double peak_energy;       ///< Largest psi^2/2 (J)
  double penetration;       ///< Deepest eta (m)
  uint64_t closures;        ///< Times it closed
  uint64_t closed_samples;  ///< Samples spent closed, all closures together
  uint64_t longest_closure; ///< Samples
  bool closed;              ///< Now
} JwContactFigures;

JW_API JwContactFigures jw_world_contact_figures(const JwWorld* world, JwContactId contact);

/// What an object that stiffens as it moves did so far; zeros of any other.
typedef struct {
  double energy;      ///< Of its stretch, now (J)
  double peak_energy; ///< The largest (J)
  double misfit; ///< Largest |psi - sqrt(2 V)| over the largest of either, seen every 64 frames
  double
      usual_misfit; ///< The same in the mean square: what lasts counts, a blow's one frame does not
} JwStretchFigures;

JW_API JwStretchFigures jw_world_stretch_figures(const JwWorld* world, JwObjectId object);

/// What the world is made of, after prepare.
typedef struct {
  uint64_t frame;
  uint32_t objects, contacts, exciters, pickups;
  uint64_t points; ///< Grid points and modes
  uint64_t contact_points;
  uint32_t islands;        ///< Groups of contact points solved together
  uint32_t largest_island; ///< Contact points in the largest
  uint32_t awake;          ///< Objects in motion now
  double sample_rate;
} JwWorldInfo;

JW_API JwWorldInfo jw_world_info(const JwWorld* world);

/// What an object came out as, after prepare.
typedef struct {
  JwKind kind;
  const char* name;
  uint32_t points;   ///< Degrees of freedom
  uint32_t grid[2];  ///< Intervals along each side; by modes, half waves of the shortest along it
  double spacing[2]; ///< m
  double margin; ///< Spacing over the least stable spacing, or 2 fs over the highest frequency; > 1
  double tension; ///< Of a string
  double
      fundamental; ///< How high it sounds, with its ends, scheme and losses; of a plate after prepare.  Hz
  double mass;    ///< Total moving mass; the sum of modal masses
  double loss[2]; ///< s0, s1 as used
} JwObjectInfo;

JW_API JwObjectInfo jw_world_object_info(const JwWorld* world, JwObjectId object);

/// What a contact joins.
typedef struct {
  JwKind kind;
  const char* name; ///< "" without one
  JwPort port[2];   ///< Below and above, a and b; a bow's port first and nothing second
  uint32_t points;  ///< Contact points; after prepare
} JwContactInfo;

/// kind is JW_KIND_COUNT if there is no such contact.
JW_API JwContactInfo jw_world_contact_info(const JwWorld* world, JwContactId contact);

/// A pickup's definition as it was given; its name is never NULL.  A null id's has no name.
JW_API JwPickupDef jw_world_pickup_info(const JwWorld* world, JwPickupId pickup);

/// The same of a force exciter.
JW_API JwForceDef jw_world_exciter_info(const JwWorld* world, JwExciterId exciter);

/// Copy the displacement of an object's points, x fastest; at most `count` values; returns how
/// many.
JW_API uint32_t jw_world_field(const JwWorld* world, JwObjectId object, double* values,
                               uint32_t count);

/// Where those points are: `places` gets x and y in metres, one pair a point, at most `count`
/// pairs; returns how many.  A string or plate by modes has modes and no points: it gets places for
/// jw_world_probe(), evenly spaced, as many along each side as its info has in `grid`.  0 for
/// masses
/// and modal objects.
JW_API uint32_t jw_world_places(const JwWorld* world, JwObjectId object, double* places,
                                uint32_t count);

/// Displacement and velocity at a port now.  Not real-time safe: it works out the port anew.
JW_API JW_MUST_USE JwStatus jw_world_probe(JwWorld* world, JwPort port, double* displacement,
                                           double* velocity);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_JAWARI_H
