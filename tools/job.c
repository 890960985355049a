// SPDX-License-Identifier: MIT
// One rendering: open, run, close.

#include "job.h"

#include "fade.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 256 // Frames of output in one go

JwJobOptions jw_job_options(void) {
  const JwJobOptions options = {
      .rate = JW_UNSET, .duration = JW_UNSET, .loudness = JW_UNSET, .every = 32};
  return options;
}

char* jw_tool_default_output(const char* scene, const char* ending) {
  const char* const slash = strrchr(scene, '/');
  const char* const name = slash ? slash + 1 : scene;
  const char* const dot = strrchr(name, '.');
  const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  const size_t size = (size_t)length + strlen(ending) + 1;
  char* const path = (char*)malloc(size);
  if (path) {
    snprintf(path, size, "%.*s%s", length, name, ending);
  } else {
    jw_tool_fail("no memory");
  }
  return path;
}

double jw_job_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- open

// Read the song first: the scene then leaves the playing to it.
static int open_song(JwJob* job) {
  const JwJobOptions* const options = job->options;
  if (!options->midi && (options->scale || options->map)) {
    jw_tool_fail("--scale and --map tune a song: give one with --midi");
    return JW_EXIT_USAGE;
  }
  if (options->map && !options->scale) {
    jw_tool_fail("--map needs --scale");
    return JW_EXIT_USAGE;
  }
  if (options->midi || jw_scene_notes(job->scene)) {
    char error[JW_ERROR_SIZE];
    const JwPerformanceDef def = {options->midi, options->scale, options->map};
    if (jw_performance_open(&def, &job->performance, error)) {
      jw_tool_fail("%s", error);
      return JW_EXIT_FAILED;
    }
    if (options->midi) {
      jw_scene_mute(job->scene);
    }
  }
  return JW_EXIT_OK;
}

static bool choose_gain(JwJob* job) {
  const char* const gain = job->options->gain;
  if (gain && !isnan(job->options->loudness)) {
    return jw_tool_misuse("--gain and --loudness both say how loud; give one of them");
  }
  job->auto_gain = gain ? strcmp(gain, "auto") == 0 : jw_scene_info(job->scene).auto_gain;
  job->gain = 1.0;
  if (gain && !job->auto_gain) {
    char* end = NULL;
    job->gain = strtod(gain, &end);
    if (*end || !isfinite(job->gain) || strspn(gain, "0123456789+-.eE") != strlen(gain)) {
      return jw_tool_misuse("--gain wants a number or auto, not \"%s\"", gain);
    }
  }
  return true;
}

static bool take_memory(JwJob* job) {
  const uint32_t most = BLOCK * job->oversample;
  job->decimator = jw_decimator_create(job->oversample, job->channel_count, most);
  job->mixed = (double*)calloc((size_t)(BLOCK + 1) * (job->channel_count + 1), sizeof(double));
  job->loudness = job->sounds ? jw_loudness_create(job->rate, job->channel_count) : NULL;
  job->pitch = job->sounds ? jw_pitch_create(job->rate, job->channel_count) : NULL;
  bool good = job->decimator && job->mixed && ((job->loudness && job->pitch) || !job->sounds);
  for (uint32_t c = 0; c < job->channel_count; ++c) {
    job->block[c] = (double*)calloc(most, sizeof(double));
    good = good && job->block[c];
  }
  return good || jw_tool_fail("no memory");
}

static bool is_fixed(const JwJob* job) {
  return !job->auto_gain && isnan(job->options->loudness);
}

static bool open_outputs(JwJob* job) {
  const JwJobOptions* const options = job->options;
  const JwOriginDef origin = {options->scene,  job->scene,    job->rate,
                              job->oversample, options->rule, job->sounds};
  if (!jw_origin_make(&job->origin, &origin) || !jw_job_name_parts(job)) {
    return false;
  }
  if (job->format) {
    const uint32_t bits = options->bits && strcmp(options->bits, "float") != 0
                              ? (uint32_t)strtoul(options->bits, NULL, 10)
                              : 0;
    const JwSound sound = {&job->origin, job->rate,   job->channel_count, job->channels,
                           bits,         job->frames, is_fixed(job),      job->gain};
    job->has_sink = jw_sink_open(&job->sink, job->format, options->output, &sound);
    if (!job->has_sink) {
      return false;
    }
  }
  return (!options->energy || jw_ledger_open(job)) && jw_fields_open(job)
         && (!options->plot || jw_picture_open(job));
}

// ---------------------------------------------------------------- run

static void note_peak(JwJob* job, uint32_t frames) {
  for (size_t i = 0; i < (size_t)frames * job->channel_count; ++i) {
    job->peak = fmax(job->peak, fabs(job->mixed[i]));
  }
}

static void fade_out(JwJob* job, uint32_t frames) {
  const double length = jw_scene_info(job->scene).fade * job->rate;
  for (uint32_t i = 0; i < frames && job->sounds; ++i) {
    const double factor = jw_fade(length, job->frames, job->done + i);
    for (uint32_t c = 0; c < job->channel_count; ++c) {
      job->mixed[(size_t)i * job->channel_count + c] *= factor;
    }
  }
}

static bool write_block(JwJob* job, uint32_t count) {
  if (!job->sounds) {
    jw_axis_place(job->axes, job->channel_count, job->block, count);
  }
  uint32_t frames = jw_decimator_push(job->decimator, job->block, count, job->mixed);
  const uint64_t left = job->frames - job->done;
  frames = frames < left ? frames : (uint32_t)left;
  fade_out(job, frames);
  note_peak(job, frames);
  if (job->loudness
      && !(jw_loudness_take(job->loudness, job->mixed, frames)
           && jw_pitch_take(job->pitch, job->mixed, frames))) {
    return jw_tool_fail("no memory");
  }
  if (job->has_sink && !jw_sink_write(&job->sink, job->mixed, frames)) {
    return false;
  }
  job->done += frames;
  return !job->picture || jw_picture_look(job, frames);
}

// Frames of the world to the next row of energy or fields, or to the block's end.
static uint32_t next_stretch(const JwJob* job, uint64_t frame, uint64_t total) {
  uint64_t count = (uint64_t)BLOCK * job->oversample;
  if (job->energy || job->field_count) {
    const uint64_t row = (uint64_t)job->options->every * job->oversample;
    const uint64_t to_row =
        frame % row == 0 ? 1 : row - frame % row; // Energy is one frame later than its row
    count = to_row < count ? to_row : count;
  }
  if (job->picture) {
    const uint64_t to_look = jw_picture_next(job);
    count = to_look < count ? to_look : count;
  }
  return (uint32_t)(total - frame < count ? total - frame : count);
}

// Rows of fields are states, at n k.  Energy lies between two states, at (n + 1/2) k: known one
// frame later.
static bool write_rows(JwJob* job, uint64_t frame) {
  const uint64_t row = (uint64_t)job->options->every * job->oversample;
  if (frame > job->frames * job->oversample) {
    return true;
  }
  const bool good = !job->energy || frame == 0 || (frame - 1) % row != 0 || jw_ledger_row(job);
  return good && (frame % row != 0 || jw_fields_row(job));
}

static bool run(JwJob* job) {
  const uint64_t total = jw_decimator_needs(job->decimator, job->frames);
  const double start = jw_job_clock();
  bool good = write_rows(job, 0);
  for (uint64_t frame = 0; good && frame < total && !jw_stop_wanted();) {
    const uint32_t count = next_stretch(job, frame, total);
    const double before = jw_job_clock();
    const JwStatus status = job->performance
                                ? jw_performance_run(job->performance, job->block, count)
                                : jw_world_run_double(job->world, job->block, count);
    job->computing += jw_job_clock() - before;
    if (status) {
      good = jw_tool_fail("%s: the state stopped being finite before %.6f s; nothing was written",
                          job->options->scene,
                          (double)(frame + count) / (job->rate * job->oversample));
    }
    frame += count;
    good = good && write_block(job, count) && write_rows(job, frame);
    jw_job_watch_large(job);
    jw_progress_show(job, jw_job_clock() - start);
  }
  job->stopped = jw_stop_wanted();
  jw_progress_clear(job);
  return good;
}

// ---------------------------------------------------------------- close

// Gates of loudness move with the gain, so that the second look is the exact one.
static bool settle_loudness(JwJob* job) {
  const double wanted = job->options->loudness;
  job->gain = 1.0;
  for (int i = 0; i < 3; ++i) {
    const double found = jw_loudness_of(job->loudness, job->gain);
    if (!isfinite(found)) {
      job->gain *= i == 0 ? jw_level_gain(job->peak) : 1.0; // Below every gate so far
      continue;
    }
    job->gain *= pow(10.0, (wanted - found) / 20.0);
  }
  return isfinite(jw_loudness_of(job->loudness, job->gain))
         || jw_tool_fail("%s: --loudness needs 0.4 s of sound that is not silent",
                         job->options->scene);
}

static bool settle_gain(JwJob* job) {
  const JwFormat* const format = job->has_sink ? job->sink.format : NULL;
  if (!format || !format->is_sound) {
    job->gain = 1.0;
  } else if (!isnan(job->options->loudness)) {
    if (!settle_loudness(job)) {
      return false;
    }
  } else if (job->auto_gain) {
    job->gain = jw_level_gain(job->peak);
  }
  const double peak = job->gain * job->peak;
  if (format && format->is_sound && jw_sink_has_top(&job->sink) && peak > 1.0) {
    return jw_tool_fail(
        "%s: the sound peaks at %.3g and %s holds nothing above 1; use --gain auto, or %s",
        job->options->output, peak, job->sink.sound.bits ? "a sample of whole bits" : format->what,
        job->sink.sound.bits ? "--bits float" : ".wav");
  }
  if (format && format->is_sound && peak > 1.0) {
    jw_tool_warn(
        "%s: the sound peaks at %.3g, above full scale, where players cut it off; --gain auto avoids it",
        job->options->output, peak);
  }
  return true;
}

static bool write_contacts(JwJob* job) {
#ifdef JW_WITH_HDF5
  errno = 0;
  if (job->has_sink && jw_tool_ends(job->sink.format->ending, "h5")
      && !jw_hdf5_contacts(jw_hdf5_file(&job->sink), job->world, job->contacts.names,
                           job->contacts.count)) {
    return jw_tool_fail("cannot write %s: %s", job->options->output, jw_tool_cause());
  }
#endif
  (void)job;
  return true;
}

static bool close_outputs(JwJob* job, bool keep) {
  keep = keep && write_contacts(job);
  if (job->has_sink && keep) {
    keep = jw_sink_close(&job->sink, job->gain);
  } else if (job->has_sink) {
    jw_sink_cancel(&job->sink);
  }
  keep = (!job->energy || jw_ledger_close(job, keep)) && keep;
  keep = jw_fields_close(job, keep) && keep;
  keep = (!job->picture || jw_picture_close(job, keep)) && keep;
  return keep && (!job->options->stats || jw_report_stats(job));
}

static void release(JwJob* job) {
  jw_origin_free(&job->origin);
  jw_job_free_parts(job);
  jw_decimator_destroy(job->decimator);
  jw_loudness_destroy(job->loudness);
  jw_pitch_destroy(job->pitch);
  free(job->mixed);
  for (uint32_t c = 0; c < job->channel_count; ++c) {
    free(job->block[c]);
  }
  jw_performance_close(job->performance);
  jw_world_destroy(job->world);
  jw_scene_destroy(job->scene);
}

// ---------------------------------------------------------------- all of it

static int set_up(JwJob* job) {
  const JwJobOptions* const options = job->options;
  if (!jw_outputs_differ(options)) {
    return JW_EXIT_USAGE;
  }
  if ((options->energy && !jw_tool_ending("--energy", options->energy, ".csv .h5"))
      || (options->stats && !jw_tool_ending("--stats", options->stats, ".json"))
      || (options->plot && !jw_tool_ending("a picture", options->plot, ".svg"))) {
    return JW_EXIT_USAGE;
  }
  if (options->no_ledger && options->energy) {
    jw_tool_fail("--energy needs the ledger, and --no-ledger turns it off");
    return JW_EXIT_USAGE;
  }
  job->format = options->output ? jw_format_of(options->output, options->format) : NULL;
  if (options->output && (!job->format || job->format->needs)) {
    return job->format ? JW_EXIT_FAILED : JW_EXIT_USAGE;
  }
  int status = jw_tool_open(options->scene, &options->wish, &job->scene);
  if (!status && (!choose_gain(job) || !jw_outputs_spare_inputs(job))) {
    return jw_tool_failure();
  }
  status = status ? status : open_song(job);
  status = status ? status : jw_job_build(job);
  if (status) {
    return status;
  }
  if (job->format && job->channel_count == 0 && options->implied
      && jw_outputs_write_more(options)) {
    job->format = NULL;
  }
  if (job->format && job->channel_count == 0 && !jw_outputs_hold_more(options)) {
    jw_tool_fail("%s: the scene has no pickups, so nothing can be heard", options->scene);
    return JW_EXIT_SCENE;
  }
  if (job->frames == 0) {
    jw_tool_fail("%s: the duration is less than one frame", options->scene);
    return JW_EXIT_USAGE;
  }
  return JW_EXIT_OK;
}

int jw_job_run(const JwJobOptions* options) {
  JwJob job;
  memset(&job, 0, sizeof job);
  job.options = options;
  job.started = jw_job_clock();
  jw_stop_catch();
  int status = set_up(&job);
  if (!status) {
    bool good = take_memory(&job) && open_outputs(&job) && run(&job) && settle_gain(&job);
    if (good) {
      jw_job_warn_at_end(&job);
    }
    const bool doubted = options->strict && jw_tool_warnings();
    good = close_outputs(&job, good && !doubted) && good;
    if (good && !options->quiet) {
      jw_report_table(&job, jw_outputs_use_stdout(options) ? stderr : stdout);
    }
    const int ended = job.stopped || (!good && jw_stop_wanted()) ? JW_EXIT_STOPPED
                      : good                                     ? JW_EXIT_OK
                                                                 : jw_tool_failure();
    status = doubted ? JW_EXIT_SCENE : ended;
  }
  release(&job);
  return jw_tool_close_warnings(options->strict, status);
}
