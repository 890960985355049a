// SPDX-License-Identifier: MIT
// Pickups, and what contacts did, as tables of an HDF5 file.
//
//   /pickups/time, NAME ...                          one number a frame
//   /contacts/contact, closures, closed, ...         one number a contact, when the run is over

#include "sink.h"
#include "tool.h"

#ifdef JW_WITH_HDF5

#include "h5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  JwH5File* file;
  JwH5Table* time;
  JwH5Table* tables[JW_SCENE_MAX_PICKUPS];
} Inside;

JwH5File* jw_hdf5_file(const JwSink* sink) {
  return ((const Inside*)sink->inside)->file;
}

static bool failed(const JwSink* sink) {
  return jw_tool_fail("cannot write %s: %s", sink->out.name, jw_tool_cause());
}

static bool add_pickup(Inside* inside, const JwChannel* channel, uint32_t index) {
  char path[80], name[160];
  snprintf(path, sizeof path, "pickups/%s", channel->name);
  snprintf(name, sizeof name, "%s of %s", channel->quantity, channel->name);
  const JwH5Def def = {path, channel->unit, name, {inside->time}};
  inside->tables[index] = jw_h5_table(inside->file, &def);
  return inside->tables[index] && jw_h5_text(inside->tables[index], "quantity", channel->quantity);
}

bool jw_hdf5_open(JwSink* sink) {
  Inside* const inside = (Inside*)calloc(1, sizeof *inside);
  sink->inside = inside;
  if (!inside) {
    return jw_tool_fail("no memory");
  }
  errno = 0;
  inside->file = jw_h5_create(sink->out.part, sink->sound.origin);
  const JwH5Def time = {"pickups/time", "s", "time of every pickup", {NULL}};
  bool good = inside->file != NULL;
  if (good && sink->sound.channel_count) {
    inside->time = jw_h5_table(inside->file, &time);
    good = inside->time != NULL;
  }
  for (uint32_t c = 0; good && c < sink->sound.channel_count; ++c) {
    if (strcmp(sink->sound.channels[c].name, "time") == 0) {
      return jw_tool_fail(
          "%s: a pickup called \"time\" would stand beside the times; call it otherwise",
          sink->out.name);
    }
    good = add_pickup(inside, &sink->sound.channels[c], c);
  }
  return good || failed(sink);
}

bool jw_hdf5_write(JwSink* sink, const double* frames, uint32_t count) {
  const Inside* const inside = (const Inside*)sink->inside;
  const uint32_t channels = sink->sound.channel_count;
  bool good = true;
  errno = 0;
  for (uint32_t i = 0; i < count && channels; ++i) {
    const double time = (double)(sink->frames + i) / sink->sound.rate;
    good = good && jw_h5_append(inside->time, &time, 1);
    for (uint32_t c = 0; c < channels; ++c) {
      good = good && jw_h5_append(inside->tables[c], &frames[(size_t)i * channels + c], 1);
    }
  }
  return good || failed(sink);
}

bool jw_hdf5_close(JwSink* sink, double gain, bool keep) {
  (void)gain;
  Inside* const inside = (Inside*)sink->inside;
  errno = 0;
  const bool good = inside && inside->file && jw_h5_close(inside->file);
  free(inside);
  sink->inside = NULL;
  return good || !keep || failed(sink);
}

// ---------------------------------------------------------------- contacts

typedef struct {
  const char *name, *units, *about;
} Figure;

enum { CLOSURES, CLOSED, LONGEST, PENETRATION, PUSH, PULL, PEAK, PARKED, MISFIT, FIGURES };

static const Figure figures[FIGURES] = {
    {"closures", "1", "times that it closed"},
    {"closed", "s", "time spent closed, all closures and points together"},
    {"longest", "s", "longest closure"},
    {"penetration", "m", "deepest penetration"},
    {"push", "N", "largest repelling force"},
    {"pull", "N", "largest attracting force"},
    {"peak_energy", "J", "most energy held"},
    {"parked", "J", "most energy left after the first open sample"},
    {"misfit", "1", "largest |psi - sqrt(2 phi)| over the largest of either"},
};

static void fill(const JwWorld* world, uint32_t contact, double k, double values[FIGURES]) {
  const JwContactFigures f = jw_world_contact_figures(world, (JwContactId){contact + 1});
  values[CLOSURES] = (double)f.closures;
  values[CLOSED] = (double)f.closed_samples * k;
  values[LONGEST] = (double)f.longest_closure * k;
  values[PENETRATION] = f.penetration;
  values[PUSH] = f.push;
  values[PULL] = f.pull;
  values[PEAK] = f.peak_energy;
  values[PARKED] = f.parked;
  values[MISFIT] = f.misfit;
}

bool jw_hdf5_contacts(JwH5File* file, const JwWorld* world, const char* const* names,
                      uint32_t count) {
  JwH5Table* tables[FIGURES];
  const JwH5Def contacts = {"contacts/contact", "1", "number of the name", {NULL}};
  JwH5Table* const scale = count ? jw_h5_names(file, &contacts, names, count) : NULL;
  bool good = count == 0 || scale;
  for (int i = 0; i < FIGURES && good && count; ++i) {
    char path[80];
    snprintf(path, sizeof path, "contacts/%s", figures[i].name);
    const JwH5Def def = {path, figures[i].units, figures[i].about, {scale}};
    tables[i] = jw_h5_table(file, &def);
    good = tables[i] != NULL;
  }
  const double k = 1.0 / jw_world_info(world).sample_rate;
  for (uint32_t c = 0; c < count && good; ++c) {
    double values[FIGURES];
    fill(world, c, k, values);
    for (int i = 0; i < FIGURES && good; ++i) {
      good = jw_h5_append(tables[i], &values[i], 1);
    }
  }
  return good;
}

#endif
