// SPDX-License-Identifier: MIT
// One contact by the rule `bounded`: choose g, solve, remember psi; written once for every width.
//
// The including file gives Lanes, a double or a vector of them, Mask, a signed integer of 64 bits
// or a vector of them that is -1 where true and 0 elsewhere, and
//   Lanes all(double x)                    x in every lane,
//   Mask above(Lanes a, Lanes b)           a > b,
//   Lanes chosen(Mask m, Lanes a, Lanes b) a where m, else b,
//   Lanes lesser(Lanes a, Lanes b)         a < b ? a : b,
//   Lanes square_root(Lanes x), size_of(Lanes x).
//
//   symbol   meaning                                                            unit
//   psi      square root of twice the energy that the contact holds, >= 0       sqrt(J)
//   r_free   how far the gap would close over the step without this contact     m
//   q        how far a newton opens the gap within the step                     m/N
//   theory   g of the potential, d psi/d eta; anything where the contact is open  sqrt(N/m)
//   g        what is chosen, so that psi never ends below 0                     sqrt(N/m)
//
// law/power_law.c has it with one lane, kernel/touch_body.h with two and four.  Only sums,
// products, quotients and square roots are used, each in one order: the bits do not depend on the
// width.

#include <math.h>

/// A contact before its g is chosen, loss taken into r_free and q.
typedef struct {
  Lanes psi, r_free, q;
  Mask closed;
} Waiting;

/// The g for which psi ends at exactly 0; infinite where none does.  psi + g r/2 = 0 with
/// r = r_free - q g psi/2 gives (q psi/4) g^2 + z g - psi = 0, z = -r_free/2, and of the two forms
/// of
/// its root the one without cancellation is used.                                        (3.2)
static inline Lanes release_of(const Waiting* w) {
  const Lanes z = -0.5 * w->r_free, reach = square_root(z * z + w->q * w->psi * w->psi);
  const Mask leaving = above(z, all(0.0));
  const Lanes top = chosen(leaving, w->psi, reach - z),
              bottom = chosen(leaving, z + reach, w->q * w->psi);
  return chosen(leaving | above(bottom, all(0.0)), 2.0 * top / bottom, all(HUGE_VAL));
}

/// Open, with a rest of psi: can it be released?  On the way out it always can.  On the way in it
/// can only by turning the motion back, which a small rest must not do: it waits for the next
/// contact.  It never can where a force would move nothing.
static inline Mask can_release(const Waiting* w) {
  const Lanes z = -0.5 * w->r_free, zero = all(0.0);
  const Mask leaves = ~above(zero, z), outweighs = above(w->q * w->psi * w->psi, 1e-6 * z * z);
  return above(w->q, zero) & above(w->psi, zero) & (leaves | outweighs);
}

/// The rule `bounded`: the g of the potential or that of release, whichever is less.
static inline Lanes bounded_g(const Waiting* w, Lanes theory) {
  const Lanes release = release_of(w);
  return chosen(w->closed, lesser(theory, release), chosen(can_release(w), release, all(0.0)));
}

/// Is `bounded` the g of the potential beyond doubt?  It is where (3.2) is negative at it,
///
///   q psi g^2/4 - r_free g/2 - psi (1 + q rate) < 0,
///
/// by more than rounding: no root and no division.  r_free and q are without loss here; damped is
/// 1 + q rate.
static inline Mask surely_theory(const Waiting* w, Lanes theory, Lanes damped) {
  const Lanes square = 0.25 * theory * theory * w->q * w->psi, linear = 0.5 * theory * w->r_free,
              load = w->psi * damped;
  return w->closed & above(-1e-9 * (square + size_of(linear) + load), (square - linear) - load);
}

/// The force and the motion of a contact that no other one's push reaches, f = a r + c with
/// r = r_free - q f.                                                                     (2.4)
static inline void solve_alone(Lanes a, Lanes c, Lanes r_free, Lanes q, Lanes* f, Lanes* r) {
  const Lanes pivot = 1.0 + a * q;
  *f = (a * r_free + c) / pivot;
  *r = (r_free - q * c) / pivot;
}

/// psi after the step.  Residues of a release are cleared, with them what lies below `tiny`, whose
/// release would divide by a number that has underflowed; and a sign, which has no energy, is
/// dropped.
static inline Lanes next_psi(Lanes psi, Lanes g, Lanes r, double tiny) {
  const Lanes next = size_of(psi + 0.5 * g * r);
  return chosen(above(1e-9 * psi + tiny, next), all(0.0), next);
}
