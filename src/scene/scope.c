// SPDX-License-Identifier: MIT
// Parameters and repeats: what "$name" stands for.
//
// A text that is "$name" as a whole stands for the value of that name, of whatever type.  Inside a
// longer text, $name or ${name} is replaced by a text or number; $$ is a dollar.

#include "base/number.h"
#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_NAME 63
#define LONGEST_TEXT 1024
#define MOST_TURNS 4096

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool jw_bind(JwLoader* loader, const char* name, const JwJson* value, bool repeated) {
  JwBinding* const binding = (JwBinding*)jw_pool_take(&loader->scene->pool, sizeof *binding);
  if (!binding) {
    return false;
  }
  *binding = (JwBinding){name, value, loader->bindings, repeated};
  loader->bindings = binding;
  return true;
}

/// The name after a $: its start and length, and the bytes it takes with its braces.  0: no name.
static size_t name_at(const char* text, const char** name, size_t* length) {
  const bool braces = *text == '{';
  *name = text + braces;
  *length = 0;
  while (is_letter((*name)[*length])) {
    ++*length;
  }
  if (*length == 0 || *length > LONGEST_NAME || (braces && (*name)[*length] != '}')) {
    return 0;
  }
  return *length + (braces ? 2 : 0);
}

static const JwJson* find(JwLoader* loader, const char* name, size_t length, JwPlace place) {
  char wanted[LONGEST_NAME + 1];
  snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
  JwNearest nearest = {wanted, NULL, UINT32_MAX};
  for (const JwBinding* binding = loader->bindings; binding; binding = binding->outer) {
    if (strcmp(binding->name, wanted) == 0) {
      return binding->value;
    }
    jw_nearest_try(&nearest, binding->name);
  }
  if (nearest.found) {
    jw_loader_error(loader, place, "no parameter is called \"$%s\"; did you mean \"$%s\"?", wanted,
                    nearest.found);
  } else {
    jw_loader_error(loader, place, "no parameter is called \"$%s\"", wanted);
  }
  return NULL;
}

/// Write what `value` says in letters; false if it is neither text nor number.
static bool write_value(const JwJson* value, char* out, size_t size, size_t* used) {
  int written = -1;
  if (value->type == JW_JSON_TEXT) {
    written = snprintf(out + *used, size - *used, "%s", value->text);
  } else if (value->type == JW_JSON_NUMBER) {
    const size_t letters = jw_number_write(value->number, out + *used, size - *used);
    written = letters ? (int)letters : -1;
  }
  *used += written > 0 ? (size_t)written : 0;
  return written >= 0 && *used < size;
}

const char* jw_expand(JwLoader* loader, const char* text, JwPlace place) {
  if (!strchr(text, '$')) {
    return text;
  }
  char out[LONGEST_TEXT];
  size_t used = 0;
  while (*text && used < sizeof out - 1) {
    if (*text != '$' || text[1] == '$') {
      out[used++] = *text;
      text += *text == '$' ? 2 : 1;
      continue;
    }
    const char* name = NULL;
    size_t length = 0;
    const size_t taken = name_at(text + 1, &name, &length);
    if (taken == 0) {
      jw_loader_error(loader, place, "a name must follow '$'; a dollar alone is \"$$\"");
      return NULL;
    }
    const JwJson* const value = find(loader, name, length, place);
    if (!value) {
      return NULL;
    }
    if (!write_value(value, out, sizeof out, &used)) {
      jw_loader_error(loader, place, "\"$%.*s\" is %s and has no place inside a text", (int)length,
                      name, jw_json_type_name(value->type));
      return NULL;
    }
    text += 1 + taken;
  }
  if (*text) {
    jw_loader_error(loader, place, "a text with parameters may have at most %d letters",
                    LONGEST_TEXT - 1);
    return NULL;
  }
  return jw_pool_text(&loader->scene->pool, out, used);
}

static const JwJson* without_names(JwLoader* loader, const JwJson* node) {
  if (node->type != JW_JSON_TEXT || !strchr(node->text, '$')) {
    return node;
  }
  const char* name = NULL;
  size_t length = 0;
  const size_t taken = node->text[0] == '$' ? name_at(node->text + 1, &name, &length) : 0;
  JwJson* const copy = (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *copy);
  if (!copy) {
    return NULL;
  }
  if (taken && taken + 1 == node->size) {
    const JwJson* const value = find(loader, name, length, node->place);
    if (!value) {
      return NULL;
    }
    *copy = *value;
    copy->place = node->place; // An error points at the use
    copy->key = node->key;
    copy->key_size = node->key_size;
    copy->key_place = node->key_place;
    return copy;
  }
  *copy = *node;
  copy->text = jw_expand(loader, node->text, node->place);
  copy->size = copy->text ? (uint32_t)strlen(copy->text) : 0;
  return copy->text ? copy : NULL;
}

const JwJson* jw_value(JwLoader* loader, const JwJson* node) {
  const JwJson* const value = without_names(loader, node);
  if (value && value->type == JW_JSON_TEXT && value->text[0] == '=') {
    return jw_formula_number(loader, value);
  }
  if (value && value->type == JW_JSON_OBJECT && jw_json_member(value, "wave")) {
    return jw_formula_curve(loader, value);
  }
  return value;
}

const JwJson* jw_member(JwLoader* loader, const JwJson* object, const char* key) {
  const JwJson* const node = jw_json_member(object, key);
  return node ? jw_value(loader, node) : NULL;
}

// ---------------------------------------------------------------- repeats

/// A list of a repeat: values given one by one, or numbers evenly spaced.
typedef struct {
  const JwJson* next; ///< The next value of a list
  double first, step; ///< Otherwise
  uint32_t count;
} Turns;

static bool whole(double number, double low, double high) {
  return number >= low && number <= high && number == floor(number);
}

static bool read_range(JwLoader* loader, const JwJson* value, Turns* turns) {
  static const double any[2] = {-1e12, 1e12};
  jw_read_form(loader, JW_FORM_RANGE, value, NULL, NULL);
  double from = 0.0, to = 0.0, count = 0.0;
  const JwJson* const nodes[3] = {jw_member(loader, value, "from"), jw_member(loader, value, "to"),
                                  jw_member(loader, value, "count")};
  if (!nodes[0] || !nodes[1] || !nodes[2] || !jw_read_number(loader, "from", nodes[0], any, &from)
      || !jw_read_number(loader, "to", nodes[1], any, &to)
      || !jw_read_number(loader, "count", nodes[2], any, &count)) {
    return false;
  }
  if (!whole(count, 1, MOST_TURNS)) {
    jw_loader_error(loader, nodes[2]->place, "\"count\" is %g, must be a whole number from 1 to %d",
                    count, MOST_TURNS);
    return false;
  }
  *turns = (Turns){NULL, from, count > 1.0 ? (to - from) / (count - 1.0) : 0.0, (uint32_t)count};
  return true;
}

static bool read_turns(JwLoader* loader, const JwJson* member, Turns* turns) {
  const JwJson* const value = jw_value(loader, member);
  if (!value) {
    return false;
  }
  if (value->type == JW_JSON_OBJECT) {
    return read_range(loader, value, turns);
  }
  if (value->type == JW_JSON_NUMBER && whole(value->number, 1, MOST_TURNS)) {
    *turns = (Turns){NULL, 1.0, 1.0, (uint32_t)value->number};
    return true;
  }
  if (value->type != JW_JSON_ARRAY || value->count == 0 || value->count > MOST_TURNS) {
    jw_loader_error(loader, value->place,
                    "\"%s\" must be a list of 1 to %d values, a whole number from 1 to %d, "
                    "or {\"from\", \"to\", \"count\"}",
                    member->key, MOST_TURNS, MOST_TURNS);
    return false;
  }
  *turns = (Turns){value->first, 0.0, 0.0, value->count};
  return true;
}

/// The value of one turn; the list moves on.
static const JwJson* turn_value(JwLoader* loader, Turns* turns, uint32_t turn,
                                const JwJson* member) {
  if (turns->next) {
    const JwJson* const value = turns->next;
    turns->next = value->next;
    return jw_value(loader, value);
  }
  JwJson* const number = (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *number);
  if (number) {
    number->type = JW_JSON_NUMBER;
    number->number = turns->first + turns->step * turn;
    number->place = member->place;
  }
  return number;
}

#define MOST_LISTS 16

/// All lists of a repeat, of one length; 0 after noting an error.
static uint32_t read_repeat(JwLoader* loader, const JwJson* repeat, Turns lists[MOST_LISTS]) {
  if (repeat->type != JW_JSON_OBJECT || repeat->count == 0 || repeat->count > MOST_LISTS) {
    jw_loader_error(loader, repeat->place, "\"repeat\" must be an object with 1 to %d lists",
                    MOST_LISTS);
    return 0;
  }
  uint32_t count = 0, i = 0;
  for (const JwJson* member = repeat->first; member; member = member->next, ++i) {
    if (!read_turns(loader, member, &lists[i])) {
      return 0;
    }
    if (i > 0 && lists[i].count != count) {
      jw_loader_error(loader, jw_head(member),
                      "\"%s\" has %u values, but \"%s\" has %u: the lists of a repeat "
                      "go in step",
                      member->key, lists[i].count, repeat->first->key, count);
      return 0;
    }
    count = lists[i].count;
  }
  return count;
}

/// What is left to bind for one node: a chain of repeats, the outermost first.
typedef struct {
  const JwJson* node;
  void (*one)(JwLoader*, const JwJson*);
} Job;

static void run_turns(JwLoader* loader, const Job* job, const JwJson* repeat, bool chained);

/// One turn: bind its values, then go on with the next repeat of the chain or with the node itself.
static void run_turn(JwLoader* loader, const Job* job, const JwJson* repeat, Turns* lists,
                     uint32_t turn, const JwJson* inner) {
  const JwBinding* const outer = loader->bindings;
  bool bound = true;
  uint32_t i = 0;
  for (const JwJson* member = repeat->first; member; member = member->next, ++i) {
    const JwJson* const value = turn_value(loader, &lists[i], turn, member);
    bound = value && jw_bind(loader, member->key, value, true) && bound;
  }
  if (bound && inner) {
    run_turns(loader, job, inner, true);
  } else if (bound) {
    job->one(loader, job->node);
  }
  loader->bindings = outer;
}

static void run_turns(JwLoader* loader, const Job* job, const JwJson* repeat, bool chained) {
  Turns lists[MOST_LISTS];
  const uint32_t count = read_repeat(loader, repeat, lists);
  for (uint32_t turn = 0; turn < count && !loader->scene->pool.failed; ++turn) {
    if (++loader->scene->turns > loader->scene->limits.turns) {
      jw_loader_error(loader, jw_head(repeat), "more than %u turns in all repeats together",
                      (unsigned)loader->scene->limits.turns);
      return;
    }
    run_turn(loader, job, repeat, lists, turn, chained ? repeat->next : NULL);
  }
}

#define MOST_CHAINED 3

void jw_each(JwLoader* loader, const JwJson* node, void (*one)(JwLoader*, const JwJson*)) {
  const JwJson* const repeat = node->type == JW_JSON_OBJECT ? jw_json_member(node, "repeat") : NULL;
  const Job job = {node, one};
  if (!repeat) {
    one(loader, node);
  } else if (repeat->type != JW_JSON_ARRAY) {
    run_turns(loader, &job, repeat, false);
  } else if (repeat->count == 0 || repeat->count > MOST_CHAINED) {
    jw_loader_error(loader, repeat->place, "a list of repeats may have 1 to %d", MOST_CHAINED);
  } else {
    run_turns(loader, &job, repeat->first, true);
  }
}
