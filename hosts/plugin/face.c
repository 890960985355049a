// SPDX-License-Identifier: MIT
// From an instrument's controls to names that a host can keep in its sessions.

#include "plug.h"

#include <stdio.h>
#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool has_symbol(const JwFace* face, const char* symbol) {
  for (uint32_t i = 0; i < face->count; ++i) {
    if (strcmp(face->controls[i].symbol, symbol) == 0) {
      return true;
    }
  }
  return false;
}

// What is no letter and no digit becomes a line below.
static void spell(const char* name, char symbol[48]) {
  size_t n = 0;
  if (!is_letter(name[0])) {
    symbol[n++] = '_';
  }
  for (const char* c = name; *c && n < 47; ++c) {
    symbol[n++] = is_letter(*c) || (*c >= '0' && *c <= '9') ? *c : '_';
  }
  symbol[n] = 0;
}

static uint32_t alike(const JwInstrument* instrument, uint32_t index) {
  const char* const name = jw_instrument_control(instrument, index).name;
  uint32_t count = 0;
  for (uint32_t i = 0; i < index; ++i) {
    count += strcmp(jw_instrument_control(instrument, i).name, name) == 0;
  }
  return count;
}

// The second control of a name is called "name 2".
static void name_of(const JwInstrument* instrument, uint32_t index, char name[96]) {
  const uint32_t before = alike(instrument, index);
  const char* const own = jw_instrument_control(instrument, index).name;
  if (before) {
    snprintf(name, 96, "%.84s %u", own, before + 1);
  } else {
    snprintf(name, 96, "%s", own);
  }
}

static void add(JwFace* face, const JwInstrument* instrument, uint32_t index) {
  const JwInstrumentControl info = jw_instrument_control(instrument, index);
  JwFaceControl* const control = &face->controls[face->count];
  char word[48];
  name_of(instrument, index, control->name);
  spell(control->name, word);
  snprintf(control->symbol, sizeof control->symbol, "%s", word);
  for (uint32_t i = 2; has_symbol(face, control->symbol); ++i) {
    snprintf(control->symbol, sizeof control->symbol, "%s_%u", word, i);
  }
  snprintf(control->unit, sizeof control->unit, "%s", info.unit);
  control->minimum = info.minimum;
  control->maximum = info.maximum;
  control->initial = info.initial;
  control->index = index;
  ++face->count;
}

void jw_face_of(const JwInstrument* instrument, JwFace* face) {
  memset(face, 0, sizeof *face);
  const uint32_t count = jw_instrument_info(instrument).controls;
  for (uint32_t i = 0; i < count; ++i) {
    const JwInstrumentControl info = jw_instrument_control(instrument, i);
    // Hosts pass floats; where those cannot tell the ends apart, nothing can be moved
    if ((float)info.minimum < (float)info.maximum) {
      add(face, instrument, i);
    }
  }
}

void jw_face_find(JwFace* face, const JwInstrument* instrument) {
  const uint32_t count = jw_instrument_info(instrument).controls;
  for (uint32_t i = 0; i < face->count; ++i) {
    face->controls[i].index = UINT32_MAX;
    for (uint32_t k = 0; k < count; ++k) {
      char name[96];
      name_of(instrument, k, name);
      if (strcmp(name, face->controls[i].name) == 0) {
        face->controls[i].index = k;
      }
    }
  }
}
