// SPDX-License-Identifier: MIT
// What a world says about its contacts and pickups.

#include <jawari/jawari.h>

#include "test.h"

#include <string.h>

typedef struct {
  JwWorld* world;
  JwContactId contact;
  JwPickupId pickup;
} Fixture;

static Fixture make(void) {
  Fixture f;
  const JwWorldDef def = jw_world_default();
  JwMassDef mass = jw_mass_default();
  JwObjectId a, b;
  assert_int_equal(jw_world_create(&def, &f.world), JW_STATUS_OK);
  mass.mass = 1.0;
  mass.name = "low";
  assert_int_equal(jw_world_add_mass(f.world, &mass, &a), JW_STATUS_OK);
  mass.name = "high";
  assert_int_equal(jw_world_add_mass(f.world, &mass, &b), JW_STATUS_OK);
  JwCollisionDef collision = jw_collision_default();
  collision.name = "knock";
  collision.below = jw_port(a, 0.0);
  collision.above = jw_port(b, 0.0);
  collision.stiffness = 1e6;
  assert_int_equal(jw_world_add_collision(f.world, &collision, &f.contact), JW_STATUS_OK);
  JwPickupDef pickup = jw_pickup_default();
  pickup.contact = f.contact;
  pickup.quantity = JW_QUANTITY_FORCE;
  pickup.gain = 3.0;
  assert_int_equal(jw_world_add_pickup(f.world, &pickup, &f.pickup), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(f.world), JW_STATUS_OK);
  return f;
}

static void a_contact_says_what_it_joins(void** state) {
  (void)state;
  const Fixture f = make();
  const JwContactInfo info = jw_world_contact_info(f.world, f.contact);
  assert_int_equal(info.kind, JW_KIND_COLLISION);
  assert_string_equal(info.name, "knock");
  assert_string_equal(jw_world_object_info(f.world, info.port[0].object).name, "low");
  assert_string_equal(jw_world_object_info(f.world, info.port[1].object).name, "high");
  assert_int_equal(info.points, 1);
  assert_int_equal(jw_world_contact_info(f.world, (JwContactId){2}).kind, JW_KIND_COUNT);
  jw_world_destroy(f.world);
}

static void a_pickup_says_what_it_hears(void** state) {
  (void)state;
  const Fixture f = make();
  const JwPickupDef pickup = jw_world_pickup_info(f.world, f.pickup);
  assert_int_equal(pickup.quantity, JW_QUANTITY_FORCE);
  assert_int_equal(pickup.contact.index, f.contact.index);
  assert_true(pickup.gain == 3.0);
  assert_string_equal(pickup.name, "");
  assert_string_equal(jw_world_pickup_info(f.world, (JwPickupId){0}).name, "");
  jw_world_destroy(f.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_contact_says_what_it_joins),
      cmocka_unit_test(a_pickup_says_what_it_hears),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
