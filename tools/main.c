// SPDX-License-Identifier: MIT
// The jawari command: the table of its verbs.

#include "origin.h"
#include "tool.h"
#include "tool_paper.h"

#include <fcntl.h>
#include <string.h>

static const JwVerb paper = {
    .name = "paper",
    .summary = "make the figures and tables of published papers again",
    .usage = "list | run ID|all --out DIR",
    .run = jw_tool_paper,
};

static const JwVerb* const verbs[] = {
    &jw_verb_render,   &jw_verb_play,
    &jw_verb_plot,     &jw_verb_info,
    &jw_verb_check,    &jw_verb_scenes,
    &jw_verb_schema,   &jw_verb_lv2,
    &jw_verb_converge, &jw_verb_sweep,
    &jw_verb_dataset,  &paper,
    &jw_verb_bench,    NULL,
};

static const JwVerb* find(const char* name) {
  for (uint32_t i = 0; verbs[i]; ++i) {
    if (strcmp(verbs[i]->name, name) == 0) {
      return verbs[i];
    }
  }
  return NULL;
}

static void help(FILE* file) {
  fputs("jawari simulates things that vibrate and collide, and makes them sound.\n\n"
        "usage: jawari VERB [arguments]\n\n",
        file);
  for (uint32_t i = 0; verbs[i]; ++i) {
    fprintf(file, "  %-8s  %s\n", verbs[i]->name, verbs[i]->summary);
  }
  fputs("\n"
        "  jawari VERB --help          what a verb can do, with examples\n"
        "  jawari --version            the version of the program\n"
        "  jawari --man                the manual page (jawari --man | man -l -)\n"
        "  jawari --completion SHELL   completions for bash or zsh\n"
        "\nBegin with\n\n"
        "  jawari render guitar -o guitar.wav --plot guitar.svg\n"
        "\nExit status: 0 done, 1 failed, 2 wrong command line, 3 errors in a scene,\n"
        "130 stopped by Ctrl-C (what was written is whole, only shorter).\n",
        file);
}

static void version(void) {
#ifdef JW_WITH_SNDFILE
  const char* const sound = "yes";
#else
  const char* const sound = "no (built without libsndfile)";
#endif
#ifdef JW_WITH_HDF5
  const char* const fields = "yes";
#else
  const char* const fields = "no (built without HDF5)";
#endif
#if defined(__clang__)
  const char* const compiler = "clang";
#else
  const char* const compiler = "gcc";
#endif
  printf("jawari %s\nsound files: %s\nHDF5 files: %s\ncompiler: %s\n", jw_version(), sound, fields,
         compiler);
}

static int unknown(const char* word) {
  const JwVerb* nearest = NULL;
  uint32_t best = 3;
  for (uint32_t i = 0; verbs[i]; ++i) {
    const uint32_t distance = jw_tool_distance(verbs[i]->name, word);
    if (distance < best) {
      best = distance;
      nearest = verbs[i];
    }
  }
  if (nearest) {
    jw_tool_fail("there is no verb \"%s\"; did you mean \"%s\"?", word, nearest->name);
  } else {
    jw_tool_fail("there is no verb \"%s\"; `jawari --help` names them", word);
  }
  return JW_EXIT_USAGE;
}

static int closing(int status) {
  if (fflush(stdout) != 0 || ferror(stdout)) {
    jw_tool_fail("standard output could not be written");
    return status ? status : JW_EXIT_FAILED;
  }
  return status;
}

static int top(int argc, char** argv) {
  const char* const word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    const JwVerb* const verb = argc > 2 ? find(argv[2]) : NULL;
    if (argc > 2 && !verb) {
      return unknown(argv[2]);
    }
    if (verb && !verb->options) {
      char option[] = "--help";
      char* arguments[] = {argv[2], option, NULL};
      return verb->run(2, arguments);
    }
    verb ? jw_tool_help(verb, stdout) : help(stdout);
    return JW_EXIT_OK;
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    version();
    return JW_EXIT_OK;
  }
  if (strcmp(word, "--man") == 0) {
    jw_tool_man(verbs, stdout);
    return JW_EXIT_OK;
  }
  if (strcmp(word, "--completion") == 0) {
    return jw_tool_completion(verbs, argc > 2 ? argv[2] : "", stdout) ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  const JwVerb* const verb = find(word);
  return verb ? verb->run(argc - 1, argv + 1) : unknown(word);
}

// A stream that is closed would be taken by the first file that is opened.  What takes its place
// can be neither read nor written the way that the stream is, so that whoever does is told.
static bool hold_streams(void) {
  static const int ways[3] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int fd = 0; fd < 3; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", ways[fd]) != fd) {
      return false;
    }
  }
  return true;
}

int main(int argc, char** argv) {
  if (!hold_streams()) {
    return JW_EXIT_FAILED;
  }
  if (argc < 2) {
    help(stderr);
    return JW_EXIT_USAGE;
  }
  jw_origin_note_command(argc, argv);
  return closing(top(argc, argv));
}
