// SPDX-License-Identifier: MIT
// Runs of the engine, kept sample by sample.

#include "recording.h"

#include <math.h>
#include <stdlib.h>

const JwRule jw_paper_rules[JW_PAPER_RULES] = {JW_RULE_PLAIN, JW_RULE_RELEASED, JW_RULE_BOUNDED,
                                               JW_RULE_REFINED, JW_RULE_NEWTON};
const char* const jw_paper_rule_names[JW_PAPER_RULES] = {"plain", "released", "bounded", "refined",
                                                         "newton"};

enum { COLUMNS = 6 };

static void keep(const JwWorld* world, JwRecording* recording, size_t n, double u) {
  const JwEnergy energy = jw_world_energy(world);
  recording->t[n] = (double)n / recording->rate;
  recording->u[n] = u;
  recording->kinetic[n] = energy.kinetic;
  recording->potential[n] = energy.potential;
  recording->contact[n] = energy.contact;
  recording->total[n] = energy.stored;
}

bool jw_recording_open(JwPaperRun* run, JwWorld* world, double first, size_t count,
                       JwRecording* recording) {
  *recording = (JwRecording){.rate = jw_world_info(world).sample_rate, .count = count, .done = 1};
  recording->pool = (double*)malloc(COLUMNS * count * sizeof(double));
  if (!recording->pool) {
    return jw_paper_fail(run, "no memory for %zu samples", count);
  }
  double** const columns[COLUMNS] = {&recording->t,       &recording->u,
                                     &recording->kinetic, &recording->potential,
                                     &recording->contact, &recording->total};
  for (size_t c = 0; c < COLUMNS; ++c) {
    *columns[c] = recording->pool + c * count;
  }
  keep(world, recording, 0, first);
  return true;
}

bool jw_recording_run(JwPaperRun* run, JwWorld* world, JwRecording* recording, size_t last) {
  double values[4] = {0.0};
  double* const out[4] = {&values[0], &values[1], &values[2], &values[3]};
  for (; recording->done <= last && recording->done < recording->count; ++recording->done) {
    const JwStatus status = jw_world_run_double(world, out, 1);
    if (status) {
      jw_recording_release(recording);
      return jw_paper_fail(run, "the engine stopped: %s", jw_status_name(status));
    }
    keep(world, recording, recording->done, values[0]);
  }
  return true;
}

void jw_recording_release(JwRecording* recording) {
  free(recording->pool);
  *recording = (JwRecording){0};
}

double jw_paper_distance(const double* a, const double* b, size_t count) {
  double largest = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double d = fabs(a[i] - b[i]);
    largest = d <= largest ? largest : d; // NaN passes through
  }
  return largest;
}

double jw_paper_relative(const double* a, const double* b, size_t stride, size_t count) {
  double difference = 0.0, size = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double d = a[i] - b[i * stride];
    difference += d * d;
    size += b[i * stride] * b[i * stride];
  }
  return sqrt(difference / size);
}

double jw_paper_order(const double* rates, const double* errors, size_t count) {
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double lx = -log(rates[i]), ly = log(errors[i]);
    x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  const double n = (double)count;
  return (n * xy - x * y) / (n * xx - x * x);
}

bool jw_paper_velocity_sound(JwPaperRun* run, const char* stem, const JwPaperColumn* displacement,
                             double rate) {
  const size_t count = displacement->count;
  double* const samples = (double*)calloc(count + 1, sizeof *samples);
  if (!samples) {
    return jw_paper_fail(run, "no memory for %zu samples", count);
  }
  double largest = 0.0;
  for (size_t n = 1; n < count; ++n) {
    samples[n] = displacement->values[n] - displacement->values[n - 1];
    largest = fmax(largest, fabs(samples[n]));
  }
  for (size_t n = 0; n < count && largest > 0.0; ++n) {
    samples[n] *= 0.5 / largest;
  }
  const JwPaperColumn column = {displacement->name, samples, count};
  const bool good = jw_paper_sound(run, stem, &column, rate);
  free(samples);
  return good;
}

JwPlotSeries jw_paper_line(const double* x, const double* y, size_t count, const char* label) {
  JwPlotSeries series = jw_plot_series_default();
  series.x = x;
  series.y = y;
  series.count = count;
  series.label = label;
  return series;
}

JwPlotSeries jw_paper_rule_line(size_t rule, const double* x, const double* y, size_t count) {
  static const JwPlotMarker markers[JW_PAPER_RULES] = {JW_PLOT_DOT, JW_PLOT_SQUARE, JW_PLOT_DIAMOND,
                                                       JW_PLOT_TRIANGLE, JW_PLOT_CROSS};
  JwPlotSeries series = jw_paper_line(x, y, count, jw_paper_rule_names[rule]);
  series.color = (int)rule + 1;
  series.marker = markers[rule];
  // Released and bounded, refined and newton often lie on each other: the upper one lets the lower
  // through
  series.dash =
      rule == JW_PAPER_BOUNDED || rule == JW_PAPER_NEWTON ? JW_PLOT_DASHED : JW_PLOT_SOLID;
  return series;
}
