// SPDX-License-Identifier: MIT
// One point: a scene of its own, a world of its own, one row.

#include "plan.h"

#include "feature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define ASK 256 // Frames between two questions whether to stop

typedef struct {
  const JwSweep* sweep;
  JwSweepStop stop;
  JwScene* scene;
  JwTake* take;
  float* samples;
  char* row;
  double rate;                // Of the world
  uint64_t looks, take_every; // Frames that are heard, from look to look
  char error[JW_SWEEP_REASON];
} Point;

static double* numbers(const Point* p, const JwSweepResult* result) {
  return (double*)(void*)(p->row + result->offset);
}

static const JwSweepResult* find(const JwSweep* sweep, const char* name) {
  const JwSweepResult* result = sweep->results;
  while (strcmp(result->name, name) != 0) {
    ++result;
  }
  return result;
}

// ---------------------------------------------------------------- while it runs

static uint64_t frames_between(const JwSweep* sweep, const JwSweepField* field) {
  return (uint64_t)floor(field->every * sweep->info.rate + 0.5);
}

// The first place is at one end, the last at the other.
static double share(uint32_t place, uint32_t count) {
  return count > 1 ? place / (count - 1.0) : 0.0;
}

static void look_at_field(const Point* p, JwWorld* world, const JwSweepField* field,
                          uint64_t frame) {
  const uint64_t every = frames_between(p->sweep, field);
  const uint64_t at = frame / every;
  const JwObjectId object = jw_scene_find(p->scene, field->object).object;
  if (frame % every || at >= field->times) {
    return;
  }
  double* const values = numbers(p, &p->sweep->results[field->result]) + at * field->places;
  if (field->kind == JW_KIND_MODAL) { // NaN stays where its modes are not as many as in the sweep
    if (jw_world_object_info(world, object).points == field->places) {
      jw_world_field(world, object, values, field->places);
    }
    return;
  }
  for (uint32_t i = 0; i < field->places; ++i) {
    JwPort port = jw_port(object, share(i % field->sides[0], field->sides[0]));
    port.y = share(i / field->sides[0], field->sides[1]);
    if (jw_world_probe(world, port, &values[i], NULL)) {
      values[i] = NAN;
    }
  }
}

static void look(void* user, JwWorld* world) {
  Point* const p = (Point*)user;
  const uint64_t frame = p->looks++ * p->take_every;
  if (p->stop && p->stop()) {
    jw_world_cancel(world);
  }
  for (uint32_t i = 0; i < p->sweep->field_count; ++i) {
    look_at_field(p, world, &p->sweep->fields[i], frame);
  }
}

// Often enough for every field.
static uint32_t look_every(const JwSweep* sweep) {
  uint64_t a = ASK;
  for (uint32_t i = 0; i < sweep->field_count; ++i) {
    for (uint64_t b = frames_between(sweep, &sweep->fields[i]); b;) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
    }
  }
  return (uint32_t)a;
}

// ---------------------------------------------------------------- afterwards

static void keep_statistics(const Point* p) {
  const JwTakeInfo info = jw_take_info(p->take);
  const JwEnergy energy = jw_world_energy(jw_take_world(p->take));
  const uint64_t count = info.frames * info.channels;
  double sum = 0.0;
  for (uint64_t i = 0; i < count; ++i) {
    sum += (double)p->samples[i] * (double)p->samples[i];
  }
  const double values[] = {info.peak,
                           info.gain,
                           count ? sqrt(sum / (double)count) : 0.0,
                           energy.peak,
                           energy.stored,
                           energy.lost,
                           energy.supplied,
                           energy.worst_residual};
  memcpy(numbers(p, find(p->sweep, "peak")), values, sizeof values);
}

// A closure begins and ends somewhere between two frames: each end is off by up to half a step, evenly, so
// that one closure has the variance k^2/6.
static double time_error(double k, double closures) {
  return k * sqrt(closures / 6.0);
}

// The largest force lies between two frames.  A half-sine as long as the mean closure falls by
// 1 - cos(pi k/(2 tau)) in half a step; a whole step leaves as much again for the scheme itself, whose error
// is of the same order.  Below two steps a closure nothing is known.
static double push_error(const JwContactFigures* f) {
  const double steps =
      f->closures ? (double)f->closed_samples / (double)f->closures : (double)f->closed_samples;
  return steps > 2.0 ? f->push * (1.0 - cos(PI / steps)) : f->push;
}

static bool keep_contacts(const Point* p) {
  JwScenePart* const parts = (JwScenePart*)malloc((p->sweep->contact_count + 1u) * sizeof *parts);
  if (!parts
      || jw_sweep_contacts(p->scene, parts, p->sweep->contact_count) != p->sweep->contact_count) {
    free(parts);
    return false;
  }
  const uint32_t n = p->sweep->contact_count;
  double* const to = n ? numbers(p, find(p->sweep, "closures")) : NULL;
  for (uint32_t i = 0; i < n; ++i) {
    const JwContactFigures f = jw_world_contact_figures(jw_take_world(p->take), parts[i].contact);
    const double values[] = {(double)f.closures,
                             (double)f.closed_samples / p->rate,
                             (double)f.longest_closure / p->rate,
                             f.push,
                             f.pull,
                             f.penetration,
                             f.peak_energy,
                             f.misfit,
                             f.parked,
                             time_error(1.0 / p->rate, (double)f.closures),
                             time_error(1.0 / p->rate, f.closures > 0),
                             push_error(&f)};
    for (uint32_t k = 0; k < sizeof values / sizeof *values; ++k) {
      to[k * n + i] = values[k];
    }
  }
  free(parts);
  return true;
}

// A result and its uncertainty follow each other, as value and uncertainty do in JwFeatures.
static void spread(const Point* p, const char* name, const JwMeasured* measured) {
  const JwSweepResult* const result = find(p->sweep, name);
  for (uint64_t i = 0; i < result->width; ++i) {
    numbers(p, result)[i] = measured[i].value;
    numbers(p, result + 1)[i] = measured[i].uncertainty;
  }
}

static JwStatus keep_features(const Point* p) {
  const JwTakeInfo info = jw_take_info(p->take);
  JwFeatures f;
  const JwStatus status =
      jw_features_measure(p->samples, info.frames, info.channels, info.rate, &f);
  if (!status) {
    spread(p, "f0", &f.f0);
    spread(p, "inharmonicity", &f.inharmonicity);
    spread(p, "partial_frequency", f.partials);
    spread(p, "partial_level", f.levels);
    spread(p, "t60", f.t60);
    spread(p, "centroid", f.centroid);
    spread(p, "loudness", &f.loudness);
  }
  return status;
}

static JwStatus keep(Point* p) {
  const JwSweep* const sweep = p->sweep;
  JwStatus status = JW_STATUS_OK;
  if (sweep->keep & JW_KEEP_STATISTICS) {
    keep_statistics(p);
  }
  if (sweep->keep & JW_KEEP_CONTACTS && !keep_contacts(p)) {
    status = JW_STATUS_BAD_SCENE;
  }
  if (!status && sweep->keep & JW_KEEP_FEATURES) {
    status = keep_features(p);
  }
  if (!status && sweep->keep & JW_KEEP_SOUND) {
    const JwSweepResult* const sound = find(sweep, "sound");
    memcpy(p->row + sound->offset, p->samples, sound->width * sizeof(float));
  }
  return status;
}

// ---------------------------------------------------------------- the point

static JwStatus fail(Point* p, JwStatus status, const char* sentence) {
  snprintf(p->error, sizeof p->error, "%s", sentence);
  return status;
}

static JwStatus open_scene(Point* p, uint64_t point) {
  double values[JW_SWEEP_MAX_AXES];
  jw_sweep_values(p->sweep, point, values);
  const JwStatus status = jw_sweep_load(p->sweep, values, &p->scene);
  const bool told = status && p->scene && jw_scene_diagnostics(p->scene);
  return status ? fail(p, status,
                       told ? jw_scene_diagnostic(p->scene, 0).message : jw_status_text(status))
                : status;
}

// Sounds and shapes of all points have one length.
static JwStatus check_shape(Point* p) {
  const JwSweep* const sweep = p->sweep;
  const JwTakeInfo info = jw_take_info(p->take);
  const bool same = info.frames == sweep->info.frames && info.channels == sweep->info.channels;
  if ((sweep->keep & JW_KEEP_SOUND || sweep->field_count) && !same) {
    snprintf(p->error, sizeof p->error,
             "the sound has %llu frames and %u channels, and those of the sweep %llu and %u",
             (unsigned long long)info.frames, info.channels, (unsigned long long)sweep->info.frames,
             sweep->info.channels);
    return JW_STATUS_BAD_VALUE;
  }
  p->rate = info.rate * info.oversample;
  p->samples = (float*)malloc((info.frames * info.channels + 1) * sizeof(float));
  return p->samples ? JW_STATUS_OK : fail(p, JW_STATUS_NO_MEMORY, "no memory");
}

static JwStatus run(Point* p) {
  JwTakeDef def = p->sweep->take;
  def.watch = (JwTakeWatch){look, p, look_every(p->sweep)};
  p->take_every = def.watch.every;
  JwStatus status = jw_take_open(p->scene, &def, &p->take);
  if (status) {
    return fail(p, status, jw_take_error(p->take));
  }
  status = check_shape(p);
  if (!status) {
    status = jw_take_run(p->take, p->samples);
    status = status ? fail(p, status, jw_take_error(p->take)) : keep(p);
    status = status && !*p->error ? fail(p, status, jw_status_text(status)) : status;
  }
  return status;
}

static void clear(const JwSweep* sweep, char* row) {
  memset(row, 0, sweep->row_size);
  for (uint32_t i = 0; i < sweep->result_count; ++i) {
    const JwSweepResult* const result = &sweep->results[i];
    for (uint64_t k = 0; k < result->width; ++k) {
      if (result->single) {
        ((float*)(void*)(row + result->offset))[k] = NAN;
      } else {
        ((double*)(void*)(row + result->offset))[k] = NAN;
      }
    }
  }
}

JwStatus jw_sweep_compute(const JwSweep* sweep, uint64_t point, JwSweepStop stop, void* row) {
  Point p = {.sweep = sweep, .stop = stop, .row = (char*)row};
  clear(sweep, p.row);
  JwStatus status = open_scene(&p, point);
  status = status ? status : run(&p);
  jw_take_close(p.take);
  jw_scene_destroy(p.scene);
  free(p.samples);
  if (status == JW_STATUS_CANCELLED || status == JW_STATUS_NO_MEMORY) {
    return status;
  }
  if (status) {
    clear(sweep, p.row);
  }
  JwSweepRow* const head = (JwSweepRow*)row;
  head->point = point;
  head->status = status;
  snprintf(head->reason, sizeof head->reason, "%s", p.error);
  return JW_STATUS_OK;
}
