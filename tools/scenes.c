// SPDX-License-Identifier: MIT
// jawari scenes: what is built in.

#include "tool.h"

#include <jawari/builtin.h>
#include <jawari/play.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  bool names;
  const char* show;
  const char* group;
} Fields;

static const char* const* groups(void) {
  static const char* const names[] = {"instruments", "experiments", "papers", NULL};
  return names;
}

static const JwOption options[] = {
    {"--names", NULL, NULL, "Names only, one a line.", JW_OPTION_FLAG, offsetof(Fields, names), 0,
     0, NULL},
    {"--show", NULL, "NAME", "Print the text of a scene, to start from.", JW_OPTION_TEXT,
     offsetof(Fields, show), 0, 0, NULL},
    {"--group", NULL, "GROUP", "instruments, experiments or papers only.", JW_OPTION_CHOICE,
     offsetof(Fields, group), 0, 0, groups},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static void name_of(double frequency, char name[16]) {
  static const char* const names[12] = {"C",  "C#", "D",  "D#", "E",  "F",
                                        "F#", "G",  "G#", "A",  "A#", "B"};
  const int key = (int)floor(69.0 + 12.0 * log2(frequency / 440.0) + 0.5);
  snprintf(name, 16, "%s%d", names[(key + 120) % 12], (key + 120) / 12 - 11);
}

// Which notes it has: a range, if every key between can be had; else how many voices.
static void describe_notes(const JwInstrument* instrument, char notes[40]) {
  const JwInstrumentInfo info = jw_instrument_info(instrument);
  char low[16], high[16];
  if (!info.voices) {
    snprintf(notes, 40, "-");
  } else if (info.chromatic) {
    name_of(info.lowest, low);
    name_of(info.highest, high);
    snprintf(notes, 40, "%s to %s", low, high);
  } else if (info.highest > 1.5 * info.lowest && info.voices == 1) {
    snprintf(notes, 40, "harmonics");
  } else {
    snprintf(notes, 40, "%u %s", info.voices, isnan(info.lowest) ? "without" : "fixed");
  }
}

// Length, notes and work of a scene, in one line.
static void describe(const JwBuiltinScene* scene) {
  JwInstrumentDef def = jw_instrument_default();
  def.name = scene->name;
  def.trial = false;
  JwInstrument* instrument = NULL;
  char notes[40] = "-";
  const JwStatus status = jw_instrument_create(&def, &instrument);
  JwWorld* const world = jw_instrument_world(instrument);
  JwCost cost = {0};
  if (!status) {
    describe_notes(instrument, notes);
  }
  const bool known = world && !jw_world_cost(world, &cost);
  const double rate = world ? jw_world_info(world).sample_rate : 0.0;
  const JwScene* const own = jw_instrument_scene(instrument);
  printf("  %-22s %4.3g s  %-11s %5.0f  %s\n", scene->name, own ? jw_scene_info(own).duration : 0.0,
         notes, known ? 1e-6 * cost.operations * rate : 0.0, scene->title);
  jw_instrument_destroy(instrument);
}

static int show(const char* name) {
  const JwBuiltinScene* const scene = jw_builtin_find(name);
  if (!scene) {
    jw_tool_fail("there is no built-in scene \"%s\"; `jawari scenes` names them", name);
    return JW_EXIT_FAILED;
  }
  fwrite(scene->text, 1, scene->size, stdout);
  return JW_EXIT_OK;
}

static void list_group(const Fields* fields, const char* group) {
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(scenes[i].group, group) == 0) {
      if (fields->names) {
        printf("%s\n", scenes[i].name);
      } else {
        describe(&scenes[i]);
      }
    }
  }
}

static void list(const Fields* fields) {
  for (int i = 0; groups()[i]; ++i) {
    if (!fields->group || strcmp(fields->group, groups()[i]) == 0) {
      if (!fields->names) {
        printf("%s%-22s %6s  %-11s %5s\n", i && !fields->group ? "\n" : "", groups()[i], "length",
               "notes", "work");
      }
      list_group(fields, groups()[i]);
    }
  }
}

static int run(int argc, char** argv) {
  Fields fields = {.names = false};
  const JwParsed parsed = jw_tool_parse(&jw_verb_scenes, &argc, argv, &fields);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc > 1) {
    jw_tool_fail("scenes takes no \"%s\"; to see one: jawari scenes --show %s", argv[1], argv[1]);
    return JW_EXIT_USAGE;
  }
  if (fields.show) {
    return show(fields.show);
  }
  list(&fields);
  return JW_EXIT_OK;
}

const JwVerb jw_verb_scenes = {
    .name = "scenes",
    .summary = "the built-in scenes",
    .usage = "",
    .about =
        "Lists the scenes that the program carries, instruments first and the papers' own systems last; each can be rendered by its "
        "name, from anywhere. Notes: from which to which it is chromatic, or how many voices it has, of a fixed pitch or without "
        "one. Work: million operations for a second of sound, at most; some thousands are real time.",
    .examples =
        "jawari scenes # names and titles\n"
        "jawari scenes --show tromba-marina > mine.json # a copy to change\n"
        "for s in $(jawari scenes --names); do jawari render $s; done # all of them, here\n",
    .options = options,
    .run = run,
};
