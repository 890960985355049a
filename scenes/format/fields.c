// SPDX-License-Identifier: MIT
// Print the parameter tables of the library, one line a field: the struct, the field, and its unit,
// range and default as jawari/defs.h has them in brackets.  fields.py puts them there.

#include <jawari/defs.h>
#include <jawari/params.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As it would be written by hand: 44100, 1e-7, 1e9; no "+" nor leading zeros in the exponent.
static void put_number(double value) {
  char text[32];
  int digits_wanted = fabs(value) < 1e6 ? 10 : 1;
  do {
    snprintf(text, sizeof text, "%.*g", digits_wanted++, value);
  } while (strtod(text, NULL) != value && digits_wanted < 18);
  char* const power = strchr(text, 'e');
  if (!power) {
    printf("%s", text);
    return;
  }
  const char* digits = power + 2;
  while (*digits == '0') {
    ++digits;
  }
  printf("%.*se%s%s", (int)(power - text), text, power[1] == '-' ? "-" : "", digits);
}

static void put_default(const JwParam* param) {
  if (param->required) {
    printf("needed");
  } else if (param->choices) {
    printf("default %s", param->choices[(int)param->initial]);
  } else if (param->type == JW_TYPE_FLAG) {
    printf("default %s", param->initial != 0.0 ? "true" : "false");
  } else if (isnan(param->initial)) {
    printf("default JW_UNSET");
  } else {
    printf("default ");
    put_number(param->initial);
  }
}

static void put_field(const char* kind, const JwParam* param) {
  printf("Jw%c%sDef\t%s\t", toupper((unsigned char)kind[0]), kind + 1, param->key);
  if (param->unit[0]) {
    printf("%s; ", param->unit);
  }
  if (!param->choices && param->type != JW_TYPE_FLAG) {
    put_number(param->minimum);
    printf(" to ");
    put_number(param->maximum);
    printf("; ");
  }
  put_default(param);
  printf("\n");
}

int main(void) {
  for (int kind = 0; kind < JW_KIND_COUNT; ++kind) {
    uint32_t count = 0;
    const JwParam* const params = jw_params((JwKind)kind, &count);
    for (uint32_t i = 0; i < count; ++i) {
      put_field(jw_kind_name((JwKind)kind), &params[i]);
    }
  }
  return 0;
}
