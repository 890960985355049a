// SPDX-License-Identifier: MIT
// The controls of the face as CLAP's parameters.

#include "clap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t find(const JwClap* self, clap_id id) {
  uint32_t i = 0;
  while (i < self->face.count && self->ids[i] != id) {
    ++i;
  }
  return i;
}

static uint32_t count(const clap_plugin_t* plugin) {
  return jw_clap_of(plugin)->face.count;
}

static bool get_info(const clap_plugin_t* plugin, uint32_t index, clap_param_info_t* info) {
  const JwClap* const self = jw_clap_of(plugin);
  if (index >= self->face.count) {
    return false;
  }
  const JwFaceControl* const control = &self->face.controls[index];
  memset(info, 0, sizeof *info);
  info->id = self->ids[index];
  info->flags = CLAP_PARAM_IS_AUTOMATABLE | CLAP_PARAM_IS_MODULATABLE;
  info->min_value = control->minimum;
  info->max_value = control->maximum;
  info->default_value = control->initial;
  snprintf(info->name, sizeof info->name, "%s", control->name);
  return true;
}

static bool get_value(const clap_plugin_t* plugin, clap_id id, double* value) {
  const JwClap* const self = jw_clap_of(plugin);
  const uint32_t index = find(self, id);
  if (index == self->face.count) {
    return false;
  }
  *value = atomic_load(&self->base[index]);
  return true;
}

static bool value_to_text(const clap_plugin_t* plugin, clap_id id, double value, char* text,
                          uint32_t size) {
  const JwClap* const self = jw_clap_of(plugin);
  const uint32_t index = find(self, id);
  if (index == self->face.count) {
    return false;
  }
  const char* const unit = self->face.controls[index].unit;
  snprintf(text, size, "%.9g%s%s", value, unit[0] ? " " : "", unit);
  return true;
}

static bool text_to_value(const clap_plugin_t* plugin, clap_id id, const char* text,
                          double* value) {
  const JwClap* const self = jw_clap_of(plugin);
  const uint32_t index = find(self, id);
  char* end = NULL;
  *value = strtod(text, &end);
  if (index == self->face.count || end == text || !isfinite(*value)) {
    return false;
  }
  end += strspn(end, " ");
  return !*end || strcmp(end, self->face.controls[index].unit) == 0;
}

void jw_clap_take_param(JwClap* self, const clap_event_header_t* header) {
  if (header->space_id != CLAP_CORE_EVENT_SPACE_ID) {
    return;
  }
  const void* const body = header;
  if (header->type == CLAP_EVENT_PARAM_VALUE) {
    const clap_event_param_value_t* const event = (const clap_event_param_value_t*)body;
    const uint32_t index = find(self, event->param_id);
    if (index < self->face.count && isfinite(event->value)) {
      const JwFaceControl* const control = &self->face.controls[index];
      atomic_store(&self->base[index],
                   fmin(fmax(event->value, control->minimum), control->maximum));
    }
  } else if (header->type == CLAP_EVENT_PARAM_MOD) {
    const clap_event_param_mod_t* const event = (const clap_event_param_mod_t*)body;
    const uint32_t index = find(self, event->param_id);
    if (index < self->face.count && isfinite(event->amount)) {
      self->shift[index] = event->amount;
    }
  }
}

void jw_clap_push_params(JwClap* self) {
  for (uint32_t i = 0; self->plug && i < self->face.count; ++i) {
    jw_plug_set(self->plug, i, atomic_load(&self->base[i]) + self->shift[i]);
  }
}

// In the audio thread while active, else in the main thread.
static void flush(const clap_plugin_t* plugin, const clap_input_events_t* in,
                  const clap_output_events_t* out) {
  (void)out;
  JwClap* const self = jw_clap_of(plugin);
  for (uint32_t i = 0; i < in->size(in); ++i) {
    jw_clap_take_param(self, in->get(in, i));
  }
  jw_clap_push_params(self);
}

const clap_plugin_params_t jw_clap_params = {count,         get_info,      get_value,
                                             value_to_text, text_to_value, flush};
