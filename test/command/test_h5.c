// SPDX-License-Identifier: MIT
// HDF5 files of the command, read back: the same numbers as its CSV files, with their units.

#include "test.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* jawari; // The program

static const char scene[] =
    "{ \"jawari\": 1, \"duration\": 0.3, \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 1, \"frequency\": 100 } },\n"
    "  \"initial\": [ { \"on\": \"s@0.3\" } ],\n"
    "  \"pickups\": [ { \"name\": \"v\", \"at\": \"s@0.2\" }, { \"name\": \"u\", \"at\": \"s@0.4\", \"quantity\": \"displacement\" } ] }\n";

// Render the scene in an empty folder, which becomes the current one.
static void render(const char* arguments) {
  char folder[] = "/tmp/jawari-h5-XXXXXX", command[1000];
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  FILE* const file = fopen("s.json", "w");
  assert_non_null(file);
  fputs(scene, file);
  fclose(file);
  snprintf(command, sizeof command, "'%s' render s.json -q %s", jawari, arguments);
  assert_int_equal(system(command), 0);
}

static void clean(void) {
  char folder[200], command[300];
  assert_non_null(getcwd(folder, sizeof folder));
  assert_int_equal(chdir("/"), 0);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

static void check_text(hid_t set, const char* key, const char* wanted) {
  char* text = NULL;
  const hid_t attribute = H5Aopen(set, key, H5P_DEFAULT);
  assert_true(attribute >= 0);
  const hid_t type = H5Aget_type(attribute);
  assert_true(H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, &text) >= 0);
  assert_string_equal(text, wanted);
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
}

static double number_of(hid_t set, const char* key) {
  double value = 0.0;
  const hid_t attribute = H5Aopen(set, key, H5P_DEFAULT);
  assert_true(attribute >= 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
  H5Aclose(attribute);
  return value;
}

// All values of a dataset, to be freed.
static double* values_of(hid_t set, hsize_t size[2]) {
  const hid_t space = H5Dget_space(set);
  size[1] = 1;
  assert_true(H5Sget_simple_extent_dims(space, size, NULL) >= 1);
  H5Sclose(space);
  double* const values = (double*)malloc(size[0] * size[1] * sizeof(double));
  assert_non_null(values);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  return values;
}

// Compare a dataset with columns of a CSV file, bit by bit.
static void compare(hid_t set, const char* csv, uint32_t first, hsize_t rows) {
  hsize_t size[2];
  double* const values = values_of(set, size);
  FILE* const file = fopen(csv, "r");
  char* const line = (char*)malloc(1000000);
  assert_non_null(file);
  assert_non_null(line);
  assert_int_equal(size[0], rows);
  do { // Comments, then the heading
    assert_non_null(fgets(line, 1000000, file));
  } while (line[0] == '#');
  for (hsize_t r = 0; r < size[0]; ++r) {
    assert_non_null(fgets(line, 1000000, file));
    const char* cell = line;
    for (uint32_t c = 0; c < first + size[1]; ++c) {
      if (c >= first) {
        assert_true(strtod(cell, NULL) == values[r * size[1] + c - first]);
      }
      cell += strcspn(cell, ",") + 1;
    }
  }
  fclose(file);
  free(line);
  free(values);
}

static void pickups_are_those_of_the_table(void** state) {
  (void)state;
  render("-o x.csv");
  char command[1000];
  snprintf(command, sizeof command, "'%s' render s.json -q -o x.h5", jawari);
  assert_int_equal(system(command), 0);
  const hid_t file = H5Fopen("x.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  const hid_t v = H5Dopen2(file, "pickups/v", H5P_DEFAULT),
              u = H5Dopen2(file, "pickups/u", H5P_DEFAULT);
  check_text(v, "units", "m/s");
  check_text(v, "quantity", "velocity");
  check_text(u, "units", "m");
  assert_true(number_of(file, "sample_rate") == 44100.0 && number_of(file, "oversample") == 1.0);
  check_text(file, "scene_text", scene);
  const hid_t time = H5Dopen2(file, "pickups/time", H5P_DEFAULT);
  check_text(time, "units", "s");
  compare(time, "x.csv", 0, 13230);
  H5Dclose(time);
  compare(v, "x.csv", 1, 13230);
  compare(u, "x.csv", 2, 13230);
  H5Dclose(v);
  H5Dclose(u);
  H5Fclose(file);
  clean();
}

static void fields_are_those_of_the_table(void** state) {
  (void)state;
  render("-o x.h5 --field s --field s=f.csv --every 10");
  const hid_t file = H5Fopen("x.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t s = H5Dopen2(file, "fields/s/displacement", H5P_DEFAULT);
  check_text(s, "units", "m");
  check_text(s, "kind", "string");
  const hid_t time = H5Dopen2(file, "fields/s/time", H5P_DEFAULT);
  compare(time, "f.csv", 0, 1324);
  H5Dclose(time);
  compare(s, "f.csv", 1, 1324);
  H5Dclose(s);
  H5Fclose(file);
  clean();
}

static void a_field_can_have_a_file_of_its_own(void** state) {
  (void)state;
  render("-o x.csv --field s=g.h5 --field s=f.csv");
  const hid_t file = H5Fopen("g.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t s = H5Dopen2(file, "fields/s/displacement", H5P_DEFAULT);
  compare(s, "f.csv", 1, 414);
  H5Dclose(s);
  H5Fclose(file);
  clean();
}

int main(int count, char** arguments) {
  assert_true(count > 1);
  static char path[4096];
  char here[2048]; // Meson may give a path from the build folder
  assert_non_null(getcwd(here, sizeof here));
  snprintf(path, sizeof path, "%s%s%s", arguments[1][0] == '/' ? "" : here,
           arguments[1][0] == '/' ? "" : "/", arguments[1]);
  jawari = path;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pickups_are_those_of_the_table),
      cmocka_unit_test(fields_are_those_of_the_table),
      cmocka_unit_test(a_field_can_have_a_file_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
