// SPDX-License-Identifier: MIT
// Nothing given, or too much asked for: every call of the library answers with a status or with
// nothing, and a call that can fail leaves its own sentence.  test/headers.sh sees to it that every
// public function is called here.

#include "orchestra.h"

#include <jawari/builtin.h>
#include <jawari/play.h>
#include <jawari/scene.h>

static void a_world_that_is_not_made_says_why(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  JwWorld* world = NULL;
  def.sample_rate = 10.0;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(world),
                      "world: sample_rate is 10 Hz, must be from 1000 to 1e+08");
  assert_int_equal(jw_world_create(NULL, &world), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(world), "world: there is no definition");
  def = jw_world_default();
  def.allocator.release = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(world), "world: its allocator has no release");
  assert_int_equal(jw_world_create(&def, NULL), JW_STATUS_BAD_VALUE);
  jw_world_destroy(world);
}

// Statuses of all calls that add, with and without a world and a definition.
static void adding_nothing_is_a_bad_value(void** state) {
  (void)state;
  JwWorld* const worlds[2] = {NULL, new_world(44100.0, false)};
  for (int i = 0; i < 2; ++i) {
    JwWorld* const w = worlds[i];
    const JwStatus statuses[] = {
        jw_world_add_mass(w, NULL, NULL),       jw_world_add_string(w, NULL, NULL),
        jw_world_add_plate(w, NULL, NULL),      jw_world_add_modal(w, NULL, NULL),
        jw_world_add_barrier(w, NULL, NULL),    jw_world_add_collision(w, NULL, NULL),
        jw_world_add_connection(w, NULL, NULL), jw_world_add_spring(w, NULL, NULL),
        jw_world_add_bow(w, NULL, NULL),        jw_world_add_friction(w, NULL, NULL),
        jw_world_add_force(w, NULL, NULL),      jw_world_add_initial(w, NULL),
        jw_world_add_pickup(w, NULL, NULL),     jw_world_add_curve(w, (JwTarget){0}, NULL, 3),
    };
    for (size_t j = 0; j < sizeof statuses / sizeof statuses[0]; ++j) {
      assert_int_equal(statuses[j], JW_STATUS_BAD_VALUE);
    }
  }
  JwWorld* const w = worlds[1];
  assert_int_equal(jw_world_add_plate(w, NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(w), "plate '': there is no definition");
  assert_int_equal(jw_world_add_plate(NULL, NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(NULL), "no world");
  assert_int_equal(jw_world_add_throw(NULL, (JwObjectId){1}, 0.0, NULL), JW_STATUS_BAD_VALUE);
  const JwObjectId mass = add_mass(w, 1.0, 0.0, 0.0);
  assert_int_equal(jw_world_add_throw(w, mass, 0.0, NULL), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(w), "throw: it has no position and velocity");
  jw_world_destroy(w);
}

static void ids_need_not_be_wanted(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  JwMassDef mass = jw_mass_default();
  mass.mass = 1.0;
  MUST(w, jw_world_add_mass(w, &mass, NULL));
  JwBarrierDef barrier = jw_barrier_default();
  MUST(w, jw_world_add_barrier(w, &barrier, NULL));
  JwCollisionDef collision = jw_collision_default();
  collision.below = jw_port((JwObjectId){2}, 0.0), collision.above = jw_port((JwObjectId){1}, 0.0),
  collision.stiffness = 1.0;
  MUST(w, jw_world_add_collision(w, &collision, NULL));
  JwForceDef force = jw_force_default();
  force.port = jw_port((JwObjectId){1}, 0.0);
  MUST(w, jw_world_add_force(w, &force, NULL));
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = force.port;
  MUST(w, jw_world_add_pickup(w, &pickup, NULL));
  MUST(w, jw_world_cost(w, NULL));
  MUST(w, jw_world_prepare(w));
  MUST(w, jw_world_run(w, NULL, 100));
  MUST(w, jw_world_run_double(w, NULL, 100));
  float* nowhere[1] = {NULL};
  MUST(w, jw_world_run(w, nowhere, 100));
  assert_true(jw_world_frame(w) == 300);
  double x, v;
  MUST(w, jw_world_probe(w, force.port, &x, &v));
  double alone;
  MUST(w, jw_world_probe(w, force.port, NULL, &alone));
  assert_true(alone == v && v != 0.0);
  MUST(w, jw_world_probe(w, force.port, &alone, NULL));
  assert_true(alone == x);
  assert_int_equal(jw_world_field(w, (JwObjectId){1}, NULL, 1), 0);
  assert_int_equal(jw_world_places(w, (JwObjectId){1}, NULL, 1), 0);
  assert_true(jw_world_object_energy(w, (JwObjectId){99}) == 0.0
              && jw_world_contact_energy(w, (JwContactId){99}) == 0.0);
  jw_world_destroy(w);
}

static void without_a_world_there_is_nothing(void** state) {
  (void)state;
  const JwTarget target = {JW_CONTROL_GAP, {0}, {1}, {0}, {0}};
  double number = 0.0, range[2];
  char memory[64] = {0};
  assert_int_equal(jw_world_cost(NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_prepare(NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_run(NULL, NULL, 1), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_run_double(NULL, NULL, 1), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_set(NULL, target, 0.0, 0.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_get(NULL, target, &number), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_control_range(NULL, target, range), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_throw(NULL, (JwObjectId){1}, 0.0, 0.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_trigger(NULL, (JwExciterId){1}, 0.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_snapshot(NULL, memory, sizeof memory), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_restore(NULL, memory, sizeof memory), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_probe(NULL, jw_port((JwObjectId){1}, 0.0), &number, NULL),
                   JW_STATUS_BAD_VALUE);
  assert_true(!jw_world_allows(NULL, target, 0.0) && jw_world_channels(NULL) == 0
              && jw_world_frame(NULL) == 0);
  assert_true(jw_world_snapshot_size(NULL) == 0 && jw_world_energy(NULL).stored == 0.0);
  assert_true(jw_world_stretch_figures(NULL, (JwObjectId){1}).energy == 0.0);
  assert_true(jw_world_contact_figures(NULL, (JwContactId){1}).closures == 0
              && jw_world_info(NULL).objects == 0);
  assert_true(jw_world_object_info(NULL, (JwObjectId){1}).points == 0
              && jw_world_field(NULL, (JwObjectId){1}, &number, 1) == 0);
  assert_true(jw_world_places(NULL, (JwObjectId){1}, &number, 1) == 0);
  assert_true(jw_world_object_energy(NULL, (JwObjectId){1}) == 0.0
              && jw_world_contact_energy(NULL, (JwContactId){1}) == 0.0);
  assert_true(jw_world_contact_info(NULL, (JwContactId){1}).kind == JW_KIND_COUNT);
  assert_string_equal(jw_world_pickup_info(NULL, (JwPickupId){1}).name, "");
  assert_string_equal(jw_world_exciter_info(NULL, (JwExciterId){1}).name, "");
  jw_world_cancel(NULL);
  jw_world_reset(NULL);
  jw_world_destroy(NULL);
}

static void snapshots_without_memory_are_refused(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  assert_int_equal(jw_world_snapshot(o.world, NULL, SIZE_MAX), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_restore(o.world, NULL, SIZE_MAX), JW_STATUS_BAD_VALUE);
  double range[2];
  const JwTarget target = on_contact(JW_CONTROL_GAP, o.strike);
  assert_int_equal(jw_world_get(o.world, target, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_control_range(o.world, target, NULL), JW_STATUS_BAD_VALUE);
  MUST(o.world, jw_world_control_range(o.world, target, range));
  jw_world_destroy(o.world);
}

static void scenes_of_nothing(void** state) {
  (void)state;
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_parse("{}", 2, NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_scene_load("x", NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_scene_load(NULL, NULL, &scene), JW_STATUS_IO);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message, "cannot be read: it has no name");
  jw_scene_destroy(scene);
  JwSceneOptions options = jw_scene_options();
  options.file = NULL;
  assert_int_equal(jw_scene_parse(NULL, 100, &options, &scene), JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message, "expected a value, found end of file");
  jw_scene_destroy(scene);
  options.allocator.allocate = NULL;
  assert_int_equal(jw_scene_parse("{}", 2, &options, &scene), JW_STATUS_NO_MEMORY);
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_build(NULL, NULL, &world), JW_STATUS_BAD_VALUE);
  assert_true(jw_scene_diagnostics(NULL) == 0 && jw_scene_warnings(NULL) == 0
              && jw_scene_parts(NULL) == 0);
  assert_true(jw_scene_info(NULL).duration == 0.0 && jw_scene_world(NULL).sample_rate == 44100.0);
  assert_true(jw_scene_part(NULL, 0).kind == JW_KIND_COUNT
              && jw_scene_find(NULL, "x").kind == JW_KIND_COUNT);
  assert_string_equal(jw_scene_source(NULL, 0), "");
  assert_int_equal(jw_scene_files(NULL), 0);
  assert_int_equal(jw_scene_parse_in(NULL, NULL, 0, NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_scene_file(NULL, 0).text, "");
  assert_string_equal(jw_scene_diagnostic(NULL, 0).message, "");
  assert_string_equal(jw_scene_warning(NULL, 0).message, "");
  char buffer[16];
  assert_true(!jw_scene_play(NULL).given
              && jw_scene_play_voice(NULL, 0).part.kind == JW_KIND_COUNT);
  assert_string_equal(jw_scene_play_control(NULL, 0).name, "");
  assert_int_equal(jw_scene_notes(NULL), 0);
  assert_true(isnan(jw_scene_note(NULL, 0).frequency));
  assert_string_equal(jw_play_source_name(16, buffer), "cc16");
  assert_string_equal(jw_play_source_name(16, NULL), "cc");
  assert_string_equal(jw_play_source_name(JW_PLAY_BEND, NULL), "bend");
  jw_scene_set_rule(NULL, JW_RULE_PLAIN);
  jw_scene_mute(NULL);
  jw_scene_warn(NULL, NULL);
  jw_scene_destroy(NULL);
  assert_true(jw_materials(NULL) != NULL && isnan(jw_note_frequency(NULL)));
}

static void built_in_scenes_have_names(void** state) {
  (void)state;
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  assert_true(count > 30 && jw_builtin_scenes(NULL) == scenes);
  assert_true(jw_builtin_find(scenes[0].name) == scenes
              && jw_builtin_find("guitar.json") == jw_builtin_find("guitar"));
  assert_true(!jw_builtin_find(NULL) && !jw_builtin_find("") && !jw_builtin_find(".json"));
  JwScene* scene = NULL;
  assert_int_equal(jw_builtin_load("tromba-dry", NULL, &scene),
                   JW_STATUS_OK); // Which includes another
  assert_true(jw_scene_parts(scene) > 3);
  jw_scene_destroy(scene);
  assert_int_equal(jw_builtin_load("gitar", NULL, &scene), JW_STATUS_IO);
  assert_string_equal(
      jw_scene_diagnostic(scene, 0).message,
      "cannot be read: no built-in scene is called \"gitar\"; did you mean \"guitar\"?");
  jw_scene_destroy(scene);
  assert_int_equal(jw_builtin_load(NULL, NULL, &scene), JW_STATUS_IO);
  jw_scene_destroy(scene);
  assert_int_equal(jw_builtin_load("guitar", NULL, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_builtin_read(NULL, "guitar", NULL, NULL), JW_STATUS_IO);
  assert_true(strncmp(jw_scene_schema(), "{\n  \"$schema\"", 13) == 0);
}

static void beyond_the_last_there_is_nothing(void** state) {
  (void)state;
  static const char text[] = "{\"objects\": 3, \"worlds\": 4}";
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), NULL, &scene), JW_STATUS_BAD_SCENE);
  const uint32_t count = jw_scene_diagnostics(scene);
  assert_true(count >= 2);
  const uint32_t beyond[] = {count, count + 1, JW_SCENE_MAX_ERRORS, 1000000, UINT32_MAX};
  for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i) {
    char buffer[8];
    const JwDiagnostic diagnostic = jw_scene_diagnostic(scene, beyond[i]),
                       warning = jw_scene_warning(scene, beyond[i]);
    assert_string_equal(diagnostic.message, "");
    assert_string_equal(warning.message, "");
    assert_true(diagnostic.text_size == 0
                && jw_diagnostic_format(&diagnostic, buffer, sizeof buffer) > 0);
    assert_string_equal(jw_scene_source(scene, beyond[i]), "");
    assert_string_equal(jw_scene_file(scene, beyond[i]).text, "");
    assert_true(jw_scene_part(scene, beyond[i]).kind == JW_KIND_COUNT);
  }
  assert_true(jw_scene_find(scene, NULL).kind == JW_KIND_COUNT
              && jw_diagnostic_format(NULL, NULL, 0) == 0);
  jw_scene_destroy(scene);
}

static void a_scene_built_at_a_bad_rate_says_so(void** state) {
  (void)state;
  static const char text[] =
      "{\"jawari\": 1, \"objects\": {\"m\": {\"kind\": \"mass\", \"mass\": 1}}}";
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), NULL, &scene), JW_STATUS_OK);
  JwWorldDef def = jw_scene_world(scene);
  def.sample_rate = 10.0;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message,
                      "world: sample_rate is 10 Hz, must be from 1000 to 1e+08");
  assert_int_equal(jw_scene_build(scene, &def, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_scene_build(scene, NULL, &world), JW_STATUS_OK);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
}

static void what_is_no_kind_has_no_table(void** state) {
  (void)state;
  static const int kinds[] = {-1, JW_KIND_COUNT, 1000000};
  char error[JW_ERROR_SIZE], def[8] = "as it is";
  for (int i = 0; i < 3; ++i) {
    const JwKind kind = (JwKind)kinds[i];
    uint32_t count = 7;
    assert_null(jw_params(kind, &count));
    assert_int_equal(count, 0);
    assert_string_equal(jw_kind_name(kind), "unknown kind");
    assert_int_equal(jw_params_check(kind, def, error), JW_STATUS_BAD_VALUE);
    assert_string_equal(error, "there is no such kind");
    jw_params_default(kind, def);
    assert_memory_equal(def, "as it is", 8);
  }
  assert_non_null(jw_params(JW_KIND_MASS, NULL));
  jw_params_default(JW_KIND_MASS, NULL);
  assert_int_equal(jw_params_check(JW_KIND_MASS, NULL, NULL), JW_STATUS_BAD_VALUE);
}

static void every_status_has_a_sentence(void** state) {
  (void)state;
  for (int i = 0; i < JW_STATUS_COUNT; ++i) {
    const char* const text = jw_status_text((JwStatus)i);
    assert_true(strlen(text) > 10 && text[strlen(text) - 1] == '.');
    for (int j = 0; j < i; ++j) {
      assert_string_not_equal(text, jw_status_text((JwStatus)j));
    }
  }
  assert_string_equal(jw_status_text((JwStatus)-1), "This status is not known.");
  assert_string_equal(jw_status_name((JwStatus)-1), "unknown status");
  assert_true(jw_number_read(NULL, NULL) == 0 && strlen(jw_version()) > 0
              && jw_allocator_default().allocate != NULL);
  (void)jw_plate_default(), (void)jw_modal_default(), (void)jw_connection_default(),
      (void)jw_spring_default();
  (void)jw_friction_default(), (void)jw_bow_default(), (void)jw_initial_default(),
      (void)jw_string_default();
}

// A control as it was defined, on its way, and where it was sent; a curve; the three names of a
// tension.
static void controls_can_be_asked(void** state) {
  (void)state;
  Orchestra o = orchestra_define(new_world(44100.0, false));
  JwWorld* const w = o.world;
  const JwTarget gap = on_contact(JW_CONTROL_GAP, o.strike);
  double value = -1.0;
  assert_int_equal(jw_world_get(w, gap, &value), JW_STATUS_BAD_ORDER);
  MUST(w, jw_world_prepare(w));
  MUST(w, jw_world_get(w, on_contact(JW_CONTROL_X, o.bow), &value));
  assert_true(value == 0.13);
  MUST(w, jw_world_get(w, gap, &value));
  assert_true(value == 0.0);
  MUST(w, jw_world_set(w, gap, 1e-3, 100.0 / 44100.0));
  MUST(w, jw_world_get(w, gap, &value));
  assert_true(value == 0.0); // Still in the queue
  MUST(w, jw_world_run(w, NULL, 50));
  MUST(w, jw_world_get(w, gap, &value));
  assert_true(fabs(value - 5e-4) < 1e-15);
  MUST(w, jw_world_run(w, NULL, 100));
  MUST(w, jw_world_get(w, gap, &value));
  assert_true(value == 1e-3);
  MUST(w,
       jw_world_get(w, on_contact(JW_CONTROL_X, o.bow), &value)); // From 0.13 to 0.2 within 0.03 s
  assert_true(fabs(value - (0.13 + 0.07 * (150.0 / 44100.0) / 0.03)) < 1e-15);
  double tension, frequency, cents;
  MUST(w, jw_world_get(w, on_object(JW_CONTROL_TENSION, o.string), &tension));
  MUST(w, jw_world_get(w, on_object(JW_CONTROL_FREQUENCY, o.string), &frequency));
  MUST(w, jw_world_get(w, on_object(JW_CONTROL_CENTS, o.string), &cents));
  assert_true(tension == jw_world_object_info(w, o.string).tension && frequency > 0.0
              && fabs(cents) < 1e-9);
  assert_int_equal(jw_world_get(w, on_object(JW_CONTROL_GAP, o.string), &value),
                   JW_STATUS_BAD_REFERENCE);
  jw_world_destroy(w);
}

static void instruments_of_nothing(void** state) {
  (void)state;
  JwInstrument* instrument = NULL;
  const JwInstrumentDef def = jw_instrument_default();
  const JwPlayerBlock block = {0};
  const JwRendering rendering = {0};
  double value = 0.0;
  assert_int_equal(jw_instrument_create(NULL, &instrument), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_instrument_create(&def, NULL), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_instrument_error(NULL), "no instrument");
  assert_null(jw_instrument_scene(NULL));
  assert_null(jw_instrument_world(NULL));
  assert_int_equal(jw_instrument_info(NULL).channels, 0);
  assert_int_equal(jw_instrument_run(NULL, &block), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_instrument_figures(NULL).notes, 0);
  assert_true(jw_instrument_rests(NULL));
  assert_int_equal(jw_instrument_render(NULL, &rendering, NULL), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_instrument_control(NULL, 0).name, "");
  assert_int_equal(jw_instrument_set(NULL, 0, 0.0, 0.0), JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_instrument_get(NULL, 0, &value), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_instrument_describe(NULL, NULL, 0), 0);
  jw_instrument_reset(NULL);
  jw_instrument_tune(NULL, NULL);
  jw_instrument_destroy(NULL);
  assert_true(jw_level_gain(0.0) == 1.0);
}

static void songs_and_scales_of_nothing(void** state) {
  (void)state;
  JwTuning tuning = jw_tuning_equal();
  JwSong song;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_tuning_parse(NULL, NULL, &tuning, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "no scale");
  assert_int_equal(jw_tuning_parse("! nothing\n", NULL, &tuning, NULL), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_tuning_load(NULL, NULL, &tuning, error), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_song_parse(NULL, 0, &song, error), JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "no song");
  assert_int_equal(jw_song_load(NULL, &song, error), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_song_load("/no/such/song.mid", &song, NULL), JW_STATUS_IO);
  jw_song_release(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_that_is_not_made_says_why),
      cmocka_unit_test(adding_nothing_is_a_bad_value),
      cmocka_unit_test(ids_need_not_be_wanted),
      cmocka_unit_test(without_a_world_there_is_nothing),
      cmocka_unit_test(snapshots_without_memory_are_refused),
      cmocka_unit_test(scenes_of_nothing),
      cmocka_unit_test(built_in_scenes_have_names),
      cmocka_unit_test(beyond_the_last_there_is_nothing),
      cmocka_unit_test(a_scene_built_at_a_bad_rate_says_so),
      cmocka_unit_test(what_is_no_kind_has_no_table),
      cmocka_unit_test(every_status_has_a_sentence),
      cmocka_unit_test(controls_can_be_asked),
      cmocka_unit_test(instruments_of_nothing),
      cmocka_unit_test(songs_and_scales_of_nothing),
  };
  return cmocka_run_group_tests_name("null", tests, NULL, NULL);
}
