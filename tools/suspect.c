// SPDX-License-Identifier: MIT
// What looks wrong while a scene runs, and after it.

#include "job.h"

#include <math.h>

#define MOST_POINTS 4096 // Looked at in an object; more are looked at in part

static double bend_of(const JwWorld* world, JwObjectId id) {
  static double values[MOST_POINTS];
  const uint32_t count = jw_world_field(world, id, values, MOST_POINTS);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (uint32_t i = 0; i < count; ++i) {
    low = fmin(low, values[i]);
    high = fmax(high, values[i]);
  }
  return high - low;
}

void jw_job_watch_large(JwJob* job) {
  const uint32_t count = jw_world_info(job->world).objects;
  for (uint32_t i = 0; i < count && !job->told_large; ++i) {
    const JwObjectId id = {i + 1};
    const JwObjectInfo info = jw_world_object_info(job->world, id);
    const double length = fmax(info.grid[0] * info.spacing[0], info.grid[1] * info.spacing[1]);
    const double bend = length > 0.0 ? bend_of(job->world, id) : 0.0;
    if (bend > length) {
      const double time = (double)jw_world_frame(job->world) / (job->rate * job->oversample);
      jw_tool_warn(
          "%s: at %.3g s \"%s\" is bent by %.3g m, more than its length of %.3g m; the equations hold for small motion",
          job->options->scene, time, info.name, bend, length);
      job->told_large = true;
    }
  }
}

#define MOST_MISFIT 0.02 // Beyond, the motion is not what the equations say

static void warn_of_misfits(const JwJob* job) {
  const uint32_t count = jw_world_info(job->world).objects;
  for (uint32_t i = 1; i <= count; ++i) {
    const double misfit = jw_world_stretch_figures(job->world, (JwObjectId){i}).usual_misfit;
    if (misfit > MOST_MISFIT) {
      jw_tool_warn(
          "%s: \"%s\" stiffens more than its steps can follow: its load was off by %.2g of "
          "the largest; raise the sample rate or oversample, or the bend of a grid",
          job->options->scene, jw_world_object_info(job->world, (JwObjectId){i}).name, misfit);
    }
  }
}

void jw_job_warn_at_end(const JwJob* job) {
  warn_of_misfits(job);
  if (!job->options->midi) {
    return;
  }
  const JwPlayerFigures figures = jw_performance_figures(job->performance);
  if (figures.unplayed) {
    jw_tool_warn("%s: %llu notes have no key in this tuning", job->options->midi,
                 (unsigned long long)figures.unplayed);
  }
  if (figures.astray) {
    double range[2];
    jw_performance_reach(job->performance, range);
    jw_tool_warn(
        "%s: %llu notes lie more than a quarter tone from all that %s can play, which goes from "
        "%.1f to %.1f Hz, first note %u (%.1f Hz); `jawari play %s --list-controls` shows its voices",
        job->options->midi, (unsigned long long)figures.astray, job->options->scene, range[0],
        range[1], figures.first_astray, 440.0 * exp2((figures.first_astray - 69) / 12.0),
        job->options->scene);
  }
}
