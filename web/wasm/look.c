// SPDX-License-Identifier: MIT
// What is drawn: displacements of strings at even places, of plates on an even grid, of masses; what
// contacts do; where the energy is.

#include "web.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- places

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Between the two points of a string around x; beyond the outermost an end is held, and is zero.
static WebPlace place_on_string(const double* places, uint32_t count, double x) {
  uint32_t next = 0;
  while (next < count && places[2 * next] < x) {
    ++next;
  }
  if (next == count || (next == 0 && places[0] > x)) {
    const bool held = fabs(x - places[2 * (next ? count - 1 : 0)]) > 1e-9;
    return (WebPlace){{next ? count - 1 : 0, next ? count - 1 : 0}, 0.0f, held};
  }
  const uint32_t last = next ? next - 1 : 0;
  const double width = places[2 * next] - places[2 * last];
  return (WebPlace){
      {last, next}, width > 0.0 ? (float)((x - places[2 * last]) / width) : 0.0f, false};
}

// The nearest point of a plate; one at an edge that has no points is held.
static WebPlace place_on_plate(const double* places, uint32_t count, const double at[2],
                               const double spacing[2]) {
  uint32_t best = 0;
  double distance = INFINITY;
  for (uint32_t i = 0; i < count; ++i) {
    const double x = places[2 * i] - at[0], y = places[2 * i + 1] - at[1];
    if (x * x + y * y < distance) {
      distance = x * x + y * y;
      best = i;
    }
  }
  const bool held = fabs(places[2 * best] - at[0]) > 0.75 * spacing[0]
                    || fabs(places[2 * best + 1] - at[1]) > 0.75 * spacing[1];
  return (WebPlace){{best, best}, 0.0f, held};
}

static void fill_string(WebScene* scene, const WebView* view, const double* places, double length) {
  for (uint32_t i = 0; i < view->count[0]; ++i) {
    scene->places[view->at + i] =
        place_on_string(places, view->points, length * i / (view->count[0] - 1));
  }
}

static void fill_plate(WebScene* scene, const WebView* view, const double* places,
                       const JwObjectInfo* info) {
  for (uint32_t j = 0; j < view->count[1]; ++j) {
    for (uint32_t i = 0; i < view->count[0]; ++i) {
      const double at[2] = {info->spacing[0] * info->grid[0] * i / (view->count[0] - 1),
                            info->spacing[1] * info->grid[1] * j / (view->count[1] - 1)};
      scene->places[view->at + j * view->count[0] + i] =
          place_on_plate(places, view->points, at, info->spacing);
    }
  }
}

static JwStatus fill_view(WebScene* scene, const WebView* view) {
  const JwWorld* const world = jw_instrument_world(scene->instrument);
  if (view->probed || (view->kind != JW_KIND_STRING && view->kind != JW_KIND_PLATE)) {
    return JW_STATUS_OK;
  }
  double* const places = (double*)malloc(2 * (size_t)view->points * sizeof(double));
  if (!places) {
    return JW_STATUS_NO_MEMORY;
  }
  const JwObjectInfo info = jw_world_object_info(world, view->object);
  jw_world_places(world, view->object, places, view->points);
  if (view->kind == JW_KIND_STRING) {
    fill_string(scene, view, places, info.spacing[0] * info.grid[0]);
  } else {
    fill_plate(scene, view, places, &info);
  }
  free(places);
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- views

static WebView view_of(const JwWorld* world, JwObjectId object) {
  const JwObjectInfo info = jw_world_object_info(world, object);
  WebView view = {.object = object, .kind = info.kind, .points = info.points};
  view.probed = (info.kind == JW_KIND_STRING || info.kind == JW_KIND_PLATE)
                && info.spacing[0] == 0.0; // By modes
  if (info.kind == JW_KIND_STRING) {
    view.count[0] = view.probed ? 33 : least(info.grid[0] + 1, WEB_STRING_PLACES);
    view.count[1] = 1;
  } else if (info.kind == JW_KIND_PLATE) {
    view.count[0] = least(info.grid[0] + 1, WEB_PLATE_PLACES);
    view.count[1] = least(info.grid[1] + 1, WEB_PLATE_PLACES);
  } else if (info.kind == JW_KIND_MASS || info.kind == JW_KIND_BARRIER) {
    view.count[0] = view.count[1] = 1;
  }
  return view;
}

static void find_views(WebScene* scene) {
  const JwWorld* const world = jw_instrument_world(scene->instrument);
  for (uint32_t i = 0; i < scene->view_count; ++i) {
    WebView* const view = &scene->views[i];
    *view = view_of(world, (JwObjectId){i + 1});
    view->at = scene->place_count;
    scene->place_count += view->count[0] * view->count[1];
  }
}

static uint32_t largest(const WebScene* scene) {
  uint32_t most = 1;
  for (uint32_t i = 0; i < scene->view_count; ++i) {
    most = scene->views[i].points > most ? scene->views[i].points : most;
  }
  return most;
}

JwStatus web_view_create(WebScene* scene) {
  const JwWorldInfo info = jw_world_info(jw_instrument_world(scene->instrument));
  scene->view_count = info.objects;
  scene->views = (WebView*)calloc(info.objects + 1, sizeof *scene->views);
  if (!scene->views) {
    return JW_STATUS_NO_MEMORY;
  }
  find_views(scene);
  scene->contact_count = info.contacts;
  scene->row_size = scene->place_count + WEB_CONTACT_NUMBERS * info.contacts + WEB_ENERGY_NUMBERS;
  scene->places = (WebPlace*)calloc(scene->place_count + 1, sizeof *scene->places);
  scene->row = (float*)calloc(scene->row_size, sizeof *scene->row);
  scene->field = (double*)calloc(largest(scene), sizeof *scene->field);
  if (!scene->places || !scene->row || !scene->field) {
    return JW_STATUS_NO_MEMORY;
  }
  JwStatus status = JW_STATUS_OK;
  for (uint32_t i = 0; i < scene->view_count && !status; ++i) {
    status = fill_view(scene, &scene->views[i]);
  }
  return status;
}

void web_view_release(WebScene* scene) {
  free(scene->views);
  free(scene->places);
  free(scene->field);
  free(scene->row);
}

// ---------------------------------------------------------------- look

static float probe(JwWorld* world, JwPort port) {
  double displacement = 0.0;
  const JwStatus status = jw_world_probe(world, port, &displacement, NULL);
  return status ? 0.0f : (float)displacement;
}

// A string by modes is read by shapes that are worked out anew, which is dear: most strings of a piano
// rest, and then nothing has to be read.  1e-12: far less than is drawn.
static bool stands_still(WebScene* scene, const JwWorld* world, const WebView* view) {
  const uint32_t count = jw_world_field(world, view->object, scene->field, view->points);
  bool still = view->probed && count == view->points;
  for (uint32_t i = 0; i < count && still; ++i) {
    still = fabs(scene->field[i]) < 1e-12;
  }
  return still;
}

static void look_at_places(WebScene* scene, JwWorld* world, const WebView* view) {
  float* const row = scene->row + view->at;
  const uint32_t count = view->count[0] * view->count[1];
  if (view->probed && stands_still(scene, world, view)) {
    memset(row, 0, count * sizeof *row);
    return;
  }
  if (view->probed || view->kind == JW_KIND_MASS || view->kind == JW_KIND_BARRIER) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t nx = view->count[0], ny = view->count[1];
      JwPort port = jw_port(view->object, nx > 1 ? (double)(i % nx) / (nx - 1) : 0.0);
      port.y = ny > 1 ? (double)(i / nx) / (ny - 1) : 0.0;
      row[i] = probe(world, port);
    }
    return;
  }
  jw_world_field(world, view->object, scene->field, view->points);
  for (uint32_t i = 0; i < count; ++i) {
    const WebPlace place = scene->places[view->at + i];
    const double a = scene->field[place.index[0]], b = scene->field[place.index[1]];
    row[i] = place.none ? 0.0f : (float)(a + place.share * (b - a));
  }
}

// Bows, and masses on strings, which are fingers and hammers, are drawn where they are now; whatever else
// touches stays where it was defined.
static bool wanders(const JwWorld* world, const JwContactInfo* info) {
  bool mass = false, string = false;
  for (uint32_t i = 0; i < 2; ++i) {
    const JwKind kind = jw_world_object_info(world, info->port[i].object).kind;
    const bool is = info->port[i].object.index != 0;
    mass = mass || (is && kind == JW_KIND_MASS);
    string = string || (is && kind == JW_KIND_STRING);
  }
  return info->kind == JW_KIND_BOW || (mass && string);
}

static void find_place(const JwWorld* world, JwContactId contact, JwControl control, double* x) {
  const JwTarget target = {.control = control, .contact = contact};
  double now = 0.0;
  if (jw_world_get(world, target, &now) == JW_STATUS_OK) {
    *x = now;
  }
}

static void look_at_contact(JwWorld* world, JwContactId contact, float* row) {
  const JwContactFigures figures = jw_world_contact_figures(world, contact);
  JwContactInfo info = jw_world_contact_info(world, contact);
  if (wanders(world, &info)) {
    find_place(world, contact, JW_CONTROL_X, &info.port[0].x);
    find_place(world, contact, JW_CONTROL_X2, &info.port[1].x);
  }
  row[0] = figures.closed ? 1.0f : 0.0f;
  row[1] = (float)figures.force;
  row[2] = info.port[0].object.index ? probe(world, info.port[0]) : 0.0f;
  row[3] = info.port[1].object.index ? probe(world, info.port[1]) : 0.0f;
  row[4] = (float)figures.closures;
  row[5] = (float)info.port[0].x;
  row[6] = (float)info.port[1].x;
}

static void look_at_energy(const JwWorld* world, float* row) {
  const JwEnergy energy = jw_world_energy(world);
  const double numbers[WEB_ENERGY_NUMBERS] = {energy.kinetic,  energy.potential + energy.stretch,
                                              energy.contact,  energy.stored,
                                              energy.lost,     energy.supplied,
                                              energy.residual, energy.worst_residual};
  for (uint32_t i = 0; i < WEB_ENERGY_NUMBERS; ++i) {
    row[i] = (float)numbers[i];
  }
}

void web_look(WebScene* scene) {
  JwWorld* const world = jw_instrument_world(scene->instrument);
  for (uint32_t i = 0; i < scene->view_count; ++i) {
    if (scene->views[i].kind != JW_KIND_MODAL) {
      look_at_places(scene, world, &scene->views[i]);
    }
  }
  float* const contacts = scene->row + scene->place_count;
  for (uint32_t i = 0; i < scene->contact_count; ++i) {
    look_at_contact(world, (JwContactId){i + 1}, contacts + WEB_CONTACT_NUMBERS * i);
  }
  look_at_energy(world, contacts + WEB_CONTACT_NUMBERS * scene->contact_count);
}
