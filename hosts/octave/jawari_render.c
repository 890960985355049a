// SPDX-License-Identifier: MIT
// Octave and MATLAB: [y, fs] = jawari_render (scene, 'seconds', 2, ...), see jawari_render.m

#include "take.h"

#include <jawari/builtin.h>

#include <mex.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// mexErrMsgIdAndTxt does not return: what is taken is given back before.
static JwScene* scene;
static JwTake* take;

static void give_back(void) {
  jw_take_close(take);
  jw_scene_destroy(scene);
  take = NULL;
  scene = NULL;
}

static void fail(const char* sentence) {
  char message[JW_ERROR_SIZE + 16];
  snprintf(message, sizeof message, "%s", sentence);
  give_back();
  mexErrMsgIdAndTxt("jawari:render", "%s", message);
}

static void fail_scene(const char* otherwise) {
  char message[JW_ERROR_SIZE];
  if (scene && jw_scene_diagnostics(scene)) {
    const JwDiagnostic first = jw_scene_diagnostic(scene, 0);
    snprintf(message, sizeof message, "%.100s:%u:%u: %.350s", first.file ? first.file : "scene",
             first.line, first.column, first.message);
    otherwise = message;
  }
  fail(otherwise);
}

static void open_scene(const mxArray* array) {
  char* const name = mxIsChar(array) ? mxArrayToString(array) : NULL;
  if (!name) {
    fail("the scene is a text: a file, a built-in scene, or a scene itself");
  }
  JwSceneOptions options = jw_scene_options();
  options.read = jw_builtin_read;
  const bool text = name[strspn(name, " \t\r\n")] == '{';
  FILE* const file = text ? NULL : fopen(name, "rb");
  if (file) {
    fclose(file);
  }
  const JwStatus status = text ? jw_scene_parse(name, strlen(name), &options, &scene)
                          : !file && jw_builtin_find(name) ? jw_builtin_load(name, NULL, &scene)
                                                           : jw_scene_load(name, NULL, &scene);
  mxFree(name);
  if (status) {
    fail_scene(jw_status_text(status));
  }
}

static double number_of(const mxArray* array, const char* name) {
  char message[128];
  if (!mxIsDouble(array) || mxIsComplex(array) || mxGetNumberOfElements(array) != 1
      || !isfinite(mxGetScalar(array))) {
    snprintf(message, sizeof message, "'%s' wants one finite number", name);
    fail(message);
  }
  return mxGetScalar(array);
}

// Rows of [seconds status data1 data2].
static JwSong song_of(const mxArray* array) {
  const size_t rows = mxGetM(array);
  JwSong song = {.events = NULL};
  if (!mxIsDouble(array) || mxIsComplex(array) || mxGetN(array) != 4 || rows > JW_SONG_MAX_EVENTS) {
    fail("'midi' wants rows of [seconds status data1 data2], such as [0 144 60 100]");
  }
  const double* const cells = mxGetPr(array);
  song.events = (JwSongEvent*)mxCalloc(rows + 1, sizeof *song.events);
  for (size_t i = 0; i < rows; ++i) {
    JwSongEvent* const event = &song.events[i];
    event->time = cells[i];
    for (size_t k = 0; k < 3; ++k) {
      const double value = cells[i + (k + 1) * rows];
      if (!(value >= (k ? 0 : 128) && value <= (k ? 127 : 239) && value == floor(value))) {
        fail("'midi': a status is from 128 to 239, data from 0 to 127, whole numbers");
      }
      event->data[k] = (uint8_t)value;
    }
    event->size = (event->data[0] & 0xe0) == 0xc0 ? 2 : 3;
    if (!(event->time >= song.duration && event->time <= 3600.0)) {
      fail("'midi': times rise, and are from 0 to 3600 s");
    }
    song.duration = event->time;
  }
  song.count = (uint32_t)rows;
  return song;
}

static void read_option(const mxArray* key, const mxArray* value, JwTakeDef* def, JwSong* song) {
  char name[32] = "", message[128];
  mxGetString(key, name, sizeof name);
  if (strcmp(name, "seconds") == 0) {
    def->seconds = number_of(value, name);
  } else if (strcmp(name, "rate") == 0) {
    def->rate = number_of(value, name);
  } else if (strcmp(name, "gain") == 0) {
    def->gain = number_of(value, name);
  } else if (strcmp(name, "midi") == 0) {
    *song = song_of(value);
    def->song = song;
  } else if (strcmp(name, "channels") == 0) {
    static const char* const names[] = {"scene", "mono", "stereo", "pickups", "numbers"};
    char how[16] = "";
    uint32_t i = 0;
    mxGetString(value, how, sizeof how);
    while (i < 5 && strcmp(how, names[i]) != 0) {
      ++i;
    }
    if (i == 5) {
      fail("'channels' is one of scene, mono, stereo, pickups, numbers");
    }
    def->channels = (JwTakeChannels)i;
  } else {
    snprintf(message, sizeof message,
             "there is no option '%.31s': seconds, rate, gain, midi, channels", name);
    fail(message);
  }
}

static mxArray* render(const JwTakeDef* def) {
  if (jw_take_open(scene, def, &take)) {
    fail_scene(jw_take_error(take));
  }
  const JwTakeInfo info = jw_take_info(take);
  float* const samples = (float*)mxCalloc(info.frames * info.channels + 1, sizeof *samples);
  if (jw_take_run(take, samples)) {
    fail(jw_take_error(take));
  }
  mxArray* const result = mxCreateDoubleMatrix(info.frames, info.channels, mxREAL);
  for (uint32_t c = 0; c < info.channels; ++c) {
    for (uint64_t n = 0; n < info.frames; ++n) {
      mxGetPr(result)[c * info.frames + n] = (double)samples[n * info.channels + c];
    }
  }
  mxFree(samples);
  return result;
}

void mexFunction(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[]) {
  JwTakeDef def = jw_take_default();
  JwSong song = {.events = NULL};
  if (nrhs < 1 || nrhs % 2 == 0) {
    fail("wants a scene, then names and values; help jawari_render");
  }
  def.ledger = false;
  open_scene(prhs[0]);
  for (int i = 1; i + 1 < nrhs; i += 2) {
    read_option(prhs[i], prhs[i + 1], &def, &song);
  }
  plhs[0] = render(&def);
  if (nlhs > 1) {
    plhs[1] = mxCreateDoubleScalar(jw_take_info(take).rate);
  }
  mxFree(song.events);
  give_back();
}
