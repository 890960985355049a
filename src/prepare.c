// From definitions to a world that runs: find components, lay out memory, set up, start.
//
// Layout runs twice over the same code, to measure and to hand out (base/arena.h), so the cost asked
// for beforehand is the cost paid.

#include "object/string_shapes.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- components

static JwObject* port_object(const JwWorld* world, JwPort port)
{
  return port.object.index ? jw_object_at(world, port.object.index - 1) : NULL;
}

static bool has_curve(const JwWorld* world, uint32_t object)
{
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    if (JW_AT(world->curves, JwCurve, i)->target.object.index == object + 1) {
      return true;
    }
  }
  return false;
}

// Whether an object ties its contacts together: all that move, and barriers that follow a curve.
static bool ties(const JwWorld* world, const JwObject* object)
{
  return object && (object->dofs > 0 || has_curve(world, (uint32_t)(object - jw_object_at(world, 0))));
}

// Label propagation over contacts: few objects, done once.
static uint32_t find_components(JwWorld* world)
{
  const uint32_t n = world->objects.count;
  for (uint32_t i = 0; i < n; ++i) {
    JwObject* const object = jw_object_at(world, i);
    object->component = ties(world, object) ? i : JW_NONE;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < world->contacts.count; ++i) {
      JwObject* const a = port_object(world, jw_contact_at(world, i)->port[0]);
      JwObject* const b = port_object(world, jw_contact_at(world, i)->port[1]);
      if (ties(world, a) && ties(world, b) && a->component != b->component) {
        const uint32_t low = a->component < b->component ? a->component : b->component;
        a->component = b->component = low;
        changed = true;
      }
    }
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; ++i) { // A component is led by its first object: number them in order
    JwObject* const object = jw_object_at(world, i);
    if (object->component == JW_NONE) {
      continue;
    }
    object->component = object->component == i ? count++ : jw_object_at(world, object->component)->component;
  }
  return count;
}

static uint32_t contact_component(const JwWorld* world, const JwContact* contact)
{
  const JwObject* const a = port_object(world, contact->port[0]);
  return ties(world, a) ? a->component : port_object(world, contact->port[1])->component;
}

// Number points, assign everything to its component.
static void assign(JwWorld* world)
{
  world->component_count = find_components(world);
  world->point_count = 0;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    contact->component = contact_component(world, contact);
    contact->first_point = world->point_count;
    contact->point_count = jw_contact_points(world, contact);
    world->point_count += contact->point_count;
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwForce* const force = jw_force_at(world, i);
    force->component = port_object(world, force->def.port)->component;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, i);
    pickup->component = pickup->def.quantity == JW_QUANTITY_FORCE
                          ? jw_contact_at(world, pickup->def.contact.index - 1)->component
                          : port_object(world, pickup->def.port)->component;
  }
  world->slot_count = (world->objects.count + world->contacts.count + world->forces.count + world->pickups.count)
                      * JW_CONTROL_COUNT;
}

// ---------------------------------------------------------------- layout

typedef struct {
  uint64_t objects, cells, points, forces, pickups, slots;
  uint64_t places, runs, coupled; // Contacts at a place; contacts along strings; points coupled for good
  bool chained;                   // A contact along two strings links all points along either
} Tally;

static bool is_dense(const JwObject* object) { return object && object->dense; }

// Two strings, not both on the same grid: every point of one touches two of the other.
static bool chains(const JwWorld* world, const JwContact* contact)
{
  const JwObject* const a = port_object(world, contact->port[0]);
  const JwObject* const b = port_object(world, contact->port[1]);
  const bool both = contact->along && a && b && a->dofs && b->dofs;
  return both && (a->dense || b->dense || a->grid.string.intervals != b->grid.string.intervals);
}

// Points along a string that move each other for good: on modes, or between unequal grids.
static uint64_t coupled_points(const JwWorld* world, const JwContact* contact)
{
  const bool dense = is_dense(port_object(world, contact->port[0])) || is_dense(port_object(world, contact->port[1]));
  return contact->along && (dense || chains(world, contact)) ? contact->point_count : 0;
}

static Tally tally(const JwWorld* world, uint32_t component)
{
  Tally t = {0};
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component == component) {
      t.objects += object->dofs > 0;
      t.cells += object->size;
      ++t.slots;
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    if (contact->component == component) {
      t.points += contact->point_count;
      t.places += !contact->along;
      t.runs += contact->along;
      t.coupled += coupled_points(world, contact);
      t.chained = t.chained || chains(world, contact);
      t.slots += 1 + 2; // And a barrier on either side
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    t.forces += jw_force_at(world, i)->component == component;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    t.pickups += jw_pickup_at(world, i)->component == component;
  }
  t.slots = (t.slots + t.forces + t.pickups) * JW_CONTROL_COUNT;
  return t;
}

// Most points that an island can come to have when ports move: every contact at a place, the grid
// points of contacts along strings that their ports can cover (four a side, in every run), those coupled
// for good, and one of every run where runs share a grid point.
static uint64_t island_capacity(const Tally* t)
{
  const uint64_t most = t->places + t->coupled + 8 * t->places * t->runs + t->runs;
  return most < t->points && !t->chained ? most : t->points;
}

static void layout_component(JwWorld* world, uint32_t index, JwArena* arena, JwArena* state)
{
  const Tally t = tally(world, index);
  const uint64_t capacity = island_capacity(&t);
  JwComponent c = {0};
  c.objects = JW_TAKE(arena, t.objects, uint32_t);
  c.points = JW_TAKE(arena, t.points, uint32_t);
  c.order = JW_TAKE(arena, t.points, uint32_t);
  c.parent = JW_TAKE(arena, t.points, uint32_t);
  c.owner = JW_TAKE(arena, t.cells, uint32_t);
  c.islands = JW_TAKE(arena, t.points, JwIsland);
  c.plain = JW_TAKE(arena, t.points, uint32_t);
  c.watched = JW_TAKE(arena, t.runs, uint32_t);
  c.hits = JW_TAKE(arena, t.runs ? t.cells : 0, uint32_t);
  c.forces = JW_TAKE(arena, t.forces, uint32_t);
  c.pickups = JW_TAKE(arena, t.pickups, uint32_t);
  c.moving = JW_TAKE(arena, t.slots, uint32_t);
  c.active = JW_TAKE(arena, capacity, uint32_t);
  c.free = JW_TAKE(arena, capacity, double);
  c.work = JW_TAKE(arena, 2 * capacity, double); // Pivots, then pointers
  c.matrix = JW_TAKE(arena, capacity * capacity, double);
  c.pool_size = (size_t)(capacity * capacity);
  c.pool = JW_TAKE(arena, c.pool_size, double);
  c.capacity = (uint32_t)capacity;
  c.state = JW_TAKE(state, 1, JwComponentState);
  if (arena->base) {
    world->components[index] = c;
  }
}

static void layout_objects(JwWorld* world, JwArena* arena, JwArena* state)
{
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    object->y = JW_TAKE(arena, object->size, double);
    object->ops->layout(object, arena);
    for (int b = 0; b < 3; ++b) {
      object->buffer[b] = JW_TAKE(state, object->size, double);
    }
    const bool placed = object->ops->kind == JW_KIND_MASS || object->ops->kind == JW_KIND_BARRIER;
    object->position = placed ? JW_TAKE(state, 1, double) : NULL;
  }
}

static void layout_ends(JwWorld* world, JwArena* arena)
{
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwForce* const force = jw_force_at(world, i);
    force->side.object = port_object(world, force->def.port);
    jw_side_layout(&force->side, arena);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, i);
    pickup->side.object = pickup->def.quantity == JW_QUANTITY_FORCE ? NULL : port_object(world, pickup->def.port);
    jw_side_layout(&pickup->side, arena);
  }
}

static uint32_t power_of_two(uint32_t n)
{
  uint32_t p = 1;
  while (p < n) {
    p *= 2;
  }
  return p;
}

static void layout(JwWorld* world, JwArena* arena, JwArena* state)
{
  world->points = JW_TAKE(arena, world->point_count, JwPoint);
  world->components = JW_TAKE(arena, world->component_count, JwComponent);
  world->curve_of = JW_TAKE(arena, world->slot_count, JwCurve*);
  world->slot_component = JW_TAKE(arena, world->slot_count, uint32_t);
  world->is_moving = JW_TAKE(arena, world->slot_count, bool);
  world->initial_values = JW_TAKE(arena, world->slot_count, double);
  world->chunk = JW_TAKE(arena, JW_CHUNK * (jw_world_channels(world) + (size_t)1), double);
  world->heard = JW_TAKE(arena, 2 * JW_CHUNK * (size_t)world->pickups.count, double);
  world->pool = world->def.threads > 1 ? (JwPool*)(void*)JW_TAKE(arena, jw_pool_size(), unsigned char) : NULL;
  world->queue.size = power_of_two(world->def.queue);
  world->queue.items = JW_TAKE(arena, world->queue.size, JwCommand);
  world->frame = JW_TAKE(state, 1, uint64_t);
  world->ramps = JW_TAKE(state, world->slot_count, JwRamp);
  world->force_states = JW_TAKE(state, world->forces.count, JwForceState);
  world->gains = JW_TAKE(state, 4 * (size_t)world->pickups.count, double);
  layout_objects(world, arena, state);
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_layout(world, jw_contact_at(world, i), arena, state);
  }
  layout_ends(world, arena);
  for (uint32_t i = 0; i < world->component_count; ++i) {
    layout_component(world, i, arena, state);
  }
}

// ---------------------------------------------------------------- cost

static double component_operations(const JwWorld* world, uint32_t index)
{
  const Tally t = tally(world, index);
  const double m = (double)island_capacity(&t);
  return 60.0 * (double)t.points + m * m * m / 3.0;
}

static JwStatus too_large(JwWorld* world, const char* what, uint64_t value, uint64_t limit)
{
  return jw_world_fail(world, JW_STATUS_TOO_LARGE, "the world would have %llu %s, must be at most %llu",
                       (unsigned long long)value, what, (unsigned long long)limit);
}

JwStatus jw_world_cost(JwWorld* world, JwCost* cost)
{
  memset(cost, 0, sizeof *cost);
  if (!world->prepared) {
    assign(world);
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    cost->points += object->dofs;
    cost->operations += (object->ops->kind == JW_KIND_PLATE ? 26.0 : object->dense ? 5.0 : 12.0) * object->dofs;
  }
  cost->contacts = world->point_count;
  if (cost->points > world->def.max_points) {
    return too_large(world, "grid points and modes", cost->points, world->def.max_points);
  }
  if (cost->contacts > world->def.max_contacts) {
    return too_large(world, "contact points", cost->contacts, world->def.max_contacts);
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    cost->operations += component_operations(world, i);
  }
  cost->bytes = world->bytes;
  if (!world->prepared) {
    JwArena arena = {NULL, 0}, state = {NULL, 0};
    layout(world, &arena, &state);
    cost->bytes = arena.used + state.used;
  }
  return cost->bytes > world->def.max_bytes ? too_large(world, "bytes of memory", cost->bytes, world->def.max_bytes)
                                            : JW_STATUS_OK;
}

// ---------------------------------------------------------------- set up

static void fill_components(JwWorld* world)
{
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component != JW_NONE && object->dofs > 0) {
      JwComponent* const component = &world->components[object->component];
      component->objects[component->object_count++] = i;
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    JwComponent* const component = &world->components[contact->component];
    for (uint32_t p = 0; p < contact->point_count; ++p) {
      component->points[component->point_count++] = contact->first_point + p;
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwComponent* const component = &world->components[jw_force_at(world, i)->component];
    component->forces[component->force_count++] = i;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwComponent* const component = &world->components[jw_pickup_at(world, i)->component];
    component->pickups[component->pickup_count++] = i;
  }
}

// The one component that a barrier's contacts lie in, or JW_NONE.
static uint32_t barrier_component(const JwWorld* world, uint32_t object)
{
  uint32_t found = JW_NONE;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    for (int s = 0; s < 2; ++s) {
      if (contact->port[s].object.index == object + 1) {
        if (found != JW_NONE && found != contact->component) {
          return JW_NONE;
        }
        found = contact->component;
      }
    }
  }
  return found;
}

static uint32_t slot_component(const JwWorld* world, JwTarget target)
{
  if (jw_slot_index(world, target) == JW_NONE) {
    return JW_NONE;
  }
  if (target.object.index) {
    const JwObject* const object = jw_object_at(world, target.object.index - 1);
    return object->dofs ? object->component : barrier_component(world, target.object.index - 1);
  }
  return target.contact.index   ? jw_contact_at(world, target.contact.index - 1)->component
         : target.exciter.index ? jw_force_at(world, target.exciter.index - 1)->component
                                : jw_pickup_at(world, target.pickup.index - 1)->component;
}

static void setup(JwWorld* world)
{
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    object->ops->setup(object);
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_setup(world, jw_contact_at(world, i));
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    jw_side_weigh(&jw_force_at(world, i)->side, &jw_force_at(world, i)->def.port);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    jw_side_weigh(&jw_pickup_at(world, i)->side, &jw_pickup_at(world, i)->def.port);
  }
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    world->slot_component[slot] = slot_component(world, jw_slot_target(world, slot));
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    JwCurve* const curve = JW_AT(world->curves, JwCurve, i);
    world->curve_of[jw_slot_index(world, curve->target)] = curve;
  }
}

// ---------------------------------------------------------------- start

static double initial_shape(const JwInitialDef* def, const JwObject* object, double x, double y)
{
  const bool plate = object->ops->kind == JW_KIND_PLATE;
  const double dx = fabs(x - def->x) / def->width, dy = plate ? fabs(y - def->y) / def->width : 0.0;
  const double distance = sqrt(dx * dx + dy * dy);
  double rise;
  switch (def->shape) {
  case JW_SHAPE_TRIANGLE:
    rise = x <= def->x ? (def->x > 0.0 ? x / def->x : 1.0) : (1.0 - x) / (1.0 - def->x);
    if (plate) {
      rise *= y <= def->y ? (def->y > 0.0 ? y / def->y : 1.0) : (1.0 - y) / (1.0 - def->y);
    }
    return def->amplitude * rise;
  case JW_SHAPE_HUMP: return distance < 0.5 ? def->amplitude * 0.5 * (1.0 + jw_cos(2.0 * JW_PI * distance)) : 0.0;
  case JW_SHAPE_SINE: return def->amplitude * jw_sin(JW_PI * x) * (plate ? jw_sin(JW_PI * y) : 1.0);
  }
  return 0.0;
}

// Modes of a string: q_p = rA integral of shape X_p / m_p, by the trapezium rule on a grid four times
// finer than the shortest mode.
static void project(const JwInitialDef* def, const JwObject* object, double* q)
{
  const uint32_t steps = 4 * (object->dofs + 1);
  const double length = object->def.string.length;
  for (uint32_t j = 0; j <= steps; ++j) {
    const double x = (double)j / steps, part = (j == 0 || j == steps ? 0.5 : 1.0) / steps;
    const double value = part * initial_shape(def, object, x, 0.0);
    const double twice = 2.0 * jw_cos(JW_PI * x);
    double last = 0.0, now = jw_sin(JW_PI * x);
    for (uint32_t p = 0; p < object->dofs; ++p) {
      const JwShape* const shape = object->bank.shapes ? &object->bank.shapes[p] : NULL;
      q[p] += shape ? value * object->info.mass / shape->mass * jw_shape_at(shape, length, x * length) : 2.0 * value * now;
      const double next = twice * now - last;
      last = now;
      now = next;
    }
  }
}

static void add_initial(const JwInitialDef* def, const JwObject* object, double* values)
{
  if (object->dense) {
    project(def, object, values);
    return;
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double x, y;
    object->ops->locate(object, i, &x, &y);
    values[jw_object_offset(object, i)] += initial_shape(def, object, x, y);
  }
}

// Displacement u and velocity v become u and prev = u - k v + k^2/2 (acceleration): second order.
// At the start the buffers are u at [0], prev at [2]; [1] holds v, then the free step from rest.
static void start_object(JwWorld* world, uint32_t index)
{
  JwObject* const object = jw_object_at(world, index);
  double *const u = object->buffer[0], *const spare = object->buffer[1], *const prev = object->buffer[2];
  object->ops->start(object, u, spare);
  for (uint32_t i = 0; i < world->initials.count; ++i) {
    const JwInitialDef* const def = JW_AT(world->initials, JwInitialDef, i);
    if (def->object.index == index + 1) {
      add_initial(def, object, def->quantity == JW_INITIAL_VELOCITY ? spare : u);
    }
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t at = jw_object_offset(object, i);
    prev[at] = -world->k * spare[at];
    spare[at] = 0.0;
  }
  object->ops->advance(object, spare, u, u);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t at = jw_object_offset(object, i);
    prev[at] += u[at] + 0.5 * (spare[at] - u[at]);
  }
  memset(spare, 0, object->size * sizeof(double));
}

static void start_numbers(JwWorld* world)
{
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (object->position) {
      *object->position = object->ops->kind == JW_KIND_MASS ? object->def.mass.position : object->def.barrier.position;
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    const JwForceDef* const def = &jw_force_at(world, i)->def;
    world->force_states[i].amplitude = def->amplitude;
    world->force_states[i].start = (uint64_t)(def->start / world->k + 0.5);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    const JwPickupDef* const def = &jw_pickup_at(world, i)->def;
    double* const gains = world->gains + 4 * (size_t)i;
    gains[0] = def->gain;
    gains[1] = def->pan;
    gains[2] = def->gain * sqrt(0.5 * (1.0 - def->pan));
    gains[3] = def->gain * sqrt(0.5 * (1.0 + def->pan));
  }
}

void jw_world_start(JwWorld* world)
{
  memset(world->state, 0, world->state_size);
  start_numbers(world);
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    if (jw_object_at(world, i)->dofs) {
      start_object(world, i);
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_rest(world, jw_contact_at(world, i));
  }
  jw_controls_start(world);
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_start(world, jw_contact_at(world, i));
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    JwComponent* const component = &world->components[i];
    jw_graph_build(world, component);
    component->reread = false;
    component->state->awake = true;
    component->state->lost = component->state->supplied = (JwSum){0.0, 0.0};
    if (world->def.ledger) {
      jw_ledger_start(world, component);
    }
  }
}

JwStatus jw_world_prepare(JwWorld* world)
{
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "prepared already");
  }
  JwCost cost;
  const JwStatus status = jw_world_cost(world, &cost);
  if (status) {
    return status;
  }
  JwArena arena = {NULL, 0}, state = {NULL, 0};
  layout(world, &arena, &state);
  world->memory = world->def.allocator.allocate(world->def.allocator.user, arena.used + state.used);
  if (!world->memory) {
    return jw_world_fail(world, JW_STATUS_NO_MEMORY, "no memory for %zu bytes", arena.used + state.used);
  }
  world->bytes = arena.used + state.used;
  world->state = (unsigned char*)world->memory + arena.used;
  world->state_size = state.used;
  JwArena real = {(unsigned char*)world->memory, 0}, real_state = {world->state, 0};
  layout(world, &real, &real_state);
  fill_components(world);
  setup(world);
  jw_world_start(world);
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    world->initial_values[slot] = world->ramps[slot].from;
  }
  world->shape = jw_world_shape(world);
  if (world->pool) {
    jw_pool_start(world->pool, world->def.threads);
  }
  world->prepared = true;
  return JW_STATUS_OK;
}

void jw_world_reset(JwWorld* world)
{
  if (!world->prepared) {
    return;
  }
  atomic_store_explicit(&world->queue.head, atomic_load_explicit(&world->queue.tail, memory_order_acquire),
                        memory_order_release);
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    if (world->slot_component[slot] != JW_NONE) {
      jw_control_apply(world, slot, world->initial_values[slot], *world->frame);
    }
  }
  jw_world_start(world);
}
