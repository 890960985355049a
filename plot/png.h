// SPDX-License-Identifier: MIT
// png.h: a small picture inside the text of a figure.
#ifndef JAWARI_PLOT_PNG_H
#define JAWARI_PLOT_PNG_H

#include "text.h"

#include <stdint.h>

/// A picture of palette entries, first row on top.  Entry 255 is transparent.
typedef struct {
  uint32_t width, height;
  const uint8_t* pixels;
  uint8_t palette[255][3];
} JwPicture;

/// Add it as a data: address (PNG, base 64).
void jw_png_address(JwText* text, const JwPicture* picture);

#endif // JAWARI_PLOT_PNG_H
