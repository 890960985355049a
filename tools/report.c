// SPDX-License-Identifier: MIT
// What came of a rendering: a table for people, JSON for programs.

#include "job.h"

#include <errno.h>
#include <math.h>
#include <string.h>

JwReport jw_report_of(const JwJob* job) {
  JwReport report;
  memset(&report, 0, sizeof report);
  report.world = jw_world_info(job->world);
  report.energy = jw_world_energy(job->world);
  report.peak = job->gain * job->peak;
  report.loudness = job->loudness ? jw_loudness_of(job->loudness, job->gain) : -HUGE_VAL;
  report.pitch = job->pitch ? jw_pitch_of(job->pitch) : (double)NAN;
  report.realtime_factor =
      job->computing > 0.0 ? (double)job->done / job->rate / job->computing : 0.0;
  for (uint32_t i = 1; i <= report.world.contacts; ++i) {
    const JwContactFigures figures = jw_world_contact_figures(job->world, (JwContactId){i});
    const JwKind kind = jw_world_contact_info(job->world, (JwContactId){i}).kind;
    report.closures += kind == JW_KIND_COLLISION ? figures.closures : 0;
    report.pull = fmax(report.pull, figures.pull);
    report.parked = fmax(report.parked, figures.parked);
    report.misfit = fmax(report.misfit, figures.misfit);
  }
  for (uint32_t i = 1; i <= report.world.objects; ++i) {
    const JwStretchFigures figures = jw_world_stretch_figures(job->world, (JwObjectId){i});
    report.misfit = fmax(report.misfit, figures.misfit);
  }
  return report;
}

// ---------------------------------------------------------------- table

static void level_text(double peak, char text[64]) {
  if (peak > 0.0) {
    snprintf(text, 64, "%.4g (%.1f dB)", peak, 20.0 * log10(peak));
  } else {
    snprintf(text, 64, "0 (silent)");
  }
}

static void list_files(const JwJob* job, FILE* file) {
  const JwJobOptions* const o = job->options;
  const bool inside = o->output && o->energy && strcmp(o->output, o->energy) == 0;
  const char* const paths[] = {job->format ? o->output : NULL, inside ? NULL : o->energy, o->plot,
                               o->stats};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
    if (paths[i] && strcmp(paths[i], "-") != 0) {
      fprintf(file, "  written           %s\n", paths[i]);
    }
  }
  for (uint32_t i = 0; i < o->fields.count; ++i) {
    const char* const equals = strchr(o->fields.items[i], '=');
    if (equals && strcmp(equals + 1, o->output ? o->output : "") != 0) {
      fprintf(file, "  written           %s\n", equals + 1);
    }
  }
}

void jw_report_table(const JwJob* job, FILE* file) {
  const JwReport r = jw_report_of(job);
  const bool sound = job->has_sink && job->gain != 1.0;
  char level[64];
  level_text(r.peak, level);
  fprintf(file, "%s%s\n", job->options->scene, job->stopped ? " (stopped)" : "");
  fprintf(file, "  duration          %.4g s, %u channel%s at %g Hz", (double)job->done / job->rate,
          job->channel_count, job->channel_count == 1 ? "" : "s", job->rate);
  fprintf(file, job->oversample > 1 ? ", computed at %u times that\n" : "\n", job->oversample);
  fprintf(file, "  grid points       %llu\n", (unsigned long long)r.world.points);
  fprintf(file, "  islands           %u, the largest of %u contact point%s\n", r.world.islands,
          r.world.largest_island, r.world.largest_island == 1 ? "" : "s");
  fprintf(file, "  contacts closed   %llu times\n", (unsigned long long)r.closures);
  fprintf(file,
          job->options->no_ledger ? "  ledger residual   not kept\n" : "  ledger residual   %.2g\n",
          r.energy.worst_residual);
  fprintf(file, "  worst misfit      %.2g\n", r.misfit);
  fprintf(file, "  worst pull        %.2g N\n", r.pull);
  fprintf(file, "  parked energy     %.2g J\n", r.parked);
  fprintf(file, "  peak level        %s", level);
  if (isfinite(r.loudness)) {
    fprintf(file, ", loudness %.1f LUFS", r.loudness);
  }
  fprintf(file, sound ? ", gain %.4g%s\n" : "\n", job->gain,
          job->auto_gain && isnan(job->options->loudness) ? " (auto)" : "");
  if (r.pitch > 0.0) {
    char note[24];
    jw_tool_note(r.pitch, note);
    fprintf(file, "  pitch heard       %.2f Hz, %s\n", r.pitch, note);
  }
  fprintf(file, "  speed             %.2f x real time: %.2f s, %.2f s in all\n", r.realtime_factor,
          job->computing, jw_job_clock() - job->started);
  list_files(job, file);
}

// ---------------------------------------------------------------- JSON

static void put_text(FILE* file, const char* key, const char* text) {
  fprintf(file, "  \"%s\": ", key);
  jw_origin_json(text, file);
  fputs(",\n", file);
}

static void put_number(FILE* file, const char* key, double value) {
  fprintf(file, isfinite(value) ? "  \"%s\": %.17g,\n" : "  \"%s\": null,\n", key, value);
}

static void put_stats(const JwJob* job, FILE* file) {
  const JwReport r = jw_report_of(job);
  fputs("{\n", file);
  put_text(file, "version", jw_version());
  put_text(file, "scene", job->options->scene);
  for (int i = 0; i < JW_ORIGIN_COUNT; ++i) {
    if (i != JW_ORIGIN_SCENE && i != JW_ORIGIN_RATE && i != JW_ORIGIN_OVERSAMPLE) {
      put_text(file, jw_origin_names[i], job->origin.values[i]);
    }
  }
  put_number(file, "duration", (double)job->done / job->rate);
  put_number(file, "sample_rate", job->rate);
  put_number(file, "oversample", job->oversample);
  put_number(file, "channels", job->channel_count);
  put_number(file, "energy_residual", job->options->no_ledger ? JW_UNSET : r.energy.worst_residual);
  put_number(file, "max_pull", r.pull);
  put_number(file, "parked_energy", r.parked);
  put_number(file, "max_misfit", r.misfit);
  put_number(file, "closures", (double)r.closures);
  put_number(file, "grid_points", (double)r.world.points);
  put_number(file, "islands", r.world.islands);
  put_number(file, "largest_island", r.world.largest_island);
  put_number(file, "gain", job->gain);
  put_number(file, "peak", r.peak);
  put_number(file, "loudness", r.loudness);
  put_number(file, "pitch", r.pitch);
  put_number(file, "seconds", job->computing);
  put_number(file, "realtime_factor", r.realtime_factor);
  fprintf(file, "  \"stopped\": %s\n}\n", job->stopped ? "true" : "false");
}

bool jw_report_stats(const JwJob* job) {
  JwOutFile out;
  if (!jw_out_open(&out, job->options->stats)) {
    return false;
  }
  FILE* const file = jw_out_stream(&out);
  if (file) {
    put_stats(job, file);
  }
  if (!file || fclose(file) != 0) {
    jw_out_cancel(&out);
    return jw_tool_fail("cannot write %s: %s", job->options->stats, strerror(errno));
  }
  return jw_out_commit(&out);
}
