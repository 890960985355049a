// SPDX-License-Identifier: MIT
// jawari plot: from a scene to a picture.

#include "job.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(JwJobOptions, name)

static const JwOption options[] = {
    {"--output", "-o", "FILE",
     "Where to, as .svg; - is standard output. Without it, the scene's name with .svg, here.",
     JW_OPTION_TEXT, FIELD(plot), 0, 0, NULL},
    {"--panels", NULL, "LIST",
     "Which of waveform, spectrogram, energy, shape and contacts, with commas between; all that "
     "have something to show without it.",
     JW_OPTION_TEXT, FIELD(panels), 0, 0, NULL},
    {"--string", NULL, "STRING", "Whose shape is drawn; the first string without it.",
     JW_OPTION_TEXT, FIELD(string), 0, 0, NULL},
    {"--rate", "-r", "HZ", "Sample rate, instead of the scene's.", JW_OPTION_NUMBER, FIELD(rate),
     1000, 1e8, NULL},
    {"--duration", "-d", "S", "Seconds, instead of the scene's.", JW_OPTION_NUMBER, FIELD(duration),
     1e-6, JW_SCENE_MAX_DURATION, NULL},
    {"--oversample", NULL, "N", "Compute at N times the sample rate and filter down.",
     JW_OPTION_COUNT, FIELD(oversample), 1, 64, NULL},
    JW_OPTION_WISH(FIELD(wish)),
    JW_OPTION_STRICT(FIELD(strict)),
    {"--quiet", "-q", NULL, "No progress, no closing table.", JW_OPTION_FLAG, FIELD(quiet), 0, 0,
     NULL},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int run(int argc, char** argv) {
  JwJobOptions job = jw_job_options();
  const JwParsed parsed = jw_tool_parse_one(&jw_verb_plot, argc, argv, &job, NULL);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  job.scene = argv[1];
  job.no_ledger = job.panels && !strstr(job.panels, "energy"); // Nobody will look at it
  if (!job.plot && strcmp(job.scene, "-") == 0) {
    jw_tool_fail("a scene from standard input has no name; say where to with -o");
    return JW_EXIT_USAGE;
  }
  char* const path = job.plot ? NULL : jw_tool_default_output(job.scene, ".svg");
  job.plot = job.plot ? job.plot : path;
  const int status = job.plot ? jw_job_run(&job) : JW_EXIT_FAILED;
  free(path);
  return status;
}

const JwVerb jw_verb_plot = {
    .name = "plot",
    .summary = "from a scene to a picture",
    .usage = "SCENE [-o FILE.svg]",
    .about =
        "Computes a scene and draws what happened: the waveform and spectrogram of the first pickup, where the energy "
        "is, the shape of a string during a few periods, and when each collision is closed. The picture follows "
        "the reader's light or dark preference. `jawari render --plot` draws the same beside a sound.",
    .examples =
        "jawari plot tromba-marina # into tromba-marina.svg\n"
        "jawari plot my.json -o my.svg --panels waveform,contacts # two panels\n"
        "jawari plot my.json -o - --duration 0.2 | rsvg-convert > my.png # another format\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
