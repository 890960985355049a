// --field OBJECT=FILE: how an object moves everywhere, one row every few frames.
//
// A grid gives the displacement of its points, x fastest; an object by modes gives the displacement of
// its modes.  FILE ends in .csv or .h5; without FILE, or when FILE is the output itself, the rows go
// into the output, which must then be .h5.

#include "h5.h"
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct JwFieldFile {
  char name[64];
  JwObjectId object;
  uint32_t points;
  double* values;
  bool has_out; // A file of its own
  JwOutFile out;
  FILE* text;
  JwH5File* h5;
  JwH5Table* table;
};

static bool failed(const JwFieldFile* field)
{
  return jw_tool_fail("cannot write the field of %s: %s", field->name, errno ? strerror(errno) : "the disk may be full");
}

// ---------------------------------------------------------------- open

static bool find_object(JwJob* job, JwFieldFile* field)
{
  const JwScenePart part = jw_scene_find(job->scene, field->name);
  if (part.kind == JW_KIND_COUNT || !part.object.index) {
    return jw_tool_fail("--field: the scene has no object \"%s\"; `jawari info` names them", field->name);
  }
  field->object = part.object;
  field->points = jw_world_object_info(job->world, part.object).points;
  if (field->points == 0) {
    return jw_tool_fail("--field: \"%s\" is a %s and has nothing that moves", field->name, jw_kind_name(part.kind));
  }
  field->values = (double*)calloc(field->points, sizeof(double));
  return field->values || jw_tool_fail("no memory");
}

static bool open_text(JwFieldFile* field)
{
  field->text = jw_out_stream(&field->out);
  if (!field->text) {
    return false;
  }
  fprintf(field->text, "time (s)");
  for (uint32_t i = 0; i < field->points; ++i) {
    fprintf(field->text, ",u%u (m)", i + 1);
  }
  return fputs("\n", field->text) >= 0 || failed(field);
}

#ifdef JW_WITH_HDF5
static bool open_table(const JwJob* job, JwFieldFile* field, JwH5File* file)
{
  char path[80];
  snprintf(path, sizeof path, "fields/%s", field->name);
  const JwObjectInfo info = jw_world_object_info(job->world, field->object);
  const double rate = job->rate / job->options->every;
  const double intervals[2] = {info.grid[0], info.grid[1]};
  const uint32_t sides = info.spacing[1] > 0.0 ? 2 : 1;
  field->table = file ? jw_h5_table(file, path, field->points) : NULL;
  return (field->table && jw_h5_text(field->table, "unit", "m") &&
          jw_h5_text(field->table, "kind", jw_kind_name(info.kind)) &&
          jw_h5_text(field->table, "what", info.spacing[0] > 0.0 ? "displacement of grid points, x fastest"
                                                                 : "displacement of modes or of the mass") &&
          jw_h5_numbers(field->table, "row_rate", &rate, 1) && jw_h5_text(field->table, "row_rate_unit", "Hz") &&
          jw_h5_numbers(field->table, "intervals", intervals, sides) &&
          jw_h5_numbers(field->table, "spacing", info.spacing, sides) &&
          jw_h5_text(field->table, "spacing_unit", "m")) ||
         failed(field);
}

static bool open_into_output(JwJob* job, JwFieldFile* field)
{
  if (!job->has_sink || strcmp(job->sink.format->ending, ".h5") != 0) {
    return jw_tool_fail("--field %s: name a file, as in --field %s=%s.h5; only an output that ends in .h5 can hold fields",
                        field->name, field->name, field->name);
  }
  return open_table(job, field, (JwH5File*)job->sink.inside);
}

static bool open_own(JwJob* job, JwFieldFile* field)
{
  field->h5 = jw_h5_create(field->out.part);
  return open_table(job, field, field->h5);
}
#else
static bool open_into_output(JwJob* job, JwFieldFile* field)
{
  (void)job;
  return jw_tool_fail("--field %s: this build of jawari is without HDF5; name a file that ends in .csv", field->name);
}

static bool open_own(JwJob* job, JwFieldFile* field) { return open_into_output(job, field); }
#endif

static bool ends_in(const char* path, const char* ending)
{
  const size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

static bool open_field(JwJob* job, JwFieldFile* field, const char* text)
{
  const size_t length = strcspn(text, "=");
  const char* const path = text[length] ? text + length + 1 : NULL;
  snprintf(field->name, sizeof field->name, "%.*s", (int)length, text);
  if (!find_object(job, field)) {
    return false;
  }
  if (!path || (job->options->output && strcmp(path, job->options->output) == 0)) {
    return open_into_output(job, field);
  }
  if (!ends_in(path, ".h5") && !ends_in(path, ".csv")) {
    return jw_tool_fail("--field %s: the file must end in .h5 or .csv", text);
  }
  field->has_out = jw_out_open(&field->out, path);
  return field->has_out && (ends_in(path, ".csv") ? open_text(field) : open_own(job, field));
}

bool jw_fields_open(JwJob* job)
{
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

static bool write_text(JwFieldFile* field, double time)
{
  fprintf(field->text, "%.17g", time);
  for (uint32_t i = 0; i < field->points; ++i) {
    fprintf(field->text, ",%.17g", field->values[i]);
  }
  fputs("\n", field->text);
  return !ferror(field->text);
}

bool jw_fields_row(JwJob* job)
{
  const double time = (double)jw_world_frame(job->world) / (job->rate * job->oversample);
  for (uint32_t i = 0; i < job->field_count; ++i) {
    JwFieldFile* const field = job->fields[i];
    errno = 0;
    jw_world_field(job->world, field->object, field->values, field->points);
    bool good = !field->text || write_text(field, time);
#ifdef JW_WITH_HDF5
    good = good && (!field->table || jw_h5_append(field->table, field->values, 1));
#endif
    if (!good) {
      return failed(field);
    }
  }
  return true;
}

// ---------------------------------------------------------------- close

static bool close_field(JwFieldFile* field, bool keep)
{
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
  free(field);
  return whole;
}

bool jw_fields_close(JwJob* job, bool keep)
{
  bool good = true;
  for (uint32_t i = 0; i < job->field_count; ++i) {
    good = close_field(job->fields[i], keep) && good;
  }
  job->field_count = 0;
  return good;
}
