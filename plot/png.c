// SPDX-License-Identifier: MIT
// A small picture inside the text of a figure: PNG with a palette, as a base 64 data address.
//
// A PNG file is a signature and chunks (length, name, data, CRC-32).  The picture's rows, each led
// by a filter byte, form a zlib stream closed by an Adler-32 sum.  Deflate allows blocks that are
// stored as they are; a heat map has little that would compress, so nothing else is written.

#include "png.h"

#include <string.h>

static uint32_t crc32(const uint8_t* bytes, size_t count) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ (crc & 1u ? 0xEDB88320u : 0u);
    }
  }
  return ~crc;
}

static uint32_t adler32(const uint8_t* bytes, size_t count) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < count; ++i) {
    a = (a + bytes[i]) % 65521u;
    b = (b + a) % 65521u;
  }
  return b << 16 | a;
}

static void add_word(JwText* out, uint32_t word) {
  const uint8_t bytes[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8),
                            (uint8_t)word};
  jw_text_bytes(out, (const char*)bytes, 4);
}

static void add_chunk(JwText* out, const char* name, const void* data, size_t count) {
  add_word(out, (uint32_t)count);
  const size_t start = out->length;
  jw_text_bytes(out, name, 4);
  jw_text_bytes(out, (const char*)data, count);
  if (!out->failed) {
    add_word(out, crc32((const uint8_t*)out->data + start, count + 4));
  }
}

// zlib stream of stored blocks, at most 65535 bytes each.
static void add_stored(JwText* out, const uint8_t* bytes, size_t count) {
  jw_text_bytes(out, "\x78\x01", 2);
  for (size_t at = 0; at < count;) {
    const size_t size = count - at < 65535 ? count - at : 65535;
    const uint8_t head[5] = {at + size == count, (uint8_t)size, (uint8_t)(size >> 8),
                             (uint8_t)~size, (uint8_t)(~size >> 8)};
    jw_text_bytes(out, (const char*)head, 5);
    jw_text_bytes(out, (const char*)bytes + at, size);
    at += size;
  }
  add_word(out, adler32(bytes, count));
}

static void add_header(JwText* out, const JwPicture* picture) {
  JwText header = {0};
  add_word(&header, picture->width);
  add_word(&header, picture->height);
  jw_text_bytes(&header, "\x08\x03\x00\x00\x00",
                5); // 8 bits, palette, deflate, filters, not interlaced
  jw_text_bytes(out, "\x89PNG\r\n\x1a\n", 8);
  if (header.failed) {
    out->failed = true;
  } else {
    add_chunk(out, "IHDR", header.data, header.length);
  }
  jw_text_release(&header);
}

static void add_palette(JwText* out, const JwPicture* picture) {
  uint8_t colors[256][3] = {{0}};
  memcpy(colors, picture->palette, sizeof picture->palette);
  uint8_t alpha[256];
  memset(alpha, 255, sizeof alpha);
  alpha[255] = 0;
  add_chunk(out, "PLTE", colors, sizeof colors);
  add_chunk(out, "tRNS", alpha, sizeof alpha);
}

static void add_pixels(JwText* out, const JwPicture* picture) {
  JwText rows = {0}, stream = {0};
  for (uint32_t y = 0; y < picture->height; ++y) {
    jw_text_bytes(&rows, "\0", 1);
    jw_text_bytes(&rows, (const char*)picture->pixels + (size_t)y * picture->width, picture->width);
  }
  if (!rows.failed) {
    add_stored(&stream, (const uint8_t*)rows.data, rows.length);
  }
  if (rows.failed || stream.failed) {
    out->failed = true;
  } else {
    add_chunk(out, "IDAT", stream.data, stream.length);
  }
  jw_text_release(&rows);
  jw_text_release(&stream);
}

static void add_base64(JwText* out, const uint8_t* bytes, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3) {
    const uint32_t b1 = i + 1 < count ? bytes[i + 1] : 0, b2 = i + 2 < count ? bytes[i + 2] : 0;
    const uint32_t word = (uint32_t)bytes[i] << 16 | b1 << 8 | b2;
    const char group[4] = {digits[word >> 18], digits[word >> 12 & 63],
                           i + 1 < count ? digits[word >> 6 & 63] : '=',
                           i + 2 < count ? digits[word & 63] : '='};
    jw_text_bytes(out, group, 4);
  }
}

void jw_png_address(JwText* text, const JwPicture* picture) {
  JwText file = {0};
  add_header(&file, picture);
  add_palette(&file, picture);
  add_pixels(&file, picture);
  add_chunk(&file, "IEND", "", 0);
  jw_text_add(text, "data:image/png;base64,");
  if (file.failed) {
    text->failed = true;
  } else {
    add_base64(text, (const uint8_t*)file.data, file.length);
  }
  jw_text_release(&file);
}
