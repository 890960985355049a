// SPDX-License-Identifier: MIT
// The string of section 3, by the paper's three solvers.
//
// A stiff string over a rigid barrier, pushed by a raised cosine of 1 ms.  Newton and the grid
// share the paper's grid (44); the modal string has all modes below its limit (61), stepped as in
// (57).  For the bent barrier the modal string touches points at the places of the grid, as in the
// paper, each standing for h metres.  Where the force acts is not printed: here at 0.3 L; its sign
// is, upwards, so that the string meets the barrier after its first reflection.

#include "ducceschi2019.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const double length = 1.0, density = 0.063, radius = 5e-4, tension = 500.0, young = 2e11;
static const double stiffness = 5e6, exponent = 1.4, place = 0.5;
static const double force = 10.0, width = 1e-3, pushed = 0.3;
static const double bent[3] = {-1e-4, -1e-4, -1e-3};
static const double height =
    -1e-4; // Printed without its sign in Figure 4, where the string would start inside

enum { MOST_CONTACTS = 4096 };

const char* const jw_ducceschi_solver_names[JW_DUCCESCHI_SOLVERS] = {
    "iterative (newton)", "non-iterative, grid", "non-iterative, modes"};
const char* const jw_ducceschi_solver_keys[JW_DUCCESCHI_SOLVERS] = {"newton", "grid", "modes"};

JwDucceschiString jw_ducceschi_string(JwDucceschiSolver solver, bool along, double rate,
                                      double seconds) {
  return (JwDucceschiString){.along = along,
                             .rate = rate,
                             .seconds = seconds,
                             .rule = solver == JW_DUCCESCHI_NEWTON ? JW_RULE_NEWTON : JW_RULE_PLAIN,
                             .method =
                                 solver == JW_DUCCESCHI_MODES ? JW_METHOD_MODES : JW_METHOD_GRID};
}

double jw_ducceschi_barrier(bool along, double x) {
  return along ? bent[0] + bent[1] * x + bent[2] * x * x : x == place ? height : NAN;
}

// Intervals of the paper's grid, (44), rounded down to tens so that the barrier, the force and the
// output lie on it at every rate.
static uint32_t intervals(double rate) {
  const double k = 1.0 / rate, inertia = PI * pow(radius, 4.0) / 4.0;
  const double a = tension * k * k;
  const double h =
      sqrt((a + sqrt(a * a + 16.0 * young * inertia * density * k * k)) / (2.0 * density));
  return 10 * (uint32_t)(length / h / 10.0);
}

// ---------------------------------------------------------------- building

typedef struct {
  JwWorld* world;
  JwObjectId string, barrier;
  JwContactId contacts[MOST_CONTACTS];
  size_t contact_count;
} Set;

static JwPort at(JwObjectId object, double x) {
  JwPort port = jw_port(object, x);
  port.reading = JW_READ_NEAREST;
  return port;
}

static JwStatus add_string(Set* set, const JwDucceschiString* def) {
  JwStringDef string = jw_string_default();
  string.name = "string";
  string.length = length;
  string.mass_per_length = density;
  string.radius = radius;
  string.young = young;
  string.tension = tension;
  string.method = def->method;
  string.scheme = def->exact ? JW_SCHEME_EXACT : JW_SCHEME_LEAPFROG;
  string.points = def->method == JW_METHOD_GRID ? intervals(def->rate) : 0;
  return jw_world_add_string(set->world, &string, &set->string);
}

static JwStatus add_barrier(Set* set, const JwDucceschiString* def) {
  JwBarrierDef barrier = jw_barrier_default();
  barrier.name = "barrier";
  barrier.position = def->along ? 0.0 : def->printed ? -height : height;
  barrier.polynomial = bent;
  barrier.polynomial_count = def->along ? 3 : 0;
  return jw_world_add_barrier(set->world, &barrier, &set->barrier);
}

static JwStatus add_contact(Set* set, const JwDucceschiString* def, double x, double scale) {
  JwCollisionDef hit = jw_collision_default();
  hit.below = at(set->barrier, x);
  hit.above = at(set->string, x);
  hit.stiffness = stiffness * scale;
  hit.exponent = exponent;
  hit.rule = def->rule;
  hit.along = def->along && def->method == JW_METHOD_GRID;
  return jw_world_add_collision(set->world, &hit, &set->contacts[set->contact_count++]);
}

static JwStatus add_contacts(Set* set, const JwDucceschiString* def) {
  if (!def->along || def->method == JW_METHOD_GRID) {
    return add_contact(set, def, place, 1.0);
  }
  const uint32_t count = intervals(def->rate);
  JwStatus status = count <= MOST_CONTACTS ? JW_STATUS_OK : JW_STATUS_TOO_LARGE;
  for (uint32_t m = 1; m < count && !status; ++m) {
    status = add_contact(set, def, (double)m / count, length / count);
  }
  return status;
}

static JwStatus add_rest(Set* set) {
  JwExciterId exciter;
  JwPickupId pickup;
  JwForceDef pulse = jw_force_default();
  pulse.name = "pulse";
  pulse.port = at(set->string, pushed);
  pulse.amplitude = force;
  pulse.duration = width;
  JwPickupDef ear = jw_pickup_default();
  ear.name = "output";
  ear.quantity = JW_QUANTITY_DISPLACEMENT;
  ear.port = at(set->string, 0.9);
  const JwStatus status = jw_world_add_force(set->world, &pulse, &exciter);
  return status ? status : jw_world_add_pickup(set->world, &ear, &pickup);
}

static bool open_set(JwPaperRun* run, const JwDucceschiString* def, Set* set) {
  JwWorldDef world = jw_world_default();
  world.sample_rate = def->rate;
  world.ledger = true;
  *set = (Set){0};
  if (jw_world_create(&world, &set->world)) {
    return jw_paper_fail(run, "the world could not be made");
  }
  JwStatus status = add_string(set, def);
  status = status ? status : add_barrier(set, def);
  status = status ? status : add_contacts(set, def);
  status = status ? status : add_rest(set);
  status = status ? status : jw_world_prepare(set->world);
  if (status) {
    jw_paper_fail(run, "the world refused: %s", jw_world_error(set->world));
    jw_world_destroy(set->world);
  }
  return !status;
}

// ---------------------------------------------------------------- looking

static bool take_shot(JwPaperRun* run, const Set* set, JwMethod method, double* shot) {
  const uint32_t count = jw_world_object_info(set->world, set->string).points;
  double* const field = (double*)malloc((count + 2) * sizeof *field);
  if (!field) {
    return jw_paper_fail(run, "no memory");
  }
  field[0] = field[count + 1] = 0.0;
  jw_world_field(set->world, set->string, field + 1, count);
  for (size_t i = 0; i < JW_DUCCESCHI_PLACES; ++i) {
    const double x = (double)i / (JW_DUCCESCHI_PLACES - 1);
    if (method == JW_METHOD_MODES) {
      shot[i] = 0.0;
      for (uint32_t p = 1; p <= count; ++p) {
        shot[i] += field[p] * sin(p * PI * x);
      }
    } else {
      const double position = x * (count + 1);
      const size_t left = position < count ? (size_t)position : count;
      shot[i] = field[left] + (position - (double)left) * (field[left + 1] - field[left]);
    }
  }
  free(field);
  return true;
}

static void look_at_contacts(const Set* set, JwContactFigures* worst) {
  *worst = jw_world_contact_figures(set->world, set->contacts[0]);
  for (size_t i = 1; i < set->contact_count; ++i) {
    const JwContactFigures f = jw_world_contact_figures(set->world, set->contacts[i]);
    worst->pull = fmax(worst->pull, f.pull);
    worst->parked = fmax(worst->parked, f.parked);
    worst->penetration = fmax(worst->penetration, f.penetration);
    worst->closures += f.closures;
    worst->closed_samples += f.closed_samples;
  }
}

bool jw_ducceschi_string_run(JwPaperRun* run, const JwDucceschiString* string,
                             const double times[JW_DUCCESCHI_SHOTS], JwDucceschiMotion* motion) {
  static Set set;
  const size_t count = (size_t)(string->seconds * string->rate + 0.5) + 1;
  if (!open_set(run, string, &set)) {
    return false;
  }
  bool good = jw_recording_open(run, set.world, 0.0, count, &motion->recording);
  for (size_t i = 0; i < JW_DUCCESCHI_SHOTS && good; ++i) {
    good = jw_recording_run(run, set.world, &motion->recording,
                            (size_t)(times[i] * string->rate + 0.5))
           && take_shot(run, &set, string->method, motion->shots[i]);
  }
  good = good && jw_recording_run(run, set.world, &motion->recording, count - 1);
  if (good) {
    look_at_contacts(&set, &motion->contact);
    motion->residual = jw_world_energy(set.world).worst_residual;
  }
  jw_world_destroy(set.world);
  return good;
}

void jw_ducceschi_motion_release(JwDucceschiMotion* motion) {
  jw_recording_release(&motion->recording);
}

JwPlotSeries jw_ducceschi_solver_line(size_t solver, const double* x, const double* y,
                                      size_t count) {
  static const int colors[JW_DUCCESCHI_SOLVERS] = {2, 1, 3};
  JwPlotSeries series = jw_paper_line(x, y, count, jw_ducceschi_solver_names[solver]);
  series.color = colors[solver];
  series.width = solver == JW_DUCCESCHI_NEWTON ? 2.8 : 1.5;
  series.dash = solver == JW_DUCCESCHI_MODES ? JW_PLOT_DASHED : JW_PLOT_SOLID;
  return series;
}

// ---------------------------------------------------------------- all three solvers

const double* jw_ducceschi_times(bool along) {
  static const double point[JW_DUCCESCHI_SHOTS] = {0.005, 0.014, 0.025},
                      curved[JW_DUCCESCHI_SHOTS] = {0.010, 0.017, 0.025};
  return along ? curved : point;
}

void jw_ducceschi_release_all(JwDucceschiMotions motions) {
  for (size_t s = 0; s < JW_DUCCESCHI_SOLVERS; ++s) {
    jw_ducceschi_motion_release(&motions[s]);
  }
}

bool jw_ducceschi_run_all(JwPaperRun* run, bool along, double factor, JwDucceschiMotions motions) {
  for (size_t s = 0; s < JW_DUCCESCHI_SOLVERS; ++s) {
    motions[s].recording = (JwRecording){0};
  }
  for (size_t s = 0; s < JW_DUCCESCHI_SOLVERS; ++s) {
    const JwDucceschiString def =
        jw_ducceschi_string((JwDucceschiSolver)s, along, factor * JW_DUCCESCHI_RATE, 0.03);
    if (!jw_ducceschi_string_run(run, &def, jw_ducceschi_times(along), &motions[s])) {
      jw_ducceschi_release_all(motions);
      return false;
    }
  }
  return true;
}

bool jw_ducceschi_save(JwPaperRun* run, const char* stem, const JwDucceschiMotions motions) {
  static const char* const quantities[] = {"u", "kinetic", "collision", "potential", "total"};
  static char names[5 * JW_DUCCESCHI_SOLVERS][32];
  JwPaperColumn columns[1 + 5 * JW_DUCCESCHI_SOLVERS] = {
      {"t", motions[0].recording.t, motions[0].recording.count}};
  for (size_t i = 0; i < 5 * JW_DUCCESCHI_SOLVERS; ++i) {
    const JwRecording* const r = &motions[i / 5].recording;
    const double* const values[5] = {r->u, r->kinetic, r->contact, r->potential, r->total};
    snprintf(names[i], sizeof names[i], "%s_%s", quantities[i % 5],
             jw_ducceschi_solver_keys[i / 5]);
    columns[1 + i] = (JwPaperColumn){names[i], values[i % 5], r->count};
  }
  return jw_paper_csv(run, stem, columns, 1 + 5 * JW_DUCCESCHI_SOLVERS);
}
