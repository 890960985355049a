// SPDX-License-Identifier: MIT
// A ball of ten grams falls on a stiff floor: when it bounces, how high it comes, where its energy
// goes.
#include <jawari/jawari.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 44100

static void must(JwStatus status, const JwWorld* world) {
  if (status) {
    fprintf(stderr, "%s: %s\n", jw_status_name(status), jw_world_error(world));
    exit(1);
  }
}

int main(void) {
  JwWorld* world = NULL;
  JwWorldDef def = jw_world_default();
  def.ledger = true;
  must(jw_world_create(&def, &world), world);

  JwObjectId ball, floor;
  JwMassDef ball_def = jw_mass_default();
  ball_def.mass = 0.01, ball_def.position = 0.1, ball_def.gravity = 9.81; // From 10 cm
  must(jw_world_add_mass(world, &ball_def, &ball), world);
  JwBarrierDef floor_def = jw_barrier_default();
  must(jw_world_add_barrier(world, &floor_def, &floor), world);

  JwContactId contact;
  JwCollisionDef contact_def = jw_collision_default(); // f = K [eta]^1.5 and a loss
  contact_def.below = jw_port(floor, 0.0), contact_def.above = jw_port(ball, 0.0);
  contact_def.stiffness = 1e6, contact_def.loss = 1e5;
  must(jw_world_add_collision(world, &contact_def, &contact), world);
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = jw_port(ball, 0.0), pickup.quantity = JW_QUANTITY_DISPLACEMENT;
  must(jw_world_add_pickup(world, &pickup, NULL), world);
  must(jw_world_prepare(world), world);

  // A second, sample by sample
  double height, *channels[] = {&height}, top = 0.1;
  uint64_t bounces = 0;
  for (int n = 0; n < RATE; ++n) {
    must(jw_world_run_double(world, channels, 1), world);
    const uint64_t closures = jw_world_contact_figures(world, contact).closures;
    if (closures > bounces) {
      printf("bounce after %.3f s, from %.1f mm\n", (double)n / RATE, 1e3 * top);
      bounces = closures, top = 0.0;
    }
    top = bounces && height > top ? height : top;
  }
  const JwEnergy energy = jw_world_energy(world);
  printf("%.1f mJ lost, ledger %s\n", 1e3 * energy.lost,
         energy.worst_residual < 1e-10 ? "closed" : "open");
  jw_world_destroy(world);
}
