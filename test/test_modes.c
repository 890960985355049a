// SPDX-License-Identifier: MIT
// Frequencies, stability and symmetry of strings and plates, by the eigenvalues of their own step.

#include "operator.h"

#include "numeric/elementary.h"

// Eigenvalues come from Jacobi's rotations, good to a few eps of the largest, 4: 1e-14 absolute.
#define EIGEN_ERROR 1e-14

static const char* const end_name[3] = {"supported", "clamped", "free"};

typedef struct {
  double tension, bending;
} Stiffness;

static const Stiffness stiffnesses[3] = {{30.0, 0.0}, {0.0, 2e-3}, {30.0, 2e-4}};

static JwStringDef string_of(Stiffness stiffness, JwEnd left, JwEnd right) {
  JwStringDef def = jw_string_default();
  def.length = 0.4;
  def.mass_per_length = 2e-3;
  def.tension = stiffness.tension;
  def.bending = stiffness.bending;
  def.ends[0] = left;
  def.ends[1] = right;
  return def;
}

static Operator string_operator(const JwStringDef* def, double rate) {
  JwWorld* const world = new_world(rate, false);
  const JwObjectId id = add_string(world, def);
  MUST(world, jw_world_prepare(world));
  const Operator op = operator_of(object_of(world, id));
  jw_world_destroy(world);
  return op;
}

// 4 sin^2(w k/2) = 4 tau s^2 + 16 beta s^4, s = sin(p pi / 2N): the dispersion of (1.2), exact for
// supported ends.  The coefficients are rounded to 2^-50 = 9e-16, and there are up to 16 of them.
static void a_supported_string_has_the_dispersion_of_its_scheme(void** state) {
  (void)state;
  for (int i = 0; i < 3; ++i) {
    JwStringDef def = string_of(stiffnesses[i], JW_END_SUPPORTED, JW_END_SUPPORTED);
    def.points = 30;
    const double k = 1.0 / 44100.0, h = def.length / 30.0, y = k * k / (def.mass_per_length * h);
    Operator op = string_operator(&def, 44100.0);
    operator_solve(&op);
    for (uint32_t p = 1; p < 30; ++p) {
      const double s = sin(p * JW_PI / 60.0), s2 = s * s;
      const double wanted =
          4.0 * y * def.tension / h * s2 + 16.0 * y * def.bending / (h * h * h) * s2 * s2;
      assert_true(fabs(op.value[p - 1] - wanted) < 32.0 * 0x1p-50 + EIGEN_ERROR);
    }
    operator_free(&op);
  }
}

// At the finest grid that is allowed: all eigenvalues from 0 to below 4, so every mode oscillates.
static void every_pair_of_ends_is_symmetric_and_stable_at_the_limit(void** state) {
  (void)state;
  for (int i = 0; i < 3; ++i) {
    for (int ends = 0; ends < 9; ++ends) {
      const JwStringDef def = string_of(stiffnesses[i], (JwEnd)(ends / 3), (JwEnd)(ends % 3));
      Operator op = string_operator(&def, 44100.0);
      assert_true(op.asymmetry < 1e-15);
      operator_solve(&op);
      if (!(op.value[0] > -EIGEN_ERROR && op.value[op.n - 1] < 4.0 + EIGEN_ERROR)) {
        fail_msg("%s, %s, case %d: %.17g to %.17g", end_name[ends / 3], end_name[ends % 3], i,
                 op.value[0], op.value[op.n - 1]);
      }
      assert_true(op.value[op.n - 1]
                  > 2.0); // The limit is near: the test would see an operator too large
      // What nothing holds has motions without force: one, or two for a bar (it can also turn)
      int rigid = 0;
      for (uint32_t m = 0; m < op.n; ++m) {
        rigid += op.value[m] < 1e-12;
      }
      const int free_ends = (ends / 3 == JW_END_FREE) + (ends % 3 == JW_END_FREE);
      const int clamped = (ends / 3 == JW_END_CLAMPED) + (ends % 3 == JW_END_CLAMPED);
      const bool bar = def.tension == 0.0;
      const int wanted = free_ends == 2 ? (bar ? 2 : 1) : free_ends == 1 && !clamped && bar ? 1 : 0;
      // An ideal string cannot be told to be clamped or hinged: both hold it
      assert_int_equal(rigid, wanted);
      operator_free(&op);
    }
  }
}

static double bar_error(JwEnd left, JwEnd right, uint32_t intervals, uint32_t mode,
                        double constant) {
  JwStringDef def = string_of(stiffnesses[1], left, right);
  def.points = intervals;
  const double rate = 3000.0 * intervals * intervals / 100.0; // k ~ h^2, far inside stability
  Operator op = string_operator(&def, rate);
  operator_solve(&op);
  uint32_t first = 0;
  while (op.value[first] < 1e-12) {
    ++first;
  }
  const double w = operator_frequency(&op, first + mode, 1.0 / rate);
  const double wanted =
      constant * constant / (def.length * def.length) * sqrt(def.bending / def.mass_per_length);
  operator_free(&op);
  return w / wanted - 1.0;
}

// The classical beam: cos(x) cosh(x) = 1 for clamped or free at both ends, = -1 for one of each,
// tan(x) = tanh(x) against a hinge.
static void bars_with_any_ends_have_the_known_frequencies_with_order_two(void** state) {
  (void)state;
  const struct {
    JwEnd left, right;
    double constant[3];
  } beams[] = {
      {JW_END_SUPPORTED, JW_END_SUPPORTED, {3.14159265358979, 6.28318530717959, 9.42477796076938}},
      {JW_END_CLAMPED, JW_END_CLAMPED, {4.73004074486270, 7.85320462409584, 10.9956078380017}},
      {JW_END_FREE, JW_END_FREE, {4.73004074486270, 7.85320462409584, 10.9956078380017}},
      {JW_END_CLAMPED, JW_END_FREE, {1.87510406871196, 4.69409113297417, 7.85475743823761}},
      {JW_END_CLAMPED, JW_END_SUPPORTED, {3.92660231204792, 7.06858274562873, 10.2101761228130}},
      {JW_END_SUPPORTED, JW_END_FREE, {3.92660231204792, 7.06858274562873, 10.2101761228130}},
  };
  for (size_t b = 0; b < sizeof beams / sizeof beams[0]; ++b) {
    for (uint32_t mode = 0; mode < 3; ++mode) {
      const double coarse =
          bar_error(beams[b].left, beams[b].right, 20, mode, beams[b].constant[mode]);
      const double fine =
          bar_error(beams[b].left, beams[b].right, 40, mode, beams[b].constant[mode]);
      // Order two: a quarter; the next term of the expansion is (x h/L)^2 < 0.3 of it at the
      // highest mode here
      const double ratio = coarse / fine;
      if (!(fabs(fine) < 0.01 && ratio > 3.4 && ratio < 4.6)) {
        fail_msg("%s, %s, mode %u: errors %g and %g, ratio %g", end_name[beams[b].left],
                 end_name[beams[b].right], mode, coarse, fine, ratio);
      }
    }
  }
}

// An ideal string at tau = 1 has no dispersion at all: w_p k = p pi / N.
static void an_ideal_string_at_the_limit_is_exact(void** state) {
  (void)state;
  JwStringDef def = string_of(stiffnesses[0], JW_END_SUPPORTED, JW_END_SUPPORTED);
  const uint32_t intervals = 40;
  def.points = intervals;
  const double speed = sqrt(def.tension / def.mass_per_length),
               rate = speed * intervals / def.length * (1.0 + 1e-14);
  Operator op = string_operator(&def, rate);
  operator_solve(&op);
  for (uint32_t p = 1; p < intervals; ++p) {
    const double w = 2.0 * JW_PI * p * speed / (2.0 * def.length);
    // d w / w = d value / (value ctg) ...: near the top asin loses half of the digits
    assert_true(fabs(operator_frequency(&op, p - 1, 1.0 / rate) / w - 1.0) < 1e-7);
  }
  operator_free(&op);
}

// ---------------------------------------------------------------- plates

static JwPlateDef plate_of(double tension, double bending, int edges) {
  JwPlateDef def = jw_plate_default();
  def.size[0] = 0.3;
  def.size[1] = 0.26;
  def.mass_per_area = 4.0;
  def.tension = tension;
  def.bending = bending;
  for (int e = 0; e < 4; ++e, edges /= 3) {
    def.edges[e] = (JwEnd)(edges % 3);
  }
  return def;
}

static Operator plate_operator(const JwPlateDef* def, double rate, JwObjectInfo* info) {
  JwWorld* const world = new_world(rate, false);
  JwObjectId id;
  MUST(world, jw_world_add_plate(world, def, &id));
  MUST(world, jw_world_prepare(world));
  *info = jw_world_object_info(world, id);
  info->name = NULL;
  const Operator op = operator_of(object_of(world, id));
  jw_world_destroy(world);
  return op;
}

// Supported: 4 sin^2(w k/2) = y hx hy (D (a/hx^2 + b/hy^2)^2 + T (a/hx^2 + b/hy^2)), a = 4 sin^2(p
// pi/2Nx).
static void a_supported_plate_or_membrane_has_the_dispersion_of_its_scheme(void** state) {
  (void)state;
  const double cases[3][2] = {{0.0, 40.0}, {3000.0, 0.0}, {1000.0, 10.0}};
  for (int c = 0; c < 3; ++c) {
    JwPlateDef def = plate_of(cases[c][0], cases[c][1], 0);
    def.points[0] = 9;
    def.points[1] = 8;
    JwObjectInfo info;
    Operator op = plate_operator(&def, 20000.0, &info);
    operator_solve(&op);
    double wanted[56];
    const double hx = def.size[0] / 9.0, hy = def.size[1] / 8.0, k = 1.0 / 20000.0;
    for (int p = 1; p < 9; ++p) {
      for (int q = 1; q < 8; ++q) {
        const double sx = sin(p * JW_PI / 18.0), sy = sin(q * JW_PI / 16.0);
        const double g = 4.0 * sx * sx / (hx * hx) + 4.0 * sy * sy / (hy * hy);
        wanted[(p - 1) * 7 + q - 1] =
            k * k / def.mass_per_area * (cases[c][1] * g * g + cases[c][0] * g);
      }
    }
    qsort(wanted, 56, sizeof(double), operator_compare);
    assert_int_equal(op.n, 56);
    for (int i = 0; i < 56; ++i) {
      assert_true(fabs(op.value[i] - wanted[i])
                  < 64.0 * 0x1p-50 + EIGEN_ERROR); // Up to 64 rounded coefficients
    }
    operator_free(&op);
  }
}

// All 81 mixes of edges, plate, membrane and both, at the finest grid allowed.
static void every_mix_of_edges_is_symmetric_and_stable_at_the_limit(void** state) {
  (void)state;
  const double cases[3][2] = {{0.0, 60.0}, {30000.0, 0.0}, {10000.0, 30.0}};
  double highest = 0.0;
  for (int c = 0; c < 3; ++c) {
    for (int edges = 0; edges < 81; ++edges) {
      const JwPlateDef def = plate_of(cases[c][0], cases[c][1], edges);
      JwObjectInfo info;
      Operator op = plate_operator(&def, 4000.0, &info);
      assert_true(op.asymmetry < 2e-15);
      operator_solve(&op);
      if (!(op.value[0] > -10.0 * EIGEN_ERROR && op.value[op.n - 1] < 4.0 + EIGEN_ERROR)) {
        fail_msg("edges %d, case %d: %.17g to %.17g", edges, c, op.value[0], op.value[op.n - 1]);
      }
      highest = fmax(highest, op.value[op.n - 1]);
      int rigid = 0, clamped = 0, hinged = 0;
      for (int e = 0; e < 4; ++e) {
        clamped += def.edges[e] == JW_END_CLAMPED;
        hinged += def.edges[e] == JW_END_SUPPORTED;
      }
      for (uint32_t m = 0; m < op.n; ++m) {
        rigid += op.value[m] < 1e-11;
      }
      const bool bends = cases[c][0] == 0.0;
      assert_int_equal(rigid, clamped + hinged == 0                  ? (bends ? 3 : 1)
                              : clamped == 0 && hinged == 1 && bends ? 1
                                                                     : 0);
      operator_free(&op);
    }
  }
  assert_true(highest > 3.0);
}

// A supported plate's lowest modes against pi^2 (m^2/Lx^2 + n^2/Ly^2) sqrt(D/rH), and a membrane's,
// with order two; a free square plate's against Leissa's constants for nu = 0.3: w L^2 sqrt(rH/D) =
// 13.468, 19.596, 24.270.
static double plate_error(int edges, double tension, uint32_t n, int mode, double constant) {
  JwPlateDef def = plate_of(tension, tension > 0.0 ? 0.0 : 40.0, edges);
  def.size[0] = def.size[1] = 0.3;
  def.points[0] = def.points[1] = n;
  const double rate = tension > 0.0 ? 400.0 * n : 200.0 * n * n;
  JwObjectInfo info;
  Operator op = plate_operator(&def, rate, &info);
  operator_solve(&op);
  uint32_t first = 0;
  while (op.value[first] < 1e-11) {
    ++first;
  }
  const double w = operator_frequency(&op, first + (uint32_t)mode, 1.0 / rate);
  const double unit = tension > 0.0 ? sqrt(tension / def.mass_per_area) / 0.3
                                    : sqrt(40.0 / def.mass_per_area) / 0.09;
  operator_free(&op);
  return w / (unit * constant) - 1.0;
}

static void plates_and_membranes_have_the_known_frequencies_with_order_two(void** state) {
  (void)state;
  const double pi = JW_PI;
  const struct {
    int edges;
    double tension;
    int mode;
    double constant, known; // The constant, and how well it is known
  } cases[] = {
      {0, 0.0, 0, 2.0 * pi * pi, 0.0},    {0, 0.0, 1, 5.0 * pi * pi, 0.0},
      {0, 0.0, 3, 8.0 * pi * pi, 0.0},    {0, 100.0, 0, sqrt(2.0) * pi, 0.0},
      {0, 100.0, 1, sqrt(5.0) * pi, 0.0}, {40, 0.0, 0, 35.985, 2e-5},
      {40, 0.0, 1, 73.394, 2e-5}, // Clamped all round
      {80, 0.0, 0, 13.468, 1e-4},         {80, 0.0, 1, 19.596, 1e-4},
      {80, 0.0, 2, 24.270, 1e-4}, // Free
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const double coarse =
        plate_error(cases[i].edges, cases[i].tension, 6, cases[i].mode, cases[i].constant);
    const double fine =
        plate_error(cases[i].edges, cases[i].tension, 12, cases[i].mode, cases[i].constant);
    const double ratio = coarse / fine;
    print_message("# edges %d mode %d: errors %.4g, %.4g\n", cases[i].edges, cases[i].mode, coarse,
                  fine);
    // A quarter, but for terms of the next order: at 6 intervals the second mode has 3 a half wave
    if (!(fabs(fine) < 0.06 && ratio > 2.7 && ratio < 5.5)) {
      fail_msg("edges %d mode %d: errors %g and %g, ratio %g", cases[i].edges, cases[i].mode,
               coarse, fine, ratio);
    }
  }
}

// A contact along a string by modes is one at each of its places: `points` says which.  The same
// contacts, put there one by one with their share of the stiffness, move it the same way.
static void a_contact_along_modes_lies_where_points_says(void** state) {
  (void)state;
  enum { FRAMES = 600, POINTS = 12 };
  static double out[3][FRAMES];
  for (int way = 0; way < 3; ++way) { // Along, one by one, along at the places of the modes
    JwWorld* const world = new_world(44100.0, false);
    JwStringDef def = short_string();
    def.method = JW_METHOD_MODES, def.modes = 30, def.points = way == 2 ? 0 : POINTS;
    const JwObjectId string = add_string(world, &def), bed = add_barrier(world, -2e-4);
    JwCollisionDef c = jw_collision_default();
    c.below = jw_port(bed, 0.0), c.above = jw_port(string, 0.0), c.exponent = 1.5,
    c.along = way != 1;
    c.stiffness = way == 1 ? 1e8 * def.length / POINTS : 1e8;
    for (int i = 1; i < (way == 1 ? POINTS : 2); ++i) {
      c.above.x = (double)i / POINTS;
      JwContactId id;
      MUST(world, jw_world_add_collision(world, &c, &id));
    }
    JwInitialDef pluck = jw_initial_default();
    pluck.object = string, pluck.x = 0.3, pluck.amplitude = 1e-3;
    MUST(world, jw_world_add_initial(world, &pluck));
    add_pickup(world, jw_port(string, 0.41), JW_QUANTITY_DISPLACEMENT);
    MUST(world, jw_world_prepare(world));
    assert_int_equal(jw_world_info(world).contact_points, way == 2 ? 30 : POINTS - 1);
    run_into(world, out[way], FRAMES, 0, FRAMES);
    jw_world_destroy(world);
  }
  double apart = 0.0, other = 0.0;
  for (int i = 0; i < FRAMES; ++i) {
    apart = fmax(apart, fabs(out[1][i] - out[0][i]));
    other = fmax(other, fabs(out[2][i] - out[0][i]));
  }
  assert_true(apart < 1e-12 && other > 1e-6); // Rounding, of 1e-3 m; and places do matter
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_supported_string_has_the_dispersion_of_its_scheme),
      cmocka_unit_test(every_pair_of_ends_is_symmetric_and_stable_at_the_limit),
      cmocka_unit_test(bars_with_any_ends_have_the_known_frequencies_with_order_two),
      cmocka_unit_test(an_ideal_string_at_the_limit_is_exact),
      cmocka_unit_test(a_supported_plate_or_membrane_has_the_dispersion_of_its_scheme),
      cmocka_unit_test(every_mix_of_edges_is_symmetric_and_stable_at_the_limit),
      cmocka_unit_test(plates_and_membranes_have_the_known_frequencies_with_order_two),
      cmocka_unit_test(a_contact_along_modes_lies_where_points_says),
  };
  return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
