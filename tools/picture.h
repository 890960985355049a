// SPDX-License-Identifier: MIT
// picture.h: what a picture is drawn from.  picture.c gathers it, draw.c draws it.
#ifndef JAWARI_TOOL_PICTURE_H
#define JAWARI_TOOL_PICTURE_H

#include "job.h"
#include "spectrum.h"

#define JW_PICTURE_COLUMNS 600
#define JW_PICTURE_BINS (JW_SPECTRUM_SIZE / 2 + 1)
#define JW_PICTURE_PLACES 121  ///< Along the string
#define JW_PICTURE_PERIODS 8.0 ///< Of the string's fundamental
#define JW_PICTURE_CONTACTS 24

typedef enum {
  JW_PANEL_WAVEFORM,
  JW_PANEL_SPECTROGRAM,
  JW_PANEL_ENERGY,
  JW_PANEL_SHAPE,
  JW_PANEL_CONTACTS,
  JW_PANEL_COUNT
} JwPanel;

extern const char* const jw_panel_names[JW_PANEL_COUNT + 1];

/// Columns are evenly spaced in time; `every` frames of output each.
struct JwPicture {
  JwOutFile out;
  bool wanted[JW_PANEL_COUNT];
  uint64_t every;
  uint32_t columns;
  // Sound of the first channel
  double range[2 * JW_PICTURE_COLUMNS]; ///< Least and most of each column
  double recent[2 * JW_SPECTRUM_SIZE];  ///< The last samples, newest at recent[held - 1]
  uint32_t held;
  uint64_t heard;
  uint32_t spectra;
  double levels[JW_PICTURE_BINS * JW_PICTURE_COLUMNS]; ///< By row
  // The ledger
  uint32_t rows;
  double time[JW_PICTURE_COLUMNS];
  double stored[JW_PICTURE_COLUMNS], contact[JW_PICTURE_COLUMNS], lost[JW_PICTURE_COLUMNS],
      supplied[JW_PICTURE_COLUMNS];
  // A string during a few periods
  JwObjectId string;
  const char* string_name;
  double from, step; ///< s
  uint32_t shapes;
  double shape[JW_PICTURE_PLACES * JW_PICTURE_COLUMNS];
  // Collisions
  uint32_t contact_count;
  JwContactId contacts[JW_PICTURE_CONTACTS];
  char contact_names[JW_PICTURE_CONTACTS][64];
  uint64_t closed_before[JW_PICTURE_CONTACTS];
  double closed[JW_PICTURE_CONTACTS * JW_PICTURE_COLUMNS];
};

/// The figure as SVG, to be freed; NULL after printing why.
char* jw_picture_draw(const JwJob* job, JwPicture* picture);

#endif // JAWARI_TOOL_PICTURE_H
