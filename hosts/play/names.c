// Names in a "play" section: sources of change, and what is changed.

#include "player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char* name;
  int source;
} sources[] = {
    {"velocity", JW_SOURCE_VELOCITY}, {"pressure", JW_SOURCE_PRESSURE}, {"bend", JW_SOURCE_BEND},
    {"note", JW_SOURCE_NOTE},         {"mod", 1},                       {"breath", 2},
    {"volume", 7},                    {"pan", 10},                      {"expression", 11},
    {"slide", 74},
};

int jw_source_number(const char* name)
{
  for (size_t i = 0; i < sizeof sources / sizeof *sources; ++i) {
    if (strcmp(sources[i].name, name) == 0) {
      return sources[i].source;
    }
  }
  char* end;
  const long number = strncmp(name, "cc", 2) == 0 && name[2] >= '0' && name[2] <= '9' ? strtol(name + 2, &end, 10) : -1;
  return number >= 0 && number < 128 && *end == 0 ? (int)number : -1;
}

const char* jw_source_name(int source, char buffer[16])
{
  for (size_t i = 0; i < sizeof sources / sizeof *sources; ++i) {
    if (sources[i].source == source) {
      return sources[i].name;
    }
  }
  snprintf(buffer, 16, "cc%d", source);
  return buffer;
}

static const struct {
  const char* key;
  JwControl control;
} keys[] = {
    {"force", JW_CONTROL_FORCE},     {"amplitude", JW_CONTROL_FORCE}, {"speed", JW_CONTROL_SPEED},
    {"x", JW_CONTROL_X},             {"y", JW_CONTROL_Y},             {"x2", JW_CONTROL_X2},
    {"y2", JW_CONTROL_Y2},           {"gap", JW_CONTROL_GAP},         {"stiffness", JW_CONTROL_STIFFNESS},
    {"linear", JW_CONTROL_STIFFNESS},{"loss", JW_CONTROL_LOSS},       {"damping", JW_CONTROL_LOSS},
    {"tension", JW_CONTROL_TENSION}, {"position", JW_CONTROL_POSITION},
    {"gain", JW_CONTROL_GAIN},       {"pan", JW_CONTROL_PAN},
};

bool jw_target_of(const JwScene* scene, const char* text, JwTarget* target)
{
  char name[64] = "";
  const char* const dot = strrchr(text, '.');
  if (!dot || (size_t)(dot - text) >= sizeof name) {
    return false;
  }
  memcpy(name, text, (size_t)(dot - text));
  memset(target, 0, sizeof *target);
  const bool voice = strcmp(name, "voice") == 0;
  const JwScenePart part = jw_scene_find(scene, name);
  if (!voice && part.kind == JW_KIND_COUNT) {
    return false;
  }
  target->object = part.object;
  target->contact = part.contact;
  target->exciter = part.exciter;
  target->pickup = part.pickup;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    if (strcmp(keys[i].key, dot + 1) == 0) {
      target->control = keys[i].control;
      return true;
    }
  }
  return false;
}
