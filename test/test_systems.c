// SPDX-License-Identifier: MIT
// Every system of Willemsen 2019 and of Ducceschi and Bilbao 2019, built from the public header:
// its ledger closes to rounding, and its motion is that of the paper's own closed form, written out
// in papers/willemsen2019 without any of the engine's code.  And every erratum: as printed the
// ledger opens, as corrected it closes.
//
// Bounds and tolerances are derived in papers/willemsen2019/compare.c.

#include "test.h"

#include "willemsen2019/engine.h"
#include "willemsen2019/errata.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A twentieth of a second beside the written-out form, half a second for the ledger.
enum { COMPARED = 2000, BOOKED = 22050, NAME = 160 };

// No ledger may open further than this, whatever the bound says.
static const double never_above = 1e-9;
// A tolerance above this would say nothing of rounding: contacts have then amplified too much of
// it.
static const double still_rounding = 1e-6;
// A misprint opens the ledger by more than this; a corrected equation leaves below 1e-9.
static const double open_ledger = 1e-6;

typedef struct {
  size_t system;
  JwNoteVariant variant;
  char name[NAME];
} Case;

static JwNoteSystem system_of(const Case* c) {
  return jw_note_variant(jw_note_at(c->system), c->variant);
}

static void assert_closed(const JwNoteComparison* result, int contacts) {
  for (int i = 0; i < contacts; ++i) {
    assert_true(result->closures[i] > 0); // Otherwise nothing was shown
  }
}

static void ledger_closes(void** state) {
  const Case* const c = (const Case*)*state;
  const JwNoteSystem system = system_of(c);
  JwNoteComparison result;
  if (!jw_note_keep_books(&system, BOOKED, &result)) {
    fail_msg("%s", result.error);
  }
  assert_closed(&result, system.contacts);
  if (!(result.engine_residual <= result.bound && result.engine_residual <= never_above)) {
    fail_msg("residual %.3g, bound %.3g", result.engine_residual, result.bound);
  }
}

// What makes two motions the same to rounding.
static bool same(const JwNoteComparison* result) {
  return result->difference <= result->tolerance && result->tolerance <= still_rounding;
}

static void motion_is_written_out(void** state) {
  const Case* const c = (const Case*)*state;
  const JwNoteSystem system = system_of(c);
  JwNoteComparison result;
  if (!jw_note_compare(&system, COMPARED, NULL, &result)) {
    fail_msg("%s", result.error);
  }
  assert_closed(&result, system.contacts);
  if (!same(&result)) {
    fail_msg("difference %.3g, tolerance %.3g", result.difference, result.tolerance);
  }
  assert_true(result.written_residual <= never_above); // The other ledger closes as well
}

static void misprint_opens_the_ledger(void** state) {
  const JwErratum* const erratum = jw_erratum_at(*(const size_t*)*state);
  const JwErratumRun printed = jw_erratum_run(erratum, true),
                     right = jw_erratum_run(erratum, false);
  if (!(right.residual <= never_above) || right.frames != 2000) {
    fail_msg("corrected: residual %.3g after %d samples", right.residual, right.frames);
  }
  if (printed.residual <= open_ledger) { // Not finite is open too
    fail_msg("printed: residual %.3g", printed.residual);
  }
  const bool only_booked =
      erratum->print == JW_AS_PRINTED_D25 || erratum->print == JW_AS_PRINTED_D43;
  if (!only_booked) {
    JwNoteSystem system = jw_note_variant(jw_note_find(erratum->system), erratum->variant);
    system.printed = erratum->print;
    JwNoteComparison result;
    assert_true(jw_note_compare(&system, COMPARED, NULL, &result));
    assert_false(same(&result)); // So the comparison can fail
  }
}

// The plate of these systems by itself, from stiff to very soft, its spacings equal or not.  The
// kernel may keep the ratio of the spacings instead of coefficients along y; the ledger must
// follow. Its first mode starts it, so |x|/(k |v|) is fs/omega.  Unequal spacings leave a constant
// height with a restoring coefficient of about 2^-58 instead of 0, which (omega k)^2 must be far
// above: hence the two stiffer plates only.
static void coarse_plates_close_their_ledgers(void** state) {
  (void)state;
  static const double stiffness[] = {20.0, 2.0, 0.2, 0.02, 2e-3};
  static const double sides[] = {0.35, 0.3, 0.4};
  for (size_t i = 0; i < 15; ++i) {
    const bool equal = i % 3 == 0;
    if (!equal && i / 3 > 1) {
      continue;
    }
    JwWorldDef def = jw_world_default();
    JwPlateDef plate = jw_plate_default();
    JwInitialDef initial = jw_initial_default();
    JwWorld* world;
    def.ledger = true;
    assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
    plate.size[0] = 0.45, plate.size[1] = sides[i % 3];
    plate.points[0] = 9, plate.points[1] = 7;
    plate.mass_per_area = 2.0, plate.bending = stiffness[i / 3];
    assert_int_equal(jw_world_add_plate(world, &plate, &initial.object), JW_STATUS_OK);
    initial.shape = JW_SHAPE_SINE;
    assert_int_equal(jw_world_add_initial(world, &initial), JW_STATUS_OK);
    assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
    assert_int_equal(jw_world_run_double(world, NULL, BOOKED), JW_STATUS_OK);
    const double omega =
        2.0 * 3.141592653589793 * jw_world_object_info(world, initial.object).fundamental;
    const double bound = 4.0 * DBL_EPSILON * sqrt(BOOKED) * fmax(1.0, def.sample_rate / omega);
    const double residual = jw_world_energy(world).worst_residual;
    jw_world_destroy(world);
    if (!(residual <= bound)) {
      fail_msg("D %g, side %g: residual %.3g, bound %.3g", plate.bending, plate.size[1], residual,
               bound);
    }
  }
}

static size_t list_systems(struct CMUnitTest* tests, Case* cases) {
  size_t count = 0;
  for (size_t i = 0; i < jw_note_count(); ++i) {
    for (int v = 0; v < JW_NOTE_VARIANTS; ++v) {
      if (!jw_note_has_variant(jw_note_at(i), (JwNoteVariant)v)) {
        continue;
      }
      for (int what = 0; what < 2; ++what) {
        Case* const c = &cases[count];
        c->system = i;
        c->variant = (JwNoteVariant)v;
        snprintf(c->name, NAME, "%s, %s: %s", jw_note_at(i)->id, jw_note_variant_name(c->variant),
                 what ? "the motion is that of the written-out form"
                      : "the ledger closes to rounding");
        tests[count++] = (struct CMUnitTest){c->name, what ? motion_is_written_out : ledger_closes,
                                             NULL, NULL, c};
      }
    }
  }
  return count;
}

// D (22): with c = w0 k a free oscillator by leapfrog reaches |dt- u| = sqrt(2E/M) / sqrt(1 -
// c^2/4), never more, and |dt. u| stays within sqrt(2E/M).  The largest of 20,000 samples is within
// 1 - cos of half a step's share of a turn: 1e-6 of the bound.
static void the_bound_on_the_velocity_holds_for_the_centred_one_only(void** state) {
  (void)state;
  static const double steps[] = {0.1, 0.8, 1.6, 1.9};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
    const double c = steps[i];
    double u = 1.0, p = 0.7, backward = 0.0, centred = 0.0;
    const double energy = 0.5 * (u - p) * (u - p) + 0.5 * c * c * u * p; // M = k = 1
    for (int n = 0; n < 20000; ++n) {
      const double next = (2.0 - c * c) * u - p;
      backward = fmax(backward, fabs(u - p));
      centred = fmax(centred, 0.5 * fabs(next - p));
      p = u;
      u = next;
    }
    const double bound = sqrt(2.0 * energy);
    assert_true(fabs(backward / bound * sqrt(1.0 - c * c / 4.0) - 1.0) < 1e-6);
    assert_true(backward > bound && centred <= bound * (1.0 + 1e-9));
  }
}

static size_t list_errata(struct CMUnitTest* tests, size_t* indices, char (*names)[NAME]) {
  for (size_t i = 0; i < jw_erratum_count(); ++i) {
    indices[i] = i;
    snprintf(names[i], NAME, "%s as printed opens the ledger, corrected it closes",
             jw_erratum_at(i)->where);
    tests[i] = (struct CMUnitTest){names[i], misprint_opens_the_ledger, NULL, NULL, &indices[i]};
  }
  return jw_erratum_count();
}

int main(void) {
  static struct CMUnitTest tests[200];
  static Case cases[120];
  static size_t indices[40];
  static char names[40][NAME];
  if (jw_note_count() * 6 > 120 || jw_erratum_count() > 40) {
    return 1; // More rows than room
  }
  size_t count = list_systems(tests, cases);
  count += list_errata(tests + count, indices, names);
  tests[count++] = (struct CMUnitTest){"coarse plates close their ledgers",
                                       coarse_plates_close_their_ledgers, NULL, NULL, NULL};
  tests[count++] = (struct CMUnitTest){"D (22) holds for dt. u, not for dt- u",
                                       the_bound_on_the_velocity_holds_for_the_centred_one_only,
                                       NULL, NULL, NULL};
  return _cmocka_run_group_tests("systems", tests, count, NULL, NULL);
}
