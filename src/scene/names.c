// SPDX-License-Identifier: MIT
// Materials and notes by name, and the nearest known name to a mistyped one.

#include "scene/names.h"

#include "numeric/power.h"

#include <jawari/scene.h>

#include <math.h>
#include <string.h>

// Elastic constants of common materials.  Metals, glass and nylon: handbook values at 20 degrees C.
// Gut: roped gut strings.  Woods: along the grain, with the Poisson ratio LR of the wood handbook.
static const JwMaterial materials[] = {
    {"steel", 7850, 2.0e11, 0.30},     {"stainless", 7900, 1.93e11, 0.29},
    {"iron", 7870, 2.11e11, 0.29},     {"brass", 8500, 1.05e11, 0.34},
    {"bronze", 8800, 1.1e11, 0.34},    {"copper", 8960, 1.2e11, 0.34},
    {"aluminium", 2700, 7.0e10, 0.35}, {"titanium", 4507, 1.16e11, 0.32},
    {"silver", 10490, 8.3e10, 0.37},   {"gold", 19300, 7.8e10, 0.44},
    {"lead", 11340, 1.6e10, 0.44},     {"tungsten", 19250, 4.11e11, 0.28},
    {"nylon", 1070, 5.0e9, 0.39},      {"silk", 1156, 9.9e9, 0.30},
    {"gut", 1300, 5.0e9, 0.40},        {"mylar", 1390, 3.5e9, 0.38},
    {"rubber", 1100, 5.0e6, 0.49},     {"glass", 2500, 7.0e10, 0.22},
    {"ceramic", 2400, 7.2e10, 0.20},   {"spruce", 450, 1.0e10, 0.37},
    {"maple", 700, 1.26e10, 0.48},     {"rosewood", 830, 1.2e10, 0.36},
    {"ebony", 1100, 1.7e10, 0.36},     {"bamboo", 700, 1.5e10, 0.32},
};

const JwMaterial* jw_materials(uint32_t* count) {
  if (count) {
    *count = (uint32_t)(sizeof materials / sizeof materials[0]);
  }
  return materials;
}

const JwMaterial* jw_material_find(const char* name) {
  for (size_t i = 0; i < sizeof materials / sizeof materials[0]; ++i) {
    if (strcmp(materials[i].name, name) == 0) {
      return &materials[i];
    }
  }
  return NULL;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "+15", "-7.5": a sign, digits and perhaps a fraction, to the end of the text.
static bool read_cents(const char* text, double* cents) {
  const size_t length = strlen(text);
  return length > 1 && is_digit(text[1]) && is_digit(text[length - 1])
         && strspn(text + 1, "0123456789.") == length - 1 && jw_number_read(text, cents) == length;
}

double jw_note_frequency(const char* name) {
  static const int semitones[7] = {9, 11, 0, 2, 4, 5, 7}; // A to G above C
  const char letter = name ? *name : '\0';
  if (letter < 'A' || letter > 'G') {
    return NAN;
  }
  const char* rest = name + 1;
  int semitone = semitones[letter - 'A'];
  for (; *rest == '#' || *rest == 'b'; ++rest) {
    semitone += *rest == '#' ? 1 : -1;
  }
  const bool negative = *rest == '-';
  rest += negative;
  if (*rest < '0' || *rest > '9') {
    return NAN;
  }
  const int octave = negative ? -(*rest - '0') : *rest - '0';
  ++rest;
  double cents = 0.0;
  const bool signed_rest = *rest == '+' || *rest == '-';
  if ((*rest && !signed_rest) || (signed_rest && !read_cents(rest, &cents))
      || fabs(cents) > 1200.0) {
    return NAN;
  }
  // Own exponential: a scene gives the same samples on every machine.
  static const double ln2 = 0.69314718055994530942;
  return ldexp(440.0, octave - 4) * jw_exp(ln2 / 12.0 * (semitone - 9 + cents / 100.0));
}

// ---------------------------------------------------------------- the nearest name

#define LONGEST 31

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/// Least number of letters put in, left out, changed or swapped with their neighbour.
uint32_t jw_name_distance(const char* a, const char* b) {
  const size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) {
    return UINT32_MAX;
  }
  uint32_t rows[3][LONGEST + 1];
  for (uint32_t j = 0; j <= m; ++j) {
    rows[0][j] = j;
  }
  for (uint32_t i = 1; i <= n; ++i) {
    uint32_t* const row = rows[i % 3];
    const uint32_t* const above = rows[(i + 2) % 3];
    const uint32_t* const above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (uint32_t j = 1; j <= m; ++j) {
      row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = least(row[j], above2[j - 2] + 1);
      }
    }
  }
  return rows[n % 3][m];
}

void jw_nearest_try(JwNearest* nearest, const char* candidate) {
  const uint32_t distance = jw_name_distance(nearest->wanted, candidate);
  // A third of the letters may be wrong.
  const uint32_t allowed = (uint32_t)(strlen(nearest->wanted) + 1) / 3;
  if (distance <= allowed && distance < nearest->distance) {
    nearest->distance = distance;
    nearest->found = candidate;
  }
}
