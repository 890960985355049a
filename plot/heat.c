// SPDX-License-Identifier: MIT
// Heat maps: values to colours, and the bar that tells which is which.
//
// The map becomes a PNG of one palette entry a pixel (png.c), at most 480 x 240 pixels, so that the
// figure stays under 200 kB.  A pixel that covers several cells shows the one furthest from the
// middle of the range when diverging, the largest otherwise: a thin ridge never vanishes.
// Cells that are not finite stay transparent.

#include "draw.h"
#include "png.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_WIDTH = 480, MAX_HEIGHT = 240, COLORS = 255 };

// Night blue, through violet and a warm red, to pale yellow: lightness rises all the way.
static const double sequential[][3] = {{14, 16, 44},   {52, 28, 104},  {110, 35, 121},
                                       {170, 51, 106}, {218, 86, 77},  {243, 140, 60},
                                       {249, 196, 92}, {252, 244, 190}};
// Blue and red away from a pale middle.
static const double divergent[][3] = {{16, 66, 128},   {60, 130, 190},  {160, 200, 226},
                                      {244, 243, 240}, {240, 184, 150}, {210, 100, 78},
                                      {136, 22, 42}};

static void fill_palette(JwPicture* picture, bool diverging) {
  const double(*stops)[3] = diverging ? divergent : sequential;
  const int count = diverging ? 7 : 8;
  for (int i = 0; i < COLORS; ++i) {
    const double at = i * (count - 1) / (COLORS - 1.0);
    const int stop = at >= count - 1 ? count - 2 : (int)at;
    for (int c = 0; c < 3; ++c) {
      const double value = stops[stop][c] + (at - stop) * (stops[stop + 1][c] - stops[stop][c]);
      picture->palette[i][c] = (uint8_t)lround(value);
    }
  }
}

static bool settle_range(const JwPlotHeat* heat, double range[2]) {
  range[0] = heat->range[0];
  range[1] = heat->range[1];
  if (range[0] != range[1]) {
    return true;
  }
  range[0] = INFINITY, range[1] = -INFINITY;
  for (size_t i = 0; i < heat->rows * heat->columns; ++i) {
    if (isfinite(heat->values[i])) {
      range[0] = fmin(range[0], heat->values[i]);
      range[1] = fmax(range[1], heat->values[i]);
    }
  }
  if (range[0] > range[1]) {
    return false;
  }
  if (heat->diverging) {
    range[1] = fmax(fabs(range[0]), fabs(range[1]));
    range[0] = -range[1];
  }
  if (range[0] == range[1]) {
    range[0] -= 0.5, range[1] += 0.5;
  }
  return true;
}

// Palette entry of the most telling of the cells under pixel (column, row), rows from below.
static uint8_t pixel_at(const JwPlotHeat* heat, const double range[2], const size_t box[4]) {
  const double middle = 0.5 * (range[0] + range[1]);
  double best = NAN;
  for (size_t row = box[2]; row < box[3]; ++row) {
    for (size_t column = box[0]; column < box[1]; ++column) {
      const double value = heat->values[row * heat->columns + column];
      const bool better =
          heat->diverging ? fabs(value - middle) > fabs(best - middle) : value > best;
      best = isfinite(value) && (isnan(best) || better) ? value : best;
    }
  }
  if (isnan(best)) {
    return 255;
  }
  const double at = (best - range[0]) / (range[1] - range[0]);
  return (uint8_t)lround(fmin(fmax(at, 0.0), 1.0) * (COLORS - 1));
}

static void fill_pixels(const JwPlotHeat* heat, const double range[2], JwPicture* picture,
                        uint8_t* pixels) {
  for (size_t y = 0; y < picture->height; ++y) {
    for (size_t x = 0; x < picture->width; ++x) {
      const size_t box[4] = {
          x * heat->columns / picture->width, (x + 1) * heat->columns / picture->width,
          y * heat->rows / picture->height, (y + 1) * heat->rows / picture->height};
      pixels[(picture->height - 1 - y) * picture->width + x] = pixel_at(heat, range, box);
    }
  }
}

static void add_image(JwText* text, const JwPicture* picture, const double box[4]) {
  static const char* const names[4] = {"x", "y", "width", "height"};
  jw_text_add(text, "<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"");
  for (int i = 0; i < 4; ++i) {
    jw_text_add(text, " %s=\"", names[i]);
    jw_text_coordinate(text, box[i]);
    jw_text_add(text, "\"");
  }
  jw_text_add(text, " href=\"");
  jw_png_address(text, picture);
  jw_text_add(text, "\"/>\n");
}

bool jw_plot_draw_heat(JwText* text, const JwPlotFrame* frame, JwPlotError* error) {
  const JwPlotHeat* const heat = frame->panel->heat;
  double range[2];
  if (!settle_range(heat, range)) {
    return jw_plot_fail(error, "the heat map has no finite value");
  }
  JwPicture picture = {.width = (uint32_t)fmin((double)heat->columns, MAX_WIDTH),
                       .height = (uint32_t)fmin((double)heat->rows, MAX_HEIGHT)};
  uint8_t* const pixels = (uint8_t*)malloc((size_t)picture.width * picture.height);
  if (!pixels) {
    return jw_plot_fail(error, "no memory for a heat map");
  }
  fill_palette(&picture, heat->diverging);
  fill_pixels(heat, range, &picture, pixels);
  picture.pixels = pixels;
  const double x0 = jw_plot_x(frame, heat->x[0]), x1 = jw_plot_x(frame, heat->x[1]);
  const double y0 = jw_plot_y(frame, heat->y[0]), y1 = jw_plot_y(frame, heat->y[1]);
  add_image(text, &picture, (const double[4]){x0, y1, x1 - x0, y0 - y1});
  free(pixels);
  return true;
}

static void add_bar_labels(JwText* text, const JwPlotFrame* frame, const double range[2],
                           double left) {
  const JwPlotHeat* const heat = frame->panel->heat;
  const JwPlotAxis axis = {
      .label = heat->label, .unit = heat->unit, .min = range[0], .max = range[1]};
  const JwTicks ticks = jw_ticks_choose(&axis, (int)(frame->height / 32.0));
  double widest = 0.0;
  for (size_t i = 0; i < ticks.count; ++i) {
    const double at = (ticks.tick[i].value - range[0]) / (range[1] - range[0]);
    jw_text_add(text, "<text class=\"t\" x=\"");
    jw_text_coordinate(text, left + 16.0);
    jw_text_add(text, "\" y=\"");
    jw_text_coordinate(text, frame->top + frame->height * (1.0 - at) + 4.0);
    jw_text_add(text, "\">%s</text>\n", ticks.tick[i].label);
    widest = fmax(widest, jw_text_width(ticks.tick[i].label, 11.0));
  }
  const double x = left + 16.0 + widest + 20.0, y = frame->top + 0.5 * frame->height;
  jw_text_add(text, "<text class=\"l\" text-anchor=\"middle\" transform=\"translate(");
  jw_text_coordinate(text, x);
  jw_text_add(text, " ");
  jw_text_coordinate(text, y);
  jw_text_add(text, ") rotate(-90)\">");
  jw_text_escaped(text, ticks.title);
  jw_text_add(text, "</text>\n");
}

void jw_plot_draw_color_bar(JwText* text, const JwPlotFrame* frame) {
  double range[2];
  if (!settle_range(frame->panel->heat, range)) {
    return;
  }
  uint8_t pixels[COLORS];
  for (int i = 0; i < COLORS; ++i) {
    pixels[i] = (uint8_t)(COLORS - 1 - i);
  }
  JwPicture picture = {.width = 1, .height = COLORS, .pixels = pixels};
  fill_palette(&picture, frame->panel->heat->diverging);
  const double left = frame->left + frame->width + 12.0;
  add_image(text, &picture, (const double[4]){left, frame->top, 10.0, frame->height});
  add_bar_labels(text, frame, range, left);
}
