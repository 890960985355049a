// SPDX-License-Identifier: MIT
// Scala scales and maps: whatever the bytes, 128 positive frequencies or keys left out, or a
// sentence. A line "---" divides the scale from the map.

#include <jawari/play.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char* const text = (char*)malloc(size + 1);
  if (!text || memchr(data, 0, size)) {
    free(text);
    return 0;
  }
  memcpy(text, data, size);
  text[size] = 0;
  char* map = strstr(text, "---\n");
  if (map) {
    *map = 0;
    map += 4;
  }
  JwTuning tuning;
  char error[JW_ERROR_SIZE] = "";
  const JwStatus status = jw_tuning_parse(text, map, &tuning, error);
  if (status ? !error[0] : 0) {
    abort();
  }
  for (int key = 0; !status && key < 128; ++key) {
    if (tuning.frequency[key] < 0.0) {
      abort();
    }
  }
  free(text);
  return 0;
}
