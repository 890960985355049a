// SPDX-License-Identifier: MIT
// jawari paper: published figures and tables, made again.

#include "paper.h"
#include "tool_paper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] = "usage: jawari paper list\n"
                            "       jawari paper run ID|all --out DIR\n"
                            "\n"
                            "Makes the figures and tables of published papers again: SVG, CSV and "
                            "sound into DIR, and for\n"
                            "`all` a page index.html with the papers' numbers beside ours.\n";

static int list(void) {
  for (size_t p = 0; p < jw_paper_count(); ++p) {
    const JwPaper* const paper = jw_paper_at(p);
    printf("%s (%s)\n", paper->title, paper->authors);
    for (size_t e = 0; e < paper->experiment_count; ++e) {
      printf("  %-24s %s\n", paper->experiments[e].id, paper->experiments[e].title);
    }
  }
  return 0;
}

// Every statement that does not hold is named.
static bool report(const JwPaperRun* run, const char* id) {
  if (jw_paper_error(run)) {
    fprintf(stderr, "jawari paper: %s: %s\n", id, jw_paper_error(run));
    return false;
  }
  size_t count, broken = 0;
  const JwPaperAgreement* const agreements = jw_paper_agreements(run, &count);
  for (size_t i = 0; i < count; ++i) {
    const JwPaperAgreement* const a = &agreements[i];
    if (!jw_paper_holds(a)) {
      ++broken;
      fprintf(stderr,
              "jawari paper: %s: %s: the paper has %.7g, here it is %.7g, allowed %.2g (%s)\n", id,
              a->quantity, a->theirs, a->ours, a->tolerance,
              a->differs ? "known to differ" : "to agree");
    }
  }
  printf("%-24s %zu of %zu as stated\n", id, count - broken, count);
  return broken == 0;
}

static JwPaperRun* run_one(const JwPaper* paper, const JwPaperExperiment* experiment,
                           const char* folder, bool* good) {
  JwPaperRun* const run = jw_paper_run(paper, experiment, folder);
  if (!run) {
    fprintf(stderr, "jawari paper: no memory\n");
  }
  *good = run && report(run, experiment->id) && *good;
  return run;
}

static bool run_all(const char* folder) {
  size_t total = 0, count = 0;
  for (size_t p = 0; p < jw_paper_count(); ++p) {
    total += jw_paper_at(p)->experiment_count;
  }
  JwPaperRun** const runs = (JwPaperRun**)calloc(total ? total : 1, sizeof *runs);
  bool good = runs != NULL;
  for (size_t p = 0; runs && p < jw_paper_count(); ++p) {
    const JwPaper* const paper = jw_paper_at(p);
    for (size_t e = 0; e < paper->experiment_count; ++e) {
      runs[count] = run_one(paper, &paper->experiments[e], folder, &good);
      count += runs[count] != NULL;
    }
  }
  if (runs && !jw_paper_page(runs, count, folder)) {
    fprintf(stderr, "jawari paper: cannot write %s/index.html\n", folder);
    good = false;
  }
  for (size_t i = 0; i < count; ++i) {
    jw_paper_release(runs[i]);
  }
  free(runs);
  return good;
}

// Say what is wrong with what was typed; the exit status of that.
static int misused(const char* problem, const char* word) {
  fprintf(stderr, "jawari paper: %s%s\n%s", problem, word, usage);
  return 2;
}

// Before anything is computed: a folder that can be written to, made if it is not there.
static bool make_folder(const char* folder) {
  struct stat info;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "jawari paper: cannot make folder %s: %s\n", folder, strerror(errno));
    return false;
  }
  if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
    fprintf(stderr, "jawari paper: %s is not a folder\n", folder);
    return false;
  }
  if (access(folder, W_OK | X_OK) != 0) {
    fprintf(stderr, "jawari paper: cannot write into %s: %s\n", folder, strerror(errno));
    return false;
  }
  return true;
}

static int run(const char* id, const char* folder) {
  const JwPaper* paper = NULL;
  const JwPaperExperiment* const experiment = jw_paper_find(id, &paper);
  const bool all = strcmp(id, "all") == 0;
  if (!experiment && !all) {
    fprintf(stderr, "jawari paper: there is no experiment \"%s\"; `jawari paper list` names them\n",
            id);
    return 2;
  }
  if (!make_folder(folder)) {
    return 1;
  }
  bool good = true;
  if (all) {
    good = run_all(folder);
  } else {
    jw_paper_release(run_one(paper, experiment, folder, &good));
  }
  return good ? 0 : 1;
}

static int parse_run(int argc, char** argv) {
  const char* id = NULL;
  const char* folder = NULL;
  for (int i = 2; i < argc; ++i) {
    const bool out = strcmp(argv[i], "--out") == 0;
    if (out && (i + 1 == argc || folder)) {
      return misused(folder ? "--out is given twice" : "--out needs the name of a folder", "");
    }
    if (out) {
      folder = argv[++i];
    } else if (!id && argv[i][0] != '-') {
      id = argv[i];
    } else {
      return misused(argv[i][0] == '-' ? "there is no option "
                                       : "one experiment at a time, or all: ",
                     argv[i]);
    }
  }
  return !id       ? misused("which experiment? `jawari paper list` names them", "")
         : !folder ? misused("where to? give --out DIR", "")
                   : run(id, folder);
}

int jw_tool_paper(int argc, char** argv) {
  const char* const verb = argc > 1 ? argv[1] : "";
  if (argc == 2 && strcmp(verb, "list") == 0) {
    return list();
  }
  if (argc == 2 && (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0)) {
    fputs(usage, stdout);
    return 0;
  }
  if (strcmp(verb, "run") == 0) {
    return parse_run(argc, argv);
  }
  return argc < 2                    ? misused("list or run?", "")
         : strcmp(verb, "list") == 0 ? misused("list takes nothing else: ", argv[2])
                                     : misused("list or run, not ", verb);
}
