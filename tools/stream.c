// SPDX-License-Identifier: MIT
// A WAV file that is written as it is computed, into a pipe or a device: its length is known
// beforehand, its gain is fixed, and nothing is gone back to.  One that is stopped early is shorter
// than its head says.

#include "sink.h"
#include "tool.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put16(unsigned char* to, uint32_t value) {
  to[0] = (unsigned char)value;
  to[1] = (unsigned char)(value >> 8);
}

static void put32(unsigned char* to, uint32_t value) {
  put16(to, value);
  put16(to + 2, value >> 16);
}

static uint32_t width(const JwSink* sink) {
  return sink->sound.bits ? sink->sound.bits / 8 : 4;
}

static bool failed(const JwSink* sink) {
  return jw_tool_fail("cannot write %s: %s", sink->out.name, strerror(errno));
}

// A chunk of text inside LIST; its size is even.
static size_t put_info(unsigned char* to, const char* kind, const char* text) {
  const size_t size = strlen(text) + 1, even = size + size % 2;
  if (to) {
    memcpy(to, kind, 4);
    put32(to + 4, (uint32_t)size);
    memset(to + 8, 0, even);
    memcpy(to + 8, text, size);
  }
  return 8 + even;
}

static size_t put_list(unsigned char* to, const JwOrigin* origin, const char* lines) {
  const char* const title = origin->values[JW_ORIGIN_TITLE];
  const char* const texts[3][2] = {{"INAM", title[0] ? title : origin->values[JW_ORIGIN_SCENE]},
                                   {"ISFT", origin->values[JW_ORIGIN_SOFTWARE]},
                                   {"ICMT", lines}};
  size_t size = 12;
  for (int i = 0; i < 3; ++i) {
    size += put_info(to ? to + size : NULL, texts[i][0], texts[i][1]);
  }
  if (to) {
    memcpy(to, "LIST", 4);
    put32(to + 4, (uint32_t)size - 8);
    memcpy(to + 8, "INFO", 4);
  }
  return size;
}

// RIFF, fmt, fact, LIST, data; sizes that a WAV file cannot hold are its largest, as players expect
// of a stream.
static bool put_head(const JwSink* sink, const char* lines) {
  const uint32_t channels = sink->sound.channel_count, bytes = width(sink),
                 rate = (uint32_t)sink->sound.rate;
  const uint64_t data = sink->sound.frames * channels * bytes;
  const size_t list = put_list(NULL, sink->sound.origin, lines), size = 12 + 24 + 12 + list + 8;
  const uint32_t most = 0xffffffffu;
  unsigned char* const head = (unsigned char*)calloc(1, size);
  if (!head) {
    return jw_tool_fail("no memory");
  }
  memcpy(head, "RIFF", 4);
  put32(head + 4, data + size - 8 > most ? most : (uint32_t)(data + size - 8));
  memcpy(head + 8, "WAVEfmt ", 8);
  put32(head + 16, 16);
  put16(head + 20, sink->sound.bits ? 1 : 3);
  put16(head + 22, channels);
  put32(head + 24, rate);
  put32(head + 28, rate * channels * bytes);
  put16(head + 32, channels * bytes);
  put16(head + 34, 8 * bytes);
  memcpy(head + 36, "fact", 4);
  put32(head + 40, 4);
  put32(head + 44, sink->sound.frames > most ? most : (uint32_t)sink->sound.frames);
  put_list(head + 48, sink->sound.origin, lines);
  memcpy(head + 48 + list, "data", 4);
  put32(head + 52 + list, data > most ? most : (uint32_t)data);
  const bool good = fwrite(head, 1, size, sink->file) == size && fflush(sink->file) == 0;
  free(head);
  return good || failed(sink);
}

bool jw_stream_open(JwSink* sink) {
  if (sink->sound.rate != floor(sink->sound.rate) || sink->sound.rate > 1e9) {
    return jw_tool_fail("%s: a sound file needs a whole sample rate, not %.17g Hz", sink->out.name,
                        sink->sound.rate);
  }
  sink->file = jw_out_direct(&sink->out);
  char* const lines = sink->file ? jw_origin_lines(sink->sound.origin, 60000) : NULL;
  const bool good = lines && put_head(sink, lines);
  free(lines);
  return good;
}

static void put_sample(unsigned char* to, double value, uint32_t bits) {
  if (bits == 0) {
    const float sample = (float)value;
    uint32_t word;
    memcpy(&word, &sample, sizeof word);
    put32(to, word);
    return;
  }
  const int32_t word = (int32_t)lrint(value * (double)((1 << (bits - 1)) - 1));
  for (uint32_t i = 0; i < bits / 8; ++i) {
    to[i] = (unsigned char)((uint32_t)word >> 8 * i);
  }
}

bool jw_stream_write(JwSink* sink, const double* frames, uint32_t count) {
  unsigned char sample[4];
  for (size_t i = 0; i < (size_t)count * sink->sound.channel_count; ++i) {
    const double value = (double)(float)(sink->sound.gain * frames[i]);
    if (sink->sound.bits && fabs(value) > 1.0) {
      return jw_tool_fail(
          "%s: a sample is %.3g and %u bits hold nothing above 1; use a smaller --gain, or --bits float",
          sink->out.name, value, sink->sound.bits);
    }
    put_sample(sample, value, sink->sound.bits);
    fwrite(sample, 1, width(sink), sink->file);
  }
  return (fflush(sink->file) == 0 && !ferror(sink->file)) || failed(sink);
}

bool jw_stream_close(JwSink* sink, double gain, bool keep) {
  (void)gain;
  const bool good = !sink->file || fclose(sink->file) == 0;
  sink->file = NULL;
  return good || !keep || failed(sink);
}
