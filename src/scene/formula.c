// SPDX-License-Identifier: MIT
// Numbers and curves by formula: "= 440 * 2^($i/12)", { "wave": "0.2 + 0.1*sin(2*pi*5*t)", "until": 2 }.
//
//   sum     = product { (+|-) product }
//   product = power { (*|/) power }
//   power   = [-] atom [ ^ power ]
//   atom    = number | t | pi | (sum) | sin(sum) | cos(sum) | sqrt(sum) | abs(sum)
//
// A formula becomes the number, or the list of [time, value] points, that could stand in its place,
// before anything reads it: so it may stand wherever those may, in included scenes and in repeats.
// Tested by test_score.c.

#include "base/number.h"
#include "numeric/elementary.h"
#include "numeric/power.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define DEEPEST 32
#define LARGEST_ANGLE 1048576.0 // Of jw_sin()
#define LN_2 0.69314718055994530942
#define MOST_POINTS 4096
#define USUAL_POINTS 64

typedef struct {
  const char* at;
  double t;
  int depth;
  const char* fault; ///< What is wrong at `at`; NULL: nothing
} Formula;

static double read_sum(Formula* f);

static char next(Formula* f) {
  f->at += strspn(f->at, " ");
  return *f->at;
}

static double fail(Formula* f, const char* fault) {
  f->fault = f->fault ? f->fault : fault;
  return 0.0;
}

static bool take(Formula* f, const char* word) {
  const size_t length = strlen(word);
  next(f);
  if (f->fault || strncmp(f->at, word, length) != 0) {
    return false;
  }
  f->at += length;
  return true;
}

static double read_decimal(Formula* f) {
  JwDigits digits = {.count = 0};
  long exponent = 0;
  bool point = false;
  for (; (*f->at >= '0' && *f->at <= '9') || (*f->at == '.' && !point); ++f->at) {
    if (*f->at == '.') {
      point = true;
    } else if (digits.count == JW_DIGITS) {
      return fail(f, "too many digits");
    } else {
      digits.text[digits.count++] = *f->at;
      exponent -= point;
    }
  }
  if (digits.count == 0) {
    return fail(f, "a number, t, pi, sin, cos, sqrt, abs or ( is wanted");
  }
  if (*f->at == 'e' || *f->at == 'E') {
    const bool down = f->at[1] == '-';
    f->at += 1 + (down || f->at[1] == '+');
    long power = 0;
    for (; *f->at >= '0' && *f->at <= '9'; ++f->at) {
      power = power < 1000 ? 10 * power + (*f->at - '0') : power;
    }
    exponent += down ? -power : power;
  }
  return jw_digits_value(&digits, exponent);
}

static double bracket(Formula* f) {
  if (!take(f, "(") || ++f->depth > DEEPEST) {
    return fail(f, f->depth > DEEPEST ? "too many brackets inside each other" : "( is wanted");
  }
  const double value = read_sum(f);
  --f->depth;
  return take(f, ")") ? value : fail(f, ") is wanted");
}

static double angle(Formula* f) {
  const double x = bracket(f);
  return fabs(x) <= LARGEST_ANGLE ? x : fail(f, "an angle is larger than 2^20");
}

static double read_atom(Formula* f) {
  if (take(f, "sin")) {
    return jw_sin(angle(f));
  }
  if (take(f, "cos")) {
    return jw_cos(angle(f));
  }
  if (take(f, "sqrt")) {
    const double x = bracket(f);
    return x >= 0.0 ? sqrt(x) : fail(f, "the root of a negative number");
  }
  if (take(f, "abs")) {
    return fabs(bracket(f));
  }
  if (take(f, "pi")) {
    return JW_PI;
  }
  if (take(f, "t")) {
    return isnan(f->t) ? fail(f, "there is no t in a single number") : f->t;
  }
  return next(f) == '(' ? bracket(f) : read_decimal(f);
}

static double read_power(Formula* f) {
  if (++f->depth > DEEPEST) {
    return fail(f, "too many signs and powers inside each other");
  }
  double x = 0.0;
  if (take(f, "-")) {
    x = -read_power(f);
  } else {
    x = read_atom(f);
    if (take(f, "^")) {
      const double p = read_power(f);
      x = x > 0.0 ? jw_exp(p * LN_2 * jw_log2(x)) : fail(f, "a power of what is not above 0");
    }
  }
  --f->depth;
  return x;
}

static double read_product(Formula* f) {
  double x = read_power(f);
  for (char c = next(f); (c == '*' || c == '/') && !f->fault; c = next(f)) {
    ++f->at;
    const double y = read_power(f);
    x = c == '*' ? x * y : x / y;
  }
  return x;
}

static double read_sum(Formula* f) {
  double x = read_product(f);
  for (char c = next(f); (c == '+' || c == '-') && !f->fault; c = next(f)) {
    ++f->at;
    const double y = read_product(f);
    x = c == '+' ? x + y : x - y;
  }
  return x;
}

/// The value at a time, NaN where there is none; false after noting what is wrong.
static bool evaluate(JwLoader* loader, const char* text, JwPlace place, double t, double* value) {
  Formula f = {.at = text, .t = t};
  *value = read_sum(&f);
  if (!f.fault && next(&f)) {
    fail(&f, "nothing more was expected");
  }
  if (!f.fault && !isfinite(*value)) {
    fail(&f, "it is not finite");
  }
  if (f.fault) {
    jw_loader_error(loader, place, "the formula \"%.64s\", letter %d: %s", text,
                    (int)(f.at - text) + 1, f.fault);
  }
  return !f.fault;
}

static JwJson* add_child(JwLoader* loader, JwJson* list, JwJsonType type, double number) {
  JwJson* const child = (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *child);
  if (child) {
    *child = (JwJson){.type = type, .place = list->place, .number = number, .parent = list};
    *(list->last ? &list->last->next : &list->first) = child;
    list->last = child;
    ++list->count;
  }
  return child;
}

static bool read_range(JwLoader* loader, const JwJson* node, double* until, double* points) {
  static const double times[2] = {1e-6, 3600.0}, counts[2] = {2.0, MOST_POINTS};
  for (const JwJson* member = node->first; member; member = member->next) {
    if (strcmp(member->key, "wave") != 0 && strcmp(member->key, "until") != 0
        && strcmp(member->key, "points") != 0) {
      jw_loader_error(loader, member->key_place,
                      "a wave has no key \"%.32s\"; it has: wave, until, points", member->key);
      return false;
    }
  }
  const JwJson* const to = jw_member(loader, node, "until");
  const JwJson* const count = jw_member(loader, node, "points");
  if (!to) {
    jw_loader_error(loader, node->place, "a wave needs \"until\", its length in seconds");
    return false;
  }
  return jw_read_number(loader, "until", to, times, until)
         && (!count || jw_read_number(loader, "points", count, counts, points));
}

const JwJson* jw_formula_curve(JwLoader* loader, const JwJson* node) {
  const JwJson* const wave = jw_member(loader, node, "wave");
  const char* const text = wave ? jw_read_text(loader, "wave", wave) : NULL;
  double until = 0.0, points = USUAL_POINTS;
  JwJson* const list = (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *list);
  if (!text || !list || !read_range(loader, node, &until, &points)) {
    return NULL;
  }
  *list = *node;
  list->type = JW_JSON_ARRAY, list->first = list->last = NULL, list->count = 0;
  const int last = (int)points - 1;
  for (int i = 0; i <= last; ++i) {
    const double t = until * i / last;
    double value = 0.0;
    if (!evaluate(loader, text, wave->place, t, &value)) {
      return NULL;
    }
    JwJson* const pair = add_child(loader, list, JW_JSON_ARRAY, 0.0);
    if (!pair || !add_child(loader, pair, JW_JSON_NUMBER, t)
        || !add_child(loader, pair, JW_JSON_NUMBER, value)) {
      return NULL;
    }
  }
  return list;
}

const JwJson* jw_formula_number(JwLoader* loader, const JwJson* node) {
  JwJson* const number = (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *number);
  double value = 0.0;
  if (!number || !evaluate(loader, node->text + 1, node->place, (double)NAN, &value)) {
    return NULL;
  }
  *number = *node;
  number->type = JW_JSON_NUMBER, number->number = value;
  return number;
}
