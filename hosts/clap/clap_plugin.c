// SPDX-License-Identifier: MIT
// One CLAP plug-in: life, ports, blocks.

#include "clap.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jw_clap_say(const JwClap* self, const char* message) {
  const clap_host_log_t* const log =
      (const clap_host_log_t*)self->host->get_extension(self->host, CLAP_EXT_LOG);
  char line[JW_ERROR_SIZE + 128];
  snprintf(line, sizeof line, "%s: %s", self->scene->id, message);
  if (log && log->log) {
    log->log(self->host, CLAP_LOG_ERROR, line);
  } else {
    fprintf(stderr, "%s\n", line);
  }
}

// ---------------------------------------------------------------- life

// Sessions keep numbers: of the symbol's letters, so that another order of controls changes none.
static void number_params(JwClap* self) {
  for (uint32_t i = 0; i < self->face.count; ++i) {
    uint32_t id = 2166136261u;
    for (const char* c = self->face.controls[i].symbol; *c; ++c) {
      id = (id ^ (uint8_t)*c) * 16777619u;
    }
    for (uint32_t k = 0; k < i; ++k) {
      if (self->ids[k] == id || id == CLAP_INVALID_ID) {
        ++id, k = UINT32_MAX;
      }
    }
    self->ids[i] = id;
  }
}

static JwPlugDef def_of(const JwClap* self, double rate) {
  const JwPlugDef def = {
      .file = self->scene->file, .builtin = self->scene->builtin, .rate = rate, .trial = false};
  return def;
}

static bool init(const clap_plugin_t* plugin) {
  JwClap* const self = jw_clap_of(plugin);
  const JwPlugDef def = def_of(self, 48000.0);
  char error[JW_ERROR_SIZE];
  JwPlug* plug = NULL;
  if (jw_plug_open(&def, &plug, error)) {
    jw_clap_say(self, error);
    return false;
  }
  self->face = *jw_plug_face(plug);
  self->info = jw_plug_info(plug);
  self->info.title = "";
  const size_t size = strlen(jw_plug_pack(plug)) + 1;
  self->pack = (char*)malloc(size);
  if (self->pack) {
    memcpy(self->pack, jw_plug_pack(plug), size);
  }
  jw_plug_close(plug);
  number_params(self);
  for (uint32_t i = 0; i < self->face.count; ++i) {
    atomic_store(&self->base[i], self->face.controls[i].initial);
  }
  return self->pack != NULL;
}

static void destroy(const clap_plugin_t* plugin) {
  JwClap* const self = jw_clap_of(plugin);
  jw_plug_close(self->plug);
  free(self->pack);
  free(self);
}

static void reset(const clap_plugin_t* plugin) {
  JwClap* const self = jw_clap_of(plugin);
  memset(self->notes, 0, sizeof self->notes);
  self->mpe = false;
  if (self->plug) {
    jw_plug_start(self->plug);
  }
}

static bool activate(const clap_plugin_t* plugin, double rate, uint32_t least, uint32_t most) {
  (void)least, (void)most;
  JwClap* const self = jw_clap_of(plugin);
  JwPlugDef def = def_of(self, rate);
  char error[JW_ERROR_SIZE];
  def.trial = true;
  jw_plug_close(self->plug);
  self->plug = NULL;
  if (jw_plug_open(&def, &self->plug, error) || jw_plug_restore(self->plug, self->pack, error)) {
    jw_clap_say(self, error);
    jw_plug_close(self->plug);
    self->plug = NULL;
    return false;
  }
  reset(plugin);
  return true;
}

static void deactivate(const clap_plugin_t* plugin) {
  JwClap* const self = jw_clap_of(plugin);
  jw_plug_close(self->plug);
  self->plug = NULL;
}

static bool start_processing(const clap_plugin_t* plugin) {
  return jw_clap_of(plugin)->plug != NULL;
}

static void ignore(const clap_plugin_t* plugin) {
  (void)plugin;
}

// ---------------------------------------------------------------- blocks

static JwStatus run_part(JwClap* self, const clap_process_t* process, uint32_t from, uint32_t to) {
  float* const* const data = process->audio_outputs[0].data32;
  float* const out[2] = {data[0] + from, data[1] + from};
  const JwPlayerBlock block = {out, NULL, to - from, self->events, self->event_count};
  self->event_count = 0;
  return jw_plug_run(self->plug, &block);
}

static bool is_param(const clap_event_header_t* event) {
  return event->space_id == CLAP_CORE_EVENT_SPACE_ID
         && (event->type == CLAP_EVENT_PARAM_VALUE || event->type == CLAP_EVENT_PARAM_MOD);
}

static clap_process_status process_block(const clap_plugin_t* plugin,
                                         const clap_process_t* process) {
  JwClap* const self = jw_clap_of(plugin);
  if (!self->plug || process->audio_outputs_count != 1 || !process->audio_outputs[0].data32
      || process->audio_outputs[0].channel_count != 2) {
    return CLAP_PROCESS_ERROR;
  }
  const uint32_t frames = process->frames_count,
                 count = process->in_events->size(process->in_events);
  uint32_t done = 0;
  self->part = 0;
  jw_clap_push_params(self);
  for (uint32_t i = 0; i < count; ++i) {
    const clap_event_header_t* const event = process->in_events->get(process->in_events, i);
    const uint32_t frame = event->time < done ? done : event->time < frames ? event->time : frames;
    // Parameters move at their own frame; notes are gathered
    if (is_param(event) || self->event_count + JW_CLAP_MESSAGES > JW_CLAP_EVENTS) {
      (void)run_part(self, process, done, frame);
      done = self->part = frame;
    }
    if (is_param(event)) {
      jw_clap_take_param(self, event);
      jw_clap_push_params(self);
    } else {
      jw_clap_event(self, event, frame - done, process->out_events);
    }
  }
  (void)run_part(self, process, done, frames);
  const bool sleeps = jw_plug_sleeps(self->plug);
  process->audio_outputs[0].constant_mask = 0;
  return sleeps ? CLAP_PROCESS_SLEEP : CLAP_PROCESS_CONTINUE;
}

// ---------------------------------------------------------------- ports and figures

static uint32_t audio_count(const clap_plugin_t* plugin, bool is_input) {
  (void)plugin;
  return is_input ? 0 : 1;
}

static bool audio_get(const clap_plugin_t* plugin, uint32_t index, bool is_input,
                      clap_audio_port_info_t* info) {
  if (index >= audio_count(plugin, is_input)) {
    return false;
  }
  memset(info, 0, sizeof *info);
  snprintf(info->name, sizeof info->name, "Out");
  info->flags = CLAP_AUDIO_PORT_IS_MAIN;
  info->channel_count = 2;
  info->port_type = CLAP_PORT_STEREO;
  info->in_place_pair = CLAP_INVALID_ID;
  return true;
}

static uint32_t note_count(const clap_plugin_t* plugin, bool is_input) {
  (void)plugin;
  return is_input ? 1 : 0;
}

static bool note_get(const clap_plugin_t* plugin, uint32_t index, bool is_input,
                     clap_note_port_info_t* info) {
  if (index >= note_count(plugin, is_input)) {
    return false;
  }
  memset(info, 0, sizeof *info);
  snprintf(info->name, sizeof info->name, "Notes");
  info->supported_dialects =
      CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI | CLAP_NOTE_DIALECT_MIDI_MPE;
  info->preferred_dialect = CLAP_NOTE_DIALECT_CLAP;
  return true;
}

static uint32_t latency_get(const clap_plugin_t* plugin) {
  return jw_clap_of(plugin)->info.latency;
}

// How long it rings nobody knows beforehand; process says when it sleeps.
static uint32_t tail_get(const clap_plugin_t* plugin) {
  const JwClap* const self = jw_clap_of(plugin);
  return self->plug && jw_plug_sleeps(self->plug) ? 0 : INT32_MAX;
}

static bool voices_get(const clap_plugin_t* plugin, clap_voice_info_t* info) {
  const JwInstrumentInfo* const own = &jw_clap_of(plugin)->info;
  info->voice_count = info->voice_capacity = own->mono ? 1 : own->voices;
  info->flags = 0;
  return true;
}

static const void* get_extension(const clap_plugin_t* plugin, const char* id) {
  (void)plugin;
  static const clap_plugin_audio_ports_t audio = {audio_count, audio_get};
  static const clap_plugin_note_ports_t notes = {note_count, note_get};
  static const clap_plugin_latency_t latency = {latency_get};
  static const clap_plugin_tail_t tail = {tail_get};
  static const clap_plugin_voice_info_t voices = {voices_get};
  const struct {
    const char* id;
    const void* functions;
  } known[] = {{CLAP_EXT_AUDIO_PORTS, &audio},
               {CLAP_EXT_NOTE_PORTS, &notes},
               {CLAP_EXT_LATENCY, &latency},
               {CLAP_EXT_TAIL, &tail},
               {CLAP_EXT_VOICE_INFO, &voices},
               {CLAP_EXT_PARAMS, &jw_clap_params},
               {CLAP_EXT_STATE, &jw_clap_state},
               {CLAP_EXT_PRESET_LOAD, &jw_clap_preset_load},
               {CLAP_EXT_PRESET_LOAD_COMPAT, &jw_clap_preset_load}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (strcmp(known[i].id, id) == 0) {
      return known[i].functions;
    }
  }
  return NULL;
}

const clap_plugin_t* jw_clap_create(const JwClapScene* scene, const clap_host_t* host) {
  JwClap* const self = (JwClap*)calloc(1, sizeof *self);
  if (!self) {
    return NULL;
  }
  const clap_plugin_t plugin = {.desc = &scene->about,
                                .plugin_data = self,
                                .init = init,
                                .destroy = destroy,
                                .activate = activate,
                                .deactivate = deactivate,
                                .start_processing = start_processing,
                                .stop_processing = ignore,
                                .reset = reset,
                                .process = process_block,
                                .get_extension = get_extension,
                                .on_main_thread = ignore};
  self->plugin = plugin;
  self->host = host;
  self->scene = scene;
  return &self->plugin;
}
