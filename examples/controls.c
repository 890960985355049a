// SPDX-License-Identifier: MIT
// Controls while it runs: a string is plucked, bent up by a whole tone, and made quiet.
#include <jawari/jawari.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 44100
#define BLOCK (RATE / 4)

static void must(JwStatus status, const JwWorld* world) {
  if (status) {
    fprintf(stderr, "%s: %s\n", jw_status_name(status), jw_world_error(world));
    exit(1);
  }
}

// A quarter of a second: how often the displacement rises through zero, and how loud it is.
static void listen(JwWorld* world, const char* when) {
  static double heard[BLOCK];
  double *channels[] = {heard}, peak = 0.0;
  must(jw_world_run_double(world, channels, BLOCK), world);
  int periods = 0;
  for (int n = 1; n < BLOCK; ++n) {
    periods += heard[n - 1] < 0.0 && heard[n] >= 0.0;
    peak = fmax(peak, fabs(heard[n]));
  }
  printf("%-8s about %d Hz, %s\n", when, 4 * periods, peak > 1e-5 ? "loud" : "silent");
}

int main(void) {
  JwWorld* world = NULL;
  JwWorldDef def = jw_world_default();
  must(jw_world_create(&def, &world), world);
  JwObjectId string;
  JwStringDef string_def = jw_string_default();
  string_def.length = 0.65, string_def.frequency = 200.0, string_def.loss[1] = 0.02;
  string_def.bend = 1.5; // The tension may rise by half, the pitch by its root
  must(jw_world_add_string(world, &string_def, &string), world);

  JwExciterId finger;
  JwForceDef pluck = jw_force_default();
  pluck.port = jw_port(string, 0.5), pluck.shape = JW_FORCE_PLUCK, pluck.amplitude = 0.0;
  must(jw_world_add_force(world, &pluck, &finger), world);
  JwPickupId ear;
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = jw_port(string, 0.5), pickup.quantity = JW_QUANTITY_DISPLACEMENT;
  must(jw_world_add_pickup(world, &pickup, &ear), world);
  must(jw_world_prepare(world), world);

  // All of these are real-time safe: they wait in a queue until the next block begins
  const JwTarget pitch = {.control = JW_CONTROL_FREQUENCY, .object = string};
  const JwTarget gain = {.control = JW_CONTROL_GAIN, .pickup = ear};
  listen(world, "before");
  must(jw_world_trigger(world, finger, 2.0), world);
  listen(world, "plucked");
  must(jw_world_set(world, pitch, 224.5, 0.05), world); // Within 50 ms
  listen(world, "bending");
  listen(world, "bent");
  must(jw_world_set(world, gain, 0.0, 0.0), world);
  listen(world, "muted");
  printf("300 Hz: %s\n", jw_world_allows(world, pitch, 300.0) ? "allowed" : "beyond the bend");
  jw_world_destroy(world);
}
