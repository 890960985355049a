// Components of masses and modal objects, many frames at a time.
//
// While every contact of such a component is open, nothing flows back from what ports read to the motion:
// its objects can be advanced for a whole chunk in registers (flight_body.h), and gaps and pickups be worked
// out afterwards, many frames side by side.  If a gap turns out to have closed on the way, the flight is
// repeated up to that frame, and the general step (step.c) goes on from there.
//
// A flight ends before anything that is not free motion: a gap closes, a control moves, a throw is due, rest is
// looked for, a force pushes a mass.  Forces on modal objects are part of it.
//
// The bits are those of the general step: the same operations in the same order on every number
// (test_flight.c).  The plain C kernels ("scalar") know no flight, so comparing widths compares both.

#include "flight/flight.h"

#include "kernel/lanes.h"
#include "world.h"

#include <string.h>

// Beyond these the scratch would leave the first-level cache.
#define MOST_THINGS 16
#define FRAMES (JW_CHUNK + 1)
_Static_assert(JW_FLIGHT_FRAMES == JW_CHUNK, "a flight may last a chunk");

typedef struct {
  const JwSide* side;
  const double* sums;
  double* path;
} Reading;

typedef struct {
  JwPoint* point;
  double* path[2];
} Gap;

typedef struct {
  JwPickup* pickup;
  uint32_t index;
  const double* path;
} Ear;

typedef struct {
  uint32_t index;
  JwFlightBank* bank; // NULL: a mass
  double* values;
} Drive;

struct JwFlight {
  const JwFlightOps* ops;
  JwFlightBank* banks;
  JwFlightMass* masses;
  Reading* readings;
  Gap* gaps;
  Ear* ears;
  Drive* drives;
  double *paths, *sums, *nothing;
  JwPress press; // Its step is NULL where there is no such contact
  double *force, *root, *psi;
  const double** pointers;
  double** targets;
  uint32_t bank_count, mass_count, reading_count, gap_count, ear_count, drive_count;
  uint32_t span; // Frames to try next
  bool pushed;   // There are forces of frames past
};

// ---------------------------------------------------------------- layout

static const JwFlightOps* best_ops(void)
{
  const JwLanes* const lanes = jw_lanes_best();
#if defined(JW_HAS_AVX2)
  if (lanes == &jw_lanes_avx2) {
    return &jw_flight_avx2;
  }
#endif
#if defined(__GNUC__)
  if (lanes == &jw_lanes_base) {
    return &jw_flight_base;
  }
#endif
  (void)lanes;
  return NULL;
}

static bool contact_can_fly(const JwContact* contact)
{
  const JwRule rule = contact->law.rule;
  return contact->kind == JW_KIND_COLLISION && contact->point_count == 1 && !contact->along && !contact->grouped
         && (rule == JW_RULE_BOUNDED || rule == JW_RULE_PLAIN || rule == JW_RULE_RELEASED);
}

typedef struct {
  uint32_t objects, points, forces, pickups;
  bool flies;
} Count;

static Count count_things(const JwWorld* world, uint32_t component)
{
  Count n = {0, 0, 0, 0, !world->def.ledger};
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component == component && object->dofs) {
      ++n.objects;
      n.flies = n.flies && (object->dense || object->ops->kind == JW_KIND_MASS);
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    if (contact->component == component) {
      ++n.points;
      n.flies = n.flies && contact_can_fly(contact);
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    n.forces += jw_force_at(world, i)->component == component;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    n.pickups += jw_pickup_at(world, i)->component == component;
  }
  n.flies = n.flies && n.objects && n.objects <= MOST_THINGS && n.points <= MOST_THINGS && n.forces <= MOST_THINGS
            && n.pickups <= MOST_THINGS;
  return n;
}

JwFlight* jw_flight_layout(JwWorld* world, uint32_t component, JwArena* arena)
{
  const Count n = count_things(world, component);
  if (!n.flies) {
    return NULL;
  }
  const uint32_t readings = 2 * n.points + n.pickups;
  JwFlight* const flight = JW_TAKE(arena, 1, JwFlight);
  JwFlight f = {0};
  f.banks = JW_TAKE(arena, n.objects, JwFlightBank);
  f.masses = JW_TAKE(arena, n.objects, JwFlightMass);
  f.readings = JW_TAKE(arena, readings, Reading);
  f.gaps = JW_TAKE(arena, n.points, Gap);
  f.ears = JW_TAKE(arena, n.pickups, Ear);
  f.drives = JW_TAKE(arena, n.forces, Drive);
  f.paths = JW_TAKE(arena, (size_t)FRAMES * (readings + n.objects + n.forces), double);
  f.sums = JW_TAKE(arena, (size_t)4 * FRAMES * readings, double);
  f.nothing = JW_TAKE(arena, FRAMES, double);
  f.force = JW_TAKE(arena, FRAMES, double);
  f.root = JW_TAKE(arena, FRAMES, double);
  f.psi = JW_TAKE(arena, FRAMES, double);
  f.pointers = JW_TAKE(arena, n.objects * (readings + 2 * n.forces), const double*);
  f.targets = JW_TAKE(arena, n.objects * readings, double*);
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component == component && object->dense) {
      double* const saved = JW_TAKE(arena, 8 * ((object->dofs + 3) / 4), double);
      if (arena->base) {
        f.banks[f.bank_count].saved = saved;
      }
      ++f.bank_count;
    }
  }
  if (arena->base) {
    *flight = f;
  }
  return flight;
}

// ---------------------------------------------------------------- building

static void build_objects(JwWorld* world, const JwComponent* component, JwFlight* flight)
{
  const uint32_t most = 2 * component->point_count + component->pickup_count;
  const double** pointers = flight->pointers;
  double** targets = flight->targets;
  flight->bank_count = flight->mass_count = 0;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = jw_object_at(world, component->objects[i]);
    if (object->dense) {
      JwFlightBank* const bank = &flight->banks[flight->bank_count++];
      bank->rows = (object->dofs + 3) / 4;
      bank->e = object->bank.e, bank->b = object->bank.b;
      bank->weight = pointers, pointers += most;
      bank->spread = pointers, pointers += component->force_count;
      bank->force = pointers, pointers += component->force_count;
      bank->sums = targets, targets += most;
      memcpy(bank->buffer, object->buffer, sizeof bank->buffer);
    } else {
      JwFlightMass* const mass = &flight->masses[flight->mass_count++];
      mass->e = object->bank.e[0], mass->b = object->bank.b[0];
      mass->push = object->y[0] * jw_object_weight(object);
      mass->path = flight->paths, flight->paths += FRAMES;
      memcpy(mass->buffer, object->buffer, sizeof mass->buffer);
    }
  }
}

static JwFlightBank* bank_of(const JwFlight* flight, const JwObject* object)
{
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    if (flight->banks[i].buffer[0] == object->buffer[0]) {
      return &flight->banks[i];
    }
  }
  return NULL;
}

static JwFlightMass* mass_of(const JwFlight* flight, const JwObject* object)
{
  for (uint32_t i = 0; i < flight->mass_count; ++i) {
    if (flight->masses[i].buffer[0] == object->buffer[0]) {
      return &flight->masses[i];
    }
  }
  return NULL;
}

// Where to find what a side reads, frame by frame.
static double* path_of(JwFlight* flight, const JwSide* side)
{
  if (!side->object) {
    return flight->nothing;
  }
  if (!side->object->dense) {
    return mass_of(flight, side->object)->path;
  }
  JwFlightBank* const bank = bank_of(flight, side->object);
  // Places of a modal object stay what they are: those that are alike need one reading.
  for (uint32_t i = 0; i < flight->reading_count && side->object->ops->kind == JW_KIND_MODAL; ++i) {
    const JwSide* const other = flight->readings[i].side;
    if (other->object == side->object
        && memcmp(other->weights.weight, side->weights.weight, side->weights.count * sizeof(double)) == 0) {
      return flight->readings[i].path;
    }
  }
  Reading* const reading = &flight->readings[flight->reading_count];
  double* const sums = flight->sums + (size_t)4 * FRAMES * flight->reading_count++;
  reading->side = side;
  reading->sums = sums;
  reading->path = flight->paths, flight->paths += FRAMES;
  bank->weight[bank->reading_count] = side->weights.weight;
  bank->sums[bank->reading_count++] = sums;
  return reading->path;
}

// One contact, at most one bank: then all there is are its two sides.
static void build_press(JwFlight* flight)
{
  const Gap* const gap = flight->gaps;
  if (flight->gap_count != 1 || flight->bank_count > 1 || gap->point->step.law->rule != JW_RULE_BOUNDED) {
    return;
  }
  JwPress* const press = &flight->press;
  press->step = &gap->point->step;
  press->force = flight->force, press->root = flight->root, press->psi = flight->psi;
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &gap->point->side[s];
    press->path[s] = gap->path[s];
    if (!side->object) {
      continue;
    }
    if (side->object->dense) {
      press->bank = flight->banks;
      press->side = s;
      press->weight = side->weights.weight, press->spread = side->spread;
    } else {
      press->mass[s] = mass_of(flight, side->object);
    }
  }
}

void jw_flight_build(JwWorld* world, JwComponent* component)
{
  JwFlight* const flight = component->flight;
  if (!flight) {
    return;
  }
  flight->ops = best_ops();
  flight->span = JW_CHUNK;
  build_objects(world, component, flight);
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = &world->points[component->points[i]];
    const Gap gap = {point, {path_of(flight, &point->side[0]), path_of(flight, &point->side[1])}};
    flight->gaps[flight->gap_count++] = gap;
  }
  build_press(flight);
  for (uint32_t i = 0; i < component->pickup_count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, component->pickups[i]);
    const bool force = pickup->def.quantity == JW_QUANTITY_FORCE;
    const Ear ear = {pickup, component->pickups[i], force ? flight->force : path_of(flight, &pickup->side)};
    flight->ears[flight->ear_count++] = ear;
  }
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const JwForce* const force = jw_force_at(world, component->forces[i]);
    const Drive drive = {component->forces[i], bank_of(flight, force->side.object), flight->paths};
    flight->drives[flight->drive_count++] = drive;
    flight->paths += FRAMES;
  }
}

// ---------------------------------------------------------------- flying

static bool is_open(const JwPoint* point)
{
  const JwPointState* const state = point->step.state;
  return point->quick && !point->closed && state->psi == 0.0 && state->closure == 0 && state->shift == 0.0;
}

// Forces of the frames to come, to the banks that they push; false when one pushes a mass.
static bool gather_forces(const JwWorld* world, JwFlight* flight, uint64_t frame, uint32_t count)
{
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    flight->banks[i].drive_count = 0;
  }
  for (uint32_t i = 0; i < flight->drive_count; ++i) {
    const Drive* const drive = &flight->drives[i];
    const JwForce* const force = jw_force_at(world, drive->index);
    if (jw_force_silent(world, drive->index, frame, count)) {
      continue;
    }
    JwFlightBank* const bank = drive->bank;
    if (!bank) {
      return false;
    }
    for (uint32_t t = 0; t < count; ++t) {
      drive->values[t] = jw_force_at_frame(world, drive->index, frame + t);
    }
    bank->spread[bank->drive_count] = force->side.spread;
    bank->force[bank->drive_count++] = drive->values;
  }
  return true;
}

static void save(JwFlight* flight, uint64_t frame, bool back)
{
  const size_t now = frame % 3, prev = (frame + 2) % 3;
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    const JwFlightBank* const bank = &flight->banks[i];
    const size_t size = 4 * (size_t)bank->rows;
    double* const states[2] = {bank->buffer[now], bank->buffer[prev]};
    for (size_t s = 0; s < 2; ++s) {
      double* const kept = bank->saved + s * size;
      memcpy(back ? states[s] : kept, back ? kept : states[s], size * sizeof(double));
    }
  }
  for (uint32_t i = 0; i < flight->mass_count; ++i) {
    JwFlightMass* const mass = &flight->masses[i];
    double* const states[2] = {mass->buffer[now], mass->buffer[prev]};
    for (int s = 0; s < 2; ++s) {
      *(back ? states[s] : &mass->saved[s]) = *(back ? &mass->saved[s] : states[s]);
    }
  }
}

// Banks and masses in pairs: their chains run side by side.
static void fly(const JwFlight* flight, uint64_t frame, uint32_t count)
{
  uint32_t masses = 0;
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    const JwFlightBank* const bank = &flight->banks[i];
    if (masses < flight->mass_count && !bank->drive_count) {
      flight->ops->both(bank, &flight->masses[masses++], frame, count);
    } else {
      flight->ops->bank(bank, frame, count);
    }
  }
  for (; masses < flight->mass_count; ++masses) {
    flight->ops->mass(&flight->masses[masses], frame, count);
  }
}

static void add_readings(const JwFlight* flight, uint32_t count, const double* but)
{
  for (uint32_t i = 0; i < flight->reading_count; ++i) {
    const Reading* const reading = &flight->readings[i];
    if (reading->path != but) {
      flight->ops->add(count + 1, reading->sums, reading->path);
    }
  }
}

// Frames until the first gap closes.
static uint32_t free_frames(const JwFlight* flight, uint32_t count)
{
  uint32_t least = count;
  for (uint32_t i = 0; i < flight->gap_count; ++i) {
    const Gap* const gap = &flight->gaps[i];
    least = flight->ops->closes(least, gap->path[0], gap->path[1], gap->point->rest);
  }
  return least;
}

// What a pickup gives, times a gain.
static void hear(const JwWorld* world, const JwFlight* flight, const Ear* ear, uint32_t count, double gain, double* row)
{
  const JwObject* const object = ear->pickup->side.object;
  const double position = object && object->position ? *object->position : 0.0;
  switch (ear->pickup->def.quantity) {
  case JW_QUANTITY_VELOCITY: flight->ops->velocity(count, ear->path, world->k, gain, row); break;
  case JW_QUANTITY_DISPLACEMENT:
    for (uint32_t t = 0; t < count; ++t) {
      row[t] = gain * (ear->path[t + 1] + position);
    }
    break;
  case JW_QUANTITY_FORCE:
    for (uint32_t t = 0; t < count; ++t) {
      row[t] = gain * ear->path[t + 1];
    }
    break;
  }
}

static void listen(const JwWorld* world, const JwFlight* flight, uint32_t at, uint32_t count)
{
  const bool stereo = world->def.channels == 2;
  for (uint32_t i = 0; i < flight->ear_count; ++i) {
    const Ear* const ear = &flight->ears[i];
    const double* const gains = world->gains + 4 * (size_t)ear->index;
    double* const row = world->heard + (size_t)2 * JW_CHUNK * ear->index + at;
    hear(world, flight, ear, count, gains[stereo ? 2 : 0], row);
    if (stereo) {
      hear(world, flight, ear, count, gains[3], row + JW_CHUNK);
    }
  }
}

// How far one may go before something other than a contact happens.
static uint32_t clear_frames(const JwComponent* component, uint32_t most)
{
  const JwComponentState* const state = component->state;
  const uint64_t rest = JW_REST_FRAMES - 1 - state->frame % JW_REST_FRAMES;
  const uint64_t throw = state->next_throw - state->frame;
  const uint64_t count = most < rest ? most : rest;
  return (uint32_t)(count < throw ? count : throw);
}

// What the general step would have left.
static void land(JwWorld* world, JwComponent* component, uint32_t count)
{
  JwFlight* const flight = component->flight;
  for (uint32_t i = 0; i < flight->gap_count; ++i) {
    const Gap* const gap = &flight->gaps[i];
    gap->point->known = false;
    if (component->point_count > 1) { // Alone, an open point is not even noted
      gap->point->step.state->eta = (gap->path[0][count] - gap->path[1][count]) + gap->point->rest;
    }
  }
  for (uint32_t i = 0; i < flight->drive_count; ++i) {
    const uint32_t index = flight->drives[i].index;
    world->force_states[index].force = jw_force_at_frame(world, index, component->state->frame + count - 1);
  }
  component->known = component->heard = false;
  component->state->frame += count;
}

// Free flight: returns how many frames.
static uint32_t glide(const JwWorld* world, JwComponent* component, uint32_t count)
{
  JwFlight* const flight = component->flight;
  const uint64_t frame = component->state->frame;
  count = count < flight->span ? count : flight->span;
  for (uint32_t i = 0; i < flight->gap_count; ++i) {
    if (!is_open(flight->gaps[i].point)) {
      return 0;
    }
  }
  if (!gather_forces(world, flight, frame, count)) {
    return 0;
  }
  save(flight, frame, false);
  fly(flight, frame, count);
  add_readings(flight, count, NULL);
  const uint32_t free = free_frames(flight, count);
  flight->span = free < count ? 8 : flight->span < JW_CHUNK ? 2 * flight->span : JW_CHUNK;
  if (free < count) {
    save(flight, frame, true);
    if (free) {
      fly(flight, frame, free);
    }
  }
  if (flight->pushed) {
    memset(flight->force, 0, FRAMES * sizeof(double));
    flight->pushed = false;
  }
  return free;
}

// The one contact pushes: returns for how many frames.
static uint32_t press(const JwWorld* world, JwComponent* component, uint32_t count)
{
  JwFlight* const flight = component->flight;
  JwPress* const p = &flight->press;
  JwPoint* const point = p->step ? flight->gaps[0].point : NULL;
  if (!point || !point->quick || p->step->state->shift != 0.0) {
    return 0;
  }
  for (uint32_t i = 0; i < flight->drive_count; ++i) {
    if (!jw_force_silent(world, flight->drives[i].index, component->state->frame, count)) {
      return 0;
    }
  }
  p->rest = point->rest;
  for (int s = 0; s < 2; ++s) {
    p->mass_spread[s] = p->mass[s] ? point->side[s].spread[0] : 0.0;
  }
  const uint32_t pressed = flight->ops->press(p, component->state->frame, count);
  if (pressed) {
    point->closed = flight->pushed = true;
    add_readings(flight, pressed, p->bank ? p->path[p->side] : NULL);
  }
  return pressed;
}

uint32_t jw_flight(JwWorld* world, JwComponent* component, uint32_t at, uint32_t most)
{
  JwFlight* const flight = component->flight;
  if (!flight || !flight->ops || !component->state->awake || component->moving_count || component->stale || component->reread) {
    return 0;
  }
  uint32_t done = 0;
  for (uint32_t last = 1; last;) { // In turns, until neither can
    const uint32_t count = clear_frames(component, most - done);
    if (!count) {
      break;
    }
    last = glide(world, component, count);
    last = last ? last : press(world, component, count);
    if (last) {
      listen(world, flight, at + done, last);
      land(world, component, last);
      done += last;
    }
  }
  return done;
}
