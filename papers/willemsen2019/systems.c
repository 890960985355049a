// SPDX-License-Identifier: MIT
// The systems: the note's, section by section, and the strings on barriers of Ducceschi and Bilbao
// 2019 that it builds on.  Neither paper gives numbers for most of them: these are chosen so that
// the parts do collide, many times, within a twentieth of a second.

#include "note.h"

#include <string.h>

// A gut string of 1.9 m tuned to 62 Hz, as a tromba marina has; here 1 m of it.
#define GUT                                                                                        \
  {                                                                                                \
    .length = 1.0, .mass = 5e-3, .tension = 80.0, .bending = 2e-3, .density = 1300.0,              \
    .loss = {1.0, 5e-3}, .hump = 4e-3, .hump_at = 0.35, .points = 60                               \
  }
// The steel string of Ducceschi and Bilbao 2019.
#define STEEL                                                                                      \
  {                                                                                                \
    .length = 1.0, .mass = 0.063, .tension = 500.0, .bending = 9.817477042468103e-3,               \
    .density = 7850.0, .loss = {2.0, 5e-3}, .sine = 1e-3, .points = 100                            \
  }
#define BRIDGE                                                                                     \
  { .mass = 5e-3, .frequency = 200.0, .loss = 0.05 }
#define BODY                                                                                       \
  {                                                                                                \
    .spacing = 0.05, .mass = 2.0, .bending = 20.0, .density = 400.0, .loss = {5.0, 0.01},          \
    .points = {                                                                                    \
      9,                                                                                           \
      7                                                                                            \
    }                                                                                              \
  }
#define PLUCK                                                                                      \
  { .part = JW_PART_STRING, .amplitude = 5.0, .duration = 2e-3, .at = 0.2 }

// The string on a barrier of Ducceschi and Bilbao 2019 by modes: as STEEL.
#define STEEL_MODES                                                                                \
  {                                                                                                \
    .length = 1.0, .mass = 0.063, .tension = 500.0, .bending = 9.817477042468103e-3,               \
    .density = 7850.0, .loss = {2.0, 5e-3}, .sine = 1e-3, .points = 24, .modes = true              \
  }
// What the lossy versions of the tromba share: gut string, bridge and body, plucked.
#define TROMBA                                                                                     \
  .strings = 1, .string = {GUT}, .masses = 1, .mass = {BRIDGE}, .plates = 1, .plate = BODY,        \
  .contacts = 2, .at = 0.8, .plate_at = {0.4, 0.6}, .force = PLUCK
// The bridge rattles on the body.
#define RATTLE                                                                                     \
  { .a = JW_PART_PLATE, .b = JW_PART_MASS, .stiffness = 1e7, .exponent = 1.3 }
#define SPRING(loss)                                                                               \
  {                                                                                                \
    .law = JW_NOTE_SPRING, .a = JW_PART_STRING, .b = JW_PART_MASS, .linear = 1e4, .cubic = 1e9,    \
    .damping = (loss)                                                                              \
  }
// A mass between a string and a barrier.
#define BETWEEN                                                                                    \
  .contact = {{.a = JW_PART_MASS, .b = JW_PART_STRING, .stiffness = 1e6, .exponent = 1.5},         \
              {.a = JW_PART_BARRIER, .b = JW_PART_MASS, .stiffness = 1e7, .exponent = 1.3}},       \
  .contacts = 2, .barrier = {-1e-3}, .at = 0.3, .force = PLUCK
// A string over a point, and over the bent barrier.
#define OVER_A_POINT                                                                               \
  .contact = {{.a = JW_PART_BARRIER, .b = JW_PART_STRING, .stiffness = 5e6, .exponent = 1.4}},     \
  .contacts = 1, .barrier = {-1e-4}, .at = 0.5, .force = PLUCK
#define OVER_A_BARRIER                                                                             \
  .contact = {{.a = JW_PART_BARRIER,                                                               \
               .b = JW_PART_STRING,                                                                \
               .stiffness = 5e6,                                                                   \
               .exponent = 1.4,                                                                    \
               .along = true}},                                                                    \
  .contacts = 1, .barrier = {-1e-4, -1e-4, -1e-3}, .force = PLUCK
// The oscillator of Ducceschi and Bilbao 2019, Figure 1.
#define OSCILLATOR                                                                                 \
  .masses = 1,                                                                                     \
  .mass =                                                                                          \
      {{.mass = 0.01, .frequency = 10.0, .loss = 0.01, .displacement = -0.5, .velocity = 1.0}},    \
  .contact = {{.a = JW_PART_MASS, .b = JW_PART_BARRIER, .stiffness = 5e4, .exponent = 1.1}},       \
  .contacts = 1, .barrier = {0.2},                                                                 \
  .force = {.part = JW_PART_MASS, .amplitude = 5.0, .duration = 0.02}

static const JwNoteSystem systems[] = {
    {.id = "mass-barrier",
     .title = "Section 2: a mass and a rigid barrier",
     .equations = "(10), solved by the division (16)",
     .masses = 1,
     .mass = {{.mass = 0.01, .loss = 0.02, .displacement = -2e-3, .velocity = 1.0}},
     .contact = {{.a = JW_PART_MASS, .b = JW_PART_BARRIER, .stiffness = 1e7, .exponent = 1.3}},
     .contacts = 1,
     .force = {.part = JW_PART_MASS, .amplitude = 3.0, .duration = 0.02},
     .step = jw_note_mass_barrier},
    {.id = "mass-spring-barrier",
     .title = "Section 3: a mass on a spring and a rigid barrier",
     .equations =
         "(20), solved by the division (21); the numbers of Ducceschi and Bilbao 2019, Figure 1",
     OSCILLATOR,
     .step = jw_note_mass_barrier},
    {.id = "mass-mass",
     .title = "Section 4: two masses on springs",
     .equations = "(23), solved by the 2 x 2 system (24)",
     .masses = 2,
     .mass =
         {{.mass = 0.01, .frequency = 100.0, .loss = 0.1, .displacement = 2e-3, .velocity = -1.0},
          {.mass = 0.02, .frequency = 150.0, .loss = 0.1, .displacement = -1e-3}},
     .contact = {{.a = JW_PART_MASS_2, .b = JW_PART_MASS, .stiffness = 1e7, .exponent = 1.3}},
     .contacts = 1,
     .force = {.part = JW_PART_MASS, .amplitude = -20.0, .duration = 0.01},
     .step = jw_note_mass_mass},
    {.id = "appendix-b",
     .title = "Appendix B: the ball and the bat of section 4",
     .equations = "(78) and (79), the two rows of (24)",
     .masses = 2,
     .mass =
         {{.mass = 2.7e-3, .frequency = 5.0, .loss = 0.01, .displacement = 5e-3, .velocity = -2.0},
          {.mass = 1.0, .frequency = 30.0, .loss = 1.0, .velocity = 1.0}},
     .contact = {{.a = JW_PART_MASS_2, .b = JW_PART_MASS, .stiffness = 1e6, .exponent = 1.5}},
     .contacts = 1,
     .force = {.part = JW_PART_MASS_2, .amplitude = 100.0, .duration = 0.02},
     .step = jw_note_mass_mass},
    {.id = "string-string",
     .title = "Section 5: two strings on equal grids",
     .equations = "(26), solved by the 2 x 2 system (27) at each grid point",
     .strings = 2,
     .string = {GUT,
                {.length = 1.0,
                 .mass = 8e-3,
                 .tension = 120.0,
                 .bending = 1e-3,
                 .density = 1300.0,
                 .loss = {2.0, 3e-3},
                 .hump = -2e-3,
                 .hump_at = 0.6,
                 .points = 60}},
     .contact = {{.a = JW_PART_STRING_2,
                  .b = JW_PART_STRING,
                  .stiffness = 1e6,
                  .exponent = 1.3,
                  .along = true}},
     .contacts = 1,
     .force = PLUCK,
     .step = jw_note_string_string},
    {.id = "mass-string",
     .title = "Section 6: a mass on a spring and a string",
     .equations = "(28), solved by the 2 x 2 system (30), then (31)",
     .strings = 1,
     .string = {GUT},
     .masses = 1,
     .mass =
         {{.mass = 4e-3, .frequency = 60.0, .loss = 0.02, .displacement = -1e-3, .velocity = 1.0}},
     .contact = {{.a = JW_PART_MASS, .b = JW_PART_STRING, .stiffness = 1e6, .exponent = 1.5}},
     .contacts = 1,
     .at = 0.3,
     .force = PLUCK,
     .step = jw_note_mass_string},
    {.id = "tromba-spring",
     .title = "Section 7: tromba marina, string and bridge joined by a spring",
     .equations = "(32), solved by the 3 x 3 system (42)",
     .strings = 1,
     .string = {{.length = 1.0,
                 .mass = 5e-3,
                 .tension = 80.0,
                 .bending = 2e-3,
                 .density = 1300.0,
                 .hump = 4e-3,
                 .hump_at = 0.35,
                 .points = 60}},
     .masses = 1,
     .mass = {{.mass = 5e-3, .frequency = 200.0}},
     .plates = 1,
     .plate = {.spacing = 0.05, .mass = 2.0, .bending = 20.0, .density = 400.0, .points = {9, 7}},
     .contact = {RATTLE, SPRING(0.0)},
     .contacts = 2,
     .at = 0.8,
     .plate_at = {0.4, 0.6},
     .force = PLUCK,
     .step = jw_note_tromba_spring},
    {.id = "tromba-damped",
     .title = "Section 7.1: the same with losses",
     .equations = "(43), solved by the 3 x 3 system (59)",
     TROMBA,
     .contact = {RATTLE, SPRING(0.1)},
     .step = jw_note_tromba_spring},
    {.id = "tromba-factored",
     .title = "Section 7.2: the same, written for a program",
     .equations = "(62), one division (56), solved by the 3 x 3 system (65)",
     TROMBA,
     .contact = {RATTLE, SPRING(0.1)},
     .step = jw_note_tromba_factored},
    {.id = "tromba-contact",
     .title = "Section 8: tromba marina, string and bridge in two-sided contact",
     .equations = "(70), solved by the 3 x 3 system (74)",
     TROMBA,
     .contact = {RATTLE,
                 {.law = JW_NOTE_CONNECTION,
                  .a = JW_PART_MASS,
                  .b = JW_PART_STRING,
                  .stiffness = 1e6,
                  .exponent = 1.5}},
     .step = jw_note_tromba_contact},
    {.id = "weird",
     .title = "Appendix B: the weird case, a mass between string and barrier",
     .equations = "(80); the note prints no solution, the 2 x 2 system follows as (30) does",
     .strings = 1,
     .string = {GUT},
     .masses = 1,
     .mass =
         {{.mass = 4e-3, .frequency = 60.0, .loss = 0.02, .displacement = -5e-4, .velocity = 1.0}},
     BETWEEN,
     .step = jw_note_weird},
    {.id = "appendix-d",
     .title = "Appendix D: a free mass between an ideal string and a barrier",
     .equations = "(82), solved by (87) and (90) for the velocities of the two gaps",
     .strings = 1,
     .string = {{.length = 1.0,
                 .mass = 5e-3,
                 .tension = 80.0,
                 .density = 1300.0,
                 .loss = {1.0, 5e-3},
                 .hump = 4e-3,
                 .hump_at = 0.35,
                 .points = 60}},
     .masses = 1,
     .mass = {{.mass = 4e-3, .loss = 0.02, .displacement = -5e-4, .velocity = 1.0}},
     BETWEEN,
     .step = jw_note_appendix_d},
    {.id = "string-point-barrier",
     .title = "A string on a point barrier, finite differences",
     .equations = "Ducceschi and Bilbao 2019, (46), solved by the division (50)",
     .strings = 1,
     .string = {STEEL},
     OVER_A_POINT,
     .step = jw_note_string_barrier},
    {.id = "string-barrier",
     .title = "A string on a distributed barrier, finite differences",
     .equations = "Ducceschi and Bilbao 2019, (46), solved by the division (50) at each grid point",
     .strings = 1,
     .string = {STEEL},
     OVER_A_BARRIER,
     .step = jw_note_string_barrier},
    {.id = "modes-point-barrier",
     .title = "A string on a point barrier, modes",
     .equations = "Ducceschi and Bilbao 2019, (59), solved as a whole",
     .strings = 1,
     .string = {STEEL_MODES},
     OVER_A_POINT,
     .step = jw_note_modes_barrier},
    {.id = "modes-barrier",
     .title = "A string on a distributed barrier, modes",
     .equations = "Ducceschi and Bilbao 2019, (59), solved as a whole",
     .strings = 1,
     .string = {STEEL_MODES},
     OVER_A_BARRIER,
     .step = jw_note_modes_barrier},
    {.id = "iterated",
     .title = "A mass on a spring and a rigid barrier, iterated",
     .equations = "Ducceschi and Bilbao 2019, (19), its root (23) found by bisection",
     OSCILLATOR,
     .step = jw_note_iterated},
};

size_t jw_note_count(void) {
  return sizeof systems / sizeof *systems;
}

const JwNoteSystem* jw_note_at(size_t index) {
  return &systems[index];
}

const JwNoteSystem* jw_note_find(const char* id) {
  for (size_t i = 0; i < jw_note_count(); ++i) {
    if (strcmp(systems[i].id, id) == 0) {
      return &systems[i];
    }
  }
  return NULL;
}

const char* jw_note_variant_name(JwNoteVariant variant) {
  static const char* const names[JW_NOTE_VARIANTS] = {"lossless", "lossy", "forced"};
  return names[variant];
}

JwNoteSystem jw_note_variant(const JwNoteSystem* system, JwNoteVariant variant) {
  JwNoteSystem result = *system;
  if (variant != JW_NOTE_FORCED) {
    result.force.amplitude = 0.0;
  }
  for (int i = 0; variant == JW_NOTE_LOSSLESS && i < 2; ++i) {
    result.string[i].loss[0] = result.string[i].loss[1] = result.mass[i].loss = 0.0;
    result.plate.loss[i] = result.contact[i].damping = 0.0;
  }
  return result;
}

bool jw_note_has_variant(const JwNoteSystem* system, JwNoteVariant variant) {
  return variant != JW_NOTE_LOSSY || system->string[0].loss[0] > 0.0 || system->mass[0].loss > 0.0;
}
