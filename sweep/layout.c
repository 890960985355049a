// SPDX-License-Identifier: MIT
// The tables of a row, from the scene without what varies: all rows of a sweep have one shape.

#include "plan.h"

#include "feature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- scales

typedef struct {
  const char *name, *unit, *help;
  uint32_t count;
} ScaleDef;

static JwSweepScale* add_scale(JwSweep* sweep, uint32_t id, ScaleDef def, bool named) {
  JwSweepScale* const scale = &sweep->scales[id];
  snprintf(scale->name, sizeof scale->name, "%s", def.name);
  snprintf(scale->unit, sizeof scale->unit, "%s", def.unit);
  snprintf(scale->help, sizeof scale->help, "%s", def.help);
  scale->count = def.count;
  if (named) {
    scale->names = (char(*)[64])jw_pool_array(&sweep->pool, def.count, sizeof *scale->names);
  } else {
    scale->values = (double*)jw_pool_array(&sweep->pool, def.count, sizeof(double));
  }
  return sweep->pool.failed ? NULL : scale;
}

static bool add_steps(JwSweep* sweep, uint32_t id, ScaleDef def, double first, double step) {
  JwSweepScale* const scale = add_scale(sweep, id, def, false);
  for (uint32_t i = 0; i < def.count && scale; ++i) {
    scale->values[i] = first + i * step;
  }
  return scale != NULL;
}

static void name_channel(const JwSweep* sweep, const JwWorld* world, uint32_t index,
                         char name[64]) {
  const bool each =
      sweep->take.channels >= JW_TAKE_PICKUPS || jw_scene_world(sweep->scene).channels == 0;
  const bool mixed = sweep->take.channels < JW_TAKE_PICKUPS && sweep->info.channels <= 2;
  if (mixed && !(each && sweep->take.channels >= JW_TAKE_PICKUPS)) {
    snprintf(name, 64, "%s", sweep->info.channels == 1 ? "mono" : index ? "right" : "left");
    return;
  }
  const JwPickupId id = {index + 1};
  const char* const own = jw_world_pickup_info(world, id).name;
  own&&* own ? (void)snprintf(name, 64, "%s", own)
             : (void)snprintf(name, 64, "pickup %u", index + 1);
}

// ---------------------------------------------------------------- tables

typedef struct {
  const char *name, *unit, *help;
} ResultDef;

static JwSweepResult* add_result(JwSweep* sweep, ResultDef def, const JwSweepScale* first,
                                 const JwSweepScale* second) {
  JwSweepResult* const result = &sweep->results[sweep->result_count++];
  snprintf(result->name, sizeof result->name, "%s", def.name);
  snprintf(result->unit, sizeof result->unit, "%s", def.unit);
  snprintf(result->help, sizeof result->help, "%s", def.help);
  result->scales[0] = first;
  result->scales[1] = second;
  result->width = (uint64_t)(first ? first->count : 1) * (second ? second->count : 1);
  result->offset = sweep->row_size;
  sweep->row_size += result->width * sizeof(double);
  return result;
}

static bool add_sound(JwSweep* sweep, const JwWorld* world) {
  const ScaleDef times = {"time", "s", "time of a sample", (uint32_t)sweep->info.frames};
  const ScaleDef channels = {"channel", "1", "channel of the sound", sweep->info.channels};
  JwSweepScale* const channel = add_scale(sweep, JW_SCALE_CHANNEL, channels, true);
  if (!channel || !add_steps(sweep, JW_SCALE_TIME, times, 0.0, 1.0)) {
    return false;
  }
  for (uint32_t i = 0; i < times.count; ++i) {
    sweep->scales[JW_SCALE_TIME].values[i] = i / sweep->info.rate;
  }
  for (uint32_t i = 0; i < channels.count; ++i) {
    name_channel(sweep, world, i, channel->names[i]);
  }
  JwSweepResult* const sound =
      add_result(sweep, (ResultDef){"sound", "1", "what is heard, as jawari render writes it"},
                 &sweep->scales[JW_SCALE_TIME], channel);
  sound->single = true;
  sweep->row_size = sound->offset + (sound->width * sizeof(float) + 7) / 8 * 8;
  return true;
}

static void add_statistics(JwSweep* sweep) {
  static const ResultDef defs[] = {
      {"peak", "1", "largest sample before the gain"},
      {"gain", "1", "what the sound was multiplied by"},
      {"rms", "1", "root of the mean square of all samples"},
      {"energy_peak", "J", "largest of stored, lost and supplied energy"},
      {"energy_stored", "J", "energy that is stored at the end"},
      {"energy_lost", "J", "energy lost so far, at the end"},
      {"energy_supplied", "J", "energy supplied so far, at the end"},
      {"energy_residual", "1", "worst residual of the energy, over its largest"},
  };
  for (uint32_t i = 0; i < sizeof defs / sizeof *defs; ++i) {
    add_result(sweep, defs[i], NULL, NULL);
  }
}

uint32_t jw_sweep_contacts(const JwScene* scene, JwScenePart* parts, uint32_t most) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < jw_scene_parts(scene) && count < most; ++i) {
    const JwScenePart part = jw_scene_part(scene, i);
    if (part.contact.index) {
      parts[count++] = part;
    }
  }
  return count;
}

static bool add_contacts(JwSweep* sweep) {
  static const ResultDef defs[] = {
      {"closures", "1", "times that a contact closed"},
      {"contact_time", "s", "time that it was closed, all closures together"},
      {"longest_contact", "s", "longest of its closures"},
      {"push", "N", "largest repelling force"},
      {"pull", "N", "largest attracting force of a collision; loss forces count"},
      {"penetration", "m", "deepest penetration"},
      {"contact_energy", "J", "largest energy stored in it"},
      {"misfit", "1", "largest |psi - sqrt(2 phi)| over the largest of either"},
      {"parked", "J", "largest psi^2/2 left after the first open sample"},
      {"contact_time_uncertainty", "s",
       "standard deviation of contact_time: its ends lie between frames"},
      {"longest_contact_uncertainty", "s", "standard deviation of longest_contact"},
      {"push_uncertainty", "N",
       "how far push may be off: what a half-sine of that length loses in a frame"},
  };
  JwScenePart parts[JW_SCENE_MAX_CONTACTS];
  const uint32_t count = jw_sweep_contacts(sweep->scene, parts, JW_SCENE_MAX_CONTACTS);
  const ScaleDef def = {"contact", "1", "contact of the scene", count};
  sweep->contact_count = count;
  if (count == 0) {
    return true;
  }
  JwSweepScale* const scale = add_scale(sweep, JW_SCALE_CONTACT, def, true);
  for (uint32_t i = 0; i < count && scale; ++i) {
    parts[i].name ? (void)snprintf(scale->names[i], 64, "%s", parts[i].name)
                  : (void)snprintf(scale->names[i], 64, "contact of line %u", parts[i].line);
  }
  for (uint32_t i = 0; i < sizeof defs / sizeof *defs && scale; ++i) {
    add_result(sweep, defs[i], scale, NULL);
  }
  return scale != NULL;
}

static void add_measured(JwSweep* sweep, ResultDef def, const JwSweepScale* scale) {
  char name[64], help[128];
  add_result(sweep, def, scale, NULL);
  snprintf(name, sizeof name, "%s_uncertainty", def.name);
  snprintf(help, sizeof help, "how far that may be off: %s", def.help);
  add_result(sweep, (ResultDef){name, def.unit, help}, scale, NULL);
}

// In the order of JwFeatures.
static bool add_features(JwSweep* sweep) {
  JwSweepScale* const s = sweep->scales;
  const ScaleDef bands = {"band", "Hz", "middle of an octave", JW_FEATURE_BANDS};
  const ScaleDef stretches = {"stretch", "1", "middle of a stretch, as a share of the sound",
                              JW_FEATURE_STRETCHES};
  if (!add_steps(sweep, JW_SCALE_PARTIAL,
                 (ScaleDef){"partial", "1", "number of a partial", JW_FEATURE_PARTIALS}, 1, 1)
      || !add_steps(sweep, JW_SCALE_BAND, bands, 0, 0)
      || !add_steps(sweep, JW_SCALE_STRETCH, stretches, 0.5 / JW_FEATURE_STRETCHES,
                    1.0 / JW_FEATURE_STRETCHES)) {
    return false;
  }
  for (uint32_t i = 0; i < bands.count; ++i) {
    s[JW_SCALE_BAND].values[i] = jw_feature_band(i);
  }
  add_measured(sweep, (ResultDef){"f0", "Hz", "pitch"}, NULL);
  add_measured(sweep, (ResultDef){"inharmonicity", "1", "B of f_k = k f_1 sqrt(1 + B k^2)"}, NULL);
  add_measured(sweep, (ResultDef){"partial_frequency", "Hz", "frequency of a partial"},
               &s[JW_SCALE_PARTIAL]);
  add_measured(sweep,
               (ResultDef){"partial_level", "dB", "level of a partial, against an amplitude of 1"},
               &s[JW_SCALE_PARTIAL]);
  add_measured(sweep, (ResultDef){"t60", "s", "time to fade by 60 dB"}, &s[JW_SCALE_BAND]);
  add_measured(sweep, (ResultDef){"centroid", "Hz", "spectral centroid"}, &s[JW_SCALE_STRETCH]);
  add_measured(sweep, (ResultDef){"loudness", "LUFS", "loudness, ITU-R BS.1770-4"}, NULL);
  return true;
}

// Sides of which there is one place only are none.
static JwStatus shape_field(JwSweep* sweep, JwSweepField* field, const JwWorld* world) {
  const JwScenePart part = jw_scene_find(sweep->scene, field->object);
  field->kind = part.object.index ? part.kind : JW_KIND_COUNT;
  switch (field->kind) {
  case JW_KIND_MASS: field->sides[0] = field->sides[1] = 1; break;
  case JW_KIND_STRING: field->sides[1] = 1; break;
  case JW_KIND_PLATE: break;
  case JW_KIND_MODAL:
    field->sides[0] = jw_world_object_info(world, part.object).points;
    field->sides[1] = 1;
    break;
  default:
    return jw_sweep_fail(sweep, field->place, "there is nothing that moves called \"%s\"",
                         field->object);
  }
  field->places = field->sides[0] * field->sides[1];
  return JW_STATUS_OK;
}

static bool add_places(JwSweep* sweep, const JwSweepField* field, uint32_t id) {
  const bool plate = field->kind == JW_KIND_PLATE, modal = field->kind == JW_KIND_MODAL;
  for (uint32_t side = 0; side < 2; ++side) {
    char name[80];
    const uint32_t count = field->sides[side];
    snprintf(name, sizeof name, "%s_%s", field->object,
             side    ? "y"
             : plate ? "x"
             : modal ? "mode"
                     : "place");
    const ScaleDef def = {name, "1", modal ? "number of a mode" : "place, as a share of the length",
                          count};
    const double step = modal ? 1.0 : count > 1 ? 1.0 / (count - 1.0) : 0.0;
    if ((!side || plate) && !add_steps(sweep, id + side, def, modal ? 1.0 : 0.0, step)) {
      return false;
    }
  }
  return true;
}

static JwStatus add_field(JwSweep* sweep, uint32_t index, const JwWorld* world) {
  JwSweepField* const field = &sweep->fields[index];
  const JwStatus status = shape_field(sweep, field, world);
  const double frames = floor(field->every * sweep->info.rate + 0.5);
  char names[2][80];
  if (status) {
    return status;
  }
  if (frames < 1.0 || frames > (double)sweep->info.frames) {
    return jw_sweep_fail(sweep, field->place,
                         "\"every\" is %g s, must be a frame to the whole sound", field->every);
  }
  field->every = frames / sweep->info.rate;
  field->times = (uint32_t)((sweep->info.frames - 1) / (uint64_t)frames) + 1;
  snprintf(names[0], sizeof names[0], "%s_time", field->object);
  snprintf(names[1], sizeof names[1], "%s_displacement", field->object);
  const ScaleDef times = {names[0], "s", "time of a shape", field->times};
  const uint32_t id = JW_SCALE_FIELDS + JW_SWEEP_RANK * index;
  if (!add_steps(sweep, id, times, 0.0, field->every) || !add_places(sweep, field, id + 1)) {
    return JW_STATUS_NO_MEMORY;
  }
  field->result = sweep->result_count;
  JwSweepScale* const s = &sweep->scales[id];
  JwSweepResult* const result = add_result(sweep, (ResultDef){names[1], "m", "displacement"}, s,
                                           field->kind == JW_KIND_PLATE ? s + 2 : s + 1);
  if (field->kind == JW_KIND_PLATE) { // Lines along x, one below the other, as worlds have them
    result->scales[2] = s + 1;
    result->width *= s[1].count;
    sweep->row_size = result->offset + result->width * sizeof(double);
  }
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- names and units

// "string.loss[1]": the kind of the part, and its key.
static void find_unit(const JwSweep* sweep, JwSweepAxis* axis) {
  char part[JW_SWEEP_NAME];
  const char* const dot = strrchr(axis->name, '.');
  uint32_t count = 0;
  snprintf(axis->unit, sizeof axis->unit, "1");
  if (!dot) {
    return;
  }
  snprintf(part, sizeof part, "%.*s", (int)(dot - axis->name), axis->name);
  const JwKind kind =
      strcmp(part, "world") == 0 ? JW_KIND_WORLD : jw_scene_find(sweep->scene, part).kind;
  const JwParam* const params = kind < JW_KIND_COUNT ? jw_params(kind, &count) : NULL;
  const size_t length = strcspn(dot + 1, "[");
  for (uint32_t i = 0; i < count; ++i) {
    if (strlen(params[i].key) == length && strncmp(params[i].key, dot + 1, length) == 0
        && *params[i].unit) {
      snprintf(axis->unit, sizeof axis->unit, "%s", params[i].unit);
    }
  }
}

static bool is_taken(const JwSweep* sweep, const char* name) {
  bool taken =
      strcmp(name, "point") == 0 || strcmp(name, "status") == 0 || strcmp(name, "reason") == 0;
  for (uint32_t i = 0; i < sweep->result_count; ++i) {
    taken = taken || strcmp(sweep->results[i].name, name) == 0;
  }
  for (uint32_t i = 0; i < JW_SCALE_COUNT; ++i) {
    taken = taken || strcmp(sweep->scales[i].name, name) == 0;
  }
  return taken;
}

static JwStatus check_names(JwSweep* sweep) {
  for (uint32_t i = 0; i < sweep->axis_count; ++i) {
    find_unit(sweep, &sweep->axes[i]);
    if (is_taken(sweep, sweep->axes[i].name)) {
      return jw_sweep_fail(sweep, sweep->axes[i].place, "\"%s\" is the name of a result",
                           sweep->axes[i].name);
    }
  }
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- all

static JwStatus check_sound(JwSweep* sweep) {
  const JwJson* const keep = jw_json_member(sweep->root, "keep");
  if (sweep->info.channels == 0 && !keep) {
    sweep->keep &= ~(unsigned)JW_KEEP_FEATURES;
  }
  if (sweep->info.channels == 0 && sweep->keep & (JW_KEEP_SOUND | JW_KEEP_FEATURES)) {
    return jw_sweep_fail(sweep, keep->place, "the scene has no pickups: there is no sound to keep");
  }
  if (sweep->info.frames > UINT32_MAX) {
    return jw_sweep_fail(sweep, sweep->root->place, "the sound has more than 2^32 frames");
  }
  return JW_STATUS_OK;
}

static JwStatus add_tables(JwSweep* sweep, const JwWorld* world) {
  JwStatus status = check_sound(sweep);
  bool good = status == JW_STATUS_OK;
  sweep->row_size = sizeof(JwSweepRow);
  if (good && sweep->keep & JW_KEEP_STATISTICS) {
    add_statistics(sweep);
  }
  good = good && (!(sweep->keep & JW_KEEP_CONTACTS) || add_contacts(sweep));
  good = good && (!(sweep->keep & JW_KEEP_FEATURES) || add_features(sweep));
  good = good && (!(sweep->keep & JW_KEEP_SOUND) || add_sound(sweep, world));
  for (uint32_t i = 0; i < sweep->field_count && good; ++i) {
    status = add_field(sweep, i, world);
    good = status == JW_STATUS_OK;
  }
  return good ? check_names(sweep) : status ? status : JW_STATUS_NO_MEMORY;
}

JwStatus jw_sweep_layout(JwSweep* sweep) {
  JwTake* take = NULL;
  JwStatus status = jw_take_open(sweep->scene, &sweep->take, &take);
  if (status) {
    jw_sweep_fail(sweep, sweep->root->place, "the scene without what varies: %s",
                  jw_take_error(take));
  } else {
    sweep->info = jw_take_info(take);
    status = add_tables(sweep, jw_take_world(take));
  }
  jw_take_close(take);
  return status;
}
