// SPDX-License-Identifier: MIT
// jawari converge: does a scene converge, how fast, and by which rule best?

#include "converge.h"
#include "identity.h"
#include "job.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char* output;
  const char* rules;
  double rate, duration;
  uint32_t doublings;
  JwSceneWish wish;
} Fields;

#define FIELD(name) offsetof(Fields, name)

static const JwOption options[] = {
    {"--output", "-o", "FILE", "Draw the errors, as .svg; - is standard output.", JW_OPTION_TEXT,
     FIELD(output), 0, 0, NULL},
    {"--rate", "-r", "HZ",
     "Lowest sample rate, at whose times all are compared, instead of the scene's.",
     JW_OPTION_NUMBER, FIELD(rate), 1000, 1e8, NULL},
    {"--doublings", NULL, "N", "How often the rate is doubled (4); the last run is the reference.",
     JW_OPTION_COUNT, FIELD(doublings), 2, JW_STUDY_RATES - 1, NULL},
    {"--rules", NULL, "LIST",
     "Which rules, with commas between: own (each contact by its own), bounded, plain, released, "
     "refined, newton. Without it own, and all others where there is a collision or connection.",
     JW_OPTION_TEXT, FIELD(rules), 0, 0, NULL},
    {"--duration", "-d", "S", "Seconds, instead of the scene's.", JW_OPTION_NUMBER, FIELD(duration),
     1e-6, JW_SCENE_MAX_DURATION, NULL},
    JW_OPTION_WISH(FIELD(wish)),
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

// ---------------------------------------------------------------- rules

static const char* find_rule(const char* word, size_t length) {
  const char* const* const names = jw_tool_rules();
  if (length == 3 && memcmp(word, "own", 3) == 0) {
    return "own";
  }
  for (uint32_t i = 0; names[i]; ++i) {
    if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0) {
      return names[i];
    }
  }
  return NULL;
}

static bool add_rule(JwStudy* study, const char* rule) {
  for (uint32_t i = 0; i < study->rule_count; ++i) {
    if (strcmp(study->rules[i], rule) == 0) {
      return jw_tool_fail("--rules: %s is given twice", rule);
    }
  }
  uint32_t at = study->rule_count++;
  if (strcmp(rule, "own") == 0) { // Before any is set
    memmove(study->rules + 1, study->rules, at * sizeof study->rules[0]);
    at = 0;
  }
  study->rules[at] = rule;
  return true;
}

static bool read_rules(JwStudy* study, const char* list) {
  while (*list) {
    const size_t length = strcspn(list, ",");
    const char* const rule = find_rule(list, length);
    if (!rule) {
      return jw_tool_fail(
          "--rules: there is no \"%.*s\"; there are own, bounded, plain, released, refined, newton, auto",
          (int)length, list);
    }
    if (!add_rule(study, rule)) {
      return false;
    }
    list += length + (list[length] == ',');
  }
  return true;
}

static bool has_rules(const JwScene* scene) {
  for (uint32_t i = 0; i < jw_scene_parts(scene); ++i) {
    const JwKind kind = jw_scene_part(scene, i).kind;
    if (kind == JW_KIND_COLLISION || kind == JW_KIND_CONNECTION) {
      return true;
    }
  }
  return false;
}

// All are compared with Newton's, which iterates until the scheme is solved, or else with the
// first.
static bool choose_rules(JwStudy* study, const JwScene* scene, const char* list) {
  const char* const* const names = jw_tool_rules();
  if (list && !read_rules(study, list)) {
    return false;
  }
  if (!list) {
    add_rule(study, "own");
  }
  for (uint32_t i = 0; !list && has_rules(scene) && i < JW_RULE_AUTO;
       ++i) { // auto is one of them, for each contact
    add_rule(study, names[i]);
  }
  for (uint32_t i = 0; i < study->rule_count; ++i) {
    study->reference = strcmp(study->rules[i], "newton") == 0 ? i : study->reference;
  }
  return true;
}

// ---------------------------------------------------------------- the table

static void number_text(double value, const char* format, char text[16]) {
  snprintf(text, 16, isfinite(value) ? format : "-", value);
}

static void print_row(const JwStudy* study, uint32_t pickup, uint32_t rule, uint32_t rate) {
  const JwStudyRow row = jw_study_row(study, pickup, rule, rate);
  const bool reference = rule == study->reference && rate + 1 == study->rate_count;
  char error[16], worst[16], order[16];
  number_text(row.error, "%.3g", error);
  number_text(row.worst, "%.3g", worst);
  number_text(row.order, "%.2f", order);
  const char* const note = !study->runs[rule][rate].values ? "  not finite"
                           : reference                     ? "  reference"
                                                           : "";
  printf("%-16.40s %-9s %10g  %9s  %9s  %6s%s\n", study->channels[pickup].name, study->rules[rule],
         study->rate * (double)(1u << rate), error, worst, order, note);
}

static void print_table(const JwStudy* study) {
  printf("%s: %.6g s, compared at the times of %g Hz\n\n", study->name,
         (double)study->frames / study->rate, study->rate);
  printf("%-16s %-9s %10s  %9s  %9s  %6s\n", "pickup", "rule", "rate (Hz)", "error", "worst",
         "order");
  for (uint32_t p = 0; p < study->pickup_count; ++p) {
    for (uint32_t r = 0; r < study->rule_count; ++r) {
      for (uint32_t i = 0; i < study->rate_count; ++i) {
        print_row(study, p, r, i);
      }
    }
  }
}

static bool draw(const JwStudy* study, const char* path) {
  JwOutFile out;
  char* const text = jw_study_chart(study);
  if (!text || !jw_out_open(&out, path)) {
    free(text);
    return false;
  }
  FILE* const file = jw_out_stream(&out);
  bool good = file && fputs(text, file) >= 0;
  good = file && fclose(file) == 0 && good;
  free(text);
  if (!good) {
    jw_tool_fail("cannot write %s: %s", path, strerror(errno));
    jw_out_cancel(&out);
    return false;
  }
  return jw_out_commit(&out);
}

// ---------------------------------------------------------------- the verb

static int study_scene(JwStudy* study, JwScene* scene, const Fields* fields) {
  const JwSceneInfo info = jw_scene_info(scene);
  if (fields->output && !jw_tool_ending("a picture", fields->output, ".svg")) {
    return JW_EXIT_USAGE;
  }
  JwReadFiles files;
  const bool kept = jw_read_files(&files, study->name, fields->wish.folder, scene)
                    && (!fields->output || jw_keeps_inputs(&files, fields->output));
  jw_read_files_free(&files);
  if (!kept) {
    return jw_tool_failure();
  }
  study->rate =
      isnan(fields->rate) ? jw_scene_world(scene).sample_rate / info.oversample : fields->rate;
  study->rate_count = fields->doublings + 1;
  const double duration = isnan(fields->duration) ? info.duration : fields->duration;
  study->frames = (uint64_t)floor(duration * study->rate + 0.5);
  if (study->frames == 0) {
    jw_tool_fail("%s: the duration is less than one frame", study->name);
    return JW_EXIT_USAGE;
  }
  if (!choose_rules(study, scene, fields->rules)) {
    return JW_EXIT_USAGE;
  }
  const int status = jw_study_run(study, scene);
  if (status) {
    return status;
  }
  if (!fields->output || strcmp(fields->output, "-") != 0) {
    print_table(study);
  }
  return !fields->output || draw(study, fields->output) ? JW_EXIT_OK : JW_EXIT_FAILED;
}

static int run(int argc, char** argv) {
  Fields fields = {.rate = JW_UNSET, .duration = JW_UNSET, .doublings = 4};
  const JwParsed parsed = jw_tool_parse_one(&jw_verb_converge, argc, argv, &fields, NULL);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  JwStudy* const study = (JwStudy*)calloc(1, sizeof *study);
  JwScene* scene = NULL;
  if (!study) {
    jw_tool_fail("no memory");
    return JW_EXIT_FAILED;
  }
  jw_stop_catch();
  study->name = argv[1];
  int status = jw_tool_open(argv[1], &fields.wish, &scene);
  status = status ? status : study_scene(study, scene, &fields);
  jw_study_release(study);
  free(study);
  jw_scene_destroy(scene);
  return status;
}

const JwVerb jw_verb_converge = {
    .name = "converge",
    .summary = "does a scene converge, and by which rule best",
    .usage = "SCENE [-o FILE.svg]",
    .about =
        "Computes a scene at its sample rate and at twice, four times ... that, by every rule of its contacts, and compares "
        "what the pickups read at the times that all rates have in common, unfiltered and in SI units. error is the root of "
        "the mean square of the difference to the reference, the finest run by Newton's rule, over that of the reference; "
        "worst is the largest difference over the largest value. order is the power of the time step with which a run and "
        "its neighbours approach each other: 2 is what the scheme promises for smooth motion, 1 is a sign of something that "
        "is half a step late, 0 of chaos, or of nothing to gain.\n"
        "\n"
        "Strings and plates lay a finer grid at a higher rate, as many points as stability allows, so that their order is "
        "uneven: give them `points` to see the error in time alone. A throw begins at a frame; let it fall on one of "
        "the lowest rate.",
    .examples =
        "jawari converge bouncing-ball # five rates by six rules\n"
        "jawari converge my.json -d 0.05 -o my.svg # the first 50 ms, drawn\n"
        "jawari converge my.json --rules bounded,newton --rate 48000 --doublings 6 # finer\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
