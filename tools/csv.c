// SPDX-License-Identifier: MIT
// Pickups as text: time, then every pickup in its own unit, all digits.

#include "sink.h"
#include "tool.h"

#include <errno.h>
#include <string.h>

static bool failed(const JwSink* sink) {
  return jw_tool_fail("cannot write %s: %s", sink->out.name, strerror(errno));
}

bool jw_csv_open(JwSink* sink) {
  sink->file = sink->out.copies ? jw_out_direct(&sink->out) : jw_out_stream(&sink->out);
  if (!sink->file) {
    return false;
  }
  jw_origin_comment(sink->sound.origin, sink->file);
  fprintf(sink->file, "time (s)");
  for (uint32_t c = 0; c < sink->sound.channel_count; ++c) {
    fprintf(sink->file, ",%s (%s)", sink->sound.channels[c].name, sink->sound.channels[c].unit);
  }
  return fputs("\n", sink->file) >= 0 || failed(sink);
}

bool jw_csv_write(JwSink* sink, const double* frames, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    fprintf(sink->file, "%.17g", (double)(sink->frames + i) / sink->sound.rate);
    for (uint32_t c = 0; c < sink->sound.channel_count; ++c) {
      fprintf(sink->file, ",%.17g", *frames++);
    }
    fputs("\n", sink->file);
  }
  return !ferror(sink->file) || failed(sink);
}

bool jw_csv_close(JwSink* sink, double gain, bool keep) {
  (void)gain;
  const bool whole = !sink->file || !ferror(sink->file);
  const bool good = sink->file && fclose(sink->file) == 0 && whole;
  sink->file = NULL;
  return good || !keep || failed(sink);
}
