// SPDX-License-Identifier: MIT
// Every object there is, counted from the parameter tables: kind by form by method and scheme by
// ends or edges. What is added to a table is tested on the same day.
#ifndef JAWARI_TEST_THINGS_H
#define JAWARI_TEST_THINGS_H

#include "worlds.h"

#include <stdio.h>

/// How many choices a key of a kind has.
static inline int choices(JwKind kind, const char* key) {
  uint32_t count;
  const JwParam* const params = jw_params(kind, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(params[i].key, key) == 0) {
      int n = 0;
      while (params[i].choices && params[i].choices[n]) {
        ++n;
      }
      return n;
    }
  }
  fail_msg("%s has no key %s", jw_kind_name(kind), key);
  return 0;
}

typedef struct {
  JwKind kind;
  int form;   // See form_names
  int solver; // Scheme; of strings 0 the grid, then modes by each scheme
  int ends;   // Of strings and plates, in base of the choices
} Thing;

enum { THING_KINDS = 4, MOST_FORMS = 4 };
static const JwKind thing_kinds[THING_KINDS] = {JW_KIND_MASS, JW_KIND_MODAL, JW_KIND_STRING,
                                                JW_KIND_PLATE};
static const char* const form_names[THING_KINDS][MOST_FORMS + 1] = {
    {"free", "on a spring", NULL},
    {"of three modes", NULL},
    {"stiff", "ideal", "bar", "in two directions", NULL},
    {"plate", "membrane", "plate under tension", "wood", NULL},
};

/// Put all things of a kind into `list`, which has room for them; returns how many.
static inline uint32_t things_of(int k, Thing* list) {
  const JwKind kind = thing_kinds[k];
  const int schemes = kind == JW_KIND_PLATE ? 1 : choices(kind, "scheme"),
            solvers = kind == JW_KIND_STRING ? 1 + schemes : schemes;
  const int each = kind == JW_KIND_STRING  ? choices(kind, "ends")
                   : kind == JW_KIND_PLATE ? choices(kind, "edges")
                                           : 1;
  const int ends = kind == JW_KIND_PLATE ? each * each * each * each : each * each;
  uint32_t count = 0;
  for (int form = 0; form_names[k][form]; ++form) {
    for (int solver = 0; solver < solvers; ++solver) {
      for (int e = 0; e < ends; ++e) {
        list[count++] = (Thing){kind, form, solver, e};
      }
    }
  }
  return count;
}

#define MOST_THINGS 512

static inline const char* thing_name(Thing thing) {
  static char name[96];
  int k = 0;
  while (thing_kinds[k] != thing.kind) {
    ++k;
  }
  snprintf(name, sizeof name, "%s (%s), solver %d, ends %d", jw_kind_name(thing.kind),
           form_names[k][thing.form], thing.solver, thing.ends);
  return name;
}

static inline JwObjectId add_string_thing(JwWorld* world, Thing thing) {
  const int ends = choices(JW_KIND_STRING, "ends");
  JwStringDef def = short_string();
  def.frequency = JW_UNSET;
  def.tension = thing.form == 2 ? 0.0 : 30.0;
  def.young = thing.form == 1 ? 0.0 : def.young;
  def.ends[0] = (JwEnd)(thing.ends / ends);
  def.ends[1] = (JwEnd)(thing.ends % ends);
  def.method = thing.solver ? JW_METHOD_MODES : JW_METHOD_GRID;
  def.scheme = thing.solver ? (JwScheme)(thing.solver - 1) : def.scheme;
  def.directions = thing.form == 3 ? 2 : 1;
  def.modes = thing.solver ? 12 : 0; // Of a bar that stays below the rate where leapfrog fails
  return add_string(world, &def);
}

static inline JwObjectId add_plate_thing(JwWorld* world, Thing thing) {
  const int edges = choices(JW_KIND_PLATE, "edges");
  JwObjectId id = {0};
  JwPlateDef def = jw_plate_default();
  def.size[0] = 0.09;
  def.size[1] = 0.08;
  def.thickness = 5e-4;
  def.loss[0] = 3.0;
  def.loss[1] = 1e-3;
  def.tension = thing.form == 1 ? 4000.0 : thing.form == 2 ? 50.0 : 0.0;
  def.young = thing.form == 1 ? 0.0 : thing.form == 3 ? 1.2e10 : def.young;
  if (thing.form == 1) {
    def.points[0] = 9; // The rate would allow 5,680
    def.points[1] = 8;
  }
  if (thing.form == 3) {
    def.density = 450.0;
    def.thickness = 3e-3;
    def.young_across = 8e8;
    def.shear = 7e8;
  }
  for (int e = 0, rest = thing.ends; e < 4; ++e, rest /= edges) {
    def.edges[e] = (JwEnd)(rest % edges);
  }
  MUST(world, jw_world_add_plate(world, &def, &id));
  return id;
}

/// With both losses, where a kind has them.
static inline JwObjectId add_thing(JwWorld* world, Thing thing) {
  JwObjectId id = {0};
  if (thing.kind == JW_KIND_STRING) {
    return add_string_thing(world, thing);
  }
  if (thing.kind == JW_KIND_PLATE) {
    return add_plate_thing(world, thing);
  }
  if (thing.kind == JW_KIND_MASS) {
    JwMassDef def = jw_mass_default();
    def.mass = 5e-3;
    def.loss = 0.1;
    def.scheme = (JwScheme)thing.solver;
    def.frequency = thing.form ? 200.0 : 0.0;
    MUST(world, jw_world_add_mass(world, &def, &id));
    return id;
  }
  static const JwMode modes[3] = {{110.0, 5.0, 0.01}, {700.0, 20.0, 0.02}, {8000.0, 90.0, 0.005}};
  static const double shapes[6] = {1.0, -0.5, 0.3, 0.2, 0.9, -0.7};
  JwModalDef def = jw_modal_default();
  def.modes = modes;
  def.mode_count = 3;
  def.shapes = shapes;
  def.shape_count = 2;
  def.scheme = (JwScheme)thing.solver;
  MUST(world, jw_world_add_modal(world, &def, &id));
  return id;
}

/// One of two places on it.
static inline JwPort thing_port(Thing thing, JwObjectId id, int which, JwReading reading) {
  JwPort port = jw_port(id, thing.kind == JW_KIND_MODAL ? which : which ? 0.637 : 0.41);
  port.y = which ? 0.291 : 0.37;
  port.reading = reading;
  port.degrees = thing.kind == JW_KIND_STRING && thing.form == 3 ? (which ? -70.0 : 25.0) : 0.0;
  return port;
}

#endif // JAWARI_TEST_THINGS_H
