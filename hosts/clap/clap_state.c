// SPDX-License-Identifier: MIT
// What a session keeps: "jawari-clap 1", a line with symbol and value of each parameter, an empty
// line, and the scene (pack.c).  Values are the bits of a double, which no locale changes.

#include "clap.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "jawari-clap 1\n"
#define MOST_BYTES (64u * 1024u * 1024u)

static bool write_all(const clap_ostream_t* stream, const char* text) {
  for (size_t left = strlen(text); left > 0;) {
    const int64_t wrote = stream->write(stream, text, left);
    if (wrote <= 0) {
      return false;
    }
    text += wrote;
    left -= (size_t)wrote;
  }
  return true;
}

static bool save(const clap_plugin_t* plugin, const clap_ostream_t* stream) {
  const JwClap* const self = jw_clap_of(plugin);
  bool good = write_all(stream, FIRST_LINE);
  for (uint32_t i = 0; good && i < self->face.count; ++i) {
    const double value = atomic_load(&self->base[i]);
    uint64_t bits = 0;
    char line[128];
    memcpy(&bits, &value, sizeof bits);
    snprintf(line, sizeof line, "%s %016" PRIx64 "\n", self->face.controls[i].symbol, bits);
    good = write_all(stream, line);
  }
  return good && write_all(stream, "\n") && write_all(stream, self->pack);
}

// Ended by a zero; to be freed.  NULL with a sentence.
static char* read_all(const clap_istream_t* stream, const char** why) {
  size_t size = 0, room = 4096;
  char* text = (char*)malloc(room);
  for (*why = "no memory"; text;) {
    const int64_t got = stream->read(stream, text + size, room - size - 1);
    if (got < 0) {
      *why = "the host cannot read it";
      break;
    }
    size += (size_t)got;
    text[size] = 0;
    if (got == 0 && !memchr(text, 0, size)) {
      return text;
    }
    if (got == 0 || room >= MOST_BYTES) {
      *why = got ? "it has more than 64 MiB" : "it is no text";
      break;
    }
    if (size + 1 == room) {
      char* const grown = (char*)realloc(text, room *= 2);
      if (!grown) {
        break;
      }
      text = grown;
    }
  }
  free(text);
  return NULL;
}

// "symbol bits"; a symbol that this version of the scene has not is passed over.
static bool read_line(const JwClap* self, const char* line, double* values) {
  char symbol[64], digits[17], behind = 0;
  uint64_t bits = 0;
  double value = 0.0;
  if (sscanf(line, "%63[a-zA-Z0-9_] %16[0-9a-f]%c", symbol, digits, &behind) != 3 || behind != '\n'
      || strlen(digits) != 16) {
    return false;
  }
  bits = strtoull(digits, NULL, 16);
  memcpy(&value, &bits, sizeof value);
  for (uint32_t i = 0; i < self->face.count; ++i) {
    const JwFaceControl* const control = &self->face.controls[i];
    if (strcmp(control->symbol, symbol) == 0) {
      values[i] = fmin(fmax(value, control->minimum), control->maximum);
    }
  }
  return isfinite(value);
}

// The values, and where the scene begins; NULL with a sentence.
static const char* read_values(const JwClap* self, const char* text, double* values,
                               const char** why) {
  *why = "it does not begin as one of jawari's";
  if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0) {
    return NULL;
  }
  const char* line = text + strlen(FIRST_LINE);
  for (; *line && *line != '\n'; line = strchr(line, '\n') + 1) {
    if (!read_line(self, line, values)) {
      *why = "a parameter in it has no value";
      return NULL;
    }
  }
  *why = "the scene is missing";
  return *line ? line + 1 : NULL;
}

// Everything is tried before anything is taken.  The plug that runs belongs to the audio thread: it
// gets the scene at the next start, which the host is asked for.
static bool take(JwClap* self, const char* pack, const double* values, char error[JW_ERROR_SIZE]) {
  if (strcmp(pack, self->pack) != 0) {
    const JwPlugDef def = {.pack = pack, .rate = 48000.0};
    JwPlug* trial = NULL;
    if (jw_plug_open(&def, &trial, error)) {
      return false;
    }
    const size_t size = strlen(pack) + 1;
    char* const kept = (char*)malloc(size);
    if (kept) {
      memcpy(kept, pack, size);
      free(self->pack);
      self->pack = kept;
      self->info = jw_plug_info(trial);
      self->info.title = "";
    }
    jw_plug_close(trial);
    if (!kept) {
      snprintf(error, JW_ERROR_SIZE, "no memory");
      return false;
    }
    if (self->plug) {
      self->host->request_restart(self->host);
    }
  }
  for (uint32_t i = 0; i < self->face.count; ++i) {
    atomic_store(&self->base[i], values[i]);
  }
  return true;
}

static bool load(const clap_plugin_t* plugin, const clap_istream_t* stream) {
  JwClap* const self = jw_clap_of(plugin);
  double values[JW_PLAY_MAX_CONTROLS];
  const char* why = "";
  for (uint32_t i = 0; i < self->face.count; ++i) {
    values[i] = self->face.controls[i].initial;
  }
  char error[JW_ERROR_SIZE];
  char* const text = read_all(stream, &why);
  const char* const pack = text ? read_values(self, text, values, &why) : NULL;
  if (!pack) {
    snprintf(error, sizeof error, "the saved state cannot be read: %s", why);
  }
  const bool good = pack && take(self, pack, values, error);
  if (!good) {
    jw_clap_say(self, error);
  }
  free(text);
  return good;
}

const clap_plugin_state_t jw_clap_state = {save, load};
