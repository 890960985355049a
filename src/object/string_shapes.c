// SPDX-License-Identifier: MIT
// Modes of a stiff string, each end supported, clamped or free.
//
//   EI X'''' - T X'' = rA w^2 X                                                        (1.9)
//   X = a cos(alpha x) + b sin(alpha x) + c exp(-beta x) + d exp(-beta (L - x))
//   beta^2, -alpha^2 = (T +- sqrt(T^2 + 4 EI rA w^2)) / 2EI
//
// Ends: supported X = X'' = 0; clamped X = X' = 0; free X'' = 0 and EI X''' = T X'.  These are four
// equations in a, b, c, d; w is a root of their determinant.  The exponentials fall away from their
// own end, so nothing overflows however short the wave.
//
// The determinant is scanned at steps of a thirtieth of the distance between modes of the supported
// string; by the minimum-maximum principle the modes of any ends interlace with those, so no two
// can hide in one step.  Bisection then finds each root to rounding.  Without bending the ends
// leave a plain sine and the modes are written down.
//
// Tested by test_shapes.c against the tabulated constants of bars and against the grid.

#include "object/string_shapes.h"

#include "numeric/elementary.h"
#include "numeric/power.h"

#include <math.h>

#define STEPS_A_MODE 30
#define STEPS_HIGH_UP 8
#define EVEN_FROM 50.0

// ---------------------------------------------------------------- the equations at the ends

static void set_wave_numbers(const JwHeldString* s, double w, JwShape* shape) {
  const double ei = s->physics.bending, t = s->physics.tension;
  const double root = sqrt(t * t + 4.0 * ei * s->physics.mass * w * w);
  shape->beta = sqrt((t + root) / (2.0 * ei));
  shape->alpha = sqrt(2.0 * s->physics.mass * w * w / (t + root)); // Without cancellation
  shape->frequency = w / (2.0 * JW_PI);
}

// Value, slope, curvature and end force of the four functions at x, in units of beta.
static void functions_at(const JwHeldString* s, const JwShape* shape, double x, double out[4][4]) {
  const double q = shape->alpha / shape->beta, sine = jw_sin(shape->alpha * x),
               cosine = jw_cos(shape->alpha * x);
  const double left = jw_exp(-shape->beta * x), right = jw_exp(-shape->beta * (s->length - x));
  const double pull = s->physics.tension / (s->physics.bending * shape->beta * shape->beta);
  const double table[4][4] = {
      {cosine, -q * sine, -q * q * cosine, q * q * q * sine},
      {sine, q * cosine, -q * q * sine, -q * q * q * cosine},
      {left, -left, left, -left},
      {right, right, right, right},
  };
  for (int f = 0; f < 4; ++f) {
    for (int i = 0; i < 3; ++i) {
      out[f][i] = table[f][i];
    }
    out[f][3] = table[f][3] - pull * table[f][1];
  }
}

static void end_equations(const JwHeldString* s, const JwShape* shape, double m[4][4]) {
  static const int rows[3][2] = {
      [JW_END_SUPPORTED] = {0, 2}, [JW_END_CLAMPED] = {0, 1}, [JW_END_FREE] = {2, 3}};
  for (int end = 0; end < 2; ++end) {
    double values[4][4];
    functions_at(s, shape, end ? s->length : 0.0, values);
    for (int i = 0; i < 2; ++i) {
      for (int f = 0; f < 4; ++f) {
        m[2 * end + i][f] = values[f][rows[s->ends[end]][i]];
      }
    }
  }
}

static void swap_rows(double m[4][4], int a, int b) {
  for (int c = 0; c < 4; ++c) {
    const double swap = m[a][c];
    m[a][c] = m[b][c];
    m[b][c] = swap;
  }
}

static void swap_columns(double m[4][4], int a, int b) {
  for (int r = 0; r < 4; ++r) {
    const double swap = m[r][a];
    m[r][a] = m[r][b];
    m[r][b] = swap;
  }
}

// Elimination with full pivoting; returns the sign of the determinant, leaves the triangle and the
// order.
static double eliminate(double m[4][4], int order[4]) {
  double sign = 1.0;
  for (int i = 0; i < 4; ++i) {
    order[i] = i;
  }
  for (int j = 0; j < 4; ++j) {
    int pr = j, pc = j;
    for (int r = j; r < 4; ++r) {
      for (int c = j; c < 4; ++c) {
        if (fabs(m[r][c]) > fabs(m[pr][pc])) {
          pr = r;
          pc = c;
        }
      }
    }
    swap_rows(m, j, pr);
    swap_columns(m, j, pc);
    const int swap = order[j];
    order[j] = order[pc];
    order[pc] = swap;
    const bool turns = (pr != j) != (pc != j); // One exchange, not both
    sign *= turns != (m[j][j] < 0.0) ? -1.0 : 1.0;
    for (int r = j + 1; r < 4 && m[j][j] != 0.0; ++r) {
      const double part = m[r][j] / m[j][j];
      for (int c = j; c < 4; ++c) {
        m[r][c] -= part * m[j][c];
      }
    }
  }
  return sign;
}

static double determinant_sign(const JwHeldString* s, double w) {
  JwShape shape;
  double m[4][4];
  int order[4];
  set_wave_numbers(s, w, &shape);
  end_equations(s, &shape, m);
  return eliminate(m, order);
}

// The coefficients at a root: the last unknown is 1, the others follow.
static void fill_coefficients(const JwHeldString* s, JwShape* shape) {
  double m[4][4], x[4], value[4], largest = 0.0;
  int order[4];
  end_equations(s, shape, m);
  (void)eliminate(m, order);
  x[3] = 1.0;
  for (int i = 2; i >= 0; --i) {
    double sum = 0.0;
    for (int c = i + 1; c < 4; ++c) {
      sum += m[i][c] * x[c];
    }
    x[i] = -sum / m[i][i];
  }
  for (int i = 0; i < 4; ++i) {
    value[order[i]] = x[i];
    largest = fmax(largest, fabs(x[i]));
  }
  shape->a = value[0] / largest;
  shape->b = value[1] / largest;
  shape->c = value[2] / largest;
  shape->d = value[3] / largest;
}

// ---------------------------------------------------------------- norms

JW_REALTIME double jw_shape_at(const JwShape* shape, double length, double x) {
  if (shape->alpha == 0.0) {
    return shape->a + shape->b * (x / length - 0.5);
  }
  double value = shape->a * jw_cos(shape->alpha * x) + shape->b * jw_sin(shape->alpha * x);
  if (shape->c != 0.0 || shape->d != 0.0) {
    value += shape->c * jw_exp(-shape->beta * x) + shape->d * jw_exp(-shape->beta * (length - x));
  }
  return value;
}

static double slope_at(const JwShape* shape, double length, double x) {
  if (shape->alpha == 0.0) {
    return shape->b / length;
  }
  const double wave =
      shape->alpha * (shape->b * jw_cos(shape->alpha * x) - shape->a * jw_sin(shape->alpha * x));
  if (shape->c == 0.0 && shape->d == 0.0) {
    return wave;
  }
  return wave
         + shape->beta
               * (shape->d * jw_exp(-shape->beta * (length - x))
                  - shape->c * jw_exp(-shape->beta * x));
}

// Gauss-Legendre with three points on each of many pieces, fine at the ends where exponentials
// fall: low modes, whose parts may nearly cancel.
static void integrate_norms(const JwShape* shape, double length, double* square, double* slope) {
  const double node = 0.7745966692414834, weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  const uint32_t pieces = 64 + (uint32_t)(8.0 * shape->alpha * length / JW_PI);
  double left = 0.0;
  for (uint32_t i = 0; i < pieces; ++i) {
    const double right =
        length * 0.5 * (1.0 - jw_cos(JW_PI * (i + 1.0) / pieces)); // Chebyshev spacing
    for (int j = 0; j < 3; ++j) {
      const double x = 0.5 * ((left + right) + (j - 1) * node * (right - left)),
                   w = weights[j] * (right - left);
      const double value = jw_shape_at(shape, length, x), rise = slope_at(shape, length, x);
      *square += w * value * value;
      *slope += w * rise * rise;
    }
    left = right;
  }
}

// The integral of X^2 written down, of a mode so high that of each exponential nothing arrives at
// the other end: beta is at least alpha, and exp(-EVEN_FROM pi) is 1e-68.
static double integral_of_square(const JwShape* x, double length) {
  const double s = jw_sin(x->alpha * length), c = jw_cos(x->alpha * length);
  const double r = x->alpha * x->alpha + x->beta * x->beta;
  const double waves =
      0.5 * length * (x->a * x->a + x->b * x->b)
      + 0.5 * s / x->alpha * (c * (x->a * x->a - x->b * x->b) + 2.0 * s * x->a * x->b);
  const double ends = 0.5 * (x->c * x->c + x->d * x->d) / x->beta;
  const double left = x->a * x->beta + x->b * x->alpha;
  const double right = x->a * (x->beta * c + x->alpha * s) + x->b * (x->beta * s - x->alpha * c);
  return waves + ends + 2.0 * (x->c * left + x->d * right) / r;
}

static void fill_norms(const JwHeldString* s, JwShape* shape) {
  double square = 0.0, slope = 0.0;
  if (shape->alpha * s->length < EVEN_FROM * JW_PI) {
    integrate_norms(shape, s->length, &square, &slope);
  } else { // X' is of the same form
    JwShape rise = *shape;
    rise.a = shape->alpha * shape->b;
    rise.b = -shape->alpha * shape->a;
    rise.c = -shape->beta * shape->c;
    rise.d = shape->beta * shape->d;
    square = integral_of_square(shape, s->length);
    slope = integral_of_square(&rise, s->length);
  }
  shape->mass = s->physics.mass * square;
  shape->slope = slope / square;
}

// ---------------------------------------------------------------- listing

typedef struct {
  const JwHeldString* string;
  JwShape* shapes;
  uint32_t count, most;
  bool bare; // Their norms are not asked for
} List;

static JW_REALTIME void add(List* list, JwShape shape) {
  if (list->shapes) {
    if (shape.mass == 0.0 && !list->bare) {
      fill_norms(list->string, &shape);
    }
    list->shapes[list->count] = shape;
  }
  ++list->count;
}

// Motions that bend nothing: up and down, and, without tension, turning.
static void add_rigid(List* list) {
  const JwHeldString* const s = list->string;
  const bool left = s->ends[0] == JW_END_FREE, right = s->ends[1] == JW_END_FREE;
  JwShape shape = {0};
  if (left && right && list->count < list->most) {
    shape.a = 1.0;
    add(list, shape);
    shape.a = 0.0;
  }
  const bool hinge =
      (left && s->ends[1] == JW_END_SUPPORTED) || (right && s->ends[0] == JW_END_SUPPORTED);
  if (s->physics.tension == 0.0 && ((left && right) || hinge) && list->count < list->most) {
    if (hinge) {
      shape.a = left ? -0.5 : 0.5;
    }
    shape.b = 1.0;
    add(list, shape);
  }
}

static double supported(const JwHeldString* s, double p) {
  const double g = p * JW_PI / s->length * (p * JW_PI / s->length);
  return sqrt(g * (s->physics.tension + s->physics.bending * g) / s->physics.mass);
}

static double find_root(const JwHeldString* s, double low, double high) {
  const double sign = determinant_sign(s, low);
  double mid = 0.5 * (low + high);
  while (mid > low && mid < high) { // Until they are neighbours: about forty times
    *(determinant_sign(s, mid) == sign ? &low : &high) = mid;
    mid = 0.5 * (low + high);
  }
  return mid;
}

// Below the first supported mode modes may lie far down: steps of a tenth there.  High up they lie
// evenly, one a place.
static double next_place(double p) {
  if (p < 0.5) {
    return 1.1 * p;
  }
  return p + (p < EVEN_FROM ? 1.0 / STEPS_A_MODE : 1.0 / STEPS_HIGH_UP);
}

static double below_the_lowest(const JwHeldString* s) {
  // Half of the lowest: a hinged bar that a weak tension turns back, 3 T/(rA L^2), or a clamped
  // one.
  const double turning = sqrt(3.0 * s->physics.tension / s->physics.mass) / s->length;
  const double bar = 0.3 * supported(s, 1.0);
  return 0.5 * (turning > 0.0 ? fmin(turning, bar) : bar);
}

// An end held otherwise than supported adds or takes at most two conditions, and each moves a mode
// by at most one place: mode p lies below supported mode p + 4, so that the search ends whatever
// the numbers are.
#define MOST_SHIFT 8.0

static void add_bending(List* list, double highest) {
  const JwHeldString* const s = list->string;
  double p = 0.5;
  while (supported(s, p) > below_the_lowest(s)) {
    p *= 0.9;
  }
  double low = supported(s, p), sign = determinant_sign(s, low);
  while (list->count < list->most && low < highest && p < list->most + MOST_SHIFT) {
    p = next_place(p);
    const double high = supported(s, p), after = determinant_sign(s, high);
    if (after != sign && !list->shapes && high < highest) {
      ++list->count; // Only counted: where it lies does not matter
    } else if (after != sign) {
      const double w = find_root(s, low, high);
      if (w >= highest) {
        return;
      }
      JwShape shape = {0};
      set_wave_numbers(s, w, &shape);
      fill_coefficients(s, &shape);
      add(list, shape);
    }
    low = high;
    sign = after;
  }
}

// Without bending: sines and cosines, whose norms are known.  A slow string has thousands of them.
static void add_plain(List* list, double highest) {
  const JwHeldString* const s = list->string;
  const bool left = s->ends[0] == JW_END_FREE, right = s->ends[1] == JW_END_FREE;
  const double c = sqrt(s->physics.tension / s->physics.mass);
  for (uint32_t p = 1; list->count < list->most; ++p) {
    JwShape shape = {0};
    shape.alpha = (left != right ? p - 0.5 : p) * JW_PI / s->length;
    if (shape.alpha * c >= highest) {
      return;
    }
    shape.frequency = shape.alpha * c / (2.0 * JW_PI);
    *(left ? &shape.a : &shape.b) = 1.0;
    shape.mass = 0.5 * s->length * s->physics.mass;
    shape.slope = shape.alpha * shape.alpha;
    add(list, shape);
  }
}

static void add_all(List* list, double highest) {
  if (list->string->physics.bending > 0.0) {
    add_bending(list, 2.0 * JW_PI * highest);
  } else {
    add_plain(list, 2.0 * JW_PI * highest);
  }
}

uint32_t jw_string_shapes(const JwHeldString* string, double highest, uint32_t most,
                          JwShape* shapes) {
  List list = {string, shapes, 0, most, false};
  add_rigid(&list);
  add_all(&list, highest);
  return list.count;
}

// A string is tuned by some fifty of these.
double jw_string_lowest(const JwHeldString* string) {
  JwShape shapes[3];
  List list = {string, shapes, 0, 2, true};
  add_rigid(&list);
  list.most = list.count + 1; // What is rigid has no frequency
  add_all(&list, HUGE_VAL);
  return list.count ? shapes[list.count - 1].frequency : 0.0;
}
