// SPDX-License-Identifier: MIT
// A plucked string that rattles on a fret, without scenes or files.
#include <jawari/jawari.h>
#include <stdio.h>
#include <stdlib.h>

static void must(JwStatus status, const JwWorld* world) {
  if (status) {
    fprintf(stderr, "%s: %s\n", jw_status_name(status), jw_world_error(world));
    exit(1);
  }
}

int main(void) {
  JwWorld* world = NULL;
  JwWorldDef def = jw_world_default(); // 44100 Hz
  def.ledger = true;
  must(jw_world_create(&def, &world), world);

  JwObjectId string, fret;
  JwStringDef string_def = jw_string_default(); // Steel, 1 mm thick
  string_def.length = 0.65, string_def.frequency = 110.0, string_def.loss[0] = 1.0;
  must(jw_world_add_string(world, &string_def, &string), world);
  JwBarrierDef fret_def = jw_barrier_default();
  fret_def.position = -5e-4;
  must(jw_world_add_barrier(world, &fret_def, &fret), world);

  JwContactId rattle;
  JwCollisionDef rattle_def = jw_collision_default();
  rattle_def.below = jw_port(fret, 0.0), rattle_def.above = jw_port(string, 0.4),
  rattle_def.stiffness = 1e6;
  must(jw_world_add_collision(world, &rattle_def, &rattle), world);

  JwInitialDef pluck = jw_initial_default();
  pluck.object = string, pluck.x = 0.2, pluck.amplitude = 2e-3;
  must(jw_world_add_initial(world, &pluck), world);
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = jw_port(string, 0.9);
  must(jw_world_add_pickup(world, &pickup, &(JwPickupId){0}), world);
  must(jw_world_prepare(world), world); // All memory is taken here

  // A second, in blocks that would go to the sound card
  float block[64], *channels[] = {block};
  for (int i = 0; i < 44100 / 64; ++i) {
    must(jw_world_run(world, channels, 64), world); // Real-time safe
  }
  printf("%d rattles, ledger %s\n", (int)jw_world_contact_figures(world, rattle).closures,
         jw_world_energy(world).worst_residual < 1e-10 ? "closed" : "open");
  jw_world_destroy(world);
}
