// Random contacts from soft to far under-resolved: is `refined` at most as wrong as the worse of Newton's
// and `bounded`'s solution?
//
//   study_contacts COUNT [SEED]     COUNT cases of each set; fails below 99.9 % in all
//
// Sets: a free mass; a mass on a spring (exact poles), one contact; the same, two to ten contacts.
// K 1e3 to 1e13, alpha 1 to 3, mass 1e-6 to 10 kg, speed 0.01 to 10 m/s, all but alpha by their logarithms;
// spring 1 to 2000 Hz, barrier within the amplitude.  Rounding is forgiven: 1e-9 of the amplitude.

#include "impact.h"

#include <stdio.h>

enum { SETS = 3, CLASSES = 7 };
static const char* const set_name[SETS] = {"free mass", "on a spring", "on a spring, 2-10 contacts"};
static const double class_end[CLASSES] = {0.1, 0.5, 1.0, 3.0, 10.0, 100.0, HUGE_VAL};

static Impact draw(uint64_t* seed, int set)
{
  Impact c = {.rate = 44100.0, .bounces = 1};
  c.K = log_between(seed, 1e3, 1e13);
  c.al = between(seed, 1.0, 3.0);
  c.m = log_between(seed, 1e-6, 10.0);
  c.v = log_between(seed, 0.01, 10.0);
  c.t0 = (3.0 + uniform(seed)) / c.rate;
  const double frequency = log_between(seed, 1.0, 2000.0), place = between(seed, -1.0, 1.0);
  const int bounces = 2 + (int)(9.0 * uniform(seed));
  if (set > 0) {
    c.w = 2.0 * acos(-1.0) * frequency;
    c.b = place * c.v / c.w;
  }
  c.bounces = set == 2 ? bounces : 1;
  return c;
}

typedef struct {
  int cases, passed;
  double log_bounded, log_newton; // Sums of logarithms of error ratios
} Score;

static void add_score(Score* score, bool pass, double refined, double bounded, double newton)
{
  ++score->cases;
  score->passed += pass;
  score->log_bounded += log(refined / bounded);
  score->log_newton += log(refined / newton);
}

static void print_score(const char* what, const Score* score)
{
  if (score->cases) {
    printf("# %-28s %6d cases  pass %7.3f %%  error over bounded's %.3g, over Newton's %.3g\n", what, score->cases,
           100.0 * score->passed / score->cases, exp(score->log_bounded / score->cases), exp(score->log_newton / score->cases));
  }
}

static void study(Score* total, Score* classes, int set, uint64_t* seed)
{
  static double eta[IMPACT_FRAMES];
  const Impact c = draw(seed, set);
  const uint32_t count = impact_exact(&c, eta);
  if (count < 6) {
    return;
  }
  double most = 0.0;
  for (uint32_t n = 0; n < count; ++n) {
    most = fmax(most, fabs(eta[n] + c.b));
  }
  const double tiny = 1e-12 * most;
  const double newton = impact_engine(&c, JW_RULE_NEWTON, eta, count, NULL) + tiny;
  const double bounded = impact_engine(&c, JW_RULE_BOUNDED, eta, count, NULL) + tiny;
  const double refined = impact_engine(&c, JW_RULE_REFINED, eta, count, NULL) + tiny;
  const bool pass = refined <= fmax(newton, bounded) + 1e-9 * most;
  const double samples = impact_time(&c) * c.rate;
  int k = 0;
  while (samples > class_end[k]) {
    ++k;
  }
  add_score(total, pass, refined, bounded, newton);
  add_score(&classes[k], pass, refined, bounded, newton);
  if (!pass) {
    printf("# fails: K %.3g alpha %.3f m %.3g v %.3g f %.4g b %.3g, %.3g samples: Newton %.3g bounded %.3g refined %.3g\n", c.K, c.al,
           c.m, c.v, c.w / 6.283185307, c.b, samples, newton, bounded, refined);
  }
}

int main(int argc, char** argv)
{
  const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  if (count < 1 || argc > 3) {
    fprintf(stderr, "usage: study_contacts COUNT [SEED]\n");
    return 2;
  }
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  Score all = {0};
  printf("1..1\n");
  for (int set = 0; set < SETS; ++set) {
    Score total = {0}, classes[CLASSES] = {{0}};
    for (long i = 0; i < count; ++i) {
      study(&total, classes, set, &seed);
    }
    print_score(set_name[set], &total);
    for (int k = 0; k < CLASSES; ++k) {
      char what[64];
      snprintf(what, sizeof what, "  below %g samples", class_end[k]);
      print_score(what, &classes[k]);
    }
    all.cases += total.cases;
    all.passed += total.passed;
  }
  const bool pass = all.cases > 0 && all.passed >= 0.999 * all.cases;
  printf("%s 1 - refined_is_at_most_as_wrong_as_the_worse_of_newton_and_bounded (%d of %d)\n", pass ? "ok" : "not ok", all.passed, all.cases);
  return pass ? 0 : 1;
}
