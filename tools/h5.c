// Growing tables in an HDF5 file, and pickups as such tables.
//
//   /pickups/NAME   one number a frame; attributes unit, quantity, sample_rate (Hz)
//   /fields/NAME    one row of points every few frames; attributes unit, what, row_rate (Hz) ...
//
// Times of creation are not kept, so that two runs give the same bytes.

#include "sink.h"
#include "tool.h"

#ifdef JW_WITH_HDF5

#include "h5.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TABLES (64 + JW_TOOL_LIST_MOST)
#define CHUNK_BYTES 65536u

struct JwH5Table {
  hid_t set;
  uint32_t columns;
  hsize_t rows;
  uint32_t capacity, held; // Rows gathered before they are written
  double* buffer;
};

struct JwH5File {
  hid_t id;
  bool failed;
  uint32_t count;
  JwH5Table tables[MOST_TABLES];
};

JwH5File* jw_h5_create(const char* path)
{
  H5dont_atexit(); // The library's own clean-up crashes on a file that could not be flushed
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // Errors are said by the command, in one sentence
  JwH5File* const file = (JwH5File*)calloc(1, sizeof *file);
  if (!file) {
    return NULL;
  }
  file->id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file->id < 0) {
    free(file);
    return NULL;
  }
  return file;
}

// ---------------------------------------------------------------- tables

static uint32_t width(const JwH5Table* table) { return table->columns ? table->columns : 1; }

static bool make_group(JwH5File* file, const char* path)
{
  char group[64];
  snprintf(group, sizeof group, "%.*s", (int)strcspn(path, "/"), path);
  if (H5Lexists(file->id, group, H5P_DEFAULT) > 0) {
    return true;
  }
  const hid_t plain = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_obj_track_times(plain, 0);
  const hid_t made = H5Gcreate2(file->id, group, H5P_DEFAULT, plain, H5P_DEFAULT);
  H5Pclose(plain);
  return made >= 0 && H5Gclose(made) >= 0;
}

static hid_t make_set(JwH5File* file, const char* path, const JwH5Table* table)
{
  const int rank = table->columns ? 2 : 1;
  const hsize_t none[2] = {0, table->columns}, most[2] = {H5S_UNLIMITED, table->columns};
  const hsize_t chunk[2] = {table->capacity, table->columns};
  const hid_t space = H5Screate_simple(rank, none, most);
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plan, rank, chunk);
  H5Pset_shuffle(plan);
  H5Pset_deflate(plan, 1);
  H5Pset_obj_track_times(plan, 0);
  const hid_t set = H5Dcreate2(file->id, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  H5Pclose(plan);
  H5Sclose(space);
  return set;
}

JwH5Table* jw_h5_table(JwH5File* file, const char* path, uint32_t columns)
{
  if (file->count == MOST_TABLES || !make_group(file, path)) {
    return NULL;
  }
  JwH5Table* const table = &file->tables[file->count];
  memset(table, 0, sizeof *table);
  table->columns = columns;
  const uint32_t rows = CHUNK_BYTES / (8 * width(table));
  table->capacity = rows ? rows : 1;
  table->buffer = (double*)malloc((size_t)table->capacity * width(table) * sizeof(double));
  table->set = table->buffer ? make_set(file, path, table) : -1;
  if (table->set < 0) {
    free(table->buffer);
    return NULL;
  }
  ++file->count;
  return table;
}

static bool flush(JwH5Table* table)
{
  if (table->held == 0) {
    return true;
  }
  const int rank = table->columns ? 2 : 1;
  const hsize_t size[2] = {table->rows + table->held, table->columns};
  const hsize_t start[2] = {table->rows, 0}, count[2] = {table->held, table->columns};
  bool good = H5Dset_extent(table->set, size) >= 0;
  const hid_t space = H5Dget_space(table->set);
  const hid_t memory = H5Screate_simple(rank, count, NULL);
  good = good && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
         H5Dwrite(table->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, table->buffer) >= 0;
  H5Sclose(memory);
  H5Sclose(space);
  table->rows += table->held;
  table->held = 0;
  return good;
}

bool jw_h5_append(JwH5Table* table, const double* values, uint32_t rows)
{
  for (uint32_t i = 0; i < rows; ++i) {
    memcpy(table->buffer + (size_t)table->held * width(table), values + (size_t)i * width(table),
           width(table) * sizeof(double));
    if (++table->held == table->capacity && !flush(table)) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- attributes

static bool put_attribute(JwH5Table* table, const char* key, hid_t type, hid_t space, const void* value)
{
  const hid_t made = H5Acreate2(table->set, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool good = made >= 0 && H5Awrite(made, type, value) >= 0;
  return made >= 0 && H5Aclose(made) >= 0 && good;
}

bool jw_h5_text(JwH5Table* table, const char* key, const char* text)
{
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const bool good = put_attribute(table, key, type, space, text);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

bool jw_h5_numbers(JwH5Table* table, const char* key, const double* values, uint32_t count)
{
  const hsize_t size = count;
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
  const bool good = put_attribute(table, key, H5T_NATIVE_DOUBLE, space, values);
  H5Sclose(space);
  return good;
}

bool jw_h5_close(JwH5File* file)
{
  bool good = true;
  for (uint32_t i = 0; i < file->count; ++i) {
    good = flush(&file->tables[i]) && good;
    good = H5Dclose(file->tables[i].set) >= 0 && good;
    free(file->tables[i].buffer);
  }
  good = H5Fclose(file->id) >= 0 && good;
  free(file);
  return good;
}

// ---------------------------------------------------------------- pickups

bool jw_hdf5_open(JwSink* sink)
{
  JwH5File* const file = jw_h5_create(sink->out.part);
  bool good = file != NULL;
  for (uint32_t c = 0; good && c < sink->sound.channel_count; ++c) {
    const JwChannel* const channel = &sink->sound.channels[c];
    char path[80];
    snprintf(path, sizeof path, "pickups/%s", channel->name);
    JwH5Table* const table = jw_h5_table(file, path, 0);
    good = table && jw_h5_text(table, "unit", channel->unit) && jw_h5_text(table, "quantity", channel->quantity) &&
           jw_h5_numbers(table, "sample_rate", &sink->sound.rate, 1) && jw_h5_text(table, "sample_rate_unit", "Hz") &&
           jw_h5_text(table, "scene", sink->sound.scene);
  }
  sink->inside = file;
  return good || jw_tool_fail("cannot write %s", sink->out.name);
}

bool jw_hdf5_write(JwSink* sink, const double* frames, uint32_t count)
{
  JwH5File* const file = (JwH5File*)sink->inside;
  const uint32_t channels = sink->sound.channel_count;
  bool good = true;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t c = 0; c < channels; ++c) { // Pickups are the first tables
      good = good && jw_h5_append(&file->tables[c], &frames[(size_t)i * channels + c], 1);
    }
  }
  return good || jw_tool_fail("cannot write %s: the disk may be full", sink->out.name);
}

bool jw_hdf5_close(JwSink* sink, double gain, bool keep)
{
  (void)gain;
  JwH5File* const file = (JwH5File*)sink->inside;
  const bool good = file && jw_h5_close(file);
  sink->inside = NULL;
  return good || !keep || jw_tool_fail("cannot write %s: the disk may be full", sink->out.name);
}

#endif
