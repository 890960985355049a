// SPDX-License-Identifier: MIT
// What a contact law must provide.  Signs are fixed here, once.
//
// A contact point has a penetration eta = u_a - u_b + rest, positive when its two sides overlap,
// and a force f, positive when it pushes them apart.  Over one step, r = eta+ - eta-.  Every law is
// affine:
//
//   f = a r + c                                                                      (2.1)
//
// with a >= 0 and c known before the solve (docs/physics.md, section 2).  The island then finds r
// from r = r_free - q f, with q the compliance that the point sees.
//
//   begin    set psi to the load that eta of now asks for, and a, c and g of a step that neither
//            loses nor is bounded
//   active   may it push in this step?
//   choose   set a and c (and g), given r_free and q as they are with the other contacts in place
//   refine   after a first solve gave r: choose a and c better, or return false
//   finish   advance its own state (psi) with the r found
//   alone    solve by itself where no other contact of the island may push; false, or NULL: not so
//   stored   energy it holds after the step (J)
//   lost     energy it took away in the step (J)
//   supplied energy it brought in the step (J): the bow's
//   load     psi that the potential asks for between eta and eta_prev; NULL: it holds nothing
//   cubic    the same for a second load (a spring's cubic part); NULL: it has none
//   force    the force as a function of r and its slope, for the iterative reference; NULL: never
//            iterated
//   control  which of its numbers a control moves while it runs; NULL: none
//   linear   where its slope is the same at all times, a = g^2/4 + rate and c = g psi: say g and
//            rate; else false.  NULL: never
//
// Laws know nothing of objects.  A law is one file with one JwLawOps; laws.c lists them.
#ifndef JAWARI_LAW_H
#define JAWARI_LAW_H

#include <jawari/jawari.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define JW_ORBIT 128 // Intervals of an orbit's table

/// A law's parameters, and what follows from them.
typedef struct {
  JwKind kind;
  JwRule rule;
  JwBowMethod method;
  double stiffness, exponent, loss, slack; // Collision, connection
  double linear, cubic, damping;           // Spring
  double force, speed, sharpness;          // Bow; force: friction as well
  double coefficient, creep;               // Friction
  double k;                                // Time step
  // Derived
  bool iterates; // By the iterative reference
  bool waits;    // While it is open and empty, eta alone says whether it may push in the next step
  double half_power;          // (alpha - 1)/2
  double per_step;            // 1/2k: velocity of a gap that closes by 1 over the step (1/s)
  double bow_scale;           // sqrt(2 A e)
  double bow_fall;            // A log2(e): c(v) = sqrt(2 A e) 2^(-A log2(e) v^2)
  double bow_turn;            // sqrt(3/2A), where the friction curve turns from concave to convex
  double orbit[JW_ORBIT + 1]; // Rule refined between masses: see orbit.c
} JwLawParams;

/// What a second solve asks for (rule `refined`).
typedef enum {
  JW_REFINE_NOT,
  JW_REFINE_FORCE,  ///< The fourth-order force
  JW_REFINE_ENERGY, ///< The psi that the potential asks for: newton's
  JW_REFINE_ORBIT   ///< The force that ends the step on the exact orbit
} JwRefine;

/// What a point remembers from step to step; part of the snapshot.
typedef struct {
  double
      psi; // But for the bow: sqrt of twice the stored energy, at n - 1/2; of a spring the linear part
  double cubic;    // Spring: the same for its cubic part
  double velocity; // Bow: velocity against the bow, last step
  JwRefine refine; // Rule refined: as decided when the contact closed
  double
      shift; // What moving its ports added to eta + eta-; between frames what the hand still waits with (m)
  // Figures
  double force, eta;
  uint64_t closure; // Samples that it has been closed for
  double misfit, largest_psi, largest_wanted, pull, push, parked, penetration;
  double squares; // Of what stretches: sum of squared misfits
  uint64_t closures, closed_samples, longest_closure;
} JwPointState;

/// One step's numbers of a contact point, as a law sees them.
typedef struct {
  const JwLawParams* law;
  double scale; // Metres of string it stands for; 1 at a point
  bool lumped;  // Between point masses or rigid things: q is all the inertia there is
  bool alone;   // No other contact of the island may push in this step
  double eta_prev, eta, r_free, q;
  double eta_next;          // After the step: the next one's eta, to the bit
  double shift;             // Part of r_free that moved ports account for
  double root_of, root;     // A power worked out beforehand: root = root_of^((alpha-1)/2)
  double rate;              // What loss adds to a, worked out by choose
  double a, c, g;           // The law as chosen
  double r, f;              // The solution
  double seen_free, seen_q; // r_free and q with the other contacts in place, from choose to refine
  JwRefine refine;          // What a second solve asks for
  const JwPointState* pressed_by; // Friction: the contact whose push presses; NULL: none
  JwPointState* state;
  JwPointState* figures; // Where records are kept: the state of the contact's first point
} JwStep;

typedef struct {
  JwKind kind;
  uint32_t sides; // Ports that it joins: 2, or 1 of a bow
  bool one_sided; // It pushes and never pulls: psi >= 0
  bool drives;    // It brings energy from outside: the bow
  bool branches;  // Its force may have several solutions, and follows the one it is on: the bow
  void (*begin)(JwStep* step) JW_REALTIME;
  bool (*active)(const JwStep* step) JW_REALTIME;
  void (*choose)(JwStep* step, double r_free, double q) JW_REALTIME;
  bool (*refine)(JwStep* step) JW_REALTIME;
  void (*finish)(JwStep* step) JW_REALTIME;
  double (*stored)(const JwStep* step) JW_REALTIME;
  double (*lost)(const JwStep* step) JW_REALTIME;
  double (*supplied)(const JwStep* step) JW_REALTIME;
  double (*load)(const JwStep* step) JW_REALTIME;
  double (*cubic)(const JwStep* step) JW_REALTIME;
  double (*force)(const JwStep* step, double r, double* slope) JW_REALTIME;
  bool (*alone)(JwStep* step) JW_REALTIME;
  double* (*control)(JwLawParams* law, JwControl control)JW_REALTIME;
  bool (*linear)(const JwLawParams* law, double* g, double* rate) JW_REALTIME;
} JwLawOps;

const JwLawOps* jw_law_ops(JwKind kind);
/// No contact: what an object gains as it stretches (tension.c).
extern const JwLawOps jw_tension_ops;

/// Penetrations below this count as none: far below any motion, far above the smallest double, so
/// that nothing depends on how tiny numbers are flushed.
#define JW_TINY 1e-100

/// What its potential asks it to hold; 0 where it holds nothing.
static inline double jw_load(const JwLawOps* ops, const JwStep* step) {
  return ops->load ? ops->load(step) : 0.0;
}
static inline double jw_cubic_load(const JwLawOps* ops, const JwStep* step) {
  return ops->cubic ? ops->cubic(step) : 0.0;
}

/// Fill what follows from the parameters.
void jw_law_derive(JwLawParams* law);

/// Shared by laws: one that is never refined, and the work of a hand that moves its ports (J).
JW_REALTIME bool jw_never(JwStep* step);
JW_REALTIME double jw_supplied_by_shift(const JwStep* step);
/// psi^2/2, and 0 (J).
JW_REALTIME double jw_stored_by_psi(const JwStep* step);
JW_REALTIME double jw_no_energy(const JwStep* step);
/// Stiffness and loss of collisions and connections.
JW_REALTIME double* jw_power_law_control(JwLawParams* law, JwControl control);

// Shared by collision and connection (power_law.c).

/// x^p for x > JW_TINY, 0 below.
JW_REALTIME double jw_positive_power(double x, double p);

/// x^((alpha-1)/2), 0 where x is not above JW_TINY: the one power behind potential, slope, g and
/// loss.
JW_REALTIME double jw_root(const JwStep* step, double x);
/// Work it out for x, unless it is there already, and keep it.
JW_REALTIME void jw_root_keep(JwStep* step, double x);

/// phi(x) = K/(alpha+1) x^(alpha+1), x the penetration, and its slope K x^alpha.
JW_REALTIME double jw_potential(const JwStep* step, double x);
double jw_potential_of(const JwStep* step, double x, double root);
JW_REALTIME double jw_potential_slope(const JwStep* step, double x);

/// g_th(x) = sqrt(K (alpha+1)/2) x^((alpha-1)/2)
JW_REALTIME double jw_g_theory(const JwStep* step, double x);

/// A one-sided contact as it is seen while g is chosen: penetrations with any slack taken off,
/// mirrored where it pushes the other way, so that psi >= 0; loss taken into r_free and q.
typedef struct {
  double eta_prev, eta, r_free, q, psi;
  double damped; // 1 + q rate, by which r_free and q were divided
} JwSeen;

/// A point that others hold so fast that it yields less than this to a force, of what it would
/// yield alone, counts as held for good.  Elimination knows its compliance to an eps of what it
/// started from: half of the digits are left here.
#define JW_HELD 1e-8

/// The compliance that a law may count on.
static inline double jw_yield(const JwStep* step) {
  return step->seen_q > JW_HELD * step->q ? step->seen_q : 0.0;
}

/// a q of a contact that pushes together with others.  Pushes leave an error of eps q f in r, and a
/// law answers that with a eps q f more: a thousandth of f here, and where ports depend on each
/// other, three in one interval of a string, more than f soon after.  A contact that yields 1e-12
/// of r* holds still.
#define JW_MOST_HELD 1e12

/// g, or what loss adds to a, no larger than that; any keeps the ledger closed.
static inline double jw_held_g(const JwStep* step, double g) {
  return step->alone || !(g * g * step->q > 4.0 * JW_MOST_HELD)
             ? g
             : copysign(sqrt(4.0 * JW_MOST_HELD / step->q), g);
}
static inline double jw_held_rate(const JwStep* step, double rate) {
  const bool held =
      !step->alone && step->law->rule != JW_RULE_NEWTON && rate * step->q > JW_MOST_HELD;
  return held ? JW_MOST_HELD / step->q : rate;
}

/// The g for which psi >= 0 ends at exactly 0; infinite where none does.
JW_REALTIME double jw_g_release(const JwSeen* seen);

/// Is the theoretical g below that of release for certain, seen as choose() sees it?
JW_REALTIME bool jw_theory_holds(const JwStep* step, double theory);

/// Open, with a rest of psi: can it be released?
JW_REALTIME bool jw_can_release(const JwSeen* seen);

/// The rules `bounded`, given the g of the potential, and `released`.
JW_REALTIME double jw_g_bounded(const JwSeen* seen, double theory);
JW_REALTIME double jw_g_released(const JwStep* step, const JwSeen* seen);

/// The rule `refined`: the g of the first solve, and whether a second is worth while; then the g of
/// the second, given the penetration eta1 that the first one led to.
JW_REALTIME double jw_g_first(const JwStep* step, const JwSeen* seen, JwRefine* refine);
JW_REALTIME double jw_g_second(const JwStep* step, const JwSeen* seen, double eta1);

/// The force of the fourth-order step to eta1, and the g that makes the contact push with a given
/// force (NaN: none does).
JW_REALTIME double jw_fourth_order_force(const JwStep* step, const JwSeen* seen, double eta1);
/// The same for the Hunt-Crossley loss, where nothing but the contact bends the motion: its force
/// (N), and the energy that it takes from the middle of the last step to that of this one (J).
typedef struct {
  double force, energy;
} JwLoss;
JW_REALTIME JwLoss jw_fourth_order_loss(const JwStep* step, const JwSeen* seen, double eta1);
JW_REALTIME double jw_g_for_force(const JwSeen* seen, double force);

/// The exact bounce off the power law of one table (orbit.c): speed at the touch and deepest
/// penetration, in samples.
typedef struct {
  double speed, deepest;
} JwBounce;

void jw_orbit_fill(double* table, double alpha);
/// When a depth y is reached on the way in, y over the deepest, in units of deepest/speed; at 1
/// half of the contact.
JW_REALTIME double jw_orbit_time(const double* table, double y);
/// Where it is t samples after the touch; before and after the contact on a straight path.
JW_REALTIME double jw_orbit_place(const double* table, const JwBounce* bounce, double t);

/// The force and the motion of a contact that no other one's push reaches in this step, as chosen.
JW_REALTIME void jw_step_solve(JwStep* step);

/// psi after the step, without residues and sign.
JW_REALTIME double jw_psi_next(const JwStep* step, double psi);

/// (phi(x1) - phi(x0)) / (x1 - x0) with its slope by x1, also where the two nearly meet.
JW_REALTIME double jw_discrete_gradient(const JwStep* step, double x0, double x1, double* slope);

#endif // JAWARI_LAW_H
