// SPDX-License-Identifier: MIT
// Run one scene under small limits, watch every sample, and hold the ledger to what rounding may
// do.
//
//   symbol  meaning                                                              unit
//   x       largest displacement of an object, seen at the end of each block    m
//   k|v|    its largest change in one frame, seen there too                     m
//   n       frames
//   eps     2^-52
//
// Each frame rounds a displacement by up to eps x / 2.  The kinetic energy m v^2/2 takes that up as
// m v eps x / k, or 2 eps x/(k|v|) of itself; n frames with random signs add up by sqrt(n):
//
//   residual <= 4 eps sqrt(n) max(1, x/(k|v|)), the worst of all objects, and never above 1e-9          (1)
//
// The modes of an object, small plates among them, have masses of their own, and near the Nyquist
// frequency nearly all of their energy is in (q + q-)^2.  So there, by (1.11), x and k|v| are the
// largest of sqrt(A) q and sqrt(A) (q - q-), x' and v' those of sqrt(B) q and sqrt(B) (q + q-),
// with A and B the factors of the two squares.  A rounding of q takes up 2 eps (x k|v| + x' v') of
// an energy of at least the larger of k^2 v^2 and v'^2, and (1) has (x k|v| + x' v')/max(k|v|,
// v')^2.
//
// A contact solves r = r* - q f and f = a r + c with a q and an a = g^2/4 that are rounded by up to
// eps of themselves: q once and for all, a alike in every frame of a linear law, or of one that
// turns around in every frame.  Objects move by the true q, psi by g: a work of eps (q f^2 + a
// r^2)/2 in every frame, with one sign.  Where contacts hold each other, q f^2 is more than there
// is of motion and load, M, the largest r*^2/q, r^2/q and psi^2 of their island: beyond 4 M, which
// a contact alone never reaches, settle.c takes it back.  With the sum over the contacts of a
// component, and E its largest energy,
//
//   residual <= eps n sum (b min(q f^2, 4 M) + a r^2)/2E, where that is more, and never above 1e-9          (2)
//
// q is a sum of m products, of two ports on one object a difference of such sums, (q_11 + q_22) -
// (q_12 + q_21).  Its m roundings are of parts of B = q_11 + q_22 + 2 |q_12| and add up as in (1):
// b = sqrt(m) B/q, at least 1, which it is of a mass.  A string of 19 modes has 4, two ports in one
// interval of a grid 105 (seeds 3011069 and 3001632 of the regime nonlinear, with residuals of 1.4
// and 2.6 times (2) with b = 1 that grow in proportion to n).
//
// Of a grid at its limit of stability that is struck short, kinetic and potential energy are
// hundreds of times their sum; that is then rounded with them, whenever it is looked at.  So (1)
// has 4 eps (T + |V|)/E besides.
//
// The residual is the largest |stored + lost - supplied - first| of a component, seen once a block
// and after each of the first 64 frames, when what starts loaded pushes most, over the largest
// energy that it stored, lost or was given.  What is below the world's energy floor (1e-36 J)
// counts as nothing, here as in the engine.

#include "check.h"

#include "ledger/ledger.h"

#include <jawari/builtin.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BLOCK 64
#define HEALTHY 1e-9 // Residual
#define SETTLED                                                                                    \
  4.0 // settle.c: what pushes may be of motion and load, as energies, without being settled once more
#define REFUSAL_SECONDS 0.1
#define REFUSAL_BYTES ((uint64_t)64 << 20)

const char* const outcome_names[OUTCOME_COUNT] = {"ran",         "refused", "stopped", "bad sample",
                                                  "ledger open", "pumped",  "mute",    "slow",
                                                  "large",       "crash",   "hang"};

// ---------------------------------------------------------------- memory and time

typedef struct {
  uint64_t now, most;
} Meter;

// The size stands 64 bytes before the memory, which keeps its alignment.
static void* meter_allocate(void* user, size_t size) {
  Meter* const meter = (Meter*)user;
  const JwAllocator plain = jw_allocator_default();
  unsigned char* const memory =
      size < SIZE_MAX - 64 ? (unsigned char*)plain.allocate(plain.user, size + 64) : NULL;
  if (!memory) {
    return NULL;
  }
  memcpy(memory, &size, sizeof size);
  meter->now += size;
  meter->most = meter->now > meter->most ? meter->now : meter->most;
  return memory + 64;
}

static void meter_release(void* user, void* memory) {
  size_t size;
  unsigned char* const start = (unsigned char*)memory - 64;
  memcpy(&size, start, sizeof size);
  ((Meter*)user)->now -= size;
  const JwAllocator plain = jw_allocator_default();
  plain.release(plain.user, start);
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- one scene

typedef struct {
  const CheckOptions* options;
  Verdict* verdict;
  JwWorld* world;
  double *displacement, *change, *heaved, *turned; // By object: x, k|v|, x', v' of (1)
  double *open, *peak, *pushed,
      *parts; // By component, J; the last two are what (2) has over 2E, and T + |V|
} Check;

static void fail(Check* check, Outcome outcome, const char* message) {
  if (!outcome_fails(check->verdict->outcome)) {
    check->verdict->outcome = outcome;
    snprintf(check->verdict->message, sizeof check->verdict->message, "%s", message);
  }
}

// A refusal names a place in the file and gives a reason.
static void look_at_refusal(Check* check, const JwScene* scene) {
  const uint32_t count = jw_scene_diagnostics(scene);
  check->verdict->outcome = OUTCOME_REFUSED;
  if (count == 0) {
    fail(check, OUTCOME_MUTE, "refused without a diagnostic");
  }
  for (uint32_t i = 0; i < count; ++i) {
    const JwDiagnostic d = jw_scene_diagnostic(scene, i);
    char text[1024];
    const size_t size = jw_diagnostic_format(&d, text, sizeof text);
    if (!d.message[0] || d.line == 0 || d.column == 0 || size == 0 || !strstr(text, d.file)) {
      fail(check, OUTCOME_MUTE, "a diagnostic without place or reason");
    }
    if (i == 0 && check->verdict->outcome == OUTCOME_REFUSED) {
      snprintf(check->verdict->message, sizeof check->verdict->message, "%s", text);
    }
  }
}

// The slope a of a law: as last chosen, or as its potential has it now, where a step does not note
// it.
static double slope_of(const JwStep* step) {
  const JwKind kind = step->law->kind;
  const bool power = kind == JW_KIND_COLLISION || kind == JW_KIND_CONNECTION;
  const double g = power ? jw_g_theory(step, fabs(step->eta) - step->law->slack) : 0.0;
  return fmax(step->a, 0.25 * g * g);
}

// How much more than eps of itself q is rounded by: b of (2).
static double rounding_of_q(const JwPoint* point) {
  const JwSide* const side = point->side;
  double terms = 0.0;
  for (int i = 0; i < 2; ++i) {
    terms += side[i].object ? side[i].weights.count : 0.0;
  }
  const double parts = jw_side_compliance(&side[0], &side[0])
                       + jw_side_compliance(&side[1], &side[1])
                       + 2.0 * fabs(jw_side_compliance(&side[0], &side[1]));
  return point->dense || point->step.q <= 0.0 ? 1.0
                                              : fmax(1.0, sqrt(terms) * parts / point->step.q);
}

// What the contacts of one component push with, as energies.
static void look_at_pushes(Check* check, uint32_t index) {
  const JwComponent* const component = &check->world->components[index];
  double most = 0.0, sum = 0.0;
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwStep* const step = &component->points[i]->step;
    const double motion = fmax(fabs(step->r_free), fabs(step->r));
    most =
        fmax(most, step->state->psi * step->state->psi + step->state->cubic * step->state->cubic);
    most = step->q > 0.0 ? fmax(most, motion * motion / step->q) : most;
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwStep* const step = &component->points[i]->step;
    const double f =
        fmax(fabs(step->f), fmax(step->state->push, step->state->pull)); // Between looks too
    sum += rounding_of_q(component->points[i]) * fmin(step->q * f * f, SETTLED * most)
           + (step->f != 0.0 ? slope_of(step) * step->r * step->r : 0.0);
  }
  check->pushed[index] = fmax(check->pushed[index], sum);
}

static void look_at_objects(Check* check) {
  const JwWorld* const world = check->world;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (!object->dofs) {
      continue;
    }
    const bool modes = object->dense;
    const double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV];
    for (uint32_t p = 0; p < object->dofs; ++p) {
      const uint32_t at = jw_object_offset(object, p);
      const double step = object->carries_step ? u[object->dofs + p] : u[at] - prev[at];
      const double a = modes ? sqrt(object->bank.kinetic[p]) : 1.0,
                   b = modes ? sqrt(object->bank.potential[p]) : 0.0;
      check->displacement[i] = fmax(check->displacement[i], a * fabs(u[at]));
      check->change[i] = fmax(check->change[i], a * fabs(step));
      check->heaved[i] = fmax(check->heaved[i], b * fabs(u[at]));
      check->turned[i] = fmax(check->turned[i], b * fabs(u[at] + prev[at]));
    }
  }
}

static double ledger_bound(const Check* check, uint64_t frames) {
  double worst = 1.0;
  for (uint32_t i = 0; i < check->world->objects.count; ++i) {
    const double moves =
        check->displacement[i] * check->change[i] + check->heaved[i] * check->turned[i];
    const double most = fmax(check->change[i], check->turned[i]);
    worst = most > 0.0 ? fmax(worst, moves / (most * most)) : worst;
  }
  double steady = 0.0, looks = 0.0;
  for (uint32_t i = 0; i < check->world->component_count; ++i) {
    const double peak = check->peak[i];
    steady = peak > 0.0 ? fmax(steady, check->pushed[i] / peak) : steady;
    looks = peak > 0.0 ? fmax(looks, check->parts[i] / peak) : looks;
  }
  const double n = (double)frames,
               roundings = fmax(4.0 * (sqrt(n) * worst + looks), 0.5 * n * steady);
  return fmin(DBL_EPSILON * roundings, HEALTHY);
}

static void look_at_samples(Check* check, double* const* out, uint32_t count) {
  for (uint32_t c = 0; c < jw_world_channels(check->world); ++c) {
    for (uint32_t i = 0; i < count; ++i) {
      const double value = out[c][i];
      if (!isfinite(value) || (value != 0.0 && fabs(value) < DBL_MIN)) {
        char text[80];
        snprintf(text, sizeof text, "channel %u, frame %llu: %g", c,
                 (unsigned long long)(check->verdict->frames + i), value);
        fail(check, OUTCOME_SAMPLE, text);
      }
    }
  }
}

// The iterative reference, which is on no audio path, may take seconds for one frame of an island
// of hundreds.
static double fewest_frames(const JwWorld* world) {
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    if (jw_contact_at(world, i)->law.iterates) {
      return 1.0;
    }
  }
  return BLOCK;
}

static uint64_t frames_to_run(const Check* check) {
  JwCost cost = {0};
  const JwStatus status = jw_world_cost(check->world, &cost);
  const double wanted = fmax(check->options->seconds * check->world->def.sample_rate, BLOCK);
  check->verdict->asked = (uint64_t)wanted;
  const double allowed = status ? BLOCK : check->options->operations / fmax(cost.operations, 1.0);
  return (uint64_t)fmax(fmin(wanted, allowed), fewest_frames(check->world));
}

static void note_figures(Check* check) {
  const JwWorldInfo info = jw_world_info(check->world);
  check->verdict->largest_island = info.largest_island;
  for (uint32_t i = 0; i < info.contacts; ++i) {
    check->verdict->closures +=
        jw_world_contact_figures(check->world, (JwContactId){i + 1}).closures;
  }
}

// How far the ledgers are open now, and the largest energy of each so far.
static void look_at_energy(Check* check) {
  JwWorld* const world = check->world;
  for (uint32_t i = 0; i < world->component_count; ++i) {
    const JwComponentState* const state = world->components[i].state;
    double parts[4];
    const double stored = jw_component_energy(&world->components[i], parts);
    const double open =
        (stored - state->first) + (jw_sum_value(&state->lost) - jw_sum_value(&state->supplied));
    check->parts[i] = fmax(check->parts[i], parts[0] + fabs(parts[1]));
    check->open[i] = fabs(open) <= check->open[i] ? check->open[i] : fabs(open); // NaN stays
    const double flow =
        fmax(fabs(jw_sum_value(&state->lost)), fabs(jw_sum_value(&state->supplied)));
    check->peak[i] = fmax(fmax(check->peak[i], stored), fmax(flow, state->peak));
  }
}

static void look_at_ledger(Check* check) {
  Verdict* const verdict = check->verdict;
  for (uint32_t i = 0; i < check->world->component_count; ++i) {
    const double open = check->open[i] <= check->world->def.energy_floor ? 0.0 : check->open[i];
    const double residual = open > 0.0 ? open / check->peak[i] : open;
    verdict->worst = residual <= verdict->worst ? verdict->worst : residual;
    verdict->energy = fmax(verdict->energy, check->peak[i]);
  }
  verdict->bound = ledger_bound(check, verdict->frames);
  if (!(verdict->worst <= verdict->bound)) {
    char text[120];
    snprintf(text, sizeof text, "residual %.3g after %llu frames, bound %.3g", verdict->worst,
             (unsigned long long)verdict->frames, verdict->bound);
    fail(check, OUTCOME_LEDGER, text);
  } else if (check->options->joules > 0.0 && verdict->energy > check->options->joules) {
    char text[120];
    snprintf(text, sizeof text, "%.3g J, %.3g allowed", verdict->energy, check->options->joules);
    fail(check, OUTCOME_PUMPED, text);
  }
}

static void run_world(Check* check) {
  static double memory[JW_SCENE_MAX_PICKUPS][BLOCK], extremes[8][JW_SCENE_MAX_OBJECTS];
  double* out[JW_SCENE_MAX_PICKUPS];
  Verdict* const verdict = check->verdict;
  for (uint32_t c = 0; c < JW_SCENE_MAX_PICKUPS; ++c) {
    out[c] = memory[c];
  }
  memset(extremes, 0, sizeof extremes);
  check->displacement = extremes[0];
  check->change = extremes[1];
  check->heaved = extremes[2];
  check->turned = extremes[3];
  check->open = extremes[4];
  check->peak = extremes[5];
  check->pushed = extremes[6];
  check->parts = extremes[7];
  const uint64_t frames = frames_to_run(check);
  while (verdict->frames < frames && verdict->outcome == OUTCOME_RAN) {
    const uint32_t count = verdict->frames < BLOCK ? 1 : BLOCK;
    const JwStatus status = jw_world_run_double(check->world, out, count);
    look_at_samples(check, out, count);
    verdict->frames += count;
    if (status && !outcome_fails(verdict->outcome)) {
      verdict->outcome = OUTCOME_STOPPED;
      snprintf(verdict->message, sizeof verdict->message, "%s at frame %llu",
               jw_status_name(status), (unsigned long long)verdict->frames);
    }
    look_at_objects(check);
    look_at_energy(check);
    for (uint32_t i = 0; i < check->world->component_count; ++i) {
      look_at_pushes(check, i);
    }
  }
  note_figures(check);
  if (verdict->outcome == OUTCOME_RAN) {
    look_at_ledger(check);
  }
}

static void build_and_run(Check* check, JwScene* scene, JwStatus status,
                          const JwAllocator* allocator) {
  JwWorldDef def = jw_scene_world(scene);
  def.ledger = true;
  def.max_points = 6000;
  def.max_contacts = 1000;
  def.max_bytes = (uint64_t)32 << 20;
  def.allocator = *allocator;
  const bool parsed = status == JW_STATUS_OK;
  status = parsed ? jw_scene_build(scene, &def, &check->world) : status;
  if (status) {
    look_at_refusal(check, scene);
    return;
  }
  status = jw_world_prepare(check->world);
  if (status) {
    check->verdict->outcome = OUTCOME_REFUSED;
    snprintf(check->verdict->message, sizeof check->verdict->message, "%s",
             jw_world_error(check->world));
    if (!check->verdict->message[0]) {
      fail(check, OUTCOME_MUTE, "prepare refused without a reason");
    }
  } else {
    run_world(check);
  }
}

Verdict check_scene(const char* text, size_t size, const CheckOptions* options) {
  Verdict verdict = {.outcome = OUTCOME_RAN};
  Meter meter = {0, 0};
  const JwAllocator allocator = {meter_allocate, meter_release, &meter};
  Check check = {.options = options, .verdict = &verdict};
  JwSceneOptions scene_options = jw_scene_options();
  scene_options.file = "random.json";
  scene_options.read = jw_builtin_read;
  scene_options.allocator = allocator;
  const double start = processor_time();
  JwScene* scene = NULL;
  const JwStatus status = jw_scene_parse(text, size, &scene_options, &scene);
  if (scene) {
    build_and_run(&check, scene, status, &allocator);
  } else {
    fail(&check, OUTCOME_MUTE, "no scene came back");
  }
  verdict.bytes = meter.most;
  if (verdict.outcome == OUTCOME_REFUSED) {
    verdict.refusal = processor_time() - start;
    if (verdict.bytes > REFUSAL_BYTES) {
      fail(&check, OUTCOME_LARGE, "refused after taking more than 64 MiB");
    } else if (options->timed && verdict.refusal > REFUSAL_SECONDS) {
      fail(&check, OUTCOME_SLOW, "refused after more than 100 ms");
    }
  }
  jw_world_destroy(check.world);
  jw_scene_destroy(scene);
  if (meter.now) {
    fail(&check, OUTCOME_LARGE, "memory was not given back");
  }
  return verdict;
}
