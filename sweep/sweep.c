// SPDX-License-Identifier: MIT
// Open a sweep: read its text, read the scene without what varies, lay out the rows.

#include "plan.h"

#include "sha256.h"

#include <jawari/builtin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---------------------------------------------------------------- the scene

// Seventeen digits, which no number needs more of, with a point in every locale.
static void write_set(char text[JW_SWEEP_NAME + 32], const char* name, double value) {
  const int at = snprintf(text, JW_SWEEP_NAME + 32, "%s=", name);
  snprintf(text + at, 32, "%.17g", value);
  for (char* c = text + at; *c; ++c) {
    *c = *c == ',' ? '.' : *c;
  }
}

static bool is_file(const char* path) {
  struct stat about;
  return *path && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

JwStatus jw_sweep_load(const JwSweep* sweep, const double* values, JwScene** scene) {
  char texts[JW_SWEEP_MAX_AXES][JW_SWEEP_NAME + 32];
  const char* sets[JW_SCENE_MAX_SETS];
  JwSceneOptions options = jw_scene_options();
  memcpy(sets, sweep->sets, sizeof sets);
  options.file = sweep->scene_name;
  options.sets = sets;
  options.set_count = sweep->set_count;
  for (uint32_t i = 0; i < sweep->axis_count && values; ++i) {
    write_set(texts[i], sweep->axes[i].name, values[i]);
    sets[options.set_count++] = texts[i];
  }
  if (sweep->def.scene) {
    return jw_scene_parse_in(sweep->def.folder, sweep->def.scene, strlen(sweep->def.scene),
                             &options, scene);
  }
  return is_file(sweep->scene_path) ? jw_scene_load(sweep->scene_path, &options, scene)
                                    : jw_builtin_load(sweep->scene_name, &options, scene);
}

// An instrument without "scene" is named by its key.
static JwPlace named_by(const JwSweep* sweep) {
  return sweep->own->key ? sweep->own->key_place : sweep->root->place;
}

// The scene's own errors, which have places of their own.
static JwStatus scene_errors(JwSweep* sweep, const JwScene* scene, JwStatus status) {
  const JwJson* const named = jw_json_member(sweep->own, "scene");
  char text[4096] = "";
  const uint32_t count = scene ? jw_scene_diagnostics(scene) : 0;
  for (uint32_t i = 0; i < count && strlen(text) + 1 < sizeof text; ++i) {
    const JwDiagnostic d = jw_scene_diagnostic(scene, i);
    if (status == JW_STATUS_IO) {
      return jw_sweep_fail(sweep, named ? named->place : named_by(sweep), "%s", d.message);
    }
    jw_diagnostic_format(&d, text + strlen(text), sizeof text - strlen(text));
  }
  sweep->error = jw_pool_text(&sweep->pool, *text ? text : jw_status_text(status),
                              strlen(*text ? text : jw_status_text(status)));
  return status;
}

static JwStatus open_scene(JwSweep* sweep) {
  const JwStatus status = jw_sweep_load(sweep, NULL, &sweep->scene);
  return status ? scene_errors(sweep, sweep->scene, status) : JW_STATUS_OK;
}

// ---------------------------------------------------------------- the hash

static size_t put_text(char* to, const char* text, size_t size) {
  const int head = snprintf(to, 32, "%zu:", size);
  memcpy(to + head, text, size);
  return (size_t)head + size;
}

static JwStatus make_hash(JwSweep* sweep) {
  size_t size = sweep->def.size + 128;
  for (uint32_t i = 0; i < jw_scene_files(sweep->scene); ++i) {
    size += jw_scene_file(sweep->scene, i).size + 32;
  }
  char* const all = (char*)malloc(size);
  if (!all) {
    return JW_STATUS_NO_MEMORY;
  }
  size_t at = put_text(all, jw_version(), strlen(jw_version()));
  at += put_text(all + at, sweep->def.text, sweep->def.size);
  for (uint32_t i = 0; i < jw_scene_files(sweep->scene); ++i) {
    const JwSceneFile file = jw_scene_file(sweep->scene, i);
    at += put_text(all + at, file.text, file.size);
  }
  jw_sha256(all, at, sweep->hash);
  free(all);
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- open

// Texts of the caller need not outlive the call.
static bool copy_def(JwSweep* sweep, const JwSweepDef* def) {
  const char* const file = def->file ? def->file : "<sweep>";
  sweep->def.size = def->size;
  sweep->def.instrument = def->instrument;
  sweep->def.text = jw_pool_text(&sweep->pool, def->text, def->size);
  sweep->def.file = jw_pool_text(&sweep->pool, file, strlen(file));
  sweep->def.folder =
      def->folder ? jw_pool_text(&sweep->pool, def->folder, strlen(def->folder)) : NULL;
  sweep->def.scene = def->scene ? jw_pool_text(&sweep->pool, def->scene, strlen(def->scene)) : NULL;
  return !sweep->pool.failed;
}

JwStatus jw_sweep_open(const JwSweepDef* def, JwSweep** made) {
  JwSweep* const sweep = (JwSweep*)calloc(1, sizeof *sweep);
  *made = sweep;
  if (!sweep) {
    return JW_STATUS_NO_MEMORY;
  }
  sweep->pool = jw_pool(jw_allocator_default());
  JwStatus status = copy_def(sweep, def) ? jw_sweep_read(sweep) : JW_STATUS_NO_MEMORY;
  status = status ? status : open_scene(sweep);
  status = status ? status : jw_sweep_layout(sweep);
  return status ? status : make_hash(sweep);
}

void jw_sweep_close(JwSweep* sweep) {
  if (sweep) {
    jw_scene_destroy(sweep->scene);
    jw_pool_release(&sweep->pool);
    free(sweep);
  }
}

const char* jw_sweep_error(const JwSweep* sweep) {
  return sweep && sweep->error ? sweep->error : "no memory";
}

const char* jw_sweep_hash(const JwSweep* sweep) {
  return sweep->hash;
}

JwScene* jw_sweep_scene(const JwSweep* sweep) {
  return sweep->scene;
}

const char* jw_sweep_scene_name(const JwSweep* sweep) {
  return sweep->scene_name;
}

double jw_sweep_rate(const JwSweep* sweep) {
  return sweep->info.rate;
}

uint32_t jw_sweep_oversample(const JwSweep* sweep) {
  return sweep->info.oversample;
}

uint64_t jw_sweep_points(const JwSweep* sweep) {
  return sweep->points;
}

uint32_t jw_sweep_axes(const JwSweep* sweep) {
  return sweep->axis_count;
}

const char* jw_sweep_axis_name(const JwSweep* sweep, uint32_t axis) {
  return sweep->axes[axis].name;
}

const char* jw_sweep_axis_unit(const JwSweep* sweep, uint32_t axis) {
  return sweep->axes[axis].unit;
}

uint32_t jw_sweep_results(const JwSweep* sweep) {
  return sweep->result_count;
}

const JwSweepResult* jw_sweep_result(const JwSweep* sweep, uint32_t index) {
  return &sweep->results[index];
}

uint64_t jw_sweep_row_size(const JwSweep* sweep) {
  return sweep->row_size;
}
