// SPDX-License-Identifier: MIT
// jawari render: from a scene to a sound.

#include "job.h"

#include <stdlib.h>
#include <string.h>

static const char* const* formats(void) {
  static const char* const names[] = {"wav", "flac", "ogg", "w64", "csv", "h5", NULL};
  return names;
}

static const char* const* depths(void) {
  static const char* const names[] = {"16", "24", "float", NULL};
  return names;
}

static const char* const* channels(void) {
  static const char* const names[] = {"mono", "stereo", "pickups", NULL};
  return names;
}

#define FIELD(name) offsetof(JwJobOptions, name)

static const JwOption options[] = {
    {"--output", "-o", "FILE",
     "Where to; its ending says how: .wav .flac .ogg .w64 .csv .h5; - is standard output. "
     "Without it, the scene's name with .wav, here.",
     JW_OPTION_TEXT, FIELD(output), 0, 0, NULL},
    {"--format", NULL, "FORMAT",
     "wav, flac, ogg, w64, csv or h5, instead of by the ending; - is wav without it.",
     JW_OPTION_CHOICE, FIELD(format), 0, 0, formats},
    {"--rate", "-r", "HZ", "Sample rate, instead of the scene's.", JW_OPTION_NUMBER, FIELD(rate),
     1000, 1e8, NULL},
    {"--duration", "-d", "S", "Seconds, instead of the scene's.", JW_OPTION_NUMBER, FIELD(duration),
     1e-6, JW_SCENE_MAX_DURATION, NULL},
    {"--oversample", NULL, "N", "Compute at N times the sample rate and filter down.",
     JW_OPTION_COUNT, FIELD(oversample), 1, 64, NULL},
    {"--rule", NULL, "RULE",
     "How every collision and connection is solved: bounded, plain, released, refined, newton or auto, the best of bounded and refined for each.",
     JW_OPTION_CHOICE, FIELD(rule), 0, 0, jw_tool_rules},
    {"--gain", NULL, "GAIN",
     "Factor to the sound, or auto: the peak at -1 dB. Tables (.csv .h5) are never scaled.",
     JW_OPTION_TEXT, FIELD(gain), 0, 0, NULL},
    {"--loudness", NULL, "LUFS",
     "Bring the sound to this loudness by ITU-R BS.1770, such as -16, instead of a gain.",
     JW_OPTION_NUMBER, FIELD(loudness), -70, 0, NULL},
    {"--bits", NULL, "BITS",
     "16, 24 or float: samples of .wav and .w64 (float without it); 16 or 24 of .flac (24).",
     JW_OPTION_CHOICE, FIELD(bits), 0, 0, depths},
    {"--channels", NULL, "HOW",
     "mono, stereo by each pickup's pan, or pickups: one channel each. Without it as the scene says, or "
     "stereo. Tables have one column a pickup.",
     JW_OPTION_CHOICE, FIELD(channels), 0, 0, channels},
    {"--energy", NULL, "FILE",
     "Write the energy ledger over time, in all, by object and by contact, as .csv or .h5.",
     JW_OPTION_TEXT, FIELD(energy), 0, 0, NULL},
    {"--field", NULL, "OBJECT=FILE",
     "Write how an object moves everywhere, as .h5 or .csv; may be given again. OBJECT "
     "alone goes into an output that ends in .h5.",
     JW_OPTION_LIST, FIELD(fields), 0, 0, NULL},
    {"--every", NULL, "N", "Frames from row to row of --energy and --field (32).", JW_OPTION_COUNT,
     FIELD(every), 1, 1e6, NULL},
    {"--midi", NULL, "FILE",
     "Play this MIDI file on the scene, instead of the scene's own score: see docs/playing.md.",
     JW_OPTION_TEXT, FIELD(midi), 0, 0, NULL},
    {"--scale", NULL, "FILE", "Tune the song by a Scala scale (.scl).", JW_OPTION_TEXT,
     FIELD(scale), 0, 0, NULL},
    {"--map", NULL, "FILE", "Which key has which degree of the scale (.kbm).", JW_OPTION_TEXT,
     FIELD(map), 0, 0, NULL},
    {"--stats", NULL, "FILE", "Write the closing table as JSON; - is standard output.",
     JW_OPTION_TEXT, FIELD(stats), 0, 0, NULL},
    {"--plot", NULL, "FILE", "Draw what happened, as .svg: see jawari plot --help.", JW_OPTION_TEXT,
     FIELD(plot), 0, 0, NULL},
    {"--no-ledger", NULL, NULL, "Do not keep the energy ledger: the same sound, faster.",
     JW_OPTION_FLAG, FIELD(no_ledger), 0, 0, NULL},
    JW_OPTION_WISH(FIELD(wish)),
    JW_OPTION_STRICT(FIELD(strict)),
    {"--quiet", "-q", NULL, "No progress, no closing table.", JW_OPTION_FLAG, FIELD(quiet), 0, 0,
     NULL},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int run(int argc, char** argv) {
  JwJobOptions job = jw_job_options();
  const JwParsed parsed = jw_tool_parse_one(&jw_verb_render, argc, argv, &job, NULL);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  job.scene = argv[1];
  if (!job.output && strcmp(job.scene, "-") == 0) {
    jw_tool_fail("a scene from standard input has no name; say where to with -o");
    return JW_EXIT_USAGE;
  }
  char* const path = job.output ? NULL : jw_tool_default_output(job.scene, ".wav");
  job.implied = !job.output;
  job.output = job.output ? job.output : path;
  const int status = job.output ? jw_job_run(&job) : JW_EXIT_FAILED;
  free(path);
  return status;
}

const JwVerb jw_verb_render = {
    .name = "render",
    .summary = "from a scene to a sound",
    .usage = "SCENE [-o FILE]",
    .about =
        "Computes a scene and writes what its pickups hear. SCENE is a file, - for standard input, or a built-in "
        "scene by name (jawari scenes). It ends with a table: how large the scene is, how often contacts "
        "closed, how well the energy ledger closes (1e-12 is healthy, 1e-6 is a bug), how loud and how fast. "
        "The same command gives the same bytes each time, but for Ogg.\n"
        "\n"
        "Files appear whole or not at all. Ctrl-C stops early and leaves a valid, shorter file.",
    .examples =
        "jawari render tromba-marina # a built-in scene into tromba-marina.wav\n"
        "jawari render my.json -o my.flac --plot my.svg # with a picture\n"
        "jawari render my.json -o my.csv --rate 96000 --duration 0.5 # numbers, all digits\n"
        "jawari render my.json -o my.wav --oversample 4 --rule refined # slower, finer\n"
        "jawari render my.json -o my.wav --energy e.csv --field string=f.h5 # ledger and motion\n"
        "jawari render guitar --midi song.mid -o song.wav # play a song on it\n"
        "jawari render my.json -o - --stats s.json | aplay # listen at once, keep the figures\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
