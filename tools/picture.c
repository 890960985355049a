// SPDX-License-Identifier: MIT
// Gather what a picture shows, in memory that does not grow with the duration.

#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const jw_panel_names[JW_PANEL_COUNT + 1] = {"waveform", "spectrogram", "energy",
                                                        "shape",    "contacts",    NULL};

// ---------------------------------------------------------------- open

static bool choose_panels(JwPicture* picture, const char* list) {
  for (int i = 0; i < JW_PANEL_COUNT; ++i) {
    picture->wanted[i] = !list;
  }
  while (list && *list) {
    const size_t length = strcspn(list, ",");
    int panel = 0;
    while (panel < JW_PANEL_COUNT
           && !(strlen(jw_panel_names[panel]) == length
                && memcmp(jw_panel_names[panel], list, length) == 0)) {
      ++panel;
    }
    if (panel == JW_PANEL_COUNT) {
      return jw_tool_misuse(
          "--panels: there is no \"%.*s\"; there are waveform, spectrogram, energy, shape, contacts",
          (int)length, list);
    }
    picture->wanted[panel] = true;
    list += length + (list[length] == ',');
  }
  return true;
}

// The string asked for, or the first one.
static bool choose_string(JwJob* job, JwPicture* picture) {
  const char* const wanted = job->options->string;
  const uint32_t parts = jw_scene_parts(job->scene);
  for (uint32_t i = 0; i < parts && !picture->string.index; ++i) {
    const JwScenePart part = jw_scene_part(job->scene, i);
    if (part.kind == JW_KIND_STRING && (!wanted || strcmp(wanted, part.name) == 0)) {
      picture->string = part.object;
      picture->string_name = part.name;
    }
  }
  return picture->string.index || !wanted
         || jw_tool_misuse("--string: the scene has no string \"%s\"", wanted);
}

// A few periods around the middle; all of it when the string has no pitch or the sound is shorter.
static void choose_window(JwJob* job, JwPicture* picture) {
  const double whole = (double)job->frames / job->rate;
  const double pitch = jw_world_object_info(job->world, picture->string).fundamental;
  double length = pitch > 0.0 ? JW_PICTURE_PERIODS / pitch : whole;
  length = length < whole ? length : whole;
  picture->from = 0.5 * (whole - length);
  picture->step = length / JW_PICTURE_COLUMNS;
}

static void choose_contacts(JwJob* job, JwPicture* picture) {
  const uint32_t parts = jw_scene_parts(job->scene);
  for (uint32_t i = 0; i < parts && picture->contact_count < JW_PICTURE_CONTACTS; ++i) {
    const JwScenePart part = jw_scene_part(job->scene, i);
    if (part.kind == JW_KIND_COLLISION) {
      char* const name = picture->contact_names[picture->contact_count];
      const JwContactInfo info = jw_world_contact_info(job->world, part.contact);
      if (part.name) {
        snprintf(name, 64, "%s", part.name);
      } else {
        snprintf(name, 64, "%.28s, %.28s",
                 jw_world_object_info(job->world, info.port[0].object).name,
                 jw_world_object_info(job->world, info.port[1].object).name);
      }
      picture->contacts[picture->contact_count++] = part.contact;
    }
  }
}

bool jw_picture_open(JwJob* job) {
  JwPicture* const picture = (JwPicture*)calloc(1, sizeof *picture);
  if (!picture) {
    return jw_tool_fail("no memory");
  }
  if (!choose_panels(picture, job->options->panels) || !choose_string(job, picture)
      || !jw_out_open(&picture->out, job->options->plot)) {
    free(picture);
    return false;
  }
  picture->every = (job->frames + JW_PICTURE_COLUMNS - 1) / JW_PICTURE_COLUMNS;
  picture->columns = (uint32_t)((job->frames + picture->every - 1) / picture->every);
  choose_window(job, picture);
  choose_contacts(job, picture);
  job->picture = picture;
  return true;
}

// ---------------------------------------------------------------- look

static void add_spectrum(JwPicture* picture) {
  if (picture->spectra == JW_PICTURE_COLUMNS) {
    return;
  }
  double magnitudes[JW_PICTURE_BINS];
  jw_spectrum(picture->recent + picture->held - JW_SPECTRUM_SIZE, magnitudes);
  for (size_t i = 0; i < JW_PICTURE_BINS; ++i) {
    picture->levels[i * JW_PICTURE_COLUMNS + picture->spectra] = magnitudes[i];
  }
  ++picture->spectra;
}

// Silence before the start.
static void fill_window(JwPicture* picture) {
  if (picture->held < JW_SPECTRUM_SIZE) {
    const uint32_t missing = JW_SPECTRUM_SIZE - picture->held;
    memmove(picture->recent + missing, picture->recent, picture->held * sizeof(double));
    memset(picture->recent, 0, missing * sizeof(double));
    picture->held = JW_SPECTRUM_SIZE;
  }
}

// One sample of the first channel; a spectrum at each column's middle, half a window later.
static void hear(JwPicture* picture, double sample) {
  if (picture->held == 2 * JW_SPECTRUM_SIZE) {
    memcpy(picture->recent, picture->recent + JW_SPECTRUM_SIZE, JW_SPECTRUM_SIZE * sizeof(double));
    picture->held = JW_SPECTRUM_SIZE;
  }
  picture->recent[picture->held++] = sample;
  const uint64_t middle = picture->spectra * picture->every + picture->every / 2;
  if (++picture->heard >= middle + JW_SPECTRUM_SIZE / 2 && picture->spectra < picture->columns) {
    fill_window(picture);
    add_spectrum(picture);
  }
}

static void look_at_sound(const JwJob* job, JwPicture* picture, uint32_t count) {
  for (uint32_t i = 0; i < count && job->channel_count; ++i) {
    const double sample = job->mixed[(size_t)i * job->channel_count];
    const uint64_t frame = job->done - count + i;
    const size_t column = (size_t)(frame / picture->every);
    const bool first = frame % picture->every == 0;
    double* const range = picture->range + 2 * column;
    range[0] = first ? sample : fmin(range[0], sample);
    range[1] = first ? sample : fmax(range[1], sample);
    hear(picture, sample);
  }
}

static void look_at_world(const JwJob* job, JwPicture* picture, double time) {
  const uint32_t row = picture->rows;
  const JwEnergy energy = jw_world_energy(job->world);
  picture->time[row] = time - 0.5 / (job->rate * job->oversample); // Energy lies between two states
  picture->stored[row] = energy.stored;
  picture->contact[row] = energy.contact;
  picture->lost[row] = energy.lost;
  picture->supplied[row] = energy.supplied;
  for (uint32_t i = 0; i < picture->contact_count; ++i) {
    const JwContactFigures figures = jw_world_contact_figures(job->world, picture->contacts[i]);
    const double points = fmax(1.0, jw_world_contact_info(job->world, picture->contacts[i]).points);
    const double samples = (double)picture->every * job->oversample * points;
    picture->closed[(size_t)i * JW_PICTURE_COLUMNS + row] =
        (double)(figures.closed_samples - picture->closed_before[i]) / samples;
    picture->closed_before[i] = figures.closed_samples;
  }
  ++picture->rows;
}

static bool look_at_string(JwJob* job, JwPicture* picture) {
  for (uint32_t i = 0; i < JW_PICTURE_PLACES; ++i) {
    double velocity = 0.0;
    const JwPort port = jw_port(picture->string, (double)i / (JW_PICTURE_PLACES - 1));
    double* const value = &picture->shape[(size_t)i * JW_PICTURE_COLUMNS + picture->shapes];
    if (jw_world_probe(job->world, port, value, &velocity)) {
      return jw_tool_fail("%s", jw_world_error(job->world));
    }
  }
  ++picture->shapes;
  return true;
}

bool jw_picture_look(JwJob* job, uint32_t count) {
  JwPicture* const picture = job->picture;
  const uint64_t frame = jw_world_frame(job->world);
  const double time = (double)frame / (job->rate * job->oversample);
  look_at_sound(job, picture, count);
  if (frame >= (picture->rows + 1) * picture->every * job->oversample
      && picture->rows < picture->columns) {
    look_at_world(job, picture, time);
  }
  while (picture->string.index && picture->wanted[JW_PANEL_SHAPE]
         && picture->shapes < JW_PICTURE_COLUMNS
         && time >= picture->from + picture->shapes * picture->step) {
    if (!look_at_string(job, picture)) {
      return false;
    }
  }
  return true;
}

// Frames of the world until there is something to see.
uint64_t jw_picture_next(const JwJob* job) {
  const JwPicture* const picture = job->picture;
  const uint64_t frame = jw_world_frame(job->world), row = picture->every * job->oversample;
  uint64_t count = row - frame % row;
  if (picture->string.index && picture->shapes < JW_PICTURE_COLUMNS) {
    const double ahead =
        (picture->from + picture->shapes * picture->step) * job->rate * job->oversample
        - (double)frame;
    count = ahead < (double)count ? (uint64_t)fmax(1.0, ceil(ahead)) : count;
  }
  return count;
}

// ---------------------------------------------------------------- close

static bool write_picture(JwJob* job, JwPicture* picture) {
  while (picture->spectra < picture->columns && picture->heard > 0
         && picture->spectra * picture->every < job->done) {
    fill_window(picture);
    add_spectrum(picture); // The last columns see the last window
  }
  char* const text = jw_origin_svg(&job->origin, jw_picture_draw(job, picture));
  FILE* const file = text ? jw_out_stream(&picture->out) : NULL;
  bool good = file && fputs(text, file) >= 0;
  good = file && fclose(file) == 0 && good;
  if (file && !good) {
    jw_tool_fail("cannot write %s: %s", picture->out.name, strerror(errno));
  }
  free(text);
  return good;
}

bool jw_picture_close(JwJob* job, bool keep) {
  JwPicture* const picture = job->picture;
  const bool good = keep && write_picture(job, picture) && jw_out_commit(&picture->out);
  jw_out_cancel(&picture->out);
  free(picture);
  job->picture = NULL;
  return good;
}
