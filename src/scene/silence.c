// SPDX-License-Identifier: MIT
// What cannot be heard, and why: pickups and events on ends that are held, events after the end,
// and pickups that no motion reaches.
//
// Motion is followed from what starts it (events, initial states, masses that move or fall, numbers
// that move, contacts that are loaded at the start) through contacts, as far as they go.  Barriers
// do not pass it on, unless they move themselves.

#include "scene/warn.h"

#include <math.h>

// ---------------------------------------------------------------- held ends

static bool held_along(double x, double interval, const JwEnd ends[2]) {
  return (x <= interval && ends[0] != JW_END_FREE)
         || (x >= 1.0 - interval && ends[1] != JW_END_FREE);
}

/// How far from its ends a port still reads them alone, along the first side or the second.
static double half_interval(const JwWorld* world, const JwScenePort* port, int side) {
  const uint32_t intervals = jw_world_object_info(world, port->object->object).grid[side];
  return port->port.reading == JW_READ_NEAREST && intervals ? 0.5 / intervals : 0.0;
}

/// Whether a port lies where its object cannot move.
static bool is_held(const JwWorld* world, const JwScenePort* port) {
  const JwItem* const object = port->object;
  if (object->kind == JW_KIND_STRING) {
    const bool modes = object->def.string.method == JW_METHOD_MODES;
    return held_along(port->port.x, modes ? 0.0 : half_interval(world, port, 0),
                      object->def.string.ends);
  }
  if (object->kind == JW_KIND_PLATE) {
    const JwEnd* const edges = object->def.plate.edges;
    return held_along(port->port.x, half_interval(world, port, 0), edges)
           || held_along(port->port.y, half_interval(world, port, 1), edges + 2);
  }
  return false;
}

static void warn_of_held(JwScene* scene, const JwWorld* world, const JwItem* item) {
  const JwScenePort* const port = &item->ports[0];
  const bool listens = item->kind == JW_KIND_PICKUP && !item->heard;
  const bool acts = item->kind == JW_KIND_FORCE || item->kind == JW_KIND_BOW;
  const bool slides = jw_curve_of(item, JW_CONTROL_X) || jw_curve_of(item, JW_CONTROL_Y);
  if ((listens || acts) && port->object && !slides && is_held(world, port)) {
    jw_scene_suspect(scene, port->place, "%s: this end of \"%s\" is held and never moves",
                     listens ? "nothing is heard here" : "nothing is done here",
                     port->object->name);
  }
}

// ---------------------------------------------------------------- after the end

static void warn_of_late(JwScene* scene, JwPlace place, double at) {
  if (at >= scene->info.duration) {
    jw_scene_suspect(scene, place, "this happens at %.15g s, and the scene ends at %.15g s", at,
                     scene->info.duration);
  }
}

static void warn_of_all_late(JwScene* scene) {
  for (const JwItem* item = scene->first; item; item = item->next) {
    if (item->kind == JW_KIND_FORCE) {
      warn_of_late(scene, item->place, item->def.force.start);
    }
    const JwCurve* const curve =
        item->kind == JW_KIND_BOW ? jw_curve_of(item, JW_CONTROL_FORCE) : NULL;
    if (curve && curve->points[0].value == 0.0) {
      warn_of_late(scene, item->place, curve->points[0].time);
    }
  }
  for (const JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    warn_of_late(scene, thrown->place, thrown->at);
  }
  for (const JwSet* set = scene->sets; set; set = set->next) {
    warn_of_late(scene, set->place, set->at);
  }
}

// ---------------------------------------------------------------- what nothing moves

static bool is_pair(const JwItem* item) {
  return jw_kind_is_contact(item->kind) && item->kind != JW_KIND_BOW;
}

static bool moves_itself(const JwItem* item) {
  const JwMassDef* const mass = &item->def.mass;
  if (item->curves) {
    return true;
  }
  return item->kind == JW_KIND_MASS
         && (mass->velocity != 0.0 || mass->gravity != 0.0
             || (mass->displacement != 0.0 && mass->frequency > 0.0));
}

static bool is_loaded(const JwWorld* world, const JwItem* contact) {
  const double eta = jw_world_contact_figures(world, contact->contact).eta;
  return contact->curves || (contact->kind == JW_KIND_COLLISION ? eta > 0.0 : eta != 0.0);
}

static void mark(const JwItem* object) {
  if (object) {
    ((JwItem*)(uintptr_t)object)->moved = true; // Of this scene
  }
}

static void mark_sources(JwScene* scene, const JwWorld* world) {
  for (JwItem* item = scene->first; item; item = item->next) {
    item->moved = jw_kind_is_object(item->kind) && moves_itself(item);
  }
  for (const JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    mark(thrown->mass);
  }
  for (JwItem* item = scene->first; item; item = item->next) {
    const bool plays = item->kind == JW_KIND_BOW || item->kind == JW_KIND_FORCE;
    const bool loaded = is_pair(item) && is_loaded(world, item);
    if (plays || loaded || item->kind == JW_KIND_INITIAL) {
      mark(item->ports[0].object);
      mark(item->ports[1].object);
    }
  }
}

/// Whether motion comes to a contact's port `which` from the other.
static bool comes_over(const JwItem* contact, int which) {
  const JwItem* const to = contact->ports[which].object;
  const JwItem* const from = contact->ports[!which].object;
  return to && from && to->kind != JW_KIND_BARRIER && !to->moved && from->moved;
}

static void follow(const JwScene* scene) {
  for (bool again = true; again;) {
    again = false;
    for (const JwItem* item = scene->first; item; item = item->next) {
      for (int which = 0; is_pair(item) && which < 2; ++which) {
        if (comes_over(item, which)) {
          mark(item->ports[which].object);
          again = true;
        }
      }
    }
  }
}

static bool is_moved(const JwScenePort* port) {
  return port->object && port->object->moved;
}

static void warn_of_still(JwScene* scene) {
  for (const JwItem* item = scene->first; item; item = item->next) {
    const JwItem* const heard = item->heard;
    const JwScenePort* const ports = heard ? heard->ports : item->ports;
    if (item->kind != JW_KIND_PICKUP || !ports[0].object || is_moved(&ports[0])
        || is_moved(&ports[1])) {
      continue;
    }
    jw_scene_suspect(
        scene, item->place,
        "this pickup stays silent: no event, initial state or contact moves \"%s\"",
        ports[ports[0].object->kind == JW_KIND_BARRIER && ports[1].object].object->name);
  }
}

void jw_warn_of_silence(JwScene* scene, const JwWorld* world) {
  for (const JwItem* item = scene->first; item; item = item->next) {
    warn_of_held(scene, world, item);
  }
  if (scene->pickup_count == 0) {
    jw_scene_suspect(scene, (JwPlace){0, 0, 1}, "nothing can be heard: there are no pickups");
  }
  if (!scene->muted) {
    warn_of_all_late(scene);
  }
  if (!scene->muted && !scene->play.given) {
    mark_sources(scene, world);
    follow(scene);
    warn_of_still(scene);
  }
}
