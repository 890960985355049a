// SPDX-License-Identifier: MIT
// Growing tables in an HDF5 file, with their dimension scales (HDF5 Dimension Scale Specification
// 1.0, which netCDF, xarray and MATLAB read), written by hand: four attributes, and no further
// library.
//
//   scale        CLASS "DIMENSION_SCALE", NAME, REFERENCE_LIST: (table, dimension) of each use
//   table        DIMENSION_LIST: one list of scales a dimension
//
// Times of creation are not kept, so that two runs give the same bytes.

#include "tool.h"

#ifdef JW_WITH_HDF5

#include "h5.h"

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TABLES 512
#define CHUNK_BYTES 65536u

struct JwH5Table {
  hid_t set;
  const JwH5File* file;
  char path[160];
  int rank;
  JwH5Table* scales[JW_H5_RANK];
  hsize_t size[JW_H5_RANK]; // Rows so far, and the sides
  uint32_t width;           // Numbers a row
  uint32_t capacity, held;  // Rows gathered before they are written
  JwH5Type type;
  size_t row; // Bytes
  char* buffer;
};

struct JwH5File {
  hid_t id;
  uint32_t count;
  JwH5Table tables[MOST_TABLES];
};

// ---------------------------------------------------------------- attributes

static bool put_attribute(hid_t where, const char* key, hid_t type, hid_t space,
                          const void* value) {
  const hid_t made = H5Acreate2(where, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool good = made >= 0 && H5Awrite(made, type, value) >= 0;
  return made >= 0 && H5Aclose(made) >= 0 && good;
}

// Texts that readers turn into their own, of any length.
static bool put_text(hid_t where, const char* key, const char* text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const bool good = put_attribute(where, key, type, space, &text);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

// As the specification of scales wants it: bytes and a zero.
static bool put_word(hid_t where, const char* key, const char* word) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(word) + 1);
  const bool good = put_attribute(where, key, type, space, word);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

static bool put_number(hid_t where, const char* key, double value) {
  const hid_t space = H5Screate(H5S_SCALAR);
  const bool good = put_attribute(where, key, H5T_NATIVE_DOUBLE, space, &value);
  H5Sclose(space);
  return good;
}

static bool put_origin(hid_t file, const JwOrigin* origin) {
  bool good = true;
  for (int i = 0; i < JW_ORIGIN_COUNT && good; ++i) {
    const char* const value = origin->values[i];
    const bool number = i == JW_ORIGIN_RATE || i == JW_ORIGIN_OVERSAMPLE;
    good = number ? put_number(file, jw_origin_names[i], strtod(value, NULL))
                  : put_text(file, jw_origin_names[i], value);
  }
  return good;
}

bool jw_h5_text(JwH5Table* table, const char* key, const char* text) {
  return put_text(table->set, key, text);
}

bool jw_h5_note(JwH5File* file, const char* key, const char* text) {
  return put_text(file->id, key, text);
}

char* jw_h5_read_note(const char* path, const char* key) {
  char *text = NULL, *copy = NULL;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t note = file < 0 ? -1 : H5Aopen(file, key, H5P_DEFAULT);
  const hid_t type = note < 0 ? -1 : H5Aget_type(note);
  if (type >= 0 && H5Tis_variable_str(type) > 0 && H5Aread(note, type, &text) >= 0 && text) {
    copy = strdup(text);
    H5free_memory(text);
  }
  type < 0 ? (void)0 : (void)H5Tclose(type);
  note < 0 ? (void)0 : (void)H5Aclose(note);
  file < 0 ? (void)0 : (void)H5Fclose(file);
  return copy;
}

JwH5File* jw_h5_create(const char* path, const JwOrigin* origin) {
  H5dont_atexit(); // The library's own clean-up crashes on a file that could not be flushed
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // Errors are said by the command, in one sentence
  JwH5File* const file = (JwH5File*)calloc(1, sizeof *file);
  if (!file) {
    return NULL;
  }
  file->id = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file->id < 0 || !put_origin(file->id, origin)) {
    if (file->id >= 0) {
      H5Fclose(file->id);
    }
    free(file);
    return NULL;
  }
  return file;
}

// ---------------------------------------------------------------- tables

static bool make_groups(JwH5File* file, const char* path) {
  for (const char* slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    char group[160];
    snprintf(group, sizeof group, "%.*s", (int)(slash - path), path);
    if (H5Lexists(file->id, group, H5P_DEFAULT) > 0) {
      continue;
    }
    const hid_t plain = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(plain, 0);
    const hid_t made = H5Gcreate2(file->id, group, H5P_DEFAULT, plain, H5P_DEFAULT);
    H5Pclose(plain);
    if (made < 0 || H5Gclose(made) < 0) {
      return false;
    }
  }
  return true;
}

static const size_t sizes[] = {sizeof(double), sizeof(float), JW_H5_TEXT};

// As it is in memory, and, for numbers, little-endian in the file; to be closed.
static hid_t type_of(const JwH5Table* table, bool stored) {
  if (table->type == JW_H5_TEXTS) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, JW_H5_TEXT);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  if (table->type == JW_H5_FLOATS) {
    return H5Tcopy(stored ? H5T_IEEE_F32LE : H5T_NATIVE_FLOAT);
  }
  return H5Tcopy(stored ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
}

// One stretch of rows after the other; rows of a file that is missing read as NaN.
static bool map_parts(hid_t plan, const JwH5Table* table, const JwH5Rows* parts) {
  const double none = NAN;
  bool good = table->type == JW_H5_TEXTS || H5Pset_fill_value(plan, H5T_NATIVE_DOUBLE, &none) >= 0;
  const hid_t whole = H5Screate_simple(table->rank, table->size, NULL);
  hsize_t start[JW_H5_RANK] = {0}, count[JW_H5_RANK];
  memcpy(count, table->size, sizeof count);
  for (uint32_t i = 0; i < parts->count && good; ++i) {
    count[0] = parts->rows[i];
    const hid_t part = H5Screate_simple(table->rank, count, NULL);
    good = H5Sselect_hyperslab(whole, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
           && H5Pset_virtual(plan, whole, parts->files[i], table->path, part) >= 0;
    H5Sclose(part);
    start[0] += count[0];
  }
  H5Sclose(whole);
  return good;
}

static hid_t make_virtual(const JwH5File* file, JwH5Table* table, const JwH5Rows* parts) {
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE), type = type_of(table, true);
  H5Pset_obj_track_times(plan, 0);
  for (uint32_t i = 0; i < parts->count; ++i) {
    table->size[0] += parts->rows[i];
  }
  hid_t set = -1;
  if (map_parts(plan, table, parts)) {
    const hid_t space = H5Screate_simple(table->rank, table->size, NULL);
    set = H5Dcreate2(file->id, table->path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Sclose(space);
  }
  H5Tclose(type);
  H5Pclose(plan);
  return set;
}

static hid_t make_set(const JwH5File* file, const JwH5Table* table) {
  hsize_t most[JW_H5_RANK], chunk[JW_H5_RANK];
  for (int d = 0; d < table->rank; ++d) {
    most[d] = d ? table->size[d] : H5S_UNLIMITED;
    chunk[d] = d ? table->size[d] : table->capacity;
  }
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE), type = type_of(table, true);
  const hid_t space = H5Screate_simple(table->rank, table->size, most);
  H5Pset_obj_track_times(plan, 0);
  H5Pset_chunk(plan, table->rank, chunk);
  H5Pset_shuffle(plan);
  H5Pset_deflate(plan, 1);
  const hid_t set = H5Dcreate2(file->id, table->path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  H5Tclose(type);
  H5Pclose(plan);
  H5Sclose(space);
  return set;
}

static JwH5Table* begin_table(JwH5File* file, const JwH5Def* def, JwH5Type type) {
  if (file->count == MOST_TABLES || !make_groups(file, def->path)) {
    return NULL;
  }
  JwH5Table* const table = &file->tables[file->count];
  memset(table, 0, sizeof *table);
  table->file = file;
  snprintf(table->path, sizeof table->path, "%s", def->path);
  table->width = 1;
  while (table->rank < JW_H5_RANK && def->scales[table->rank]) {
    table->scales[table->rank] = def->scales[table->rank];
    table->size[table->rank] = table->rank ? def->scales[table->rank]->size[0] : 0;
    table->width *= table->rank ? (uint32_t)table->size[table->rank] : 1;
    ++table->rank;
  }
  table->rank += table->rank == 0; // A scale is a line of its own
  table->type = type;
  table->row = sizes[type] * table->width;
  return table;
}

static bool describe(const JwH5Table* table, const JwH5Def* def) {
  return put_text(table->set, "units", def->units)
         && put_text(table->set, "long_name", def->long_name)
         && (table->scales[0]
             || (put_word(table->set, "CLASS", "DIMENSION_SCALE")
                 && put_word(table->set, "NAME",
                             strrchr(def->path, '/') ? strrchr(def->path, '/') + 1 : def->path)));
}

JwH5Table* jw_h5_table(JwH5File* file, const JwH5Def* def) {
  const JwH5Rows numbers = {JW_H5_DOUBLES, NULL, NULL, 0};
  return jw_h5_table_of(file, def, &numbers);
}

JwH5Table* jw_h5_table_of(JwH5File* file, const JwH5Def* def, const JwH5Rows* kind) {
  JwH5Table* const table = begin_table(file, def, kind->type);
  if (!table) {
    return NULL;
  }
  const size_t rows = CHUNK_BYTES / table->row;
  table->capacity = rows ? (uint32_t)rows : 1;
  table->buffer = (char*)malloc(table->capacity * table->row);
  table->set = !table->buffer ? -1
               : kind->count  ? make_virtual(file, table, kind)
                              : make_set(file, table);
  if (table->set < 0) {
    free(table->buffer);
    return NULL;
  }
  ++file->count;
  return describe(table, def) ? table : NULL;
}

static bool flush(JwH5Table* table) {
  if (table->held == 0) {
    return true;
  }
  hsize_t start[JW_H5_RANK] = {table->size[0]}, count[JW_H5_RANK];
  memcpy(count, table->size, sizeof count);
  count[0] = table->held;
  table->size[0] += table->held;
  bool good = H5Dset_extent(table->set, table->size) >= 0;
  const hid_t space = H5Dget_space(table->set);
  const hid_t memory = H5Screate_simple(table->rank, count, NULL), type = type_of(table, false);
  good = good && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
         && H5Dwrite(table->set, type, memory, space, H5P_DEFAULT, table->buffer) >= 0;
  H5Tclose(type);
  H5Sclose(memory);
  H5Sclose(space);
  table->held = 0;
  return good;
}

bool jw_h5_append(JwH5Table* table, const void* values, uint32_t rows) {
  for (uint32_t i = 0; i < rows; ++i) {
    memcpy(table->buffer + table->held * table->row, (const char*)values + i * table->row,
           table->row);
    if (++table->held == table->capacity && !flush(table)) {
      return false;
    }
  }
  return true;
}

JwH5Table* jw_h5_scale(JwH5File* file, const JwH5Def* def, const double* values, uint32_t count) {
  JwH5Table* const table = jw_h5_table(file, def);
  return table && jw_h5_append(table, values, count) && flush(table) ? table : NULL;
}

// Numbers from 1, and the names as an attribute: Octave reads no tables of texts.
JwH5Table* jw_h5_names(JwH5File* file, const JwH5Def* def, const char* const* names,
                       uint32_t count) {
  JwH5Table* const table = jw_h5_table(file, def);
  bool good = table != NULL;
  for (uint32_t i = 0; i < count && good; ++i) {
    const double number = i + 1.0;
    good = jw_h5_append(table, &number, 1);
  }
  if (!good || !flush(table)) {
    return NULL;
  }
  const hsize_t size = count;
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, NULL);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  good = put_attribute(table->set, "names", type, space, names);
  H5Sclose(space);
  H5Tclose(type);
  return good ? table : NULL;
}

// ---------------------------------------------------------------- scales

static bool put_dimension_list(const JwH5Table* table) {
  hobj_ref_t refs[JW_H5_RANK];
  hvl_t lists[JW_H5_RANK];
  const hsize_t rank = (hsize_t)table->rank;
  bool good = true;
  for (int d = 0; d < table->rank; ++d) {
    good =
        good && H5Rcreate(&refs[d], table->file->id, table->scales[d]->path, H5R_OBJECT, -1) >= 0;
    lists[d].len = 1;
    lists[d].p = &refs[d];
  }
  const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &rank, NULL);
  good = good && put_attribute(table->set, "DIMENSION_LIST", type, space, lists);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

typedef struct {
  hobj_ref_t table;
  int32_t dimension;
} Use;

static uint32_t find_uses(const JwH5File* file, const JwH5Table* scale, Use uses[MOST_TABLES]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < file->count; ++i) {
    for (int d = 0; d < JW_H5_RANK; ++d) {
      if (file->tables[i].scales[d] == scale && count < MOST_TABLES) {
        H5Rcreate(&uses[count].table, file->id, file->tables[i].path, H5R_OBJECT, -1);
        uses[count++].dimension = d;
      }
    }
  }
  return count;
}

static bool put_reference_list(const JwH5File* file, const JwH5Table* scale) {
  Use uses[MOST_TABLES];
  memset(uses, 0, sizeof uses);
  const hsize_t count = find_uses(file, scale, uses);
  if (count == 0) {
    return true;
  }
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Use)),
              space = H5Screate_simple(1, &count, NULL);
  H5Tinsert(type, "dataset", offsetof(Use, table), H5T_STD_REF_OBJ);
  H5Tinsert(type, "dimension", offsetof(Use, dimension), H5T_NATIVE_INT32);
  const bool good = put_attribute(scale->set, "REFERENCE_LIST", type, space, uses);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

bool jw_h5_close(JwH5File* file) {
  bool good = true;
  for (uint32_t i = 0; i < file->count; ++i) {
    JwH5Table* const table = &file->tables[i];
    good = flush(table) && good;
    good = (table->scales[0] ? put_dimension_list(table) : put_reference_list(file, table)) && good;
  }
  for (uint32_t i = 0; i < file->count; ++i) {
    good = H5Dclose(file->tables[i].set) >= 0 && good;
    free(file->tables[i].buffer);
  }
  good = H5Fclose(file->id) >= 0 && good;
  free(file);
  return good;
}

#endif
