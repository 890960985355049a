// SPDX-License-Identifier: MIT
// Draw a picture from what picture.c gathered, by the plot library.

#include "picture.h"

#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Viewers blur neighbouring rows of a heat map into each other; with this many rows a contact,
// little.
#define CELL_ROWS 16

/// Everything that panels point to while a figure is drawn.
typedef struct {
  const JwJob* job;
  JwPicture* picture;
  JwPlotPanel panels[JW_PANEL_COUNT];
  size_t count;
  JwPlotSeries wave;
  JwPlotSeries energies[4];
  JwPlotHeat spectrogram, shape, contacts;
  double times[2 * JW_PICTURE_COLUMNS];
  double cells[CELL_ROWS * JW_PICTURE_CONTACTS * JW_PICTURE_COLUMNS];
  const char* names[JW_PICTURE_CONTACTS];
  char titles[JW_PANEL_COUNT][160];
} Sheet;

static double duration(const Sheet* sheet) {
  return (double)sheet->job->done / sheet->job->rate;
}

static JwPlotPanel* add_panel(Sheet* sheet, JwPanel which) {
  JwPlotPanel* const panel = &sheet->panels[sheet->count++];
  *panel = jw_plot_panel_default();
  panel->title = sheet->titles[which];
  panel->x = (JwPlotAxis){.label = "time", .unit = "s", .min = 0.0, .max = duration(sheet)};
  return panel;
}

// Rows of `from` are JW_PICTURE_COLUMNS long, a heat map wants them as long as they are used.  In
// place.
static void pack(double* values, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r) {
    memmove(values + r * columns, values + r * JW_PICTURE_COLUMNS, columns * sizeof(double));
  }
}

// ---------------------------------------------------------------- panels

// A line that goes up and down between the extremes of each column.
static void add_waveform(Sheet* sheet) {
  const JwJob* const job = sheet->job;
  const JwPicture* const picture = sheet->picture;
  const size_t columns = (size_t)((job->done + picture->every - 1) / picture->every);
  for (size_t i = 0; i < 2 * columns; ++i) {
    sheet->times[i] = ((double)(i / 2) + 0.5) * (double)picture->every / job->rate;
  }
  sheet->wave = jw_plot_series_default();
  sheet->wave.x = sheet->times;
  sheet->wave.y = picture->range;
  sheet->wave.count = 2 * columns;
  snprintf(sheet->titles[JW_PANEL_WAVEFORM], 160, "Waveform of %s", job->channels[0].name);
  JwPlotPanel* const panel = add_panel(sheet, JW_PANEL_WAVEFORM);
  panel->y = (JwPlotAxis){.label = job->channels[0].quantity, .unit = job->channels[0].unit};
  panel->series = &sheet->wave;
  panel->series_count = 1;
}

#define FLOOR -80.0   // dB: what is shown
#define AUDIBLE -70.0 // dB: what decides how high the spectrogram goes

// Levels in dB of the strongest; false when there is none.
static bool to_levels(double* values, size_t count) {
  double most = 0.0;
  for (size_t i = 0; i < count; ++i) {
    most = fmax(most, values[i]);
  }
  for (size_t i = 0; i < count && most > 0.0; ++i) {
    values[i] = fmax(FLOOR, 20.0 * log10(values[i] / most));
  }
  return most > 0.0;
}

// Rows up to the highest that is heard in more than a tenth of the columns (attacks go all the way
// up), and a fifth more.
static size_t rows_shown(const double* levels, size_t rows, size_t columns) {
  size_t highest = 20;
  for (size_t r = 0; r < rows; ++r) {
    size_t loud = 0;
    for (size_t c = 0; c < columns; ++c) {
      loud += levels[r * columns + c] > AUDIBLE;
    }
    highest = loud * 10 > columns ? r : highest;
  }
  highest += highest / 5;
  return highest < rows ? highest : rows;
}

static void add_spectrogram(Sheet* sheet) {
  const JwJob* const job = sheet->job;
  JwPicture* const picture = sheet->picture;
  pack(picture->levels, JW_PICTURE_BINS, picture->spectra);
  if (!to_levels(picture->levels, (size_t)JW_PICTURE_BINS * picture->spectra)) {
    return; // Silence has no levels
  }
  const size_t rows = rows_shown(picture->levels, JW_PICTURE_BINS, picture->spectra);
  const double end = picture->spectra * (double)picture->every / job->rate;
  const double top = (double)rows * job->rate / JW_SPECTRUM_SIZE;
  sheet->spectrogram = (JwPlotHeat){.values = picture->levels,
                                    .rows = rows,
                                    .columns = picture->spectra,
                                    .x = {0.0, end},
                                    .y = {0.0, top},
                                    .range = {FLOOR, 0.0},
                                    .label = "level (dB)"};
  snprintf(sheet->titles[JW_PANEL_SPECTROGRAM], 160, "Spectrogram of %s", job->channels[0].name);
  JwPlotPanel* const panel = add_panel(sheet, JW_PANEL_SPECTROGRAM);
  panel->y = (JwPlotAxis){.label = "frequency", .unit = "Hz", .min = 0.0, .max = top};
  panel->heat = &sheet->spectrogram;
}

static double largest(const double* values, uint32_t count) {
  double most = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    most = fmax(most, values[i]);
  }
  return most;
}

// On a logarithmic axis, nine decades down from the largest.
static void add_energy(Sheet* sheet) {
  JwPicture* const picture = sheet->picture;
  static const char* const labels[] = {"stored", "in contacts", "lost", "supplied"};
  const double* const values[] = {picture->stored, picture->contact, picture->lost,
                                  picture->supplied};
  double peak = 0.0;
  size_t series = 0;
  for (size_t i = 0; i < 4; ++i) {
    const double most = largest(values[i], picture->rows);
    if (most > 0.0) {
      JwPlotSeries* const line = &sheet->energies[series++];
      *line = jw_plot_series_default();
      line->x = picture->time;
      line->y = values[i];
      line->count = picture->rows;
      line->label = labels[i];
      line->color = (int)i + 1;
      line->kind = i == 1 ? JW_PLOT_POINTS : JW_PLOT_LINE; // Contacts come and go between columns
    }
    peak = fmax(peak, most);
  }
  if (series == 0) {
    return;
  }
  snprintf(sheet->titles[JW_PANEL_ENERGY], 160, "Energy; the ledger closes to %.1g of its peak",
           jw_world_energy(sheet->job->world).worst_residual);
  JwPlotPanel* const panel = add_panel(sheet, JW_PANEL_ENERGY);
  panel->y = (JwPlotAxis){
      .label = "energy", .unit = "J", .log = true, .min = peak * 1e-9, .max = peak * 3.0};
  panel->series = sheet->energies;
  panel->series_count = series;
}

static void add_shape(Sheet* sheet) {
  JwPicture* const picture = sheet->picture;
  double most = 0.0;
  pack(picture->shape, JW_PICTURE_PLACES, picture->shapes);
  for (size_t i = 0; i < (size_t)JW_PICTURE_PLACES * picture->shapes; ++i) {
    most = fmax(most, fabs(picture->shape[i]));
  }
  if (most <= 0.0) {
    return;
  }
  const double end = picture->from + picture->shapes * picture->step;
  sheet->shape = (JwPlotHeat){.values = picture->shape,
                              .rows = JW_PICTURE_PLACES,
                              .columns = picture->shapes,
                              .x = {picture->from, end},
                              .y = {0.0, 1.0},
                              .range = {-most, most},
                              .label = "displacement",
                              .unit = "m",
                              .diverging = true};
  snprintf(sheet->titles[JW_PANEL_SHAPE], 160, "Shape of %s for a few periods",
           picture->string_name);
  JwPlotPanel* const panel = add_panel(sheet, JW_PANEL_SHAPE);
  panel->x = (JwPlotAxis){.label = "time", .unit = "s", .min = picture->from, .max = end};
  panel->y = (JwPlotAxis){.label = "place along its length", .min = 0.0, .max = 1.0};
  panel->heat = &sheet->shape;
}

static void add_contacts(Sheet* sheet) {
  const JwPicture* const picture = sheet->picture;
  const uint32_t count = picture->contact_count;
  for (uint32_t i = 0; i < count; ++i) {
    sheet->names[i] = picture->contact_names[i];
    for (size_t row = 0; row < CELL_ROWS; ++row) {
      memcpy(sheet->cells + (CELL_ROWS * i + row) * picture->rows,
             picture->closed + (size_t)i * JW_PICTURE_COLUMNS, picture->rows * sizeof(double));
    }
  }
  const double end = picture->rows * (double)picture->every / sheet->job->rate;
  sheet->contacts = (JwPlotHeat){.values = sheet->cells,
                                 .rows = (size_t)CELL_ROWS * count,
                                 .columns = picture->rows,
                                 .x = {0.0, end},
                                 .y = {-0.5, count - 0.5},
                                 .range = {0.0, 1.0},
                                 .label = "part of the time closed"};
  snprintf(sheet->titles[JW_PANEL_CONTACTS], 160, "Contacts: when they are closed");
  JwPlotPanel* const panel = add_panel(sheet, JW_PANEL_CONTACTS);
  panel->y =
      (JwPlotAxis){.names = sheet->names, .name_count = count, .min = -0.5, .max = count - 0.5};
  panel->heat = &sheet->contacts;
}

// ---------------------------------------------------------------- figure

static void add_panels(Sheet* sheet) {
  const JwPicture* const picture = sheet->picture;
  const bool sound = sheet->job->channel_count > 0 && sheet->job->done > 0;
  if (picture->wanted[JW_PANEL_WAVEFORM] && sound) {
    add_waveform(sheet);
  }
  if (picture->wanted[JW_PANEL_SPECTROGRAM] && sound && picture->spectra) {
    add_spectrogram(sheet);
  }
  if (picture->wanted[JW_PANEL_ENERGY] && picture->rows) {
    add_energy(sheet);
  }
  if (picture->wanted[JW_PANEL_SHAPE] && picture->shapes) {
    add_shape(sheet);
  }
  if (picture->wanted[JW_PANEL_CONTACTS] && picture->contact_count && picture->rows) {
    add_contacts(sheet);
  }
}

char* jw_picture_draw(const JwJob* job, JwPicture* picture) {
  Sheet* const sheet = (Sheet*)calloc(1, sizeof *sheet);
  char* text = NULL;
  if (!sheet) {
    jw_tool_fail("no memory");
    return NULL;
  }
  sheet->job = job;
  sheet->picture = picture;
  add_panels(sheet);
  const char* const title = jw_scene_info(job->scene).title;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = title[0] ? title : job->options->scene;
  figure.panels = sheet->panels;
  figure.panel_count = sheet->count;
  figure.columns = 1;
  figure.height = 170.0;
  JwPlotError error = {"none of the panels has anything to show"};
  text = sheet->count ? jw_plot_text(&figure, &error) : NULL;
  if (!text) {
    jw_tool_fail("cannot draw %s: %s", job->options->plot, error.text);
  }
  free(sheet);
  return text;
}
