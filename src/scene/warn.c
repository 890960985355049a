// SPDX-License-Identifier: MIT
// Starts with energy, shapes larger than their object, and bows that cannot make their string
// speak.
//
// A bowed string speaks between two forces (Schelleng).  With
//
//   Z   sqrt(T rA), the string's wave impedance                 kg/s
//   v   the bow's speed                                         m/s
//   b   its place, as a fraction of the length from the nearer end
//   f   the fundamental, s its decay                            Hz, 1/s
//
//   largest   2 Z v / b            the corner must free the string from the bow
//   least     Z v s / (4 f b^2)    friction must make up for what the string loses:
//                                  Schelleng's Z^2 v/(2 b^2 R) with R = 2 Z f/s
//
// for the friction of this bow, whose top is the normal force and which all but vanishes in the
// slip.  The measured map (`jawari paper run bow-schelleng`) has its limits at 0.5 to 0.8 of the
// first and at 0.5 of the second; a warning is given above the first and below half of the second.

#include "scene/warn.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846
#define MOST_ENERGY 0.01 // J; a fortissimo blow of a piano's hammer has 0.04

const JwCurve* jw_curve_of(const JwItem* item, JwControl control) {
  const JwCurve* curve = item->curves;
  while (curve && curve->control != control) {
    curve = curve->next;
  }
  return curve;
}

// ---------------------------------------------------------------- energy at the start

static double power_energy(double stiffness, double depth, double exponent) {
  return depth > 0.0 ? stiffness * pow(depth, exponent + 1.0) / (exponent + 1.0) : 0.0;
}

/// What a contact at one place holds when it is as deep as this.
static double energy_of(const JwItem* item, double eta) {
  const JwCollisionDef* const collision = &item->def.collision;
  const JwConnectionDef* const connection = &item->def.connection;
  const JwSpringDef* const spring = &item->def.spring;
  switch (item->kind) {
  case JW_KIND_COLLISION: return power_energy(collision->stiffness, eta, collision->exponent);
  case JW_KIND_CONNECTION:
    return power_energy(connection->stiffness, fabs(eta) - connection->slack, connection->exponent);
  case JW_KIND_SPRING:
    return 0.5 * spring->linear * eta * eta + 0.25 * spring->cubic * eta * eta * eta * eta;
  default: return 0.0;
  }
}

static double gap_of(const JwItem* item) {
  switch (item->kind) {
  case JW_KIND_COLLISION: return item->def.collision.gap;
  case JW_KIND_CONNECTION: return item->def.connection.gap;
  default: return item->def.spring.gap;
  }
}

static void warn_of_energy(JwScene* scene, const JwWorld* world, const JwItem* item) {
  if (item->kind == JW_KIND_COLLISION && item->def.collision.along) {
    return;
  }
  const double eta = jw_world_contact_figures(world, item->contact).eta, gap = gap_of(item);
  const double energy = energy_of(item, eta);
  if (energy <= MOST_ENERGY) {
    return;
  }
  char hint[80] = "";
  if (gap != 0.0 && energy_of(item, eta + 2.0 * gap) < 1e-3 * energy) {
    snprintf(hint, sizeof hint, "; with \"gap\": %.6g it would be at rest", -gap);
  }
  jw_scene_suspect(scene, item->place,
                   "it starts with an energy of %.3g J: its ports are %.3g m from where it is at "
                   "rest%s",
                   energy, fabs(eta), hint);
}

// ---------------------------------------------------------------- shapes

static void warn_of_shape(JwScene* scene, const JwItem* item) {
  const JwItem* const object = item->ports[0].object;
  const JwInitialDef* const def = &item->def.initial;
  if (!object || def->quantity != JW_INITIAL_DISPLACEMENT) {
    return;
  }
  const double* const size = object->def.plate.size;
  const double length =
      object->kind == JW_KIND_STRING ? object->def.string.length : fmax(size[0], size[1]);
  if (fabs(def->amplitude) > length) {
    jw_scene_suspect(scene, item->place,
                     "a displacement of %.6g m is larger than \"%s\" itself, which is %.6g m long",
                     def->amplitude, object->name, length);
  }
}

// ---------------------------------------------------------------- bows

/// The largest absolute value that a number takes.
static double largest(const JwItem* item, JwControl control, double fixed) {
  const JwCurve* const curve = jw_curve_of(item, control);
  double most = curve ? 0.0 : fabs(fixed);
  for (uint32_t i = 0; curve && i < curve->count; ++i) {
    most = fmax(most, fabs(curve->points[i].value));
  }
  return most;
}

static void warn_of_bow(JwScene* scene, const JwWorld* world, const JwItem* item) {
  const JwItem* const string = item->ports[0].object;
  const double x = item->ports[0].port.x, place = fmin(x, 1.0 - x);
  const double force = largest(item, JW_CONTROL_FORCE, item->def.bow.force);
  const double speed = largest(item, JW_CONTROL_SPEED, item->def.bow.speed);
  if (!string || string->kind != JW_KIND_STRING || jw_curve_of(item, JW_CONTROL_X)
      || !(place > 0.0 && force > 0.0 && speed > 0.0)) {
    return;
  }
  const JwObjectInfo info = jw_world_object_info(world, string->object);
  const double length = string->def.string.length, wave = PI / length;
  const double impedance = sqrt(info.tension * info.mass / length);
  const double decay = info.loss[0] + info.loss[1] * wave * wave;
  const double most = 2.0 * impedance * speed / place;
  const double least = impedance * speed * decay / (4.0 * info.fundamental * place * place);
  if (force > most || force < 0.5 * least) {
    jw_scene_suspect(scene, item->place,
                     "\"%s\" will hardly speak: bowed at %.3g of its length with %.3g m/s it wants "
                     "%.2g to %.2g N, and gets %.3g N",
                     string->name, place, speed, least, most, force);
  }
}

void jw_scene_warn(JwScene* scene, JwWorld* world) {
  if (!scene || !world) {
    return;
  }
  scene->warning_count = 0;
  jw_warn_of_silence(scene, world);
  for (const JwItem* item = scene->first; item; item = item->next) {
    if (item->kind == JW_KIND_INITIAL) {
      warn_of_shape(scene, item);
    } else if (item->kind == JW_KIND_BOW) {
      warn_of_bow(scene, world, item);
    } else if (jw_kind_is_contact(item->kind)) {
      warn_of_energy(scene, world, item);
    }
  }
}
