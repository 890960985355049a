// SPDX-License-Identifier: MIT
// Sound files, by libsndfile.
//
// Samples go into scratch space first, because the gain is known at the end only.  Files are the
// same bytes each time: no PEAK chunk (it carries the time of day), no dither.  Ogg is the
// exception: every stream gets a random serial number.

#include "sink.h"
#include "tool.h"

#ifdef JW_WITH_SNDFILE

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 1024

static int subtype_of(const JwSink* sink) {
  const int format = sink->format->subtype & SF_FORMAT_TYPEMASK;
  return sink->sound.bits == 16   ? format | SF_FORMAT_PCM_16
         : sink->sound.bits == 24 ? format | SF_FORMAT_PCM_24
                                  : sink->format->subtype;
}

static SF_INFO describe(const JwSink* sink, int subtype) {
  SF_INFO info;
  memset(&info, 0, sizeof info);
  info.samplerate = (int)sink->sound.rate;
  info.channels = (int)sink->sound.channel_count;
  info.format = subtype;
  return info;
}

bool jw_sound_open(JwSink* sink) {
  const double rate = sink->sound.rate;
  if (rate != floor(rate) || rate > 1e9) {
    return jw_tool_fail("%s: a sound file needs a whole sample rate, not %.17g Hz", sink->out.name,
                        rate);
  }
  const SF_INFO info = describe(sink, subtype_of(sink));
  if (!sf_format_check(&info)) {
    return sink->sound.bits
               ? jw_tool_fail("%s: %s cannot hold %u channels of %u bits at %g Hz", sink->out.name,
                              sink->format->what, sink->sound.channel_count, sink->sound.bits, rate)
               : jw_tool_fail("%s: %s cannot hold %u channels at %g Hz", sink->out.name,
                              sink->format->what, sink->sound.channel_count, rate);
  }
  sink->inside = malloc(sizeof(int));
  if (!sink->inside) {
    return jw_tool_fail("no memory");
  }
  *(int*)sink->inside = subtype_of(sink);
  sink->file = jw_out_scratch(sink->out.copies ? "-" : sink->out.target);
  return sink->file != NULL;
}

bool jw_sound_write(JwSink* sink, const double* frames, uint32_t count) {
  const size_t values = (size_t)count * sink->sound.channel_count;
  return fwrite(frames, sizeof(double), values, sink->file) == values
         || jw_tool_fail("cannot write %s: %s", sink->out.name, strerror(errno));
}

static bool copy_scaled(JwSink* sink, SNDFILE* sound, double gain) {
  double block[BLOCK];
  const uint32_t channels = sink->sound.channel_count;
  const size_t whole = BLOCK / channels * channels;
  size_t got = 0;
  while ((got = fread(block, sizeof(double), whole, sink->file)) > 0) {
    for (size_t i = 0; i < got; ++i) {
      block[i] = (double)(float)(gain * block[i]);
    }
    if (sf_write_double(sound, block, (sf_count_t)got) != (sf_count_t)got) {
      return false;
    }
  }
  return !ferror(sink->file);
}

// libsndfile gives the head of a file 100 kB; W64 keeps no texts.
#define MOST_TEXT 60000

static bool keep_origin(const JwSink* sink, SNDFILE* sound) {
  const JwOrigin* const origin = sink->sound.origin;
  char* const lines = jw_origin_lines(origin, MOST_TEXT);
  if (!lines) {
    return false;
  }
  const char* const title = origin->values[JW_ORIGIN_TITLE];
  sf_set_string(sound, SF_STR_TITLE, title[0] ? title : origin->values[JW_ORIGIN_SCENE]);
  sf_set_string(sound, SF_STR_SOFTWARE, origin->values[JW_ORIGIN_SOFTWARE]);
  sf_set_string(sound, SF_STR_COMMENT, lines);
  free(lines);
  return true;
}

static bool write_sound(JwSink* sink, double gain) {
  errno = 0;
  if (fflush(sink->file) != 0 || fseek(sink->file, 0, SEEK_SET) != 0) {
    return jw_tool_fail("cannot write %s: %s", sink->out.name, strerror(errno));
  }
  SF_INFO info = describe(sink, *(int*)sink->inside);
  const int fd = dup(sink->out.fd);
  SNDFILE* const sound = fd < 0 ? NULL : sf_open_fd(fd, SFM_WRITE, &info, 1);
  if (!sound) {
    return jw_tool_fail("cannot write %s: %s", sink->out.name, sf_strerror(NULL));
  }
  sf_command(sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  if (!keep_origin(sink, sound)) {
    sf_close(sound);
    return false;
  }
  bool good = copy_scaled(sink, sound, gain);
  sf_write_sync(sound);
  char why[200];
  snprintf(why, sizeof why, "%s",
           sf_error(sound) ? sf_strerror(sound)
           : errno         ? strerror(errno)
                           : "the disk is full");
  good = sf_close(sound) == 0 && good;
  return good || jw_tool_fail("cannot write %s: %s", sink->out.name, why);
}

bool jw_sound_close(JwSink* sink, double gain, bool keep) {
  const bool good = !keep || write_sound(sink, gain);
  if (sink->file) {
    fclose(sink->file);
  }
  free(sink->inside);
  sink->file = NULL;
  sink->inside = NULL;
  return good;
}

#endif
