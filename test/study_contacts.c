// SPDX-License-Identifier: MIT
// Random contacts from soft to far under-resolved: is the default rule, `refined` between masses
// and `bounded` on a string, at most as wrong as the worse of Newton's and `bounded`'s solution?
//
//   study_contacts COUNT [SEED]     COUNT cases of each set; fails below 99.9 % in all
//
// Sets: a free mass; a mass on a spring (exact poles), one contact; the same, two to ten contacts;
// a free mass with Hunt-Crossley loss; two masses on springs; a hammer on a string by its modes.
// Of the first three the exact motion is known; the others are compared with newton at 64 times the
// rate. K 1e3 to 1e13, alpha 1 to 3, mass 1e-6 to 10 kg, speed 0.01 to 10 m/s, all but alpha by
// their logarithms; spring 1 to 2000 Hz, barrier within the amplitude.  Rounding is forgiven: 1e-9
// of the amplitude.

#include "impact.h"

#include <stdio.h>

enum { SETS = 6, EXACT_SETS = 3, CLASSES = 7, FINER = 64, MOST_RUN = 400, MODES = 30 };
static const char* const set_name[SETS] = {
    "free mass",           "on a spring",           "on a spring, 2-10 contacts",
    "free mass with loss", "two masses on springs", "hammer on a string"};
static const double class_end[CLASSES] = {0.1, 0.5, 1.0, 3.0, 10.0, 100.0, HUGE_VAL};

static Impact draw(uint64_t* seed, int set) {
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

static void add_score(Score* score, bool pass, double refined, double bounded, double newton) {
  ++score->cases;
  score->passed += pass;
  score->log_bounded += log(refined / bounded);
  score->log_newton += log(refined / newton);
}

static void print_score(const char* what, const Score* score) {
  if (score->cases) {
    printf("# %-28s %6d cases  pass %7.3f %%  error over bounded's %.3g, over Newton's %.3g\n",
           what, score->cases, 100.0 * score->passed / score->cases,
           exp(score->log_bounded / score->cases), exp(score->log_newton / score->cases));
  }
}

static void study(Score* total, Score* classes, int set, uint64_t* seed) {
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
  const double refined = impact_engine(&c, JW_RULE_AUTO, eta, count, NULL) + tiny;
  const bool pass = refined <= fmax(newton, bounded) + 1e-9 * most;
  const double samples = impact_time(&c) * c.rate;
  int k = 0;
  while (samples > class_end[k]) {
    ++k;
  }
  add_score(total, pass, refined, bounded, newton);
  add_score(&classes[k], pass, refined, bounded, newton);
  if (!pass) {
    printf(
        "# fails: K %.3g alpha %.3f m %.3g v %.3g f %.4g b %.3g, %.3g samples: Newton %.3g bounded %.3g default %.3g\n",
        c.K, c.al, c.m, c.v, c.w / 6.283185307, c.b, samples, newton, bounded, refined);
  }
}

// ---------------------------------------------------------------- against newton, far finer

typedef struct {
  int set;
  Impact c;
  double loss, other_mass, other_w; // lambda over K (s/m); the second mass
} Meeting;

static Meeting draw_meeting(uint64_t* seed, int set) {
  Meeting m = {.set = set, .c = draw(seed, 0)};
  do { // Neither too short for the reference nor too long to run
    m.c.K = log_between(seed, 1e3, 1e13);
    m.c.m = log_between(seed, 1e-5, 1.0);
  } while (!(impact_time(&m.c) * m.c.rate > 1.0 && impact_time(&m.c) * m.c.rate < 100.0));
  m.loss = set == 3 ? log_between(seed, 0.01, 3.0) / m.c.v : 0.0;
  m.other_mass = m.c.m * log_between(seed, 0.2, 5.0);
  m.other_w = 0.3 * acos(-1.0) / impact_time(&m.c) * uniform(seed);
  return m;
}

static JwObjectId add_swinging(JwWorld* world, double mass, double w, double place,
                               double velocity) {
  JwMassDef def = jw_mass_default();
  def.mass = mass, def.frequency = w / (2.0 * acos(-1.0)), def.scheme = JW_SCHEME_EXACT;
  def.position = place, def.velocity = velocity;
  JwObjectId id;
  MUST(world, jw_world_add_mass(world, &def, &id));
  return id;
}

static JwObjectId add_target(JwWorld* world, const Meeting* m) {
  if (m->set == 3) {
    return add_barrier(world, 0.0);
  }
  if (m->set == 4) {
    return add_swinging(world, m->other_mass, m->other_w, 0.0, 0.0);
  }
  JwStringDef def = jw_string_default();
  def.method = JW_METHOD_MODES, def.modes = MODES, def.length = 1.0, def.bending = 0.0;
  def.mass_per_length = 5.0 * m->other_mass, def.frequency = 0.02 * m->c.rate / MODES;
  return add_string(world, &def);
}

// Where the hammer is at every frame of the coarse rate.
static void run_meeting(const Meeting* m, JwRule rule, uint32_t finer, uint32_t count,
                        double* place) {
  JwWorld* const world = new_world(m->c.rate * finer, false);
  const JwObjectId hammer =
      add_swinging(world, m->c.m, m->set == 4 ? m->other_w : 0.0, -m->c.v * m->c.t0, m->c.v);
  const JwObjectId target = add_target(world, m);
  JwCollisionDef def = jw_collision_default();
  def.below = jw_port(hammer, 0.0), def.above = jw_port(target, 0.3);
  def.stiffness = m->c.K, def.exponent = m->c.al, def.loss = m->loss * m->c.K, def.rule = rule;
  JwContactId contact;
  MUST(world, jw_world_add_collision(world, &def, &contact));
  MUST(world, jw_world_prepare(world));
  for (uint32_t n = 0; n < count; ++n) {
    double velocity;
    MUST(world, jw_world_probe(world, jw_port(hammer, 0.0), &place[n], &velocity));
    run_frames(world, finer);
  }
  jw_world_destroy(world);
}

static double apart(const double* a, const double* b, uint32_t count) {
  double worst = 0.0;
  for (uint32_t n = 0; n < count; ++n) {
    worst = fmax(worst, fabs(a[n] - b[n]));
  }
  return worst;
}

static void study_meeting(Score* total, Score* classes, int set, uint64_t* seed) {
  static double exact[MOST_RUN], bounded[MOST_RUN], refined[MOST_RUN], newton[MOST_RUN];
  const Meeting m = draw_meeting(seed, set);
  const double samples = impact_time(&m.c) * m.c.rate;
  const uint32_t count = (uint32_t)fmin(MOST_RUN, m.c.t0 * m.c.rate + 3.0 * samples + 5.0);
  run_meeting(&m, JW_RULE_NEWTON, FINER, count, exact);
  run_meeting(&m, JW_RULE_NEWTON, 1, count, newton);
  run_meeting(&m, JW_RULE_BOUNDED, 1, count, bounded);
  run_meeting(&m, JW_RULE_AUTO, 1, count, refined);
  double most = 0.0;
  for (uint32_t n = 0; n < count; ++n) {
    most = fmax(most, fabs(exact[n]));
  }
  const double tiny = 1e-12 * most, f = apart(refined, exact, count) + tiny,
               b = apart(bounded, exact, count) + tiny, w = apart(newton, exact, count) + tiny;
  // The reference is of second order too: what it misses by, newton's own error over FINER squared,
  // is forgiven
  const bool pass = f <= fmax(w, b) * (1.0 + 4.0 / (FINER * FINER)) + 1e-9 * most;
  int k = 0;
  while (samples > class_end[k]) {
    ++k;
  }
  add_score(total, pass, f, b, w);
  add_score(&classes[k], pass, f, b, w);
  if (!pass) {
    printf(
        "# fails: set %d K %.3g alpha %.3f m %.3g v %.3g loss %.3g w %.3g, %.3g samples: Newton %.3g bounded %.3g default %.3g\n",
        set, m.c.K, m.c.al, m.c.m, m.c.v, m.loss * m.c.v, m.other_w, samples, w, b, f);
  }
}

int main(int argc, char** argv) {
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
      set < EXACT_SETS ? study(&total, classes, set, &seed)
                       : study_meeting(&total, classes, set, &seed);
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
  printf("%s 1 - the_default_is_at_most_as_wrong_as_the_worse_of_newton_and_bounded (%d of %d)\n",
         pass ? "ok" : "not ok", all.passed, all.cases);
  return pass ? 0 : 1;
}
