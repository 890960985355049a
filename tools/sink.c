// SPDX-License-Identifier: MIT
// The table of output formats, and what all of them share.

#include "sink.h"

#include "tool.h"

#include <string.h>

#ifdef JW_WITH_SNDFILE
#include <sndfile.h>
#define SOUND(ending, what, top, subtype)                                                          \
  { ending, what, true, top, NULL, jw_sound_open, jw_sound_write, jw_sound_close, subtype }
#else
#define SOUND(ending, what, top, subtype)                                                          \
  { ending, what, true, top, "libsndfile", NULL, NULL, NULL, 0 }
#endif

static const JwFormat formats[] = {
    SOUND(".wav", "WAV, 32-bit float", false, SF_FORMAT_WAV | SF_FORMAT_FLOAT),
    SOUND(".flac", "FLAC, 24 bit", true, SF_FORMAT_FLAC | SF_FORMAT_PCM_24),
    SOUND(".ogg", "Ogg Vorbis", true, SF_FORMAT_OGG | SF_FORMAT_VORBIS),
    SOUND(".w64", "W64, 32-bit float", false, SF_FORMAT_W64 | SF_FORMAT_FLOAT),
    {".csv", "CSV, all digits", false, false, NULL, jw_csv_open, jw_csv_write, jw_csv_close, 0},
#ifdef JW_WITH_HDF5
    {".h5", "HDF5", false, false, NULL, jw_hdf5_open, jw_hdf5_write, jw_hdf5_close, 0},
#else
    {".h5", "HDF5", false, false, "HDF5", NULL, NULL, NULL, 0},
#endif
};

const JwFormat* jw_formats(uint32_t* count) {
  *count = (uint32_t)(sizeof formats / sizeof formats[0]);
  return formats;
}

static const JwFormat* find(const char* ending) {
  uint32_t count = 0;
  jw_formats(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(formats[i].ending, ending) == 0) {
      return &formats[i];
    }
  }
  return NULL;
}

const JwFormat* jw_format_of(const char* path, const char* format) {
  const char* const slash = strrchr(path, '/');
  const char* const dot = strrchr(slash ? slash : path, '.');
  char ending[16];
  if (format) {
    snprintf(ending, sizeof ending, ".%s", format);
  } else if (strcmp(path, "-") == 0) {
    snprintf(ending, sizeof ending, ".wav");
  } else {
    snprintf(ending, sizeof ending, "%s", dot ? dot : "");
  }
  const JwFormat* const found = find(ending);
  if (!found) {
    jw_tool_fail(
        "%s: the ending says how to write, and must be .wav, .flac, .ogg, .w64, .csv or .h5", path);
    return NULL;
  }
  if (found->needs) {
    jw_tool_fail("%s: this build of jawari is without %s and cannot write %s%s", path, found->needs,
                 found->ending, found->is_sound ? "; it can write .csv" : "");
  }
  return found;
}

static const JwFormat stream = {".wav",          "WAV",           true, false, NULL, jw_stream_open,
                                jw_stream_write, jw_stream_close, 0};

bool jw_sink_has_top(const JwSink* sink) {
  return sink->format->has_top || sink->sound.bits;
}

bool jw_sink_open(JwSink* sink, const JwFormat* format, const char* path, const JwSound* sound) {
  memset(sink, 0, sizeof *sink);
  if (!jw_out_open(&sink->out, path)) {
    return false;
  }
  const bool streams = sink->out.copies && sound->fixed && strcmp(format->ending, ".wav") == 0;
  sink->format = streams ? &stream : format;
  sink->sound = *sound;
  format = sink->format;
  if (!format->open(sink)) {
    jw_sink_cancel(sink);
    return false;
  }
  return true;
}

bool jw_sink_write(JwSink* sink, const double* frames, uint32_t count) {
  const bool good = count == 0 || sink->format->write(sink, frames, count);
  sink->frames += count;
  return good;
}

bool jw_sink_close(JwSink* sink, double gain) {
  const JwFormat* const format = sink->format;
  sink->format = NULL;
  if (!format->close(sink, gain, true)) {
    jw_out_cancel(&sink->out);
    return false;
  }
  return jw_out_commit(&sink->out);
}

void jw_sink_cancel(JwSink* sink) {
  if (sink->format) {
    sink->format->close(sink, 1.0, false);
    jw_out_cancel(&sink->out);
    sink->format = NULL;
  }
}
