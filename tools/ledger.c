// SPDX-License-Identifier: MIT
// --energy: the ledger as a table, one row every few frames: in all, by object and by contact.  Its times are those between
// two states, where the scheme has energy.

#include "h5.h"
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SUMS 8

static const struct {
  const char *name, *units, *about;
} sums[SUMS] = {
    {"kinetic", "J", "kinetic energy"},
    {"potential", "J", "potential energy of objects"},
    {"stretch", "J", "energy of what stiffens as it moves"},
    {"contact", "J", "energy held by contacts"},
    {"stored", "J", "kinetic, potential, stretch and contact energy"},
    {"lost", "J", "energy lost since the start"},
    {"supplied", "J", "energy supplied since the start"},
    {"residual", "1",
     "stored + lost - supplied, less its first value, over the largest energy seen"},
};

struct JwLedgerFile {
  bool has_out; // A file of its own
  JwOutFile out;
  FILE* text;
  JwH5File* h5;
  JwH5Table *time, *sums[SUMS], *objects, *contacts;
  double *object_values, *contact_values;
};

static bool failed(const JwJob* job) {
  return jw_tool_fail("cannot write %s: %s", job->options->energy, jw_tool_cause());
}

// ---------------------------------------------------------------- open

static bool open_text(JwJob* job, JwLedgerFile* file) {
  file->text = jw_out_stream(&file->out);
  if (!file->text) {
    return false;
  }
  jw_origin_comment(&job->origin, file->text);
  fputs("time (s)", file->text);
  for (int i = 0; i < SUMS; ++i) {
    fprintf(file->text, sums[i].units[0] == '1' ? ",%s" : ",%s (%s)", sums[i].name, sums[i].units);
  }
  for (uint32_t i = 0; i < job->objects.count; ++i) {
    fprintf(file->text, ",%s (J)", job->objects.names[i]);
  }
  for (uint32_t i = 0; i < job->contacts.count; ++i) {
    fprintf(file->text, ",%s (J)", job->contacts.names[i]);
  }
  return fputs("\n", file->text) >= 0 || failed(job);
}

#ifdef JW_WITH_HDF5
static bool add_parts(JwLedgerFile* file, JwH5File* h5, const JwParts* parts, bool contacts) {
  const JwH5Def names = {contacts ? "energy/contact_number" : "energy/object_number",
                         "1",
                         "number of the name",
                         {NULL}};
  JwH5Table** const table = contacts ? &file->contacts : &file->objects;
  if (parts->count == 0) {
    return true;
  }
  JwH5Table* const scale = jw_h5_names(h5, &names, parts->names, parts->count);
  const JwH5Def def = {contacts ? "energy/contacts" : "energy/objects",
                       "J",
                       contacts ? "energy held by each contact"
                                : "kinetic and potential energy of each object",
                       {file->time, scale}};
  *table = scale ? jw_h5_table(h5, &def) : NULL;
  return *table != NULL;
}

static bool open_tables(JwJob* job, JwLedgerFile* file, JwH5File* h5) {
  const JwH5Def time = {"energy/time", "s", "time of the energy, between two states", {NULL}};
  file->time = h5 ? jw_h5_table(h5, &time) : NULL;
  bool good = file->time != NULL;
  for (int i = 0; i < SUMS && good; ++i) {
    char path[40];
    snprintf(path, sizeof path, "energy/%s", sums[i].name);
    const JwH5Def def = {path, sums[i].units, sums[i].about, {file->time}};
    file->sums[i] = jw_h5_table(h5, &def);
    good = file->sums[i] != NULL;
  }
  good = good && add_parts(file, h5, &job->objects, false)
         && add_parts(file, h5, &job->contacts, true);
  return good || failed(job);
}

static bool open_own(JwJob* job, JwLedgerFile* file) {
  errno = 0;
  file->h5 = jw_h5_create(file->out.part, &job->origin);
  return open_tables(job, file, file->h5);
}
#else
static bool open_own(JwJob* job, JwLedgerFile* file) {
  (void)file;
  return jw_tool_fail(
      "%s: this build of jawari is without HDF5 and cannot write .h5; it can write .csv",
      job->options->energy);
}
#endif

bool jw_ledger_open(JwJob* job) {
  JwLedgerFile* const file = (JwLedgerFile*)calloc(1, sizeof *file);
  job->energy = file;
  if (!file) {
    return jw_tool_fail("no memory");
  }
  file->object_values = (double*)calloc(job->objects.count + 1, sizeof(double));
  file->contact_values = (double*)calloc(job->contacts.count + 1, sizeof(double));
  if (!file->object_values || !file->contact_values) {
    return jw_tool_fail("no memory");
  }
#ifdef JW_WITH_HDF5
  if (job->options->output && strcmp(job->options->output, job->options->energy) == 0) {
    errno = 0;
    return open_tables(job, file, jw_hdf5_file(&job->sink));
  }
#endif
  file->has_out = jw_out_open(&file->out, job->options->energy);
  return file->has_out
         && (jw_tool_ends(job->options->energy, ".h5") ? open_own(job, file)
                                                       : open_text(job, file));
}

// ---------------------------------------------------------------- rows

static bool write_text(const JwJob* job, JwLedgerFile* file, double time, const double* values) {
  fprintf(file->text, "%.17g", time);
  for (int i = 0; i < SUMS; ++i) {
    fprintf(file->text, ",%.17g", values[i]);
  }
  for (uint32_t i = 0; i < job->objects.count; ++i) {
    fprintf(file->text, ",%.17g", file->object_values[i]);
  }
  for (uint32_t i = 0; i < job->contacts.count; ++i) {
    fprintf(file->text, ",%.17g", file->contact_values[i]);
  }
  fputs("\n", file->text);
  return !ferror(file->text);
}

static bool write_tables(JwLedgerFile* file, double time, const double* values) {
#ifdef JW_WITH_HDF5
  bool good = jw_h5_append(file->time, &time, 1);
  for (int i = 0; i < SUMS; ++i) {
    good = good && jw_h5_append(file->sums[i], &values[i], 1);
  }
  good = good && (!file->objects || jw_h5_append(file->objects, file->object_values, 1));
  return good && (!file->contacts || jw_h5_append(file->contacts, file->contact_values, 1));
#else
  (void)file, (void)time, (void)values;
  return false;
#endif
}

bool jw_ledger_row(JwJob* job) {
  JwLedgerFile* const file = job->energy;
  const JwEnergy e = jw_world_energy(job->world);
  const double time = ((double)jw_world_frame(job->world) - 0.5) / (job->rate * job->oversample);
  const double values[SUMS] = {e.kinetic, e.potential, e.stretch,  e.contact,
                               e.stored,  e.lost,      e.supplied, e.residual};
  for (uint32_t i = 0; i < job->objects.count; ++i) {
    file->object_values[i] =
        jw_world_object_energy(job->world, (JwObjectId){job->objects.index[i]});
  }
  for (uint32_t i = 0; i < job->contacts.count; ++i) {
    file->contact_values[i] =
        jw_world_contact_energy(job->world, (JwContactId){job->contacts.index[i]});
  }
  errno = 0;
  return (file->text ? write_text(job, file, time, values) : write_tables(file, time, values))
         || failed(job);
}

// ---------------------------------------------------------------- close

bool jw_ledger_close(JwJob* job, bool keep) {
  JwLedgerFile* const file = job->energy;
  errno = 0;
  bool whole = !file->text || fclose(file->text) == 0;
#ifdef JW_WITH_HDF5
  whole = (!file->h5 || jw_h5_close(file->h5)) && whole;
#endif
  if (keep && !whole) {
    failed(job);
  }
  keep = keep && whole;
  if (file->has_out && keep) {
    whole = jw_out_commit(&file->out);
  } else if (file->has_out) {
    jw_out_cancel(&file->out);
  }
  free(file->object_values);
  free(file->contact_values);
  free(file);
  job->energy = NULL;
  return whole;
}
