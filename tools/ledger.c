// --energy: the ledger as a table, one row every few frames.  Its times are those between two states, where the scheme
// has energy.

#include "job.h"

#include <errno.h>
#include <string.h>

static bool failed(const JwJob* job)
{
  return jw_tool_fail("cannot write %s: %s", job->energy_out.name, strerror(errno));
}

bool jw_ledger_open(JwJob* job)
{
  if (!jw_out_open(&job->energy_out, job->options->energy)) {
    return false;
  }
  job->energy = jw_out_stream(&job->energy_out);
  if (!job->energy) {
    jw_out_cancel(&job->energy_out);
    return false;
  }
  return fputs("time (s),kinetic (J),potential (J),contact (J),stored (J),lost (J),supplied (J),residual\n",
               job->energy) >= 0 ||
         failed(job);
}

bool jw_ledger_row(JwJob* job)
{
  const JwEnergy e = jw_world_energy(job->world);
  const double time = ((double)jw_world_frame(job->world) - 0.5) / (job->rate * job->oversample);
  fprintf(job->energy, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", time, e.kinetic, e.potential, e.contact,
          e.stored, e.lost, e.supplied, e.residual);
  return !ferror(job->energy) || failed(job);
}

bool jw_ledger_close(JwJob* job, bool keep)
{
  const bool whole = fclose(job->energy) == 0;
  job->energy = NULL;
  if (keep && whole) {
    return jw_out_commit(&job->energy_out);
  }
  if (!whole && keep) {
    failed(job);
  }
  jw_out_cancel(&job->energy_out);
  return !keep;
}
