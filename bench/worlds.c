// SPDX-License-Identifier: MIT
// Worlds to be timed, through the public headers alone.
//
// The string over a barrier and the small trombas are those of naive.c: the same sizes, ports at
// grid points as in the papers, plates with equal spacings.  Contacts and bow follow the engine's
// own rules, which do more; with JW_BENCH_PUBLISHED they follow the papers', and then both must
// move alike (test_naive.c).

#include "bench.h"

#include <jawari/builtin.h>
#include <jawari/jawari.h>

#include <stdio.h>
#include <stdlib.h>

struct JwBenchWorld {
  JwWorld* world;
  uint32_t frames, block, channels;
  float* out[128];
  double* parts; // Least nanoseconds of each block, by the clock on the wall; NULL: not timed
  void* start;   // A snapshot to start from; NULL: from the beginning
  size_t size;
  bool goes_on; // A slice goes on where the last one ended
};

// A benchmark that cannot be set up is a bug of this file.
static void must(JwStatus status, const JwWorld* world) {
  if (status) {
    fprintf(stderr, "bench: %s\n", world ? jw_world_error(world) : jw_status_name(status));
    exit(1);
  }
}

static JwWorld* create(double rate, uint32_t how, uint32_t threads) {
  JwWorldDef def = jw_world_default();
  def.sample_rate = rate;
  def.ledger = how & JW_BENCH_LEDGER;
  def.threads = threads;
  def.channels = 1;
  JwWorld* world = NULL;
  must(jw_world_create(&def, &world), NULL);
  return world;
}

static JwBenchWorld* ready(JwWorld* world, uint32_t frames) {
  must(jw_world_prepare(world), world);
  JwBenchWorld* const w = (JwBenchWorld*)calloc(1, sizeof *w);
  w->world = world;
  w->frames = frames;
  w->block = 64;
  w->channels = jw_world_channels(world);
  for (uint32_t i = 0; i < w->channels; ++i) {
    w->out[i] = (float*)calloc(8192, sizeof(float));
  }
  return w;
}

void jw_bench_world_slice(void* data) {
  JwBenchWorld* const w = (JwBenchWorld*)data;
  if (w->start) {
    must(jw_world_restore(w->world, w->start, w->size), w->world);
  } else if (!w->goes_on) {
    jw_world_reset(w->world);
  }
  for (uint32_t at = 0; at < w->frames; at += w->block) {
    const double start = w->parts ? jw_bench_clock(true) : 0.0;
    must(jw_world_run(w->world, w->out, w->block), w->world);
    if (w->parts) {
      const double took = jw_bench_clock(true) - start;
      double* const least = &w->parts[at / w->block];
      *least = took < *least ? took : *least;
    }
  }
}

// On a busy machine no slice of many milliseconds goes by undisturbed, but some run of every block
// does.
double jw_bench_world_least(void* data) {
  const JwBenchWorld* const w = (const JwBenchWorld*)data;
  double sum = 0.0;
  for (uint32_t i = 0; i < w->frames / w->block; ++i) {
    sum += w->parts[i];
  }
  return sum;
}

void jw_bench_world_listen(JwBenchWorld* w, double* out) {
  jw_world_reset(w->world);
  for (uint32_t at = 0; at < w->frames; at += w->block) {
    must(jw_world_run_double(w->world, (double* const[]){out + at}, w->block), w->world);
  }
}

void jw_bench_world_free(JwBenchWorld* w) {
  free(w->start);
  free(w->parts);
  jw_world_destroy(w->world);
  for (uint32_t i = 0; i < w->channels; ++i) {
    free(w->out[i]);
  }
  free(w);
}

// A port at the nearest grid point.
static JwPort at(JwObjectId object, double x, double y) {
  const JwPort port = {object, x, y, JW_READ_NEAREST, 0.0};
  return port;
}

static void hear(JwWorld* world, JwPort port, uint32_t how) {
  JwPickupDef def = jw_pickup_default();
  def.port = port;
  def.quantity = how & JW_BENCH_PUBLISHED ? JW_QUANTITY_DISPLACEMENT : JW_QUANTITY_VELOCITY;
  JwPickupId id;
  must(jw_world_add_pickup(world, &def, &id), world);
}

// Ducceschi and Bilbao 2019, Fig. 8.
static void add_barrier_string(JwWorld* world, double amplitude, uint32_t how) {
  static const double bent[3] = {-1e-4, -1e-4, -1e-3};
  JwObjectId string, barrier;
  JwContactId contact;
  JwExciterId exciter;
  JwStringDef s = jw_string_default();
  s.length = 1.0, s.mass_per_length = 0.063, s.radius = 5e-4, s.tension = 500.0, s.young = 2e11;
  s.loss[0] = s.loss[1] = 0.0;
  must(jw_world_add_string(world, &s, &string), world);
  JwBarrierDef b = jw_barrier_default();
  b.polynomial = bent, b.polynomial_count = 3;
  must(jw_world_add_barrier(world, &b, &barrier), world);
  JwCollisionDef c = jw_collision_default();
  c.below = jw_port(barrier, 0.0), c.above = jw_port(string, 0.0);
  c.along = true, c.stiffness = 5e6, c.exponent = 1.4;
  c.rule = how & JW_BENCH_PUBLISHED ? JW_RULE_PLAIN : JW_RULE_BOUNDED;
  must(jw_world_add_collision(world, &c, &contact), world);
  JwForceDef f = jw_force_default();
  f.port = at(string, 0.8, 0.0), f.shape = JW_FORCE_PULSE, f.amplitude = amplitude,
  f.duration = 1e-3;
  must(jw_world_add_force(world, &f, &exciter), world);
  hear(world, f.port, how);
}

JwBenchWorld* jw_bench_barrier(uint32_t frames, uint32_t how) {
  JwWorld* const world = create(220500.0, how, 1);
  add_barrier_string(world, 10.0, how);
  return ready(world, frames);
}

JwBenchWorld* jw_bench_strings(uint32_t count, uint32_t threads, uint32_t frames) {
  JwWorld* const world = create(44100.0, 0, threads);
  for (uint32_t i = 0; i < count; ++i) {
    add_barrier_string(world, 10.0, 0);
  }
  JwBenchWorld* const w = ready(world, frames);
  w->parts = (double*)malloc(frames / w->block * sizeof(double));
  for (uint32_t i = 0; i < frames / w->block; ++i) {
    w->parts[i] = 1e18;
  }
  return w;
}

JwBenchWorld* jw_bench_rest(bool sounding, uint32_t frames) {
  JwWorld* const world = create(44100.0, 0, 1);
  add_barrier_string(world, sounding ? 10.0 : 0.0, 0);
  return ready(world, frames);
}

static void add_tromba(JwWorld* world, const uint32_t points[3], uint32_t how) {
  const bool published = how & JW_BENCH_PUBLISHED;
  JwObjectId string, bridge, body;
  JwContactId contact;
  JwStringDef s = jw_string_default();
  s.length = 1.9, s.radius = 5e-4, s.density = 7850.0, s.young = 2e11;
  s.tension = 7850.0 * 3.14159265358979323846 * 2.5e-7 * (2.0 * 1.9 * 32.0) * (2.0 * 1.9 * 32.0);
  s.loss[0] = 0.1, s.loss[1] = 0.05, s.points = points[0] + 1;
  must(jw_world_add_string(world, &s, &string), world);
  JwMassDef m = jw_mass_default();
  m.mass = 1e-3, m.frequency = 500.0, m.loss = 0.05;
  must(jw_world_add_mass(world, &m, &bridge), world);
  JwPlateDef p = jw_plate_default();
  p.size[0] = 1.35, p.size[1] = 1.35 * (points[2] + 1) / (points[1] + 1); // Equal spacings
  p.thickness = 0.01, p.density = 50.0, p.young = 2e5, p.poisson = 0.3;
  p.loss[0] = 2.0, p.loss[1] = 0.05, p.points[0] = points[1] + 1, p.points[1] = points[2] + 1;
  must(jw_world_add_plate(world, &p, &body), world);
  JwConnectionDef n = jw_connection_default();
  n.a = jw_port(bridge, 0.0), n.b = at(string, 0.868, 0.0), n.stiffness = 5e6, n.exponent = 1.3;
  n.rule = published ? JW_RULE_PLAIN : n.rule;
  must(jw_world_add_connection(world, &n, &contact), world);
  JwCollisionDef c = jw_collision_default();
  c.below = at(body, 0.8, 0.75), c.above = jw_port(bridge, 0.0), c.gap = 5e-6;
  c.stiffness = 5e8, c.exponent = 1.3;
  c.rule = published ? JW_RULE_PLAIN : c.rule;
  must(jw_world_add_collision(world, &c, &contact), world);
  JwBowDef b = jw_bow_default();
  b.port = at(string, 0.2, 0.0), b.force = 0.15, b.speed = 0.2;
  b.method = published ? JW_BOW_NEWTON : b.method;
  must(jw_world_add_bow(world, &b, &contact), world);
  hear(world, c.below, how);
}

JwBenchWorld* jw_bench_tromba(const uint32_t points[3], uint32_t frames, uint32_t how) {
  JwWorld* const world = create(44100.0, how, 1);
  add_tromba(world, points, how);
  return ready(world, frames);
}

// The instrument of scenes/tromba.json four seconds into its score: the bow at its heaviest, the
// bridge rattling.
JwBenchWorld* jw_bench_played(uint32_t frames) {
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  must(jw_builtin_load("tromba", NULL, &scene), NULL);
  JwWorldDef def = jw_scene_world(scene);
  def.sample_rate = 48000.0, def.ledger = false;
  must(jw_scene_build(scene, &def, &world), NULL);
  jw_scene_destroy(scene);
  JwBenchWorld* const w = ready(world, 4 * 48000);
  jw_bench_world_slice(w);
  w->size = jw_world_snapshot_size(world);
  w->start = malloc(w->size);
  must(jw_world_snapshot(world, w->start, w->size), world);
  w->frames = frames;
  return w;
}

// Dampers off, every hammer thrown; what is timed begins half a second later, and goes on: it costs the
// same however long it rings.
JwBenchWorld* jw_bench_piano(uint32_t frames) {
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  must(jw_builtin_load("piano", NULL, &scene), NULL);
  jw_scene_mute(scene);
  JwWorldDef def = jw_scene_world(scene);
  def.sample_rate = 48000.0, def.ledger = false;
  must(jw_scene_build(scene, &def, &world), NULL);
  JwBenchWorld* const w = ready(world, 24000);
  w->goes_on = true;
  for (int key = 1; key <= 88; ++key) {
    char name[32];
    snprintf(name, sizeof name, "hammer%d", key);
    must(jw_world_throw(world, jw_scene_find(scene, name).object, -1e-3, 2.0), world);
    for (char string = 'a'; string <= 'c'; ++string) {
      snprintf(name, sizeof name, "damper%d%c", key, string);
      const JwScenePart damper = jw_scene_find(scene, name);
      if (damper.contact.index) {
        const JwTarget loss = {.control = JW_CONTROL_LOSS, .contact = damper.contact};
        must(jw_world_set(world, loss, 0.0, 0.0), world);
      }
    }
  }
  jw_scene_destroy(scene);
  jw_bench_world_slice(w);
  w->frames = frames;
  return w;
}

JwBenchWorld* jw_bench_block(uint32_t block, uint32_t frames) {
  static const uint32_t small[3] = {101, 20, 10};
  JwBenchWorld* const w = jw_bench_tromba(small, frames, 0);
  w->block = block;
  return w;
}

// A mass over an object of ten modes: far away, or lying on it.
static void add_impact(JwWorld* world, bool pressed) {
  JwMode modes[10];
  double shape[10];
  for (int i = 0; i < 10; ++i) {
    modes[i] = (JwMode){200.0 * (i + 1) * (1.0 + 0.1 * i), 3.0 + i, 0.01};
    shape[i] = 1.0;
  }
  JwObjectId object, mass;
  JwContactId contact;
  JwModalDef o = jw_modal_default();
  o.modes = modes, o.mode_count = 10, o.shapes = shape, o.shape_count = 1;
  must(jw_world_add_modal(world, &o, &object), world);
  JwMassDef m = jw_mass_default();
  m.mass = 0.01, m.position = pressed ? 0.0 : 1e3, m.gravity = pressed ? 9.81 : 0.0;
  must(jw_world_add_mass(world, &m, &mass), world);
  JwCollisionDef c = jw_collision_default();
  c.below = jw_port(object, 0.0), c.above = jw_port(mass, 0.0);
  c.stiffness = 1e7, c.exponent = 1.4, c.loss = 1e6;
  must(jw_world_add_collision(world, &c, &contact), world);
  if (!pressed) { // Sounding, apart: a blow of four samples, so that it is the ringing that is timed
    JwForceDef f = jw_force_default();
    JwExciterId exciter;
    f.port = jw_port(object, 0.0), f.shape = JW_FORCE_PULSE, f.amplitude = 10.0, f.duration = 1e-4;
    must(jw_world_add_force(world, &f, &exciter), world);
  }
  hear(world, jw_port(object, 0.0), 0);
}

JwBenchWorld* jw_bench_impact(bool pressed, uint32_t frames) {
  JwWorld* const world = create(44100.0, 0, 1);
  add_impact(world, pressed);
  return ready(world, frames);
}

JwBenchWorld* jw_bench_contacts(uint32_t count, uint32_t frames) {
  JwWorld* const world = create(44100.0, 0, 1);
  for (uint32_t i = 0; i < count; ++i) {
    add_impact(world, true);
  }
  return ready(world, frames);
}
