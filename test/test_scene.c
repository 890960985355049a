// SPDX-License-Identifier: MIT
// Scenes: names, notes, parameters, repeats, includes, curves, limits, memory.

#include "test.h"

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Scenes stand here with ' for ".
static const char* quoted(const char* text) {
  static char copy[1 << 20];
  assert_true(strlen(text) < sizeof copy);
  strcpy(copy, text);
  for (char* c = strchr(copy, '\''); c; c = strchr(c, '\'')) {
    *c = '"';
  }
  return copy;
}

static JwScene* parse(const char* text, JwStatus expected) {
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  const char* const scene_text = quoted(text);
  const JwStatus status = jw_scene_parse(scene_text, strlen(scene_text), &options, &scene);
  assert_non_null(scene);
  if (status != expected) {
    for (uint32_t i = 0; i < jw_scene_diagnostics(scene); ++i) {
      print_message("%s\n", jw_scene_diagnostic(scene, i).message);
    }
  }
  assert_int_equal(status, expected);
  return scene;
}

static JwScene* good(const char* text) {
  return parse(text, JW_STATUS_OK);
}

static const JwItem* item(const JwScene* scene, const char* name) {
  const JwItem* const found = jw_find_item(scene, name);
  assert_non_null(found);
  return found;
}

static const JwCurve* curve_of(const JwItem* part, JwControl control) {
  const JwCurve* curve = part->curves;
  while (curve && curve->control != control) {
    curve = curve->next;
  }
  assert_non_null(curve);
  return curve;
}

static void notes_have_their_frequencies(void** state) {
  (void)state;
  // Equal temperament: a semitone is the twelfth root of two; 1e-12 allows for its rounding.
  const double semitone = pow(2.0, 1.0 / 12.0);
  assert_true(jw_note_frequency("A4") == 440.0);
  assert_true(jw_note_frequency("A1") == 55.0);
  assert_true(fabs(jw_note_frequency("C4") / (440.0 / pow(semitone, 9.0)) - 1.0) < 1e-12);
  assert_true(jw_note_frequency("C#3") == jw_note_frequency("Db3"));
  assert_true(fabs(jw_note_frequency("B#3") / jw_note_frequency("C4") - 1.0) < 1e-12);
  assert_true(fabs(jw_note_frequency("A4+100") / jw_note_frequency("A#4") - 1.0) < 1e-12);
  assert_true(fabs(jw_note_frequency("A4-12.5") / (440.0 * pow(2.0, -12.5 / 1200.0)) - 1.0)
              < 1e-12);
  assert_true(fabs(jw_note_frequency("C-1") - 8.1757989) < 1e-6);
  static const char* const none[] = {"",    "H2",  "a4", "A",       "A44",   "A4+",  "A4+x",
                                     "A4 ", "C##", "4A", "A4+1300", "A4+1.", "A4+.5"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
    assert_true(isnan(jw_note_frequency(none[i])));
  }
}

static void distance_counts_letters_put_in_left_out_changed_or_swapped(void** state) {
  (void)state;
  assert_int_equal(jw_name_distance("", ""), 0);
  assert_int_equal(jw_name_distance("abc", "abc"), 0);
  assert_int_equal(jw_name_distance("abc", ""), 3);
  assert_int_equal(jw_name_distance("lenght", "length"), 1);
  assert_int_equal(jw_name_distance("stifness", "stiffness"), 1);
  assert_int_equal(jw_name_distance("kitten", "sitting"), 3);
  assert_int_equal(jw_name_distance("a234567890123456789012345678901234567890", "a"), UINT32_MAX);
}

static void the_manuals_example_means_what_it_says(void** state) {
  (void)state;
  JwScene* const scene = good("{ // A steel string with a rattling bridge on a plate\n"
                              "  'jawari': 1, 'title': 't', 'sources': ['a', 'b'],\n"
                              "  'objects': {\n"
                              "    'string': { 'kind': 'string', 'length': 1.9, "
                              "'radius': 5e-4, 'material': 'bronze', 'frequency': 32,"
                              " 'loss': [0.1, 0.05], 'young': 1e11, 'ends': 'clamped' },\n"
                              "    'bridge': { 'kind': 'mass', 'mass': 1e-3, "
                              "'frequency': 'A4', 'loss': 0.05, 'position': 5e-6 },\n"
                              "    'body': { 'kind': 'plate', 'size': [1.35, 0.18], "
                              "'thickness': 0.01, 'loss': [2, 0.05] } },\n"
                              "  'contacts': [\n"
                              "    { 'law': 'connection', 'name': 'foot', 'between': "
                              "['bridge', 'string@0.868'], 'stiffness': 5e6 },\n"
                              "    { 'law': 'collision', 'name': 'rattle', 'below': "
                              "'body@0.8,0.75', 'above': 'bridge',"
                              " 'stiffness': 5e8, 'rule': 'refined' } ],\n"
                              "  'pickups': [ { 'name': 'ear', 'at': 'body@0.35,0.4', "
                              "'gain': 'auto', 'pan': -1 } ],\n"
                              "  'play': { 'mode': 'mono' } }");
  const JwStringDef* const string = &item(scene, "string")->def.string;
  assert_true(string->length == 1.9 && string->density == 8800
              && string->young == 1e11); // Its own young wins
  assert_true(string->loss[0] == 0.1 && string->loss[1] == 0.05 && string->frequency == 32);
  assert_int_equal(string->ends[0], JW_END_CLAMPED);
  assert_int_equal(string->ends[1], JW_END_CLAMPED);
  assert_true(isnan(string->tension));
  assert_true(item(scene, "bridge")->def.mass.frequency == 440.0);
  const JwItem* const rattle = item(scene, "rattle");
  assert_ptr_equal(rattle->ports[0].object, item(scene, "body"));
  assert_ptr_equal(rattle->ports[1].object, item(scene, "bridge"));
  assert_true(rattle->ports[0].port.x == 0.8 && rattle->ports[0].port.y == 0.75);
  assert_int_equal(rattle->ports[0].port.reading, JW_READ_LINEAR);
  assert_int_equal(rattle->def.collision.rule, JW_RULE_REFINED);
  assert_true(item(scene, "foot")->ports[1].port.x == 0.868);
  assert_true(item(scene, "ear")->auto_gain && item(scene, "ear")->def.pickup.pan == -1.0);
  const JwSceneInfo info = jw_scene_info(scene);
  assert_string_equal(info.title, "t");
  assert_int_equal(info.source_count, 2);
  assert_string_equal(jw_scene_source(scene, 1), "b");
  assert_true(info.auto_gain && info.duration == 2.0 && info.oversample == 1);
  assert_true(jw_scene_play(scene).given && jw_scene_play(scene).mode == 1
              && !jw_scene_play(scene).own_voices);
  jw_scene_set_rule(scene, JW_RULE_PLAIN);
  assert_int_equal(rattle->def.collision.rule, JW_RULE_PLAIN);
  assert_int_equal(item(scene, "foot")->def.connection.rule, JW_RULE_PLAIN);
  assert_int_equal(jw_scene_find(scene, "rattle").kind, JW_KIND_COLLISION);
  assert_int_equal(jw_scene_find(scene, "rattle").line, 9);
  assert_int_equal(jw_scene_find(scene, "none").kind, JW_KIND_COUNT);
  assert_int_equal(jw_scene_parts(scene), 6);
  jw_scene_destroy(scene);
}

static void the_world_runs_at_the_rate_times_the_oversampling(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ 'jawari': 1, 'oversample': 4, 'world': { 'sample_rate': 48000, 'channels': 2 } }");
  assert_true(jw_scene_world(scene).sample_rate == 192000.0);
  assert_int_equal(jw_scene_world(scene).channels, 2);
  jw_scene_destroy(scene);
}

static void parameters_stand_for_values_of_any_type(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ 'jawari': 1, 'parameters': { 'm': 0.25, 'who': 'ham', 'l': [3, 4], 'same': "
           "'$m', 'k': 'string' },\n"
           "  'objects': { '${who}mer': { 'kind': 'mass', 'mass': '$same' },\n"
           "    's': { 'kind': '$k', 'length': '$m', 'frequency': 100, 'loss': '$l' } },\n"
           "  'contacts': [ { 'law': 'spring', 'name': 'x', 'between': ['${who}mer', "
           "'s@$m'], 'linear': '$m' } ] }");
  assert_true(item(scene, "hammer")->def.mass.mass == 0.25);
  assert_true(item(scene, "s")->def.string.loss[1] == 4.0);
  assert_true(item(scene, "x")->ports[1].port.x == 0.25);
  jw_scene_destroy(scene);
}

static void a_repeat_makes_one_for_each_turn(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ 'jawari': 1, 'objects': { 's$i': { 'kind': 'string', 'length': 1, "
           "'frequency': '$note',\n"
           "    'repeat': { 'i': 3, 'note': ['A2', 'A3', 'A4'] } } },\n"
           "  'score': [ { 'name': 'p$i', 'at': '$t', 'pluck': 's$i@$x', 'repeat': { "
           "'i': 3,\n"
           "    't': { 'from': 1, 'to': 2, 'count': 3 }, 'x': [0.1, 0.2, 0.3] } } ] }");
  assert_int_equal(jw_scene_parts(scene), 6);
  assert_true(item(scene, "s1")->def.string.frequency == 110.0);
  assert_true(item(scene, "s3")->def.string.frequency == 440.0);
  assert_true(item(scene, "p2")->def.force.start == 1.5);
  assert_int_equal(item(scene, "p2")->def.force.shape, JW_FORCE_PLUCK);
  assert_ptr_equal(item(scene, "p2")->ports[0].object, item(scene, "s2"));
  assert_true(item(scene, "p3")->ports[0].port.x == 0.3);
  assert_true(jw_scene_info(scene).duration > 4.0); // Two seconds after the last pluck
  jw_scene_destroy(scene);
}

static void a_list_of_repeats_makes_all_combinations(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ 'jawari': 1, 'objects': { 'm$i$j': { 'kind': 'mass', 'mass': '$w',"
           " 'repeat': [ { 'i': 2, 'w': [3, 4] }, { 'j': ['a', 'b', 'c'] } ] } } }");
  assert_int_equal(jw_scene_parts(scene), 6);
  assert_true(item(scene, "m1c")->def.mass.mass == 3.0 && item(scene, "m2a")->def.mass.mass == 4.0);
  jw_scene_destroy(scene);
}

#define STRING                                                                                     \
  "'jawari': 1, 'objects': { 's': { 'kind': 'string', 'length': 1, 'frequency': "                  \
  "100 } }"

static double force_at(const JwItem* bow, double time) {
  const JwCurve* const curve = curve_of(bow, JW_CONTROL_FORCE);
  return jw_curve_value(curve, time, NULL);
}

static void a_bow_presses_only_between_at_and_until(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ " STRING ", 'score': [\n"
           "  { 'name': 'steady', 'at': 1, 'bow': 's@0.2', 'force': 0.5, 'until': 3 },\n"
           "  { 'name': 'shaped', 'at': 1, 'bow': 's@0.2', 'force': [[0, 0], [0.5, 0.4], [5, "
           "0.6]], 'until': 3 },\n"
           "  { 'name': 'short', 'at': 1, 'bow': 's@0.2', 'force': 0.5, 'until': 1.001 },\n"
           "  { 'name': 'endless', 'at': 1, 'bow': 's@0.2', 'force': 0.5 } ] }");
  const JwItem* const steady = item(scene, "steady");
  assert_true(force_at(steady, 0.0) == 0.0 && force_at(steady, 1.0) == 0.0
              && force_at(steady, 3.0) == 0.0);
  assert_true(force_at(steady, 1.0101) == 0.5 && force_at(steady, 2.98) == 0.5
              && force_at(steady, 9.0) == 0.0);
  const JwItem* const shaped = item(scene, "shaped"); // Times count from "at"
  assert_true(force_at(shaped, 1.0) == 0.0 && fabs(force_at(shaped, 1.5) - 0.4) < 1e-15);
  assert_true(fabs(force_at(shaped, 1.25) - 0.2) < 1e-15 && force_at(shaped, 3.0) == 0.0);
  const JwItem* const brief = item(scene, "short");
  assert_true(fabs(force_at(brief, 1.0005) - 0.5) < 1e-12 && force_at(brief, 1.001) == 0.0);
  assert_true(force_at(item(scene, "endless"), 0.5) == 0.0
              && force_at(item(scene, "endless"), 99.0) == 0.5);
  for (const JwItem* bow = steady; bow; bow = bow->next) {
    const JwCurve* const curve = curve_of(bow, JW_CONTROL_FORCE);
    for (uint32_t i = 1; i < curve->count; ++i) {
      assert_true(curve->points[i].time > curve->points[i - 1].time);
    }
    assert_true(bow->def.bow.force == 0.0);
  }
  assert_true(jw_scene_info(scene).duration == 5.0);
  jw_scene_destroy(scene);
}

// Two series that interleave, written one after the other; the last starts while another still goes
// on.
static void set_events_may_stand_in_any_order(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ 'jawari': 1, 'objects': { 'b': { 'kind': 'barrier', 'position': 2 } }, 'score': [\n"
           "  { 'at': '$t', 'set': 'b.position', 'to': 3, 'repeat': { 't': [1, 2, 3] } },\n"
           "  { 'at': '$t', 'set': 'b.position', 'to': 5, 'repeat': { 't': [2.5, 1.5] } },\n"
           "  { 'at': 4, 'set': 'b.position', 'to': 7, 'over': 2 },\n"
           "  { 'at': 5, 'set': 'b.position', 'to': 0, 'over': 1 } ] }");
  const JwCurve* const curve = curve_of(item(scene, "b"), JW_CONTROL_POSITION);
  const double times[] = {0.9, 1.1, 1.6, 2.1, 2.6, 3.1, 4.0, 4.5, 5.0, 5.5, 6.0, 9.0};
  const double values[] = {2.0, 3.0, 5.0, 3.0, 5.0, 3.0, 3.0, 4.0, 5.0, 2.5, 0.0, 0.0};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
    assert_true(fabs(jw_curve_value(curve, times[i], NULL) - values[i]) < 1e-9);
  }
  jw_scene_destroy(scene);
}

/// Run a scene and return the last of its samples.
static double heard_at_the_end(const char* text, uint32_t frames) {
  static double out[8192];
  JwScene* const scene = good(text);
  const JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  const JwStatus status = jw_scene_build(scene, &def, &world);
  if (status) {
    fail_msg("%s", jw_scene_diagnostic(scene, 0).message);
  }
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  double* const rows[1] = {out};
  assert_int_equal(jw_world_run_double(world, rows, frames), JW_STATUS_OK);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
  return out[frames - 1];
}

#define MOVED(FIRST, EVENT)                                                                              \
  "{ 'jawari': 1, 'objects': { 's': { 'kind': 'string', 'length': 0.65, 'young': 0, 'bend': 1.5, " FIRST \
  " } },"                                                                                                \
  "  'initial': [ { 'on': 's@0.3' } ], 'score': [ " EVENT                                                \
  " ], 'pickups': [ { 'at': 's@0.8', 'quantity': 'displacement' } ] }"

// A pitch given in one way can be moved in any of three: the same sound, since f^2 rises as T.
static void a_string_tuned_in_one_way_is_moved_in_any(void** state) {
  (void)state;
  static const char* const scenes[] = {
      MOVED("'frequency': 'C3'", "{ 'at': 0.01, 'over': 0, 'set': 's.frequency', 'to': 'D3' }"),
      MOVED("'frequency': 'C3'", "{ 'at': 0.01, 'over': 0, 'set': 's.cents', 'to': 200 }"),
      MOVED("'frequency': 'C3'",
            "{ 'at': 0.01, 'over': 0, 'set': 's.tension', 'to': 224.641475371 }"),
      MOVED("'tension': 178.298057160",
            "{ 'at': 0.01, 'over': 0, 'set': 's.frequency', 'to': 'D3' }"),
      MOVED("'tension': 178.298057160", "{ 'at': 0.01, 'over': 0, 'set': 's.cents', 'to': 200 }"),
      MOVED("'frequency': [[0, 'C3'], [0.01, 'C3'], [0.010001, 'D3']]", ""),
      MOVED("'tension': [[0, 178.298057160], [0.01, 178.298057160], [0.010001, 224.641475371]]",
            ""),
      MOVED("'frequency': 'C3', 'cents': [[0, 0], [0.01, 0], [0.010001, 200]]", ""),
  };
  const double unmoved = heard_at_the_end(MOVED("'frequency': 'C3'", ""), 4000);
  const double first = heard_at_the_end(scenes[0], 4000);
  assert_true(fabs(first - unmoved) > 1e-5);
  for (size_t i = 1; i < sizeof scenes / sizeof scenes[0]; ++i) {
    // The tensions are written with twelve digits: 1e-11 of the phase of 13 turns, of partials
    // falling as 1/n^2
    assert_true(fabs(heard_at_the_end(scenes[i], 4000) - first) < 1e-7);
  }
}

// A number that only the world knows is taken over in the middle of its change: half of the way
// from 178.3 to 200.
static void a_change_from_an_unknown_number_can_be_taken_over(void** state) {
  (void)state;
  const double known = heard_at_the_end(
      MOVED(
          "'tension': 178.298057160",
          "{ 'at': 0.01, 'over': 0.02, 'set': 's.tension', 'to': 200 }, { 'at': 0.02, 'over': 0.01, 'set': 's.tension', 'to': 150 }"),
      4000);
  const double unknown = heard_at_the_end(
      MOVED(
          "'frequency': 'C3'",
          "{ 'at': 0.01, 'over': 0.02, 'set': 's.tension', 'to': 200 }, { 'at': 0.02, 'over': 0.01, 'set': 's.tension', 'to': 150 }"),
      4000);
  assert_true(fabs(known - unknown) < 1e-7);
}

static void a_place_is_set_like_any_other_number(void** state) {
  (void)state;
  JwScene* const scene = good(
      "{ " STRING
      ", 'score': [ { 'bow': 's@0.2', 'name': 'b' }, { 'at': 1, 'over': 1, 'set': 'b.x', 'to': 0.4 } ] }");
  const JwCurve* const curve = curve_of(item(scene, "b"), JW_CONTROL_X);
  assert_true(jw_curve_value(curve, 0.5, NULL) == 0.2
              && fabs(jw_curve_value(curve, 1.5, NULL) - 0.3) < 1e-15);
  jw_scene_destroy(scene);
}

#define PAIR(LAW, GAP)                                                                                                              \
  "{ 'jawari': 1, 'objects': { 'lower': { 'kind': 'mass', 'mass': 1 }, 'upper': { 'kind': 'mass', 'mass': 1, 'position': 0.01 } }," \
  "  'contacts': [ { " LAW ", 'between': ['lower', 'upper'], 'gap': " GAP                                                           \
  " } ], 'pickups': [ { 'at': 'upper', 'quantity': 'displacement' } ] }"

// eta = u1 - u2 - gap in every law: two masses 1 cm apart rest on a gap of -1 cm, are pushed apart
// by one of -2 cm, and pulled together by 0, which a collision leaves alone.
static void the_sign_of_a_gap_is_one_in_all_laws(void** state) {
  (void)state;
  static const struct {
    const char* at_rest;
    const char* pressed;
    const char* stretched;
    bool pulls;
  } laws[] = {
      {PAIR("'law': 'collision', 'stiffness': 1000, 'exponent': 1", "-0.01"),
       PAIR("'law': 'collision', 'stiffness': 1000, 'exponent': 1", "-0.02"),
       PAIR("'law': 'collision', 'stiffness': 1000, 'exponent': 1", "0"), false},
      {PAIR("'law': 'connection', 'stiffness': 1000", "-0.01"),
       PAIR("'law': 'connection', 'stiffness': 1000", "-0.02"),
       PAIR("'law': 'connection', 'stiffness': 1000", "0"), true},
      {PAIR("'law': 'spring', 'linear': 1000", "-0.01"),
       PAIR("'law': 'spring', 'linear': 1000", "-0.02"),
       PAIR("'law': 'spring', 'linear': 1000", "0"), true},
  };
  for (size_t i = 0; i < sizeof laws / sizeof laws[0]; ++i) {
    const double rest = heard_at_the_end(laws[i].at_rest, 500),
                 pressed = heard_at_the_end(laws[i].pressed, 500);
    const double stretched = heard_at_the_end(laws[i].stretched, 500);
    assert_true(fabs(rest - 0.01) < 1e-15 && pressed > 0.0101);
    assert_true(laws[i].pulls ? stretched < 0.0099 : stretched == 0.01);
  }
}

static void set_events_become_one_curve(void** state) {
  (void)state;
  JwScene* const scene = good("{ 'jawari': 1, 'objects': { 'b': { 'kind': 'barrier', "
                              "'position': 2 } }, 'score': [\n"
                              "  { 'at': 1, 'set': 'b.position', 'to': 3, 'over': 1 }, { "
                              "'at': 5, 'set': 'b.position', 'to': 0 } ] }");
  const JwCurve* const curve = curve_of(item(scene, "b"), JW_CONTROL_POSITION);
  const double times[] = {0.0, 1.0, 1.5, 2.0, 4.9, 5.01}, values[] = {2.0, 2.0, 2.5, 3.0, 3.0, 0.0};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
    assert_true(fabs(jw_curve_value(curve, times[i], NULL) - values[i]) < 1e-9);
  }
  jw_scene_destroy(scene);
}

static void a_port_may_move_and_choose_its_reading(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ " STRING ", 'score': [ { 'name': 'b', 'at': 1, 'until': 2,\n"
           "  'bow': { 'on': 's', 'x': [[0, 0.1], [1, 0.3]], 'reading': 'cubic' } } ] }");
  const JwItem* const bow = item(scene, "b");
  assert_int_equal(bow->ports[0].port.reading, JW_READ_CUBIC);
  assert_true(bow->ports[0].port.x == 0.1);
  assert_true(curve_of(bow, JW_CONTROL_X)->points[1].time == 2.0);
  jw_scene_destroy(scene);
}

static void profiles_and_modes_are_read(void** state) {
  (void)state;
  JwScene* const scene =
      good("{ 'jawari': 1, 'objects': {\n"
           "  'b': { 'kind': 'barrier', 'polynomial': [-1e-4, 0, 2], 'to': 0.5 },\n"
           "  't': { 'kind': 'barrier', 'table': [[0, 1], [0.5, 2], [0.7, 3]] },\n"
           "  'bar': { 'kind': 'modal', 'modes': [['A4', 1, 0.1], [900, 2, 0.2]], "
           "'shapes': [[1, 1], [1, -1], [0, 1]] } } }");
  assert_int_equal(item(scene, "b")->def.barrier.polynomial_count, 3);
  assert_true(item(scene, "b")->def.barrier.polynomial[2] == 2.0);
  const JwBarrierDef* const table = &item(scene, "t")->def.barrier;
  assert_int_equal(table->table_count, 3);
  assert_true(table->table[2] == 0.5 && table->table[3] == 2.0 && table->table[5] == 3.0);
  const JwModalDef* const bar = &item(scene, "bar")->def.modal;
  assert_true(bar->modes[0].frequency == 440.0 && bar->modes[1].mass == 0.2
              && bar->shapes[3] == -1.0);
  assert_int_equal(bar->shape_count, 3);
  jw_scene_destroy(scene);
}

// ---------------------------------------------------------------- include

static void write_file(const char* path, const char* text) {
  FILE* const file = fopen(path, "w");
  assert_non_null(file);
  fputs(quoted(text), file);
  fclose(file);
}

static void includes_are_found_beside_the_scene_and_never_outside(void** state) {
  (void)state;
  char folder[] = "/tmp/jawari-scene-XXXXXX", path[80], link[80];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/inner.json", folder);
  write_file(path, "{ 'jawari': 1, 'title': 'inner', 'parameters': { 'm': 1 },"
                   " 'objects': { 'a': { 'kind': 'mass', 'mass': '$m' } } }");
  snprintf(path, sizeof path, "%s/outer.json", folder);
  write_file(path, "{ 'jawari': 1, 'title': 'outer', 'parameters': { 'w': 5 },"
                   " 'include': { 'file': 'inner.json', 'with': { 'm': '$w' } } }");
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_load(path, NULL, &scene), JW_STATUS_OK);
  assert_true(item(scene, "a")->def.mass.mass == 5.0);
  assert_string_equal(jw_scene_info(scene).title, "outer");
  jw_scene_destroy(scene);
  // A link that leads out of the folder.
  snprintf(link, sizeof link, "%s/link.json", folder);
  assert_int_equal(symlink("/etc/hostname", link), 0);
  write_file(path, "{ 'jawari': 1, 'include': 'link.json' }");
  assert_int_equal(jw_scene_load(path, NULL, &scene), JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message, "\"link.json\" cannot be read");
  jw_scene_destroy(scene);
  unlink(link);
  unlink(path);
  snprintf(path, sizeof path, "%s/inner.json", folder);
  unlink(path);
  rmdir(folder);
  assert_int_equal(jw_scene_load(path, NULL, &scene), JW_STATUS_IO);
  assert_int_equal(jw_scene_diagnostics(scene), 1);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message,
                      "cannot be read: No such file or directory");
  assert_string_equal(jw_scene_diagnostic(scene, 0).file, path);
  jw_scene_destroy(scene);
}

static void without_a_reader_nothing_is_included(void** state) {
  (void)state;
  JwScene* const scene = parse("{ 'jawari': 1, 'include': 'a.json' }", JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message,
                      "this scene has no folder to include \"a.json\" from");
  jw_scene_destroy(scene);
}

// ---------------------------------------------------------------- limits and memory

static void assert_first_error(const char* text, const char* message) {
  JwScene* const scene = parse(text, JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message, message);
  jw_scene_destroy(scene);
}

#define MASS                                                                                       \
  "'jawari': 1, 'objects': { 'm': { 'kind': 'mass', 'mass': 1 }, 'n': { 'kind': "                  \
  "'mass', 'mass': 1 } }"

static void each_sort_of_part_has_its_limit(void** state) {
  (void)state;
  assert_first_error("{ " MASS ", 'contacts': [ { 'law': 'spring', 'between': ['m', "
                     "'n'], 'repeat': { 'i': 4096 } },"
                     " { 'law': 'spring', 'between': ['m', 'n'] } ] }",
                     "more than 4096 contacts");
  assert_first_error("{ " MASS ", 'pickups': [ { 'at': 'm', 'repeat': { 'i': 65 } } ] }",
                     "more than 64 pickups");
  assert_first_error(
      "{ " MASS ", 'score': [ { 'strike': 'm', 'repeat': { 'i': 4096 } }, { 'strike': 'm' } ] }",
      "more than 4096 events");
  assert_first_error("{ " MASS
                     ", 'score': [ { 'throw': 'm', 'velocity': 1, 'repeat': { 'i': 4096 } },"
                     " { 'throw': 'm', 'velocity': 1 } ] }",
                     "more than 4096 events");
}

static void repeats_have_a_limit_together(void** state) {
  (void)state;
  // Each repeat is small enough, and every turn is an error of its own kind: nothing is ever added.
  static char text[1 << 17];
  char* end = text + sprintf(text, "{ 'jawari': 1, 'contacts': [");
  for (int i = 0; i < 1000; ++i) {
    end += sprintf(end, "%s{ 'law': 'x', 'repeat': { 'i': 4096 } }", i ? ",\n" : "");
  }
  strcpy(end, "] }");
  JwScene* const scene = parse(text, JW_STATUS_BAD_SCENE);
  assert_true(scene->turns <= JW_SCENE_MAX_TURNS + 1000);
  assert_int_equal(jw_scene_diagnostics(scene), JW_SCENE_MAX_ERRORS);
  jw_scene_destroy(scene);
}

static void curves_have_a_limit_together(void** state) {
  (void)state;
  static char text[1 << 20];
  char* end = text
              + sprintf(text, "{ " STRING
                              ", 'score': [ { 'bow': 's@0.5', 'repeat': { 'i': 10 }, 'force': [");
  for (int i = 0; i < 7000; ++i) {
    end += sprintf(end, "%s[%d, 0.1]", i ? ", " : "", i);
  }
  strcpy(end, "] } ] }");
  assert_first_error(text, "the curves have more than 65536 points in all (with i = 5)");
}

static void messages_show_nothing_invisible(void** state) {
  (void)state;
  // Escape sequences and a name cut in the middle of a character.
  assert_first_error("{ 'jawari': 1, '\\u001b[31m\\u0007\\u009b': 1 }",
                     "a scene has no key \"?[31m???\"");
}

static void a_scene_may_be_built_again_with_another_rate(void** state) {
  (void)state;
  JwScene* const scene = good(
      "{ 'jawari': 1, 'objects': { 'm': { 'kind': 'mass', 'mass': 1, 'frequency': 20000 } } }");
  JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_BAD_SCENE);
  assert_int_equal(jw_scene_diagnostics(scene), 1);
  def.sample_rate = 96000;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_OK);
  assert_int_equal(jw_scene_diagnostics(scene), 0);
  assert_int_equal(jw_scene_find(scene, "m").object.index, 1);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
}

static void a_file_too_large_is_refused(void** state) {
  (void)state;
  const size_t size = JW_JSON_MAX_BYTES + 1;
  char* const text = (char*)malloc(size);
  memset(text, ' ', size);
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_parse(text, size, &options, &scene), JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message,
                      "1048577 bytes are too many: the most is 1048576");
  jw_scene_destroy(scene);
  free(text);
}

static void a_small_file_cannot_take_much_memory(void** state) {
  (void)state;
  // 20,000 samples, 4096 times: 650 MB if nobody counted.
  static char text[1 << 18];
  char* end = text
              + sprintf(text, "{ " STRING ", 'score': [ { 'push': 's@0.5', 'shape': 'signal',"
                              " 'repeat': { 'i': 4096 }, 'signal': [0");
  for (int i = 0; i < 20000; ++i) {
    end += sprintf(end, ",%d", i % 10);
  }
  strcpy(end, "] } ] }");
  assert_first_error(text, "reading this scene takes more than 67108864 bytes of memory");
}

typedef struct {
  size_t until_failure, given, taken_back;
} Stingy;

static void* stingy_allocate(void* user, size_t size) {
  Stingy* const stingy = (Stingy*)user;
  return stingy->given == stingy->until_failure
             ? NULL
             : (++stingy->given, jw_allocator_default().allocate(NULL, size));
}

static void stingy_release(void* user, void* memory) {
  ++((Stingy*)user)->taken_back;
  jw_allocator_default().release(NULL, memory);
}

typedef struct {
  size_t bytes;
} Counter;

static void* counted_allocate(void* user, size_t size) {
  ((Counter*)user)->bytes += size;
  return jw_allocator_default().allocate(NULL, size);
}

static void counted_release(void* user, void* memory) {
  (void)user;
  jw_allocator_default().release(NULL, memory);
}

static void what_is_too_large_is_refused_before_it_is_taken(void** state) {
  (void)state;
  // 100 m x 100 m of 1 mm steel at 44.1 kHz: 7e7 grid points, 1.7 GB for three states.
  JwScene* const scene =
      good("{ 'jawari': 1, 'objects': { 'p': { 'kind': 'plate', 'size': [100, 100] } } }");
  Counter counter = {0};
  JwWorldDef def = jw_scene_world(scene);
  def.allocator = (JwAllocator){counted_allocate, counted_release, &counter};
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_BAD_SCENE);
  assert_null(world);
  assert_int_equal(jw_scene_diagnostics(scene), 1);
  assert_non_null(strstr(jw_scene_diagnostic(scene, 0).message, "grid points"));
  assert_true(counter.bytes < 1 << 20);
  jw_scene_destroy(scene);
}

static void each_allocation_may_fail_and_nothing_leaks(void** state) {
  (void)state;
  static const char text[] =
      "{ " STRING ", 'score': [ { 'bow': 's@0.5', 'force': [[0, 0], [1, 0.5]],"
      " 'repeat': { 'i': 100 } }, { 'pluck': 't@0.5', 'amplitud': 1, 'repeat': { 'i': "
      "100 } } ] }";
  JwStatus status = JW_STATUS_NO_MEMORY;
  size_t failures = 0;
  for (; status == JW_STATUS_NO_MEMORY; ++failures) {
    Stingy stingy = {failures, 0, 0};
    JwSceneOptions options = jw_scene_options();
    options.allocator = (JwAllocator){stingy_allocate, stingy_release, &stingy};
    JwScene* scene = NULL;
    status = jw_scene_parse(quoted(text), sizeof text - 1, &options, &scene);
    assert_true((status == JW_STATUS_NO_MEMORY) == (scene == NULL));
    jw_scene_destroy(scene);
    assert_int_equal(stingy.given, stingy.taken_back);
  }
  assert_int_equal(status, JW_STATUS_BAD_SCENE);
  assert_true(failures > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notes_have_their_frequencies),
      cmocka_unit_test(distance_counts_letters_put_in_left_out_changed_or_swapped),
      cmocka_unit_test(the_manuals_example_means_what_it_says),
      cmocka_unit_test(the_world_runs_at_the_rate_times_the_oversampling),
      cmocka_unit_test(parameters_stand_for_values_of_any_type),
      cmocka_unit_test(a_repeat_makes_one_for_each_turn),
      cmocka_unit_test(a_list_of_repeats_makes_all_combinations),
      cmocka_unit_test(a_bow_presses_only_between_at_and_until),
      cmocka_unit_test(set_events_become_one_curve),
      cmocka_unit_test(set_events_may_stand_in_any_order),
      cmocka_unit_test(a_string_tuned_in_one_way_is_moved_in_any),
      cmocka_unit_test(a_change_from_an_unknown_number_can_be_taken_over),
      cmocka_unit_test(a_place_is_set_like_any_other_number),
      cmocka_unit_test(the_sign_of_a_gap_is_one_in_all_laws),
      cmocka_unit_test(a_port_may_move_and_choose_its_reading),
      cmocka_unit_test(profiles_and_modes_are_read),
      cmocka_unit_test(includes_are_found_beside_the_scene_and_never_outside),
      cmocka_unit_test(without_a_reader_nothing_is_included),
      cmocka_unit_test(each_sort_of_part_has_its_limit),
      cmocka_unit_test(repeats_have_a_limit_together),
      cmocka_unit_test(curves_have_a_limit_together),
      cmocka_unit_test(messages_show_nothing_invisible),
      cmocka_unit_test(a_scene_may_be_built_again_with_another_rate),
      cmocka_unit_test(a_file_too_large_is_refused),
      cmocka_unit_test(a_small_file_cannot_take_much_memory),
      cmocka_unit_test(what_is_too_large_is_refused_before_it_is_taken),
      cmocka_unit_test(each_allocation_may_fail_and_nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
