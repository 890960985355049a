// SPDX-License-Identifier: MIT
// --field OBJECT=FILE: how an object moves everywhere, one row every few frames.
//
// Strings and plates give the displacement of their points, by modes that of places evenly spaced, a
// mass its own, a modal object that of its modes.  FILE ends in .csv or
// .h5; without FILE, or when FILE is the output itself, the rows go into the output, which must
// then be .h5:
//
//   /fields/OBJECT/displacement (time, y, x), time, x, y

#include "h5.h"
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct JwFieldFile {
  char name[64];
  JwObjectId object;
  JwObjectInfo info;
  uint32_t points;  // Numbers a row
  uint32_t columns; // Of them along x; 0: it has no places
  double *values, *places;
  bool probes;  // By modes: asked place by place
  bool has_out; // A file of its own
  JwOutFile out;
  FILE* text;
  JwH5File* h5;
  JwH5Table *time, *table;
};

static bool failed(const JwFieldFile* field) {
  return jw_tool_fail("cannot write the field of %s: %s", field->name, jw_tool_cause());
}

// ---------------------------------------------------------------- open

// Points come x fastest: the first row ends where y changes.
static void find_places(const JwJob* job, JwFieldFile* field) {
  const uint32_t count = jw_world_places(job->world, field->object, field->places, field->points);
  while (field->columns < count && field->places[2 * field->columns + 1] == field->places[1]) {
    ++field->columns;
  }
}

static bool is_by_modes(const JwObjectInfo* info) {
  return (info->kind == JW_KIND_STRING || info->kind == JW_KIND_PLATE) && info->spacing[0] == 0.0;
}

static bool find_object(JwJob* job, JwFieldFile* field) {
  const JwScenePart part = jw_scene_find(job->scene, field->name);
  if (part.kind == JW_KIND_COUNT || !part.object.index) {
    return jw_tool_misuse("--field: the scene has no object \"%s\"; `jawari info` names them",
                          field->name);
  }
  field->object = part.object;
  field->info = jw_world_object_info(job->world, part.object);
  field->probes = is_by_modes(&field->info);
  field->points = field->probes && field->info.kind == JW_KIND_PLATE
                      ? field->info.grid[0] * field->info.grid[1]
                      : field->info.points;
  if (field->points == 0) {
    return jw_tool_misuse("--field: \"%s\" is a %s and has nothing that moves", field->name,
                          jw_kind_name(part.kind));
  }
  field->values = (double*)calloc(field->points, sizeof(double));
  field->places = (double*)calloc(2 * (size_t)field->points, sizeof(double));
  if (!field->values || !field->places) {
    return jw_tool_fail("no memory");
  }
  find_places(job, field);
  return true;
}

static bool open_text(JwJob* job, JwFieldFile* field) {
  field->text = jw_out_stream(&field->out);
  if (!field->text) {
    return false;
  }
  jw_origin_comment(&job->origin, field->text);
  fprintf(field->text, "time (s)");
  for (uint32_t i = 0; i < field->points; ++i) {
    const double* const place = field->places + 2 * (size_t)i;
    if (field->columns == 0) {
      fprintf(field->text, ",u%u (m)", i + 1);
    } else if (field->info.kind == JW_KIND_PLATE) {
      fprintf(field->text, ",u at x=%.9g y=%.9g (m)", place[0], place[1]);
    } else {
      fprintf(field->text, ",u at x=%.9g (m)", place[0]);
    }
  }
  return fputs("\n", field->text) >= 0 || failed(field);
}

#ifdef JW_WITH_HDF5
static JwH5Table* add_scale(const JwFieldFile* field, JwH5File* file, const char* name,
                            const char* about, const double* values, uint32_t count) {
  char path[120];
  snprintf(path, sizeof path, "fields/%s/%s", field->name, name);
  const JwH5Def def = {path,
                       strcmp(name, "mode") == 0   ? "1"
                       : strcmp(name, "time") == 0 ? "s"
                                                   : "m",
                       about,
                       {NULL}};
  return values ? jw_h5_scale(file, &def, values, count) : jw_h5_table(file, &def);
}

// The scales after time; false when one could not be made.
static bool add_sides(JwFieldFile* field, JwH5File* file, JwH5Table* sides[2]) {
  double* const values = field->values; // Not used yet
  const uint32_t rows = field->columns ? field->points / field->columns : 1;
  if (field->columns == 0 && field->points == 1) {
    return true; // A mass
  }
  for (uint32_t i = 0; i < rows; ++i) {
    values[i] = field->columns ? field->places[2 * (size_t)i * field->columns + 1] : 0.0;
  }
  if (field->info.kind == JW_KIND_PLATE) {
    sides[0] = add_scale(field, file, "y", "place along the second side", values, rows);
  }
  const uint32_t columns = field->columns ? field->columns : field->points;
  for (uint32_t i = 0; i < columns; ++i) {
    values[i] = field->columns ? field->places[2 * (size_t)i] : (double)(i + 1);
  }
  JwH5Table* const x = field->columns
                           ? add_scale(field, file, "x", "place along the object", values, columns)
                           : add_scale(field, file, "mode", "number of the mode", values, columns);
  sides[field->info.kind == JW_KIND_PLATE ? 1 : 0] = x;
  return x && sides[0];
}

static bool open_table(const JwJob* job, JwFieldFile* field, JwH5File* file) {
  (void)job;
  char path[120];
  JwH5Table* sides[2] = {NULL, NULL};
  snprintf(path, sizeof path, "fields/%s/displacement", field->name);
  field->time = file ? add_scale(field, file, "time", "time of the field", NULL, 0) : NULL;
  if (!field->time || !add_sides(field, file, sides)) {
    return failed(field);
  }
  const JwH5Def def = {path,
                       "m",
                       field->columns || field->points == 1 ? "displacement"
                                                            : "displacement of modes",
                       {field->time, sides[0], sides[1]}};
  field->table = jw_h5_table(file, &def);
  return (field->table && jw_h5_text(field->table, "kind", jw_kind_name(field->info.kind)))
         || failed(field);
}

static bool open_into_output(JwJob* job, JwFieldFile* field) {
  if (!job->has_sink || strcmp(job->sink.format->ending, ".h5") != 0) {
    return jw_tool_misuse(
        "--field %s: name a file, as in --field %s=%s.h5; only an output that ends in .h5 can hold fields",
        field->name, field->name, field->name);
  }
  errno = 0;
  return open_table(job, field, jw_hdf5_file(&job->sink));
}

static bool open_own(JwJob* job, JwFieldFile* field) {
  errno = 0;
  field->h5 = jw_h5_create(field->out.part, &job->origin);
  return open_table(job, field, field->h5);
}
#else
static bool open_into_output(JwJob* job, JwFieldFile* field) {
  (void)job;
  return jw_tool_fail(
      "--field %s: this build of jawari is without HDF5; name a file that ends in .csv",
      field->name);
}

static bool open_own(JwJob* job, JwFieldFile* field) {
  return open_into_output(job, field);
}
#endif

static bool open_field(JwJob* job, JwFieldFile* field, const char* text) {
  const size_t length = strcspn(text, "=");
  const char* const path = text[length] ? text + length + 1 : NULL;
  snprintf(field->name, sizeof field->name, "%.*s", (int)length, text);
  if (!find_object(job, field)) {
    return false;
  }
  if (!path || (job->options->output && strcmp(path, job->options->output) == 0)) {
    return open_into_output(job, field);
  }
  if (!jw_tool_ends(path, ".h5") && !jw_tool_ends(path, ".csv")) {
    return jw_tool_misuse("--field %s: the file must end in .h5 or .csv", text);
  }
  field->has_out = jw_out_open(&field->out, path);
  return field->has_out
         && (jw_tool_ends(path, ".csv") ? open_text(job, field) : open_own(job, field));
}

bool jw_fields_open(JwJob* job) {
  const JwToolList* const list = &job->options->fields;
  for (uint32_t i = 0; i < list->count; ++i) {
    JwFieldFile* const field = (JwFieldFile*)calloc(1, sizeof *field);
    if (!field) {
      return jw_tool_fail("no memory");
    }
    job->fields[job->field_count++] = field;
    if (!open_field(job, field, list->items[i])) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- rows

static bool read_values(JwJob* job, JwFieldFile* field) {
  if (!field->probes) {
    return jw_world_field(job->world, field->object, field->values, field->points) == field->points;
  }
  for (uint32_t i = 0; i < field->points; ++i) {
    double velocity = 0.0;
    const uint32_t columns = field->columns, rows = field->points / columns;
    JwPort port = jw_port(field->object, (i % columns + 1.0) / (columns + 1.0));
    port.y = field->info.kind == JW_KIND_PLATE ? (i / columns + 1.0) / (rows + 1.0) : 0.0;
    if (jw_world_probe(job->world, port, &field->values[i], &velocity)) {
      return jw_tool_fail("%s", jw_world_error(job->world));
    }
  }
  return true;
}

static bool write_text(JwFieldFile* field, double time) {
  fprintf(field->text, "%.17g", time);
  for (uint32_t i = 0; i < field->points; ++i) {
    fprintf(field->text, ",%.17g", field->values[i]);
  }
  fputs("\n", field->text);
  return !ferror(field->text);
}

static bool write_table(JwFieldFile* field, double time) {
#ifdef JW_WITH_HDF5
  return jw_h5_append(field->time, &time, 1) && jw_h5_append(field->table, field->values, 1);
#else
  (void)field, (void)time;
  return false;
#endif
}

bool jw_fields_row(JwJob* job) {
  const double time = (double)jw_world_frame(job->world) / (job->rate * job->oversample);
  for (uint32_t i = 0; i < job->field_count; ++i) {
    JwFieldFile* const field = job->fields[i];
    errno = 0;
    if (!read_values(job, field)) {
      return false;
    }
    if (!(field->text ? write_text(field, time) : write_table(field, time))) {
      return failed(field);
    }
  }
  return true;
}

// ---------------------------------------------------------------- close

static bool close_field(JwFieldFile* field, bool keep) {
  errno = 0;
  bool whole = !field->text || fclose(field->text) == 0;
#ifdef JW_WITH_HDF5
  whole = (!field->h5 || jw_h5_close(field->h5)) && whole;
#endif
  if (keep && !whole) {
    failed(field);
  }
  keep = keep && whole;
  if (field->has_out && keep) {
    whole = jw_out_commit(&field->out);
  } else if (field->has_out) {
    jw_out_cancel(&field->out);
  }
  free(field->values);
  free(field->places);
  free(field);
  return whole;
}

bool jw_fields_close(JwJob* job, bool keep) {
  bool good = true;
  for (uint32_t i = 0; i < job->field_count; ++i) {
    good = close_field(job->fields[i], keep) && good;
  }
  job->field_count = 0;
  return good;
}
