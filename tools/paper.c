// jawari paper: published figures and tables, made again.

#include "paper.h"
#include "tool_paper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] = "usage: jawari paper list\n"
                            "       jawari paper run ID|all --out DIR\n"
                            "\n"
                            "Makes the figures and tables of published papers again: SVG and CSV "
                            "into DIR, and for `all` a page\n"
                            "index.html with the papers' numbers beside ours.\n";

static int list(void)
{
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
static bool report(const JwPaperRun* run, const char* id)
{
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
                           const char* folder, bool* good)
{
  JwPaperRun* const run = jw_paper_run(paper, experiment, folder);
  if (!run) {
    fprintf(stderr, "jawari paper: no memory\n");
  }
  *good = run && report(run, experiment->id) && *good;
  return run;
}

static bool run_all(const char* folder)
{
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

static int run(const char* id, const char* folder)
{
  const JwPaper* paper = NULL;
  const JwPaperExperiment* const experiment = jw_paper_find(id, &paper);
  const bool all = strcmp(id, "all") == 0;
  if (!experiment && !all) {
    fprintf(stderr, "jawari paper: there is no experiment \"%s\"; `jawari paper list` names them\n",
            id);
    return 2;
  }
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "jawari paper: cannot make folder %s: %s\n", folder, strerror(errno));
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

int jw_tool_paper(int argc, char** argv)
{
  const char* id = NULL;
  const char* folder = NULL;
  if (argc == 2 && strcmp(argv[1], "list") == 0) {
    return list();
  }
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(usage, stdout);
    return 0;
  }
  bool good = argc > 1 && strcmp(argv[1], "run") == 0;
  for (int i = 2; i < argc && good; ++i) {
    if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
      folder = argv[++i];
    } else if (!id && argv[i][0] != '-') {
      id = argv[i];
    } else {
      fprintf(stderr, "jawari paper: cannot use \"%s\" here\n", argv[i]);
      good = false;
    }
  }
  if (!good || !id || !folder) {
    fputs(usage, stderr);
    return 2;
  }
  return run(id, folder);
}
