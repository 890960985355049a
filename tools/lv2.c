// SPDX-License-Identifier: MIT
// jawari lv2: from scenes to a bundle of LV2 plug-ins.

#include "tool.h"

#ifdef JW_WITH_LV2
#include "folder.h"
#include "job.h"
#include "lv2.h"

#include <jawari/builtin.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#endif

typedef struct {
  const char* output;
  const char* name;
  const char* title;
  const char* library;
  JwToolList presets;
  bool no_picture, quiet;
} Options;

#define FIELD(name) offsetof(Options, name)

static const JwOption options[] = {
    {"--output", "-o", "FOLDER",
     "The bundle, as .lv2. Without it, the scene's name with .lv2, here.", JW_OPTION_TEXT,
     FIELD(output), 0, 0, NULL},
    {"--name", NULL, "NAME",
     "What hosts know the plug-in by, urn:jawari:NAME; the name of the scene's file without it. "
     "Sessions find the plug-in by it: keep it.",
     JW_OPTION_TEXT, FIELD(name), 0, 0, NULL},
    {"--title", NULL, "TITLE", "What people read; the scene's title without it.", JW_OPTION_TEXT,
     FIELD(title), 0, 0, NULL},
    {"--preset", NULL, "PRESET",
     "NAME: control=value, ... with several scenes SCENE/NAME: ...; may be given again.",
     JW_OPTION_LIST, FIELD(presets), 0, 0, NULL},
    {"--library", NULL, "FILE", "The plug-ins' code; that of this installation without it.",
     JW_OPTION_TEXT, FIELD(library), 0, 0, NULL},
    {"--no-picture", NULL, NULL, "Draw none.", JW_OPTION_FLAG, FIELD(no_picture), 0, 0, NULL},
    {"--quiet", "-q", NULL, "Say nothing but what is wrong.", JW_OPTION_FLAG, FIELD(quiet), 0, 0,
     NULL},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

#ifdef JW_WITH_LV2
#define LIBRARY "jawari.so"

// ---------------------------------------------------------------- scenes

static bool is_word(const char* name) {
  return name[0] && name[0] != '.'
         && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
                == strlen(name);
}

static bool name_scene(JwLv2Scene* scene, const char* wanted) {
  char* const own = jw_tool_default_output(scene->from, "");
  const char* const name = wanted ? wanted : own ? own : "";
  const bool good = is_word(name) && strlen(name) < sizeof scene->name;
  if (good) {
    snprintf(scene->name, sizeof scene->name, "%s", name);
  } else {
    jw_tool_misuse("\"%s\" cannot name a plug-in, which has 1 to %zu of a-z A-Z 0-9 - _ . and "
                   "begins with no dot; give another with --name",
                   name, sizeof scene->name - 1);
  }
  free(own);
  return good;
}

// A session that knows the built-in instrument must not meet another one of its name.
static bool is_own_name(const JwLv2Scene* scene, const JwScene* read) {
  const JwBuiltinScene* const builtin = jw_builtin_find(scene->name);
  const JwSceneFile file = jw_scene_file(read, 0);
  return !builtin
         || (file.size == builtin->size && memcmp(file.text, builtin->text, file.size) == 0)
         || jw_tool_misuse("%s: a built-in scene that is another has the name \"%s\"; give yours "
                           "one of its own with --name",
                           scene->from, scene->name);
}

static bool describe(JwLv2Scene* scene, JwScene* read, const char* title) {
  JwInstrumentDef def = jw_instrument_default();
  def.scene = read;
  def.trial = false; // Nobody hears it
  def.rate = 48000.0;
  def.channels = JW_CHANNELS_STEREO;
  JwInstrument* instrument = NULL;
  const JwStatus status = jw_instrument_create(&def, &instrument);
  const JwInstrumentInfo info = jw_instrument_info(instrument);
  if (status && jw_scene_diagnostics(read)) {
    jw_tool_print_errors(read);
  } else if (status) {
    jw_tool_fail("%s: %s", scene->from, jw_instrument_error(instrument));
  } else if (info.channels != 2) {
    jw_tool_fail("%s: it has no pickup, and cannot be heard", scene->from);
  } else {
    jw_tool_print_warnings(read, jw_instrument_world(instrument));
    snprintf(scene->title, sizeof scene->title, "%s",
             title           ? title
             : info.title[0] ? info.title
                             : scene->name);
    jw_face_of(instrument, &scene->face);
    scene->pack = jw_pack_write(read);
  }
  jw_instrument_destroy(instrument);
  return scene->pack != NULL;
}

static int add_scene(JwLv2Bundle* bundle, const char* from, const Options* o) {
  if (bundle->scene_count == JW_LV2_MOST_SCENES) {
    jw_tool_fail("a bundle has at most %d scenes", JW_LV2_MOST_SCENES);
    return JW_EXIT_USAGE;
  }
  JwLv2Scene* const scene = &bundle->scenes[bundle->scene_count];
  const JwSceneWish wish = {.folder = NULL};
  JwScene* read = NULL;
  scene->from = from;
  if (!name_scene(scene, o->name)) {
    return JW_EXIT_USAGE;
  }
  int status = jw_tool_open(from, &wish, &read);
  if (!status && !is_own_name(scene, read)) {
    status = JW_EXIT_USAGE;
  }
  if (!status) {
    jw_scene_mute(read);
    status = describe(scene, read, o->title) ? JW_EXIT_OK : JW_EXIT_SCENE;
  }
  jw_scene_destroy(read);
  bundle->scene_count += status == JW_EXIT_OK;
  return status;
}

static bool names_differ(const JwLv2Bundle* bundle) {
  for (uint32_t i = 0; i < bundle->scene_count; ++i) {
    for (uint32_t k = 0; k < i; ++k) {
      if (strcmp(bundle->scenes[i].name, bundle->scenes[k].name) == 0) {
        return jw_tool_misuse("%s and %s would both be the plug-in \"%s\"", bundle->scenes[k].from,
                              bundle->scenes[i].from, bundle->scenes[i].name);
      }
    }
  }
  return true;
}

// ---------------------------------------------------------------- the library

static bool in_build_folder(char path[PATH_MAX]) {
  char self[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  self[size > 0 ? size : 0] = 0;
  char* const slash = strrchr(self, '/');
  if (!slash) {
    return false;
  }
  *slash = 0;
  return snprintf(path, PATH_MAX, "%s/../hosts/lv2/" LIBRARY, self) < PATH_MAX
         && access(path, R_OK) == 0;
}

static bool find_library(const char* wanted, char path[PATH_MAX]) {
  // A program that was not installed has its own beside it
  if (!wanted && in_build_folder(path)) {
    return true;
  }
  snprintf(path, PATH_MAX, "%s", wanted ? wanted : JW_LV2_LIBRARY);
  return access(path, R_OK) == 0
         || jw_tool_fail("cannot read the library of the plug-ins, %s: %s; say where it is with "
                         "--library",
                         path, strerror(errno));
}

static bool copy_library(const JwOutFolder* folder, const char* from) {
  FILE* const file = fopen(from, "rb");
  long size = -1;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    size = ftell(file);
    rewind(file);
  }
  char* const data = size > 0 ? (char*)malloc((size_t)size) : NULL;
  const bool read = data && fread(data, 1, (size_t)size, file) == (size_t)size;
  if (file) {
    fclose(file);
  }
  const bool good = read ? jw_folder_write(folder, LIBRARY, data, (size_t)size)
                         : jw_tool_fail("cannot read %s", from);
  free(data);
  return good;
}

// ---------------------------------------------------------------- the bundle

static bool write_text(const JwOutFolder* folder, const char* name, char* text) {
  const bool good =
      text ? jw_folder_write(folder, name, text, strlen(text)) : jw_tool_fail("no memory");
  free(text);
  return good;
}

// The scene under the plug-in's name, what it includes under its own.
static bool write_scene(const JwOutFolder* folder, const JwLv2Scene* scene) {
  const char* rest = scene->pack;
  JwPackFile file;
  char error[JW_ERROR_SIZE], name[PATH_MAX];
  for (bool first = true; jw_pack_next(&rest, &file, error); first = false) {
    if (first) {
      snprintf(name, sizeof name, "%s.json", scene->name);
    } else {
      snprintf(name, sizeof name, "%.*s", (int)file.name_size, file.name);
    }
    if (!jw_folder_write(folder, name, file.text, file.text_size)) {
      return false;
    }
  }
  return !error[0] || jw_tool_fail("%s", error);
}

// Two seconds of the scene's own score.
static bool draw(const JwOutFolder* folder, const JwLv2Scene* scene) {
  char name[128], from[PATH_MAX], to[PATH_MAX];
  snprintf(name, sizeof name, "%s.json", scene->name);
  if (!jw_folder_path(folder, name, from)) {
    return false;
  }
  snprintf(name, sizeof name, "%s.svg", scene->name);
  if (!jw_folder_path(folder, name, to)) {
    return false;
  }
  char panels[] = "waveform,spectrogram";
  JwJobOptions job = jw_job_options();
  job.scene = from;
  job.plot = to;
  job.panels = panels;
  job.duration = 2.0;
  job.no_ledger = true;
  job.quiet = true;
  return jw_job_run(&job) == JW_EXIT_OK;
}

static bool fill(const JwOutFolder* folder, const JwLv2Bundle* bundle, const Options* o) {
  char library[PATH_MAX], copied[PATH_MAX];
  if (!find_library(o->library, library) || !copy_library(folder, library)
      || !jw_folder_path(folder, LIBRARY, copied)
      || !write_text(folder, "manifest.ttl", jw_lv2_manifest(bundle, LIBRARY))) {
    return false;
  }
  for (uint32_t i = 0; i < bundle->scene_count; ++i) {
    char name[128];
    snprintf(name, sizeof name, "%s.ttl", bundle->scenes[i].name);
    if (jw_stop_wanted() || !write_text(folder, name, jw_lv2_plugin(bundle, i))
        || !write_scene(folder, &bundle->scenes[i])
        || (bundle->pictures && !draw(folder, &bundle->scenes[i]))) {
      return false;
    }
  }
  return jw_lv2_try(bundle, folder->part, copied);
}

static int write_bundle(const JwLv2Bundle* bundle, const Options* o) {
  JwOutFolder folder;
  char* const own = jw_tool_default_output(bundle->scenes[0].from, ".lv2");
  const char* const path = o->output ? o->output : own;
  bool good = path && jw_folder_open(&folder, path, "manifest.ttl");
  if (good) {
    good = fill(&folder, bundle, o) && !jw_stop_wanted();
    if (good) {
      good = jw_folder_commit(&folder);
    } else {
      jw_folder_cancel(&folder);
    }
  }
  for (uint32_t i = 0; good && !o->quiet && i < bundle->scene_count; ++i) {
    printf("urn:jawari:%s: %s, %u controls\n", bundle->scenes[i].name, bundle->scenes[i].title,
           bundle->scenes[i].face.count);
  }
  free(own);
  return good ? JW_EXIT_OK : jw_stop_wanted() ? JW_EXIT_STOPPED : JW_EXIT_FAILED;
}

static int make(JwLv2Bundle* bundle, int argc, char** argv, const Options* o) {
  int status = JW_EXIT_OK;
  for (int i = 1; i < argc && !status; ++i) {
    status = add_scene(bundle, argv[i], o);
  }
  if (!status && !names_differ(bundle)) {
    status = JW_EXIT_USAGE;
  }
  for (uint32_t i = 0; i < o->presets.count && !status; ++i) {
    status = jw_lv2_add_preset(bundle, o->presets.items[i]) ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  return status ? status : write_bundle(bundle, o);
}

static int run_verb(int argc, char** argv, const Options* o) {
  if (argc > 2 && (o->name || o->title)) {
    jw_tool_fail("--name and --title are of one scene, and there are %d", argc - 1);
    return JW_EXIT_USAGE;
  }
  if (o->output && !jw_tool_ends(o->output, ".lv2") && !jw_tool_ends(o->output, ".lv2/")) {
    jw_tool_fail("--output wants a folder that ends in .lv2, not \"%s\"", o->output);
    return JW_EXIT_USAGE;
  }
  JwLv2Bundle* const bundle = (JwLv2Bundle*)calloc(1, sizeof *bundle);
  if (!bundle) {
    jw_tool_fail("no memory");
    return JW_EXIT_FAILED;
  }
  bundle->pictures = !o->no_picture;
  jw_stop_catch();
  const int status = make(bundle, argc, argv, o);
  for (uint32_t i = 0; i < bundle->scene_count; ++i) {
    free(bundle->scenes[i].pack);
  }
  free(bundle);
  return status;
}
#else
static int run_verb(int argc, char** argv, const Options* o) {
  (void)argc, (void)argv, (void)o;
  jw_tool_fail("this jawari was built without LV2");
  return JW_EXIT_FAILED;
}
#endif

static int run(int argc, char** argv) {
  Options o = {.output = NULL};
  const JwParsed parsed = jw_tool_parse(&jw_verb_lv2, &argc, argv, &o);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc < 2) {
    jw_tool_fail("lv2 wants one scene or more: files, or names that `jawari scenes` shows");
    return JW_EXIT_USAGE;
  }
  return run_verb(argc, argv, &o);
}

const JwVerb jw_verb_lv2 = {
    .name = "lv2",
    .summary = "scenes as plug-ins for workstations",
    .usage = "SCENE... [-o FOLDER.lv2]",
    .about =
        "Writes a bundle of LV2 plug-ins, one a scene: instruments for Ardour, Carla, jalv and other hosts, without a "
        "compiler. What can be moved while it sounds becomes a port with its unit, range and start. The bundle is "
        "loaded and played before it gets its name; one that was there is replaced. Put it into ~/.lv2, where hosts "
        "look.",
    .examples = "jawari lv2 my.json -o ~/.lv2/my.lv2 # one instrument\n"
                "jawari lv2 my.json -o my.lv2 --preset 'Close: rattle.gap=1e-6' # with a preset\n"
                "jawari lv2 gong tromba -o two.lv2 # two in one bundle\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
