// SPDX-License-Identifier: MIT
// The world of a rendering: rate, rule and channels as the command line wants them.

#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const* jw_tool_rules(void) {
  uint32_t count = 0;
  const JwParam* const params = jw_params(JW_KIND_COLLISION, &count);
  uint32_t i = 0;
  while (strcmp(params[i].key, "rule") != 0) {
    ++i;
  }
  return params[i].choices;
}

bool jw_tool_rule(JwScene* scene, const char* rule) {
  const char* const* const names = jw_tool_rules();
  for (int i = 0; names[i]; ++i) {
    if (strcmp(names[i], rule) == 0) {
      jw_scene_set_rule(scene, (JwRule)i);
      return true;
    }
  }
  return jw_tool_fail("there is no rule \"%s\"", rule);
}

int jw_tool_world(const char* name, JwScene* scene, const JwWorldDef* def, JwWorld** world) {
  JwStatus status = jw_scene_build(scene, def, world);
  if (status) {
    jw_tool_print_errors(scene);
    return jw_scene_diagnostics(scene) || jw_tool_fail("%s", jw_status_name(status))
               ? JW_EXIT_SCENE
               : JW_EXIT_FAILED;
  }
  status = jw_world_prepare(*world);
  if (status) {
    jw_tool_fail("%s: %s", name, jw_world_error(*world));
    return status == JW_STATUS_NO_MEMORY ? JW_EXIT_FAILED : JW_EXIT_SCENE;
  }
  return JW_EXIT_OK;
}

#define NAME_SIZE 64

static bool has_pickups(const JwScene* scene) {
  for (uint32_t i = 0; i < jw_scene_parts(scene); ++i) {
    if (jw_scene_part(scene, i).kind == JW_KIND_PICKUP) {
      return true;
    }
  }
  return false;
}

// Of a sound.  A scene that does not say is heard in stereo.
static uint32_t channels_of(const char* wanted, uint32_t own) {
  static const char* const names[] = {"pickups", "mono", "stereo"};
  for (uint32_t i = 0; wanted && i < 3; ++i) {
    if (strcmp(names[i], wanted) == 0) {
      return i;
    }
  }
  return own ? own : 2;
}

static JwWorldDef define(JwJob* job) {
  const JwJobOptions* const options = job->options;
  const JwSceneInfo info = jw_scene_info(job->scene);
  JwWorldDef def = jw_scene_world(job->scene);
  job->oversample = options->oversample ? options->oversample : info.oversample;
  job->rate = isnan(options->rate) ? def.sample_rate / info.oversample : options->rate;
  def.sample_rate = job->rate * job->oversample;
  def.ledger = !options->no_ledger;
  job->sounds = job->format && job->format->is_sound;
  if (!job->sounds) {
    def.channels = 0; // Numbers: every pickup by itself, in its own unit
    def.unscaled = true;
  } else if (has_pickups(job->scene)) {
    def.channels = channels_of(job->options->channels, def.channels);
  }
  job->mixes = def.channels != 0;
  // A song rings on for a while after its end
  const double own =
      options->midi ? jw_performance_duration(job->performance) + 3.0 : info.duration;
  const double duration = isnan(options->duration) ? own : options->duration;
  job->duration = duration;
  job->frames = (uint64_t)floor(duration * job->rate + 0.5);
  return def;
}

static void name_mixed(JwJob* job) {
  static const char* const sides[] = {"left", "right"};
  for (uint32_t c = 0; c < job->channel_count; ++c) {
    snprintf(job->channels[c].name, sizeof job->channels[c].name, "%s",
             job->channel_count == 1 ? "mono" : sides[c % 2]);
    job->channels[c].quantity = "level";
    job->channels[c].unit = "";
  }
}

void jw_channel_name(JwChannel* channel, const JwWorld* world, uint32_t index) {
  static const char* const units[] = {"m/s", "m", "N"};
  static const char* const quantities[] = {"velocity", "displacement", "force"};
  const JwPickupDef pickup = jw_world_pickup_info(world, (JwPickupId){index + 1});
  channel->unit = units[pickup.quantity];
  channel->quantity = quantities[pickup.quantity];
  if (pickup.name[0]) {
    snprintf(channel->name, sizeof channel->name, "%s", pickup.name);
  } else {
    snprintf(channel->name, sizeof channel->name, "pickup%u", index + 1);
  }
}

static void name_channels(JwJob* job) {
  for (uint32_t c = 0; c < job->channel_count; ++c) {
    jw_channel_name(&job->channels[c], job->world, c);
  }
}

static bool take_parts(JwParts* parts, uint32_t most) {
  parts->index = (uint32_t*)calloc(most + 1, sizeof(uint32_t));
  parts->names = (const char**)calloc(most + 1, sizeof(char*));
  parts->memory = (char*)calloc(most + 1, NAME_SIZE);
  return (parts->index && parts->names && parts->memory) || jw_tool_fail("no memory");
}

static void add_part(JwParts* parts, uint32_t index, const char* name) {
  char* const text = parts->memory + (size_t)parts->count * NAME_SIZE;
  if (name[0]) {
    snprintf(text, NAME_SIZE, "%s", name);
  } else {
    snprintf(text, NAME_SIZE, "contact%u", index);
  }
  parts->index[parts->count] = index;
  parts->names[parts->count++] = text;
}

bool jw_job_name_parts(JwJob* job) {
  const JwWorldInfo info = jw_world_info(job->world);
  if (!take_parts(&job->objects, info.objects) || !take_parts(&job->contacts, info.contacts)) {
    return false;
  }
  for (uint32_t i = 1; i <= info.objects; ++i) {
    const JwObjectInfo object = jw_world_object_info(job->world, (JwObjectId){i});
    if (object.points) {
      add_part(&job->objects, i, object.name);
    }
  }
  for (uint32_t i = 1; i <= info.contacts; ++i) {
    add_part(&job->contacts, i, jw_world_contact_info(job->world, (JwContactId){i}).name);
  }
  return true;
}

void jw_job_free_parts(JwJob* job) {
  JwParts* const parts[] = {&job->objects, &job->contacts};
  for (int i = 0; i < 2; ++i) {
    free(parts[i]->index);
    free((void*)parts[i]->names);
    free(parts[i]->memory);
  }
}

int jw_job_build(JwJob* job) {
  if (job->options->rule && !jw_tool_rule(job->scene, job->options->rule)) {
    return JW_EXIT_USAGE;
  }
  const JwWorldDef def = define(job);
  if (!(job->duration <= JW_SCENE_MAX_DURATION)) {
    jw_tool_fail("%s lasts %g s, and %g s are the most; --duration takes a part of it",
                 job->options->midi, job->duration, JW_SCENE_MAX_DURATION);
    return JW_EXIT_FAILED;
  }
  const int status = jw_tool_world(job->options->scene, job->scene, &def, &job->world);
  if (status) {
    return status;
  }
  jw_tool_print_warnings(job->scene, job->world);
  if (job->options->strict && jw_tool_warnings()) {
    return JW_EXIT_SCENE;
  }
  job->channel_count = jw_world_channels(job->world);
  job->mixes ? name_mixed(job) : name_channels(job);
  if (!job->sounds && !jw_axis_start(job->axes, job->channel_count, job->world)) {
    return JW_EXIT_FAILED;
  }
  char error[JW_ERROR_SIZE];
  const JwPlayerDef player = {job->scene, job->world, NULL};
  if (job->performance && jw_performance_start(job->performance, &player, error)) {
    jw_tool_fail("%s: %s", job->options->scene, error);
    return JW_EXIT_SCENE;
  }
  return JW_EXIT_OK;
}
