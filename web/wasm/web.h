// SPDX-License-Identifier: MIT
// web.h: a scene as a page has it: an instrument, hands that reach its strings and plates, and what
// is to be drawn of it, as numbers in a row.
#ifndef JAWARI_WEB_H
#define JAWARI_WEB_H

#include "text.h"

#include <jawari/play.h>

#define WEB_HANDS 256
#define WEB_FILES 256 ///< Most texts that a scene may include
#define WEB_EVENTS 256
#define WEB_BLOCK 2048        ///< Most frames of one run
#define WEB_STRING_PLACES 97  ///< Most places of a string that are drawn
#define WEB_PLATE_PLACES 40   ///< The same along a side of a plate
#define WEB_CONTACT_NUMBERS 7 ///< closed, force, displacement of both ports, closures, x of both
#define WEB_ENERGY_NUMBERS 8  ///< In the order of JwEnergy, without `peak`

/// What a page may put on each string and plate, as bits of the option `hands`.
enum { WEB_PLUCKS = 1, WEB_BOWS = 2, WEB_FINGERS = 4 };

/// What hands have on a string or plate.  None has an effect until it is moved.
typedef struct {
  JwObjectId object;
  JwExciterId exciter;    ///< A force that a page moves and lets go
  JwContactId bow;        ///< Null: none, or the scene has one of its own
  JwObjectId finger;      ///< A mass above the string; null: none
  JwContactId touch;      ///< Between the two
  double lifted, pressed; ///< Where the finger's spring holds it (m)
} WebHand;

/// A value that is drawn: between two points of a field, or none of it.
typedef struct {
  uint32_t index[2];
  float share; ///< Of the second
  bool none;   ///< At an end that is held
} WebPlace;

/// What is drawn of an object.
typedef struct {
  JwObjectId object;
  JwKind kind;
  bool probed; ///< Has modes and no points
  uint32_t points;
  uint32_t count[2]; ///< Places along the sides
  uint32_t at;       ///< The first of them in the row, and in `places`
} WebView;

typedef struct {
  JwInstrument* instrument;
  JwStatus status;
  WebText description;
  uint32_t reach; ///< WEB_PLUCKS and the others
  WebHand hands[WEB_HANDS];
  uint32_t hand_count;
  // What is drawn
  WebView* views;
  uint32_t view_count;
  WebPlace* places;
  uint32_t place_count;
  double* field; ///< Of the largest object
  uint32_t contact_count;
  float* row; ///< Places, then contacts, then energy
  uint32_t row_size;
  // What is run
  float* sound;
  float* out[JW_SCENE_MAX_PICKUPS];
  JwPlayerEvent events[WEB_EVENTS];
  uint32_t event_count;
  JwSong song;
  uint32_t song_room;
  double* rendered;
} WebScene;

// look.c
JwStatus web_view_create(WebScene* scene);
void web_view_release(WebScene* scene);
/// Write the row anew.
void web_look(WebScene* scene);

// describe.c
/// Everything a page wants to know once, as JSON.
void web_describe(WebScene* scene);

#endif // JAWARI_WEB_H
