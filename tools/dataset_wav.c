// SPDX-License-Identifier: MIT
// Sounds of a data set as WAV files of 32-bit floats: 56 bytes, and the samples.

#include "dataset_job.h"
#include "sha256.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD 56u

static const JwSweepResult* shape_of(const JwSweep* sweep) {
  return jw_sweep_result(sweep, 0); // A data set keeps the sound alone
}

uint64_t jw_wav_size(const JwSweep* sweep) {
  return shape_of(sweep)->width * sizeof(float);
}

bool jw_dataset_path(const JwDatasetJob* job, uint64_t index, char path[PATH_MAX]) {
  const int size =
      snprintf(path, PATH_MAX, "%s/%06llu.wav", job->options->output, (unsigned long long)index);
  return size < PATH_MAX - 16 || jw_tool_fail("%s: the path is too long", job->options->output);
}

static void put_number(unsigned char* to, uint64_t number, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    to[i] = (unsigned char)(number >> (8 * i));
  }
}

static void make_head(const JwSweep* sweep, unsigned char head[HEAD]) {
  const uint64_t size = jw_wav_size(sweep);
  const uint32_t rate = (uint32_t)jw_sweep_rate(sweep);
  const uint32_t channels = shape_of(sweep)->scales[1]->count;
  memcpy(head, "RIFF....WAVEfmt ....................fact........data....", HEAD);
  put_number(head + 4, HEAD - 8 + size, 4);
  put_number(head + 16, 16, 4);
  put_number(head + 20, 3, 2); // Floats
  put_number(head + 22, channels, 2);
  put_number(head + 24, rate, 4);
  put_number(head + 28, (uint64_t)rate * channels * 4, 4);
  put_number(head + 32, channels * 4, 2);
  put_number(head + 34, 32, 2);
  put_number(head + 40, 4, 4);
  put_number(head + 44, size / 4 / channels, 4);
  put_number(head + 52, size, 4);
}

// The temporary name is the same each time: what a killed run has left is written over by the next.
bool jw_wav_write(const char* path, const JwSweep* sweep, const float* samples) {
  char part[PATH_MAX + 8];
  unsigned char head[HEAD];
  make_head(sweep, head);
  snprintf(part, sizeof part, "%s.part", path);
  errno = 0;
  FILE* const file = fopen(part, "wb");
  if (!file) {
    return false;
  }
  bool good = fwrite(head, 1, HEAD, file) == HEAD
              && fwrite(samples, 1, jw_wav_size(sweep), file) == jw_wav_size(sweep);
  good = fclose(file) == 0 && good && rename(part, path) == 0;
  if (!good) {
    const int cause = errno;
    unlink(part);
    errno = cause;
  }
  return good;
}

bool jw_wav_hash(const char* path, const JwSweep* sweep, char hash[65]) {
  unsigned char head[HEAD], wanted[HEAD];
  const uint64_t size = jw_wav_size(sweep);
  FILE* const file = fopen(path, "rb");
  unsigned char* const samples = file ? (unsigned char*)malloc(size + 1) : NULL;
  make_head(sweep, wanted);
  const bool whole = samples && fread(head, 1, HEAD, file) == HEAD
                     && memcmp(head, wanted, HEAD) == 0
                     && fread(samples, 1, size + 1, file) == size;
  if (whole) {
    jw_sha256(samples, size, hash);
  }
  free(samples);
  if (file) {
    fclose(file);
  }
  return whole;
}
