// SPDX-License-Identifier: MIT
// Notes of the score: what a player is to sound, and when.
//
//   { "at": 1, "note": "E3", "duration": 0.5, "dynamic": "mf", "vibrato": [5.5, 20] }
//   { "beat": 4, "fret": 5, "on": "string1", "beats": 2 }
//
// Here they are read, brought to seconds, and made single: a chord is a note for each of its
// pitches, a trill a chain of notes.  Humanising moves them by numbers from a seed, so that a scene
// stays the same sound each time.  Which voice sounds a note, and whether one can, the player
// knows (hosts/play/score.c).

#include "scene/scene.h"

#include "numeric/power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942
#define MOST_IN_CHORD 16
#define SLUR 0.01 ///< Notes of a trill overlap by this (s), so that a bow slurs them

// ---------------------------------------------------------------- beats

/// [[beat, beats a minute], ...]: each holds from its beat on.
static bool read_steps(JwLoader* loader, const JwJson* value, JwTempo* tempo) {
  static const double beats[2] = {0.0, 1e6}, speeds[2] = {1.0, 1000.0};
  JwBreakpoint* const steps =
      (JwBreakpoint*)jw_pool_array(&loader->scene->pool, value->count, sizeof *steps);
  uint32_t count = 0;
  for (const JwJson* child = value->first; child && steps; child = child->next, ++count) {
    const JwJson* const pair = jw_value(loader, child);
    if (!pair || pair->type != JW_JSON_ARRAY || pair->count != 2) {
      jw_loader_error(loader, child->place, "a step of \"tempo\" must be [beat, beats a minute]");
      return false;
    }
    const JwJson *const beat = jw_value(loader, pair->first), *const speed =
                                                                  jw_value(loader, pair->last);
    if (!beat || !speed || !jw_read_number(loader, "beat", beat, beats, &steps[count].time)
        || !jw_read_number(loader, "tempo", speed, speeds, &steps[count].value)) {
      return false;
    }
    if (count == 0 ? steps[0].time != 0.0 : steps[count].time <= steps[count - 1].time) {
      jw_loader_error(loader, beat->place, "the steps of \"tempo\" must rise from beat 0: %.15g",
                      steps[count].time);
      return false;
    }
  }
  *tempo = (JwTempo){steps, steps ? count : 0};
  return steps != NULL;
}

void jw_load_tempo(JwLoader* loader, const JwJson* root) {
  static const double speeds[2] = {1.0, 1000.0};
  const JwJson* const value = jw_member(loader, root, "tempo");
  loader->tempo = (JwTempo){NULL, 0};
  if (!value) {
    return;
  }
  if (jw_is_curve(value)) {
    read_steps(loader, value, &loader->tempo);
    return;
  }
  JwBreakpoint* const step = (JwBreakpoint*)jw_pool_take(&loader->scene->pool, sizeof *step);
  if (step && jw_read_number(loader, "tempo", value, speeds, &step->value)) {
    step->time = 0.0;
    loader->tempo = (JwTempo){step, 1};
  }
}

static double seconds_of(const JwTempo* tempo, double beat) {
  double seconds = 0.0;
  for (uint32_t i = 0; i < tempo->count && tempo->steps[i].time < beat; ++i) {
    const double end = i + 1 < tempo->count ? fmin(tempo->steps[i + 1].time, beat) : beat;
    seconds += (end - tempo->steps[i].time) * 60.0 / tempo->steps[i].value;
  }
  return seconds;
}

/// A number of beats under a key; false after noting an error, or if it is not there.
static bool read_beat(JwLoader* loader, const JwJson* node, const char* key, double* beat) {
  static const double beats[2] = {0.0, 1e6};
  const JwJson* const value = jw_member(loader, node, key);
  if (!value || !jw_read_number(loader, key, value, beats, beat)) {
    return false;
  }
  if (!loader->tempo.count) {
    jw_loader_error(loader, jw_head(value), "\"%s\" counts beats, and the scene has no \"tempo\"",
                    key);
  }
  return loader->tempo.count > 0;
}

bool jw_read_moment(JwLoader* loader, const JwJson* node, double* at) {
  const double times[2] = {0.0, loader->scene->limits.duration};
  const JwJson* const value = jw_member(loader, node, "at");
  if (!jw_json_member(node, "beat")) {
    return !value || jw_read_number(loader, "at", value, times, at);
  }
  if (value) {
    jw_loader_error(loader, jw_head(node), "either \"at\", in seconds, or \"beat\", not both");
    return false;
  }
  double beat = 0.0;
  if (!read_beat(loader, node, "beat", &beat)) {
    return false;
  }
  *at = seconds_of(&loader->tempo, beat);
  if (*at > times[1]) {
    jw_loader_error(loader, jw_head(node), "beat %.15g is at %.15g s, and %.15g s are the most",
                    beat, *at, times[1]);
  }
  return *at <= times[1];
}

static bool read_length(JwLoader* loader, const JwJson* node, double at, double* length) {
  double beats = 0.0, beat = 0.0;
  if (!jw_json_member(node, "beats")) {
    return true;
  }
  if (jw_json_member(node, "duration")) {
    jw_loader_error(loader, jw_head(node), "either \"duration\", in seconds, or \"beats\"");
    return false;
  }
  if (!read_beat(loader, node, "beats", &beats)) {
    return false;
  }
  // From a beat on as the tempo goes; from a second on, by the first tempo.
  const JwJson* const start = jw_member(loader, node, "beat");
  beat = start ? start->number : 0.0;
  *length = seconds_of(&loader->tempo, beat + beats) - (start ? at : 0.0);
  if (!(*length >= 1e-3)) {
    jw_loader_error(loader, jw_head(node), "\"beats\" is %.15g: a note lasts a millisecond or more",
                    beats);
  }
  return *length >= 1e-3;
}

// ---------------------------------------------------------------- dynamics, glides

/// "ppp" to "fff", or a number from 0 to 1.
static bool read_dynamic(JwLoader* loader, const JwJson* value, double* dynamic) {
  static const struct {
    const char* name;
    double value;
  } words[] = {{"ppp", 0.12}, {"pp", 0.25}, {"p", 0.38},  {"mp", 0.5},
               {"mf", 0.63},  {"f", 0.75},  {"ff", 0.88}, {"fff", 1.0}};
  static const double range[2] = {0.0, 1.0};
  if (value->type != JW_JSON_TEXT) {
    return jw_read_number(loader, "dynamic", value, range, dynamic);
  }
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
    if (strcmp(words[i].name, value->text) == 0) {
      *dynamic = words[i].value;
      return true;
    }
  }
  jw_loader_error(loader, value->place,
                  "\"dynamic\" cannot be \"%.32s\": ppp, pp, p, mp, mf, f, ff, fff, or 0 to 1",
                  value->text);
  return false;
}

static bool read_cents(JwLoader* loader, const JwJson* value, double* cents) {
  static const double range[2] = {-4800.0, 4800.0};
  return jw_read_number(loader, "glide", value, range, cents);
}

typedef bool (*ReadValue)(JwLoader*, const JwJson*, double*);

/// One value for the whole note, or [[time, value], ...] from its start on.
static bool read_shape(JwLoader* loader, const JwJson* value, const char* key, ReadValue read,
                       JwNoteShape* shape) {
  static const double times[2] = {0.0, 3600.0};
  const bool curve = jw_is_curve(value);
  const uint32_t count = curve ? value->count : 1;
  JwBreakpoint* const points =
      (JwBreakpoint*)jw_pool_array(&loader->scene->pool, count, sizeof *points);
  shape->points = points;
  shape->count = points ? count : 0;
  if (!points || !curve) {
    return points && read(loader, value, &points[0].value);
  }
  uint32_t i = 0;
  for (const JwJson* child = value->first; child; child = child->next, ++i) {
    const JwJson* const pair = jw_value(loader, child);
    if (!pair || pair->type != JW_JSON_ARRAY || pair->count != 2) {
      jw_loader_error(loader, child->place, "a point of the curve \"%s\" must be [time, value]",
                      key);
      return false;
    }
    const JwJson *const time = jw_value(loader, pair->first), *const to =
                                                                  jw_value(loader, pair->last);
    if (!time || !to || !jw_read_number(loader, "time", time, times, &points[i].time)
        || !read(loader, to, &points[i].value)) {
      return false;
    }
    if (i > 0 && points[i].time <= points[i - 1].time) {
      jw_loader_error(loader, child->place,
                      "the points of \"%s\" must stand in order: %.15g follows %.15g", key,
                      points[i].time, points[i - 1].time);
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- one note

static void add_note(JwLoader* loader, const JwNoteItem* note) {
  JwScene* const scene = loader->scene;
  if (loader->no_notes) {
    return;
  }
  if (scene->event_count++ >= scene->limits.events) {
    jw_scene_error(scene, note->place, "more than %u events", (unsigned)scene->limits.events);
    return;
  }
  JwNoteItem* const own = (JwNoteItem*)jw_pool_take(&scene->pool, sizeof *own);
  if (own) {
    *own = *note;
    own->order = scene->note_count++;
    own->next = scene->first_note;
    scene->first_note = own;
    scene->end = fmax(scene->end, note->at + note->length);
  }
}

/// A trill is a chain of notes, the even ones higher by so many cents.
static void add_notes(JwLoader* loader, const JwNoteItem* note, const double trill[2]) {
  if (isnan(trill[0])) {
    add_note(loader, note);
    return;
  }
  const double each = 1.0 / trill[1];
  const uint32_t count = (uint32_t)fmax(1.0, floor(note->length * trill[1] + 0.5));
  for (uint32_t i = 0; i < count && !loader->scene->pool.failed; ++i) {
    JwNoteItem part = *note;
    const double raise = i % 2 ? trill[0] : 0.0;
    part.at = note->at + i * each;
    part.length = i + 1 < count ? each + SLUR : fmax(note->at + note->length - part.at, 1e-3);
    part.frequency = note->frequency * jw_exp(LN2 / 1200.0 * raise);
    part.fret = note->fret + raise / 100.0;
    part.start = i * each;
    add_note(loader, &part);
  }
}

static bool read_pitch(JwLoader* loader, const JwJson* value, double* frequency) {
  static const JwParam param = {.key = "note",
                                .unit = "Hz",
                                .type = JW_TYPE_NUMBER,
                                .count = 1,
                                .minimum = 1,
                                .maximum = 2e4};
  return value && jw_read_quantity(loader, &param, value, frequency);
}

static void add_chord(JwLoader* loader, const JwJson* value, JwNoteItem* note,
                      const double trill[2]) {
  if (value->type != JW_JSON_ARRAY) {
    if (read_pitch(loader, value, &note->frequency)) {
      add_notes(loader, note, trill);
    }
    return;
  }
  if (value->count == 0 || value->count > MOST_IN_CHORD) {
    jw_loader_error(loader, value->place, "a chord has 1 to %d notes, this has %u", MOST_IN_CHORD,
                    value->count);
    return;
  }
  for (const JwJson* child = value->first; child; child = child->next) {
    if (read_pitch(loader, jw_value(loader, child), &note->frequency)) {
      add_notes(loader, note, trill);
    }
  }
}

static bool read_trill(JwLoader* loader, const JwJson* node, const double trill[2]) {
  if (isnan(trill[0]) || (trill[1] >= 0.5 && trill[1] <= 50.0)) {
    return true;
  }
  jw_loader_error(loader, jw_json_member(node, "trill")->place,
                  "\"trill\" is [cents, notes a second], and %.15g are not 0.5 to 50", trill[1]);
  return false;
}

void jw_load_note(JwLoader* loader, JwForm form, const JwJson* node, double at) {
  static const double frets[2] = {0.0, 48.0};
  JwNoteDef def;
  jw_form_default(form, &def);
  jw_read_form(loader, form, node, &def, NULL);
  JwNoteItem note = {.at = at,
                     .length = def.duration,
                     .frequency = NAN,
                     .fret = NAN,
                     .vibrato = {def.vibrato[0], def.vibrato[1]},
                     .place = jw_head(node)};
  const JwJson* const pitch = jw_member(loader, node, jw_form_verb(form));
  const JwJson* const dynamic = jw_member(loader, node, "dynamic");
  const JwJson* const glide = jw_member(loader, node, "glide");
  const JwJson* const on = jw_member(loader, node, "on");
  note.on = on ? jw_read_text(loader, "on", on) : NULL;
  note.on = note.on ? jw_full_name(loader, note.on) : loader->scene->prefix;
  if (!pitch || !read_length(loader, node, at, &note.length) || !read_trill(loader, node, def.trill)
      || (dynamic && !read_shape(loader, dynamic, "dynamic", read_dynamic, &note.dynamic))
      || (glide && !read_shape(loader, glide, "glide", read_cents, &note.glide))) {
    return;
  }
  if (form == JW_FORM_NOTE) {
    add_chord(loader, pitch, &note, def.trill);
    return;
  }
  if (!on) {
    jw_loader_error(loader, jw_head(node), "a fret is one of a string: say which with \"on\"");
  } else if (jw_read_number(loader, "fret", pitch, frets, &note.fret)) {
    add_notes(loader, &note, def.trill);
  }
}

// ---------------------------------------------------------------- all of them

/// The next of a row of numbers from -1 to 1 that a seed starts (splitmix64).
static double next_random(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static void humanise(const JwHumanise* by, JwNoteItem* note, uint64_t* state) {
  const double moved = note->at + by->time * next_random(state);
  const double kept = moved > 0.0 ? moved : 0.0;
  note->at = kept;
  note->raise = by->dynamic * next_random(state);
  const double cents = by->cents * next_random(state);
  note->frequency *= jw_exp(LN2 / 1200.0 * cents);
  note->fret += cents / 100.0;
}

static int compare_notes(const void* left, const void* right) {
  const JwNoteItem *const a = *(JwNoteItem*const*)left, *const b = *(JwNoteItem*const*)right;
  if (a->at != b->at) {
    return a->at < b->at ? -1 : 1;
  }
  return a->order < b->order ? -1 : a->order > b->order;
}

void jw_finish_notes(JwLoader* loader, const JwJson* root) {
  JwScene* const scene = loader->scene;
  JwHumanise by;
  jw_form_default(JW_FORM_HUMANISE, &by);
  const JwJson* const wish = jw_json_member(root, "humanise");
  if (wish) {
    jw_read_form(loader, JW_FORM_HUMANISE, wish, &by, NULL);
  }
  scene->notes = scene->note_count ? (JwNoteItem**)jw_pool_array(&scene->pool, scene->note_count,
                                                                 sizeof *scene->notes)
                                   : NULL;
  if (!scene->notes) {
    scene->note_count = 0;
    return;
  }
  // In the order of the file first: each note keeps its numbers however others move
  uint32_t count = scene->note_count;
  for (JwNoteItem* note = scene->first_note; note; note = note->next) {
    scene->notes[--count] = note;
  }
  uint64_t state = by.seed;
  for (uint32_t i = 0; wish && i < scene->note_count; ++i) {
    humanise(&by, scene->notes[i], &state);
  }
  qsort(scene->notes, scene->note_count, sizeof *scene->notes, compare_notes);
}

uint32_t jw_scene_notes(const JwScene* scene) {
  return scene && !scene->muted ? scene->note_count : 0;
}

JwSceneNote jw_scene_note(const JwScene* scene, uint32_t index) {
  JwSceneNote note = {.frequency = NAN, .fret = NAN};
  if (index >= jw_scene_notes(scene)) {
    return note;
  }
  const JwNoteItem* const item = scene->notes[index];
  const JwDiagnostic place = jw_place_of(scene, item->place);
  note = (JwSceneNote){.at = item->at,
                       .duration = item->length,
                       .frequency = item->frequency,
                       .fret = item->fret,
                       .dynamic = item->dynamic.points,
                       .dynamic_count = item->dynamic.count,
                       .raise = item->raise,
                       .glide = item->glide.points,
                       .glide_count = item->glide.count,
                       .start = item->start,
                       .vibrato = {item->vibrato[0], item->vibrato[1]},
                       .on = item->on,
                       .file = place.file,
                       .line = place.line,
                       .column = place.column};
  return note;
}
