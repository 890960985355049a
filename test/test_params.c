// SPDX-License-Identifier: MIT
// The parameter tables: what every default, check, scene key and manual page rests on.

#include "test.h"

#include <jawari/jawari.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  JwKind kind;
  size_t size;
} Definition;

static const Definition definitions[] = {
    {JW_KIND_WORLD, sizeof(JwWorldDef)},         {JW_KIND_MASS, sizeof(JwMassDef)},
    {JW_KIND_STRING, sizeof(JwStringDef)},       {JW_KIND_PLATE, sizeof(JwPlateDef)},
    {JW_KIND_MODAL, sizeof(JwModalDef)},         {JW_KIND_BARRIER, sizeof(JwBarrierDef)},
    {JW_KIND_COLLISION, sizeof(JwCollisionDef)}, {JW_KIND_CONNECTION, sizeof(JwConnectionDef)},
    {JW_KIND_SPRING, sizeof(JwSpringDef)},       {JW_KIND_BOW, sizeof(JwBowDef)},
    {JW_KIND_FRICTION, sizeof(JwFrictionDef)},   {JW_KIND_FORCE, sizeof(JwForceDef)},
    {JW_KIND_INITIAL, sizeof(JwInitialDef)},     {JW_KIND_PICKUP, sizeof(JwPickupDef)},
};

static size_t element_size(JwType type) {
  switch (type) {
  case JW_TYPE_NUMBER:
  case JW_TYPE_NUMBERS: return sizeof(double);
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS: return sizeof(uint32_t);
  case JW_TYPE_LARGE: return sizeof(uint64_t);
  case JW_TYPE_FLAG: return sizeof(bool);
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: return sizeof(int);
  }
  return 0;
}

static uint32_t choices_of(const JwParam* param) {
  uint32_t count = 0;
  while (param->choices[count]) {
    ++count;
  }
  return count;
}

static void every_kind_has_a_table_of_unique_well_formed_keys(void** state) {
  (void)state;
  assert_int_equal(sizeof definitions / sizeof definitions[0], JW_KIND_COUNT);
  for (int k = 0; k < JW_KIND_COUNT; ++k) {
    uint32_t count;
    const JwParam* const params = jw_params((JwKind)k, &count);
    assert_true(count > 0 && jw_kind_name((JwKind)k)[0]);
    for (uint32_t i = 0; i < count; ++i) {
      for (const char* c = params[i].key; *c; ++c) {
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
      }
      for (uint32_t j = 0; j < i; ++j) {
        assert_string_not_equal(params[i].key, params[j].key);
      }
      assert_true(strlen(params[i].help) > 3 && params[i].unit && params[i].count >= 1);
    }
  }
}

static void kind_names_are_unique(void** state) {
  (void)state;
  for (int a = 0; a < JW_KIND_COUNT; ++a) {
    for (int b = 0; b < a; ++b) {
      assert_string_not_equal(jw_kind_name((JwKind)a), jw_kind_name((JwKind)b));
    }
  }
}

static void fields_lie_inside_their_structs_and_do_not_overlap(void** state) {
  (void)state;
  for (size_t d = 0; d < sizeof definitions / sizeof definitions[0]; ++d) {
    uint32_t count;
    const JwParam* const params = jw_params(definitions[d].kind, &count);
    for (uint32_t i = 0; i < count; ++i) {
      const size_t end = params[i].offset + params[i].count * element_size(params[i].type);
      assert_true(end <= definitions[d].size
                  && params[i].offset % element_size(params[i].type) == 0);
      for (uint32_t j = 0; j < count; ++j) {
        const size_t other = params[j].offset + params[j].count * element_size(params[j].type);
        assert_true(i == j || end <= params[j].offset || other <= params[i].offset);
      }
    }
  }
}

// A few offsets by hand, one a type, so that a table that is wrong throughout cannot agree with
// itself.
static void defaults_arrive_in_the_fields_that_they_are_for(void** state) {
  (void)state;
  const JwWorldDef world = jw_world_default();
  assert_true(world.sample_rate == 44100.0 && !world.ledger && world.energy_floor == 1e-36);
  assert_true(world.channels == 0 && world.threads == 1 && world.queue == 1024
              && world.max_points == 4000000);
  assert_non_null(world.allocator.allocate);
  assert_non_null(world.allocator.release);
  const JwStringDef string = jw_string_default();
  assert_true(isnan(string.length) && isnan(string.tension) && isnan(string.decay[3])
              && string.loss[1] == 0.0);
  assert_true(string.bend == 1.0 && string.radius == 5e-4 && string.scheme == JW_SCHEME_EXACT);
  assert_null(string.name);
  const JwPlateDef plate = jw_plate_default();
  assert_true(plate.size[1] == 1.0 && plate.edges[3] == JW_END_SUPPORTED && plate.points[1] == 0
              && plate.poisson == 0.3);
  const JwMassDef mass = jw_mass_default();
  assert_true(isnan(mass.mass) && mass.scheme == JW_SCHEME_LEAPFROG && mass.gravity == 0.0);
  const JwCollisionDef collision = jw_collision_default();
  assert_true(collision.rule == JW_RULE_AUTO && collision.exponent == 1.5 && !collision.along
              && isnan(collision.stiffness));
  const JwBowDef bow = jw_bow_default();
  assert_true(bow.method == JW_BOW_REFINED && bow.sharpness == 100.0);
  const JwPickupDef pickup = jw_pickup_default();
  assert_true(pickup.gain == 1.0 && pickup.quantity == JW_QUANTITY_VELOCITY
              && pickup.contact.index == 0);
  assert_true(jw_barrier_default().to == 1.0 && jw_initial_default().x == 0.5
              && jw_force_default().duration == 1e-3);
  assert_true(jw_modal_default().mode_count == 0 && jw_connection_default().exponent == 1.0
              && jw_spring_default().linear == 0.0);
}

static void defaults_and_limits_lie_inside_ranges(void** state) {
  (void)state;
  for (int k = 0; k < JW_KIND_COUNT; ++k) {
    uint32_t count;
    const JwParam* const params = jw_params((JwKind)k, &count);
    for (uint32_t i = 0; i < count; ++i) {
      const JwParam* const p = &params[i];
      const bool choice = p->type == JW_TYPE_CHOICE || p->type == JW_TYPE_CHOICES;
      assert_true(choice == (p->choices != NULL));
      const double low = choice ? 0.0 : p->minimum,
                   high = choice ? choices_of(p) - 1.0 : p->maximum;
      assert_true(isfinite(low) && isfinite(high) && low < high);
      if (p->required || isnan(p->initial)) {
        assert_true(isnan(p->initial) && (p->type == JW_TYPE_NUMBER || p->type == JW_TYPE_NUMBERS));
      } else {
        assert_true(p->initial >= low && p->initial <= high);
      }
      const bool several =
          p->type == JW_TYPE_NUMBERS || p->type == JW_TYPE_COUNTS || p->type == JW_TYPE_CHOICES;
      assert_true(several == (p->count > 1));
    }
  }
}

// A definition with every required field given.
static void fill(JwKind kind, void* def) {
  uint32_t count;
  const JwParam* const params = jw_params(kind, &count);
  jw_params_default(kind, def);
  for (uint32_t i = 0; i < count; ++i) {
    if (params[i].required) {
      *(double*)(void*)((char*)def + params[i].offset) =
          0.5 * (params[i].minimum + params[i].maximum);
    }
  }
}

static union {
  JwWorldDef world;
  JwStringDef string;
  JwPlateDef plate;
  unsigned char bytes[1024];
} def;

static void what_is_required_is_asked_for_by_name(void** state) {
  (void)state;
  int asked = 0;
  for (int k = 0; k < JW_KIND_COUNT; ++k) {
    uint32_t count;
    const JwParam* const params = jw_params((JwKind)k, &count);
    for (uint32_t i = 0; i < count; ++i) {
      char error[JW_ERROR_SIZE] = "", wanted[JW_ERROR_SIZE];
      fill((JwKind)k, &def);
      assert_int_equal(jw_params_check((JwKind)k, &def, error), JW_STATUS_OK);
      if (params[i].required) {
        *(double*)(void*)(def.bytes + params[i].offset) = NAN;
        assert_int_equal(jw_params_check((JwKind)k, &def, error), JW_STATUS_BAD_VALUE);
        snprintf(wanted, sizeof wanted, "%s is required", params[i].key);
        assert_string_equal(error, wanted);
        ++asked;
      }
    }
  }
  assert_true(asked >= 4);
}

// Every number beyond either end, not a number, and infinite is refused; the ends themselves are
// taken.
static void every_number_is_checked_against_both_ends(void** state) {
  (void)state;
  int checked = 0;
  for (int k = 0; k < JW_KIND_COUNT; ++k) {
    uint32_t count;
    const JwParam* const params = jw_params((JwKind)k, &count);
    for (uint32_t i = 0; i < count; ++i) {
      const JwParam* const p = &params[i];
      if (p->type != JW_TYPE_NUMBER && p->type != JW_TYPE_NUMBERS) {
        continue;
      }
      for (uint32_t e = 0; e < p->count; ++e) {
        fill((JwKind)k, &def);
        double* const field = (double*)(void*)(def.bytes + p->offset) + e;
        char error[JW_ERROR_SIZE];
        const double bad[] = {nextafter(p->minimum, -INFINITY), nextafter(p->maximum, INFINITY),
                              INFINITY, -INFINITY, NAN};
        for (int b = 0; b < 5; ++b) {
          *field = bad[b];
          const bool unset = b == 4 && isnan(p->initial) && !p->required;
          assert_int_equal(jw_params_check((JwKind)k, &def, error),
                           unset ? JW_STATUS_OK : JW_STATUS_BAD_VALUE);
        }
        *field = p->minimum;
        assert_int_equal(jw_params_check((JwKind)k, &def, error), JW_STATUS_OK);
        *field = p->maximum;
        assert_int_equal(jw_params_check((JwKind)k, &def, error), JW_STATUS_OK);
        ++checked;
      }
    }
  }
  assert_true(checked > 60);
}

static void the_sentence_has_key_value_unit_and_limits(void** state) {
  (void)state;
  char error[JW_ERROR_SIZE];
  fill(JW_KIND_WORLD, &def);
  def.world.sample_rate = 12.5;
  assert_int_equal(jw_params_check(JW_KIND_WORLD, &def, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "sample_rate is 12.5 Hz, must be from 1000 to 1e+08");
  fill(JW_KIND_WORLD, &def);
  def.world.channels = 3;
  assert_int_equal(jw_params_check(JW_KIND_WORLD, &def, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "channels is 3, must be from 0 to 2");
  fill(JW_KIND_WORLD, &def);
  def.world.max_bytes = 1;
  assert_int_equal(jw_params_check(JW_KIND_WORLD, &def, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "max_bytes is 1, must be from 4096 to 1e+12");
  fill(JW_KIND_STRING, &def);
  def.string.loss[1] = -1.0;
  assert_int_equal(jw_params_check(JW_KIND_STRING, &def, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "loss is -1, must be from 0 to 1e+09");
  fill(JW_KIND_STRING, &def);
  def.string.bend = NAN;
  assert_int_equal(jw_params_check(JW_KIND_STRING, &def, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "bend is nan, must be from 1 to 16");
  fill(JW_KIND_PLATE, &def);
  def.plate.edges[2] = (JwEnd)7;
  assert_int_equal(jw_params_check(JW_KIND_PLATE, &def, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "edges is 7, must be from 0 to 2");
}

static void choices_have_as_many_names_as_the_enum_has_values(void** state) {
  (void)state;
  const struct {
    JwKind kind;
    const char *key, *last;
    int value;
  } wanted[] = {
      {JW_KIND_STRING, "ends", "free", JW_END_FREE},
      {JW_KIND_STRING, "method", "modes", JW_METHOD_MODES},
      {JW_KIND_MASS, "scheme", "leapfrog", JW_SCHEME_LEAPFROG},
      {JW_KIND_COLLISION, "rule", "auto", JW_RULE_AUTO},
      {JW_KIND_BOW, "method", "newton", JW_BOW_NEWTON},
      {JW_KIND_FORCE, "shape", "signal", JW_FORCE_SIGNAL},
      {JW_KIND_INITIAL, "quantity", "velocity", JW_INITIAL_VELOCITY},
      {JW_KIND_INITIAL, "shape", "sine", JW_SHAPE_SINE},
      {JW_KIND_PICKUP, "quantity", "pressure", JW_QUANTITY_PRESSURE},
  };
  for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; ++w) {
    uint32_t count, found = 0;
    const JwParam* const params = jw_params(wanted[w].kind, &count);
    for (uint32_t i = 0; i < count; ++i) {
      if (strcmp(params[i].key, wanted[w].key) == 0) {
        assert_int_equal(choices_of(&params[i]), wanted[w].value + 1);
        assert_string_equal(params[i].choices[wanted[w].value], wanted[w].last);
        ++found;
      }
    }
    assert_int_equal(found, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_has_a_table_of_unique_well_formed_keys),
      cmocka_unit_test(kind_names_are_unique),
      cmocka_unit_test(fields_lie_inside_their_structs_and_do_not_overlap),
      cmocka_unit_test(defaults_arrive_in_the_fields_that_they_are_for),
      cmocka_unit_test(defaults_and_limits_lie_inside_ranges),
      cmocka_unit_test(what_is_required_is_asked_for_by_name),
      cmocka_unit_test(every_number_is_checked_against_both_ends),
      cmocka_unit_test(the_sentence_has_key_value_unit_and_limits),
      cmocka_unit_test(choices_have_as_many_names_as_the_enum_has_values),
  };
  return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}
