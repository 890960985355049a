// SPDX-License-Identifier: MIT
// The papers: every experiment runs, every statement holds, the page is whole; and Table 1 of
// Papetti, Avanzini and Rocchesso 2009, written out.

#include "test.h"
#include "xml.h"

#include "paper.h"
#include "papetti2009/papetti2009.h"
#include "tool_paper.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "test-papers-XXXXXX";

static char* read_all(const char* name) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* const file = fopen(path, "rb");
  if (!file) {
    return NULL;
  }
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char* const text = (char*)calloc(size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  return text;
}

static void remove_file(const char* stem, const char* ending) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s%s", folder, stem, ending);
  remove(path);
}

static void table_1_of_papetti_2009_has_every_printed_digit(void** state) {
  (void)state;
  static const char* const expected = "case,quantity,am1,verlet,heun,rk4\n"
                                      "1,xmax,n.e.,+1.122,+1.254,n.e.\n"
                                      "1,vout,+1.293,+1.660,+1.467,-0.125\n"
                                      "1,hout,+2.603,+3.348,+2.955,-0.250\n"
                                      "2,xmax,n.e.,n.e.,n.e.,n.e.\n"
                                      "2,vout,+2.551,+0.839,-4.692,-0.105\n"
                                      "2,hout,+5.166,+1.685,-9.164,-0.211\n";
  const JwPaper* paper = NULL;
  const JwPaperExperiment* const experiment = jw_paper_find("papetti2009-table1", &paper);
  assert_non_null(experiment);
  JwPaperRun* const run = jw_paper_run(paper, experiment, folder);
  assert_non_null(run);
  assert_null(jw_paper_error(run));
  char* const text = read_all("papetti2009-table1.csv");
  assert_non_null(text);
  assert_string_equal(text, expected);
  free(text);
  jw_paper_release(run);
}

// A digit must not hang on rounding: no cell lies within 1e-6 % of the edge between two digits.
static void no_digit_of_table_1_hangs_on_rounding(void** state) {
  (void)state;
  const JwPaper* paper = NULL;
  const JwPaperExperiment* const experiment = jw_paper_find("papetti2009-table1", &paper);
  JwPaperRun* const run = jw_paper_run(paper, experiment, folder);
  size_t count, looked = 0;
  const JwPaperAgreement* const agreements = jw_paper_agreements(run, &count);
  for (size_t i = 0; i < count; ++i) {
    if (agreements[i].theirs != 0.0) {
      const double thousandths = fabs(agreements[i].ours) * 1000.0;
      assert_true(fabs(thousandths - floor(thousandths) - 0.5) > 1e-3);
      ++looked;
    }
  }
  assert_int_equal(looked, 19); // 18 printed numbers and the iterated one
  jw_paper_release(run);
}

static JwPaperRun* runs[128]; // Every experiment, run once
static size_t run_count;

static void every_statement_of_every_experiment_holds(void** state) {
  (void)state;
  size_t statements = 0;
  for (size_t p = 0; p < jw_paper_count(); ++p) {
    const JwPaper* const paper = jw_paper_at(p);
    for (size_t e = 0; e < paper->experiment_count; ++e) {
      JwPaperRun* const run = jw_paper_run(paper, &paper->experiments[e], folder);
      assert_non_null(run);
      assert_true(run_count < sizeof runs / sizeof *runs);
      runs[run_count++] = run;
      if (jw_paper_error(run)) {
        fail_msg("%s: %s", paper->experiments[e].id, jw_paper_error(run));
      }
      size_t count;
      const JwPaperAgreement* const agreements = jw_paper_agreements(run, &count);
      assert_true(count > 0); // An experiment that states nothing checks nothing
      for (size_t i = 0; i < count; ++i) {
        if (!jw_paper_holds(&agreements[i])) {
          fail_msg("%s: %s: paper %.9g, here %.9g, allowed %g", paper->experiments[e].id,
                   agreements[i].quantity, agreements[i].theirs, agreements[i].ours,
                   agreements[i].tolerance);
        }
      }
      statements += count;
    }
  }
  assert_true(statements > 100);
}

static void the_page_shows_every_figure_and_needs_no_network(void** state) {
  (void)state;
  assert_true(run_count > 0); // Made by the test above
  assert_true(jw_paper_page(runs, run_count, folder));
  char* const page = read_all("index.html");
  assert_non_null(page);
  assert_null(strstr(page, "http://"));
  assert_null(strstr(page, "https://"));
  assert_null(strstr(page, ">nan"));
  assert_null(strstr(page, "class=\"bad\">broken"));
  size_t figures = 0;
  for (const char* at = strstr(page, "<img src=\""); at; at = strstr(at + 1, "<img src=\"")) {
    char name[100] = "";
    sscanf(at, "<img src=\"%99[^\"]", name);
    char* const figure = read_all(name);
    assert_non_null(figure);
    assert_true(xml_well_formed(figure));
    assert_true(strlen(figure) < 300000);
    free(figure);
    ++figures;
  }
  assert_true(figures >= run_count);
  size_t sounds = 0;
  for (const char* at = strstr(page, "<audio "); at; at = strstr(at + 1, "<audio ")) {
    char name[100] = "";
    assert_int_equal(sscanf(strstr(at, "src=\""), "src=\"%99[^\"]", name), 1);
    char* const sound = read_all(name);
    assert_non_null(sound);
    assert_memory_equal(sound, "RIFF", 4);
    free(sound);
    ++sounds;
  }
#ifdef JW_WITH_SNDFILE
  assert_int_equal(sounds, 19); // Of the bouncing ball, strings, hammers, trombas and the rattle
#else
  assert_int_equal(sounds, 0);
#endif
  free(page);
}

// The first line of a file made by the tests above.
static void assert_columns(const char* name, const char* columns) {
  char* const text = read_all(name);
  assert_non_null(text);
  text[strcspn(text, "\n")] = '\0';
  assert_string_equal(text, columns);
  free(text);
}

static void there_is_a_column_for_each_solver_and_quantity(void** state) {
  (void)state;
  assert_true(run_count > 0); // Made by a test above
  static const char string_columns[] =
      "t,u_newton,kinetic_newton,collision_newton,potential_newton,total_newton,"
      "u_grid,kinetic_grid,collision_grid,potential_grid,total_grid,"
      "u_modes,kinetic_modes,collision_modes,potential_modes,total_modes";
  static const char* const strings[] = {"ducceschi2019-fig4", "ducceschi2019-fig4-5x",
                                        "ducceschi2019-fig5", "ducceschi2019-fig6",
                                        "ducceschi2019-fig8", "ducceschi2019-fig8-1x"};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; ++i) {
    char name[60];
    snprintf(name, sizeof name, "%s.csv", strings[i]);
    assert_columns(name, string_columns);
  }
  for (int i = 1; i <= 3; ++i) {
    char name[60];
    snprintf(name, sizeof name, "ducceschi2019-fig%d.csv", i);
    assert_columns(name, "t,u_exact,u_plain,phi_plain,dh_plain,u_released,phi_released,dh_released,"
                         "u_bounded,phi_bounded,dh_bounded,u_refined,phi_refined,dh_refined,"
                         "u_newton,phi_newton,dh_newton");
  }
  assert_columns("ducceschi2019-fig7.csv",
                 "t,u_newton,u_grid,u_modes,t_5x,u_newton_5x,u_grid_5x,u_modes_5x");
  assert_columns("papetti2009-schemes.csv", "case,quantity,am1,verlet,heun,rk4,plain,released,"
                                            "bounded,refined,newton");
}

static bool misses(JwPaperRun* run) {
  return jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity = "q", .why = "w", .theirs = 1.0, .ours = 1.2, .tolerance = 0.1})
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = "q",
                                                   .why = "w",
                                                   .theirs = 1.0,
                                                   .ours = 1.2,
                                                   .tolerance = 0.1,
                                                   .differs = true})
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = "q",
                                                   .why = "w",
                                                   .theirs = 1.0,
                                                   .ours = 1.0,
                                                   .tolerance = 0.1,
                                                   .differs = true})
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = "q",
                                                   .why = "w",
                                                   .theirs = 1.0,
                                                   .ours = NAN,
                                                   .tolerance = 0.1,
                                                   .differs = true});
}

static void a_statement_can_fail_both_ways(void** state) {
  (void)state;
  const JwPaperExperiment experiment = {"x", "x", "x", misses};
  JwPaperRun* const run = jw_paper_run(jw_paper_at(0), &experiment, folder);
  size_t count;
  const JwPaperAgreement* const a = jw_paper_agreements(run, &count);
  assert_int_equal(count, 4);
  assert_false(jw_paper_holds(&a[0])); // Should agree, does not
  assert_true(jw_paper_holds(&a[1]));  // Known to differ, does
  assert_false(jw_paper_holds(&a[2])); // Known to differ, does not any more
  assert_false(jw_paper_holds(&a[3])); // Not a number is never as stated
  jw_paper_release(run);
}

static void a_folder_that_is_not_there_is_an_error_with_its_name(void** state) {
  (void)state;
  const JwPaper* paper = NULL;
  const JwPaperExperiment* const experiment = jw_paper_find("papetti2009-fig1", &paper);
  JwPaperRun* const run = jw_paper_run(paper, experiment, "no-such-folder");
  assert_non_null(jw_paper_error(run));
  assert_non_null(strstr(jw_paper_error(run), "no-such-folder/papetti2009-fig1"));
  jw_paper_release(run);
  assert_null(jw_paper_find("no-such-experiment", &paper));
}

static void ids_are_those_of_their_paper_and_different(void** state) {
  (void)state;
  for (size_t p = 0; p < jw_paper_count(); ++p) {
    const JwPaper* const paper = jw_paper_at(p);
    for (size_t e = 0; e < paper->experiment_count; ++e) {
      const char* const id = paper->experiments[e].id;
      assert_int_equal(strncmp(id, paper->key, strlen(paper->key)), 0);
      const JwPaper* found = NULL;
      assert_ptr_equal(jw_paper_find(id, &found), &paper->experiments[e]); // The first of its name
      assert_ptr_equal(found, paper);
    }
  }
}

static int command(const char* a, const char* b, const char* c, const char* d) {
  char words[5][100] = {"paper"};
  const char* const given[4] = {a, b, c, d};
  char* argv[6] = {words[0]};
  int argc = 1;
  for (; argc < 5 && given[argc - 1]; ++argc) {
    snprintf(words[argc], sizeof words[argc], "%s", given[argc - 1]);
    argv[argc] = words[argc];
  }
  return jw_tool_paper(argc, argv);
}

static void the_command_refuses_what_it_does_not_know(void** state) {
  (void)state;
  assert_int_equal(command("run", "no-such-experiment", "--out", "no-such-folder"), 2);
  assert_int_not_equal(access("no-such-folder", F_OK), 0); // Nothing was made
  assert_int_equal(command("run", "papetti2009-fig1", NULL, NULL), 2);
  assert_int_equal(command("walk", NULL, NULL, NULL), 2);
  assert_int_equal(command(NULL, NULL, NULL, NULL), 2);
  assert_int_equal(command("run", "papetti2009-fig1", "--out", "no-such-folder/below"), 1);
  printf("# "); // What the command says is a comment here
  assert_int_equal(command("run", "papetti2009-fig1", "--out", folder), 0);
}

static int make_folder(void** state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

// What an experiment may leave: a file that begins with its paper's key, whole.
static bool is_expected(const char* name) {
  static const char* const endings[] = {".csv", ".svg", ".wav"};
  bool known = strcmp(name, "index.html") == 0;
  for (size_t p = 0; p < jw_paper_count() && !known; ++p) {
    const char* const key = jw_paper_at(p)->key;
    for (size_t i = 0; i < 3; ++i) {
      const size_t length = strlen(name);
      known = known
              || (strncmp(name, key, strlen(key)) == 0 && length > 4
                  && strcmp(name + length - 4, endings[i]) == 0);
    }
  }
  return known;
}

static int remove_folder(void** state) {
  (void)state;
  for (size_t i = 0; i < run_count; ++i) {
    jw_paper_release(runs[i]);
  }
  DIR* const open = opendir(folder);
  if (!open) {
    return -1;
  }
  for (struct dirent* entry = readdir(open); entry; entry = readdir(open)) {
    if (is_expected(entry->d_name)) {
      remove_file(entry->d_name, "");
    }
  }
  closedir(open);
  return rmdir(
      folder); // Fails if an experiment left anything unexpected, such as a half-written file
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_1_of_papetti_2009_has_every_printed_digit),
      cmocka_unit_test(no_digit_of_table_1_hangs_on_rounding),
      cmocka_unit_test(every_statement_of_every_experiment_holds),
      cmocka_unit_test(the_page_shows_every_figure_and_needs_no_network),
      cmocka_unit_test(there_is_a_column_for_each_solver_and_quantity),
      cmocka_unit_test(a_statement_can_fail_both_ways),
      cmocka_unit_test(a_folder_that_is_not_there_is_an_error_with_its_name),
      cmocka_unit_test(the_command_refuses_what_it_does_not_know),
      cmocka_unit_test(ids_are_those_of_their_paper_and_different),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
