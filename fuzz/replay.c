// SPDX-License-Identifier: MIT
// Run a fuzz target over the files given, for builds without libFuzzer: every input ever found
// worth keeping stays tested.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int replay(const char* path) {
  FILE* const file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  static uint8_t data[1 << 21];
  const size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  return LLVMFuzzerTestOneInput(data, size);
}

int main(int count, char** paths) {
  if (count < 2) {
    fprintf(stderr, "usage: %s FILE...\n", paths[0]);
    return 2;
  }
  int failed = 0;
  for (int i = 1; i < count; ++i) {
    failed |= replay(paths[i]);
  }
  printf("%d inputs replayed\n", count - 1);
  return failed;
}
