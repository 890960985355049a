// SPDX-License-Identifier: MIT
// One table per definition: key, unit, range, default, meaning.
//
// Defaults, range checks, scene keys, the manual and every user interface read these tables, and
// nothing else states a range or a default.  Tested by test_params.c.

#include <jawari/defs.h>
#include <jawari/params.h>

#include <stdio.h>
#include <string.h>

// Upper ends of ranges are far beyond anything built, yet keep every product of three finite.
#define HUGE_FORCE 1e9

static const char* const end_names[] = {"supported", "clamped", "free", NULL};
static const char* const nonlinear_names[] = {"none", "mean", "local", NULL};
static const char* const method_names[] = {"grid", "modes", NULL};
static const char* const scheme_names[] = {"exact", "leapfrog", NULL};
static const char* const rule_names[] = {"bounded", "plain", "released", "refined",
                                         "newton",  "auto",  NULL};
static const char* const bow_names[] = {"refined", "passive", "one-step", "newton", NULL};
static const char* const force_names[] = {"pulse", "pluck", "steady", "signal", NULL};
static const char* const initial_names[] = {"displacement", "velocity", NULL};
static const char* const shape_names[] = {"triangle", "hump", "sine", NULL};
static const char* const quantity_names[] = {"velocity", "displacement", "force", "pressure", NULL};

#define OPTIONAL NAN

#define NUMBER(T, F, UNIT, LOW, HIGH, INITIAL, HELP)                                               \
  { #F, UNIT, HELP, JW_TYPE_NUMBER, offsetof(T, F), 1, LOW, HIGH, INITIAL, false, NULL }
#define REQUIRED(T, F, UNIT, LOW, HIGH, HELP)                                                      \
  { #F, UNIT, HELP, JW_TYPE_NUMBER, offsetof(T, F), 1, LOW, HIGH, NAN, true, NULL }
#define NUMBERS(T, F, N, UNIT, LOW, HIGH, INITIAL, HELP)                                           \
  { #F, UNIT, HELP, JW_TYPE_NUMBERS, offsetof(T, F), N, LOW, HIGH, INITIAL, false, NULL }
#define COUNT(T, F, LOW, HIGH, INITIAL, HELP)                                                      \
  { #F, "", HELP, JW_TYPE_COUNT, offsetof(T, F), 1, LOW, HIGH, INITIAL, false, NULL }
#define COUNTS(T, F, N, LOW, HIGH, INITIAL, HELP)                                                  \
  { #F, "", HELP, JW_TYPE_COUNTS, offsetof(T, F), N, LOW, HIGH, INITIAL, false, NULL }
#define LARGE(T, F, LOW, HIGH, INITIAL, HELP)                                                      \
  { #F, "", HELP, JW_TYPE_LARGE, offsetof(T, F), 1, LOW, HIGH, INITIAL, false, NULL }
#define FLAG(T, F, INITIAL, HELP)                                                                  \
  { #F, "", HELP, JW_TYPE_FLAG, offsetof(T, F), 1, 0, 1, INITIAL, false, NULL }
#define CHOICE(T, F, NAMES, INITIAL, HELP)                                                         \
  { #F, "", HELP, JW_TYPE_CHOICE, offsetof(T, F), 1, 0, 0, INITIAL, false, NAMES }
#define CHOICES(T, F, N, NAMES, INITIAL, HELP)                                                     \
  { #F, "", HELP, JW_TYPE_CHOICES, offsetof(T, F), N, 0, 0, INITIAL, false, NAMES }

static const JwParam world_params[] = {
    NUMBER(JwWorldDef, sample_rate, "Hz", 1000, 1e8, 44100, "Frames a second"),
    FLAG(JwWorldDef, ledger, 0, "Keep the energy ledger"),
    NUMBER(JwWorldDef, energy_floor, "J", 0, 1e-6, 1e-36,
           "An untouched object below this energy becomes exactly zero"),
    COUNT(JwWorldDef, channels, 0, 2, 0,
          "Output channels: 0 one a pickup (of the command's sounds: stereo), 1 mono, 2 stereo"),
    FLAG(JwWorldDef, unscaled, 0, "Pickups in SI units, without gain and pan"),
    NUMBERS(JwWorldDef, room, 3, "m", 0.5, 100, OPTIONAL,
            "Sides of a box that answers with reflections, with channels 1 or 2; none without it"),
    NUMBERS(JwWorldDef, source, 3, "m", 0, 100, 2, "Where in the room it sounds, from a corner"),
    NUMBERS(JwWorldDef, listener, 3, "m", 0, 100, 1.5, "Where in the room it is heard"),
    NUMBER(JwWorldDef, walls, "", 0, 1, 0.3, "Share of the energy that a wall of the room takes"),
    NUMBER(JwWorldDef, dull, "Hz", 100, 1e5, 4000, "Above this the walls take more"),
    COUNT(JwWorldDef, reflections, 1, 3, 2, "Walls of the room that a sound meets at most"),
    COUNT(JwWorldDef, threads, 1, 64, 1, "Threads for parts that share nothing"),
    COUNT(JwWorldDef, queue, 1, 65536, 1024, "Commands that fit between two blocks"),
    LARGE(JwWorldDef, max_points, 1, 1e9, 4e6, "Most grid points and modes in all"),
    LARGE(JwWorldDef, max_contacts, 1, 1e7, 65536, "Most contact points in all"),
    LARGE(JwWorldDef, max_bytes, 4096, 1e12, 1073741824, "Most memory in bytes"),
    NUMBER(JwWorldDef, max_operations, "", 1, 1e18, 2e9,
           "Most additions and multiplications a sample"),
};

static const JwParam mass_params[] = {
    REQUIRED(JwMassDef, mass, "kg", 1e-12, 1e9, "Mass"),
    NUMBER(JwMassDef, frequency, "Hz", 0, 1e6, 0, "Frequency on the spring that holds it; 0: free"),
    NUMBER(JwMassDef, loss, "kg/s", 0, 1e9, 0, "Damping R, force against velocity"),
    NUMBER(JwMassDef, position, "m", -1e6, 1e6, 0,
           "Where its spring holds it, or where a free mass starts"),
    NUMBER(JwMassDef, displacement, "m", -1e6, 1e6, 0, "Displacement from there at the start"),
    NUMBER(JwMassDef, velocity, "m/s", -1e6, 1e6, 0, "Velocity at the start, upward positive"),
    NUMBER(JwMassDef, gravity, "m/s2", -1e6, 1e6, 0, "Downward acceleration"),
    CHOICE(JwMassDef, scheme, scheme_names, JW_SCHEME_LEAPFROG,
           "Time step: exact poles, or leapfrog"),
};

static const JwParam string_params[] = {
    REQUIRED(JwStringDef, length, "m", 1e-4, 1e4, "Length"),
    NUMBER(JwStringDef, radius, "m", 1e-7, 10, 5e-4, "Radius"),
    NUMBER(JwStringDef, density, "kg/m3", 1e-3, 1e6, 7850, "Density"),
    NUMBER(JwStringDef, young, "Pa", 0, 1e14, 2e11, "Young's modulus; 0: an ideal string"),
    NUMBER(JwStringDef, mass_per_length, "kg/m", 1e-9, 1e6, OPTIONAL,
           "Instead of density and radius"),
    NUMBER(JwStringDef, bending, "N m2", 0, 1e9, OPTIONAL,
           "Bending stiffness E I, instead of young and radius"),
    NUMBER(JwStringDef, tension, "N", 0, HUGE_FORCE, OPTIONAL,
           "Tension; 0: a bar.  Or give the frequency"),
    NUMBER(JwStringDef, frequency, "Hz", 1e-3, 1e6, OPTIONAL,
           "Wanted fundamental.  Or give the tension"),
    NUMBER(JwStringDef, cents, "cents", -4800, 4800, 0,
           "How far above its frequency, or that of its tension, it is tuned"),
    NUMBER(JwStringDef, bend, "", 1, 16, 1,
           "The tension may later rise by this factor; its pitch by the root of it"),
    NUMBERS(JwStringDef, loss, 2, "1/s, m2/s", 0, 1e9, 0,
            "Losses s0 (all frequencies alike) and s1 (rising with frequency)"),
    NUMBERS(JwStringDef, decay, 4, "Hz, s, Hz, s", 0, 1e9, OPTIONAL,
            "Instead of loss: f1, T60 at f1, f2, T60 at f2"),
    CHOICES(JwStringDef, ends, 2, end_names, JW_END_SUPPORTED, "How the two ends are held"),
    CHOICE(JwStringDef, method, method_names, JW_METHOD_GRID,
           "Finite differences on a grid, or modes"),
    CHOICE(JwStringDef, scheme, scheme_names, JW_SCHEME_EXACT,
           "Time step of modes: exact poles, or leapfrog"),
    COUNT(
        JwStringDef, points, 0, 1e6, 0,
        "Grid intervals, 0: as many as stability allows.  By modes: of the places where a contact along it lies, 0: one more than modes"),
    COUNT(JwStringDef, modes, 0, 1e5, 0, "Modes; 0: as many as the sample rate allows"),
    CHOICE(
        JwStringDef, nonlinear, nonlinear_names, JW_NONLINEAR_NONE,
        "How it stiffens as it moves: not at all, by its mean stretch, or by that of every place"),
    NUMBER(JwStringDef, stretching, "N", 0, 1e12, OPTIONAL,
           "E A, how it resists stretching, instead of young and radius; for nonlinear"),
    COUNT(JwStringDef, directions, 1, 2, 1,
          "Directions that it moves in: up, and with 2 also across"),
};

static const JwParam plate_params[] = {
    NUMBERS(JwPlateDef, size, 2, "m", 1e-4, 1e4, 1, "Length of the two sides"),
    NUMBER(JwPlateDef, thickness, "m", 1e-7, 100, 1e-3, "Thickness"),
    NUMBER(JwPlateDef, density, "kg/m3", 1e-3, 1e6, 7850, "Density"),
    NUMBER(JwPlateDef, young, "Pa", 0, 1e14, 2e11,
           "Young's modulus along the first side; 0: a membrane"),
    NUMBER(JwPlateDef, young_across, "Pa", 0, 1e14, OPTIONAL,
           "Young's modulus along the second side, for wood"),
    NUMBER(JwPlateDef, poisson, "", 0, 0.499, 0.3, "Poisson's ratio"),
    NUMBER(JwPlateDef, shear, "Pa", 0, 1e14, OPTIONAL, "Shear modulus, for wood"),
    NUMBER(JwPlateDef, mass_per_area, "kg/m2", 1e-9, 1e6, OPTIONAL,
           "Instead of density and thickness"),
    NUMBER(JwPlateDef, bending, "N m", 0, 1e9, OPTIONAL,
           "Bending stiffness D, instead of young, poisson and thickness"),
    NUMBER(JwPlateDef, tension, "N/m", 0, HUGE_FORCE, 0, "Tension, for a membrane"),
    NUMBERS(JwPlateDef, loss, 2, "1/s, m2/s", 0, 1e9, 0,
            "Losses s0 (all frequencies alike) and s1 (rising with frequency)"),
    NUMBERS(JwPlateDef, decay, 4, "Hz, s, Hz, s", 0, 1e9, OPTIONAL,
            "Instead of loss: f1, T60 at f1, f2, T60 at f2"),
    CHOICES(JwPlateDef, edges, 4, end_names, JW_END_SUPPORTED,
            "How the edges are held: left, right, near, far"),
    CHOICE(JwPlateDef, method, method_names, JW_METHOD_GRID,
           "Finite differences on a grid, or modes, where all edges are supported"),
    CHOICE(JwPlateDef, scheme, scheme_names, JW_SCHEME_EXACT,
           "Time step of modes: exact poles, or leapfrog"),
    COUNTS(JwPlateDef, points, 2, 0, 1e5, 0,
           "Grid intervals along each side; 0: as many as stability allows"),
    COUNT(JwPlateDef, modes, 0, 1e5, 0, "Modes; 0: those below 0.4 of the sample rate"),
    CHOICE(JwPlateDef, nonlinear, nonlinear_names, JW_NONLINEAR_NONE,
           "How it stiffens as it moves: not at all, or by its mean stretch"),
};

static const JwParam modal_params[] = {
    CHOICE(JwModalDef, scheme, scheme_names, JW_SCHEME_EXACT,
           "Time step: exact poles, or leapfrog"),
};

static const JwParam barrier_params[] = {
    NUMBER(JwBarrierDef, position, "m", -1e6, 1e6, 0, "Height, added to its profile"),
    NUMBER(JwBarrierDef, from, "", 0, 1, 0, "First place above it, as a fraction of the string"),
    NUMBER(JwBarrierDef, to, "", 0, 1, 1, "Last place above it, as a fraction of the string"),
};

static const JwParam collision_params[] = {
    NUMBER(JwCollisionDef, gap, "m", -1e6, 1e6, 0,
           "How much higher the first is than the second where they touch"),
    REQUIRED(JwCollisionDef, stiffness, "N/m^a", 0, 1e20,
             "Stiffness K; per metre of string when along"),
    NUMBER(JwCollisionDef, exponent, "", 1, 8, 1.5, "Exponent a of the force"),
    NUMBER(JwCollisionDef, loss, "N s/m^(a+1)", 0, 1e20, 0, "Hunt-Crossley loss"),
    CHOICE(JwCollisionDef, rule, rule_names, JW_RULE_AUTO, "How the contact is solved"),
    FLAG(JwCollisionDef, along, 0, "Everywhere along the string"),
    FLAG(JwCollisionDef, grouped, 0, "With along: one energy for the whole contact area"),
};

static const JwParam connection_params[] = {
    NUMBER(JwConnectionDef, gap, "m", -1e6, 1e6, 0,
           "How much higher the first is than the second where it is at rest"),
    NUMBER(JwConnectionDef, slack, "m", 0, 1e6, 0, "Free play to either side"),
    REQUIRED(JwConnectionDef, stiffness, "N/m^a", 0, 1e20, "Stiffness K"),
    NUMBER(JwConnectionDef, exponent, "", 1, 8, 1, "Exponent a of the force"),
    NUMBER(JwConnectionDef, loss, "N s/m^(a+1)", 0, 1e20, 0, "Hunt-Crossley loss"),
    CHOICE(JwConnectionDef, rule, rule_names, JW_RULE_AUTO, "How the contact is solved"),
};

static const JwParam spring_params[] = {
    NUMBER(JwSpringDef, gap, "m", -1e6, 1e6, 0,
           "How much higher the first is than the second where it is at rest"),
    NUMBER(JwSpringDef, linear, "N/m", 0, 1e20, 0, "Linear stiffness K1"),
    NUMBER(JwSpringDef, cubic, "N/m3", 0, 1e20, 0, "Cubic stiffness K3"),
    NUMBER(JwSpringDef, damping, "kg/s", 0, 1e20, 0,
           "Damping; the force is twice this times the velocity"),
};

static const JwParam friction_params[] = {
    NUMBER(JwFrictionDef, force, "N", 0, 1e6, 0, "What presses, besides pressed_by"),
    NUMBER(JwFrictionDef, coefficient, "", 0, 100, 0.3, "Coefficient of friction"),
    NUMBER(JwFrictionDef, creep, "m/s", 1e-6, 100, 1e-3, "Creep: far below this speed it sticks"),
};

static const JwParam bow_params[] = {
    NUMBER(JwBowDef, force, "N", 0, 1e6, 0.2, "Bow force"),
    NUMBER(JwBowDef, speed, "m/s", -1e3, 1e3, 0.2, "Bow speed; negative: the other way"),
    NUMBER(JwBowDef, sharpness, "s2/m2", 1e-3, 1e6, 100,
           "How sharply friction falls as the string slips"),
    CHOICE(JwBowDef, method, bow_names, JW_BOW_REFINED, "How the friction is solved"),
};

static const JwParam force_params[] = {
    CHOICE(JwForceDef, shape, force_names, JW_FORCE_PULSE, "Form over time"),
    NUMBER(JwForceDef, amplitude, "N", -1e6, 1e6, 1, "Largest force, upward positive"),
    NUMBER(JwForceDef, start, "s", 0, 1e6, 0, "When it starts"),
    NUMBER(JwForceDef, duration, "s", 1e-7, 1e6, 1e-3, "How long it lasts"),
};

static const JwParam initial_params[] = {
    CHOICE(JwInitialDef, quantity, initial_names, JW_INITIAL_DISPLACEMENT,
           "Plucked displacement, or struck velocity"),
    CHOICE(JwInitialDef, shape, shape_names, JW_SHAPE_TRIANGLE, "Form over the object"),
    NUMBER(JwInitialDef, x, "", 0, 1, 0.5, "Place of the peak, as a fraction of the length"),
    NUMBER(JwInitialDef, y, "", 0, 1, 0.5, "On a plate: as a fraction of the second side"),
    NUMBER(JwInitialDef, amplitude, "m or m/s", -1e6, 1e6, 1e-3, "Peak value"),
    NUMBER(JwInitialDef, width, "", 1e-6, 2, 0.1, "Width of a hump, as a fraction of the length"),
    NUMBER(JwInitialDef, degrees, "degrees", -180, 180, 0,
           "Which way, of a string that moves in two directions: 0 up, 90 across"),
};

static const JwParam pickup_params[] = {
    CHOICE(JwPickupDef, quantity, quantity_names, JW_QUANTITY_VELOCITY, "What is heard"),
    NUMBER(JwPickupDef, gain, "", -1e12, 1e12, 1, "Factor to the output"),
    NUMBER(JwPickupDef, pan, "", -1, 1, 0, "-1 left, 1 right"),
    NUMBER(JwPickupDef, size, "m", 1e-3, 100, 0.1,
           "Pressure: radius of the sphere that moves as much air as what is heard"),
    NUMBER(JwPickupDef, distance, "m", 0.01, 100, 1, "Pressure: how far away it is heard"),
};

typedef struct {
  const char* name;
  const JwParam* params;
  uint32_t count;
  size_t size; // Of the definition struct
} Kind;

#define KIND(NAME, T, TABLE)                                                                       \
  { NAME, TABLE, (uint32_t)(sizeof TABLE / sizeof TABLE[0]), sizeof(T) }

static const Kind kinds[JW_KIND_COUNT] = {
    [JW_KIND_WORLD] = KIND("world", JwWorldDef, world_params),
    [JW_KIND_MASS] = KIND("mass", JwMassDef, mass_params),
    [JW_KIND_STRING] = KIND("string", JwStringDef, string_params),
    [JW_KIND_PLATE] = KIND("plate", JwPlateDef, plate_params),
    [JW_KIND_MODAL] = KIND("modal", JwModalDef, modal_params),
    [JW_KIND_BARRIER] = KIND("barrier", JwBarrierDef, barrier_params),
    [JW_KIND_COLLISION] = KIND("collision", JwCollisionDef, collision_params),
    [JW_KIND_CONNECTION] = KIND("connection", JwConnectionDef, connection_params),
    [JW_KIND_SPRING] = KIND("spring", JwSpringDef, spring_params),
    [JW_KIND_FRICTION] = KIND("friction", JwFrictionDef, friction_params),
    [JW_KIND_BOW] = KIND("bow", JwBowDef, bow_params),
    [JW_KIND_FORCE] = KIND("force", JwForceDef, force_params),
    [JW_KIND_INITIAL] = KIND("initial", JwInitialDef, initial_params),
    [JW_KIND_PICKUP] = KIND("pickup", JwPickupDef, pickup_params),
};

const JwParam* jw_params(JwKind kind, uint32_t* count) {
  const bool known = (unsigned)kind < JW_KIND_COUNT;
  if (count) {
    *count = known ? kinds[kind].count : 0;
  }
  return known ? kinds[kind].params : NULL;
}

const char* jw_kind_name(JwKind kind) {
  return (unsigned)kind < JW_KIND_COUNT ? kinds[kind].name : "unknown kind";
}

static void set_field(const JwParam* param, void* def, uint32_t element) {
  char* const field = (char*)def + param->offset;
  switch (param->type) {
  case JW_TYPE_NUMBER:
  case JW_TYPE_NUMBERS: ((double*)(void*)field)[element] = param->initial; break;
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS: ((uint32_t*)(void*)field)[element] = (uint32_t)param->initial; break;
  case JW_TYPE_LARGE: *(uint64_t*)(void*)field = (uint64_t)param->initial; break;
  case JW_TYPE_FLAG: *(bool*)(void*)field = param->initial != 0.0; break;
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: ((int*)(void*)field)[element] = (int)param->initial; break;
  }
}

void jw_params_default(JwKind kind, void* def) {
  if ((unsigned)kind >= JW_KIND_COUNT || !def) {
    return;
  }
  const Kind* const table = &kinds[kind];
  memset(def, 0, table->size);
  for (uint32_t i = 0; i < table->count; ++i) {
    for (uint32_t element = 0; element < table->params[i].count; ++element) {
      set_field(&table->params[i], def, element);
    }
  }
}

static double field_value(const JwParam* param, const void* def, uint32_t element) {
  const char* const field = (const char*)def + param->offset;
  switch (param->type) {
  case JW_TYPE_NUMBER:
  case JW_TYPE_NUMBERS: return ((const double*)(const void*)field)[element];
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS: return ((const uint32_t*)(const void*)field)[element];
  case JW_TYPE_LARGE: return (double)*(const uint64_t*)(const void*)field;
  case JW_TYPE_FLAG: return *(const bool*)(const void*)field ? 1.0 : 0.0;
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: return ((const int*)(const void*)field)[element];
  }
  return 0.0;
}

static uint32_t choice_count(const JwParam* param) {
  uint32_t count = 0;
  while (param->choices[count]) {
    ++count;
  }
  return count;
}

static JwStatus check_field(const JwParam* param, const void* def, uint32_t element, char* error) {
  const double value = field_value(param, def, element);
  const bool optional = isnan(param->initial) && !param->required;
  if (isnan(value) && optional) {
    return JW_STATUS_OK;
  }
  const bool choice = param->choices != NULL;
  const double low = choice ? 0.0 : param->minimum;
  const double high = choice ? (double)choice_count(param) - 1.0 : param->maximum;
  if (value >= low && value <= high) {
    return JW_STATUS_OK;
  }
  if (isnan(value) && param->required) {
    snprintf(error, JW_ERROR_SIZE, "%s is required", param->key);
  } else {
    snprintf(error, JW_ERROR_SIZE, "%s is %g%s%s, must be from %g to %g", param->key, value,
             param->unit[0] && param->count == 1 ? " " : "", param->count == 1 ? param->unit : "",
             low, high);
  }
  return JW_STATUS_BAD_VALUE;
}

JwStatus jw_params_check(JwKind kind, const void* def, char error[JW_ERROR_SIZE]) {
  char unwanted[JW_ERROR_SIZE];
  error = error ? error : unwanted;
  if ((unsigned)kind >= JW_KIND_COUNT || !def) {
    snprintf(error, JW_ERROR_SIZE, def ? "there is no such kind" : "there is no definition");
    return JW_STATUS_BAD_VALUE;
  }
  const Kind* const table = &kinds[kind];
  for (uint32_t i = 0; i < table->count; ++i) {
    for (uint32_t element = 0; element < table->params[i].count; ++element) {
      const JwStatus status = check_field(&table->params[i], def, element, error);
      if (status) {
        return status;
      }
    }
  }
  return JW_STATUS_OK;
}

// The defaults by value, one a kind.

#define DEFAULT(T, FUNCTION, KIND_)                                                                \
  T FUNCTION(void) {                                                                               \
    T def;                                                                                         \
    jw_params_default(KIND_, &def);                                                                \
    return def;                                                                                    \
  }

DEFAULT(JwMassDef, jw_mass_default, JW_KIND_MASS)
DEFAULT(JwStringDef, jw_string_default, JW_KIND_STRING)
DEFAULT(JwPlateDef, jw_plate_default, JW_KIND_PLATE)
DEFAULT(JwModalDef, jw_modal_default, JW_KIND_MODAL)
DEFAULT(JwBarrierDef, jw_barrier_default, JW_KIND_BARRIER)
DEFAULT(JwCollisionDef, jw_collision_default, JW_KIND_COLLISION)
DEFAULT(JwConnectionDef, jw_connection_default, JW_KIND_CONNECTION)
DEFAULT(JwSpringDef, jw_spring_default, JW_KIND_SPRING)
DEFAULT(JwFrictionDef, jw_friction_default, JW_KIND_FRICTION)
DEFAULT(JwBowDef, jw_bow_default, JW_KIND_BOW)
DEFAULT(JwForceDef, jw_force_default, JW_KIND_FORCE)
DEFAULT(JwInitialDef, jw_initial_default, JW_KIND_INITIAL)
DEFAULT(JwPickupDef, jw_pickup_default, JW_KIND_PICKUP)

JwWorldDef jw_world_default(void) {
  JwWorldDef def;
  jw_params_default(JW_KIND_WORLD, &def);
  def.allocator = jw_allocator_default();
  return def;
}
