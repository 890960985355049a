// SPDX-License-Identifier: MIT
// A bowed string: after a start it slips once a period, as Helmholtz saw it.
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
  must(jw_world_create(&def, &world), world);

  JwObjectId string;
  JwStringDef string_def = jw_string_default();
  string_def.length = 0.69, string_def.frequency = 98.0, string_def.radius = 5e-4; // A cello's G
  string_def.loss[0] = 3.0, string_def.loss[1] = 2e-3;
  must(jw_world_add_string(world, &string_def, &string), world);

  JwBowDef bow_def = jw_bow_default();
  bow_def.port = jw_port(string, 0.12), bow_def.force = 1.2, bow_def.speed = 0.15;
  must(jw_world_add_bow(world, &bow_def, NULL), world);

  JwPickupDef pickup = jw_pickup_default(); // The velocity under the bow
  pickup.port = jw_port(string, 0.12);
  must(jw_world_add_pickup(world, &pickup, NULL), world);
  must(jw_world_prepare(world), world);

  // Two seconds; in the last one the string sticks to the bow (0.15 m/s) or slips back
  static double heard[2 * RATE];
  double* channels[] = {heard};
  must(jw_world_run_double(world, channels, 2 * RATE), world);
  int slips = 0, sticking = 0;
  for (int n = RATE; n < 2 * RATE; ++n) {
    const int sticks = heard[n] > -0.3, stuck = heard[n - 1] > -0.3;
    slips += stuck && !sticks;
    sticking += sticks;
  }
  printf("%d slips in a second, sticking %d %% of the time\n", slips, 100 * sticking / RATE);
  jw_world_destroy(world);
}
