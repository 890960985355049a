// SPDX-License-Identifier: MIT
// Contact points that move each other within one sample form an island.
//
// On a grid a force moves only the points under its port; two contacts on one string couple only
// where their ports overlap.  On modes, and on a mass, every force moves every port.  Union-find
// over the degrees of freedom, in memory laid out beforehand: it may run between two samples when a
// port has moved.

#include "prepare/prepare.h"

static uint32_t leader(uint32_t* parent, uint32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

// The smaller index leads, so that the order of islands does not depend on the order of joining.
static void join(uint32_t* parent, uint32_t a, uint32_t b) {
  a = leader(parent, a);
  b = leader(parent, b);
  if (a < b) {
    parent[b] = a;
  } else {
    parent[a] = b;
  }
}

static void claim(JwComponent* component, uint32_t cell, uint32_t point) {
  uint32_t* const owner = &component->graph.owner[cell];
  if (*owner == JW_NONE) {
    *owner = point;
  } else {
    join(component->graph.parent, *owner, point);
  }
}

// Degrees of freedom are numbered through the component: objects one after the other.
static void join_points(JwComponent* component) {
  uint32_t base = 0;
  for (uint32_t o = 0; o < component->object_count; ++o) {
    const JwObject* const object = component->objects[o];
    for (uint32_t i = 0; i < component->point_count; ++i) {
      const JwPoint* const point = component->points[i];
      for (int s = 0; s < 2; ++s) {
        const JwSide* const side = &point->side[s];
        if (side->object != object) {
          continue;
        }
        const uint32_t cells = object->dense ? 1 : side->weights.count;
        for (uint32_t w = 0; w < cells; ++w) {
          claim(component, base + (object->dense ? 0 : jw_side_at(side, w)), i);
        }
      }
    }
    base += object->size;
  }
}

static void number_islands(JwComponent* component) {
  component->island_count = 0;
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    const uint32_t lead = leader(component->graph.parent, i);
    if (lead == i) {
      JwIsland* const island = &component->islands[component->island_count];
      island->count = 0;
      island->iterates = island->along = island->hub = false;
      island->compliance = NULL;
      point->island = component->island_count++;
    } else {
      point->island = component->points[lead]->island;
    }
    JwIsland* const island = &component->islands[point->island];
    ++island->count;
    island->iterates = island->iterates || point->step.law->iterates;
  }
}

static void order_points(JwComponent* component) {
  uint32_t first = 0;
  component->largest_island = 0;
  for (uint32_t i = 0; i < component->island_count; ++i) {
    JwIsland* const island = &component->islands[i];
    island->points = component->graph.order + first;
    first += island->count;
    component->largest_island =
        island->count > component->largest_island ? island->count : component->largest_island;
    island->count = 0;
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    JwIsland* const island = &component->islands[point->island];
    point->place = island->count;
    island->points[island->count++] = point;
  }
}

// Weights that change in every sample.
static bool has_dense(const JwIsland* island) {
  for (uint32_t i = 0; i < island->count; ++i) {
    if (island->points[i]->dense) {
      return true;
    }
  }
  return false;
}

// Compliances of islands of two and more, while the pool lasts.
static void fill_pool(const JwWorld* world, JwComponent* component) {
  size_t used = 0;
  for (uint32_t i = 0; i < component->island_count; ++i) {
    JwIsland* const island = &component->islands[i];
    const size_t size = (size_t)island->count * island->count;
    if (island->count < 2 || has_dense(island) || used + size > component->graph.pool_size) {
      continue;
    }
    island->compliance = component->graph.pool + used;
    used += size;
    for (uint32_t a = 0; a < island->count && !jw_prepare_stopped(world); ++a) {
      for (uint32_t b = 0; b <= a; ++b) {
        const double value = jw_point_compliance(island->points[a], island->points[b]);
        island->compliance[(size_t)a * island->count + b] =
            island->compliance[(size_t)b * island->count + a] = value;
      }
    }
  }
}

JW_REALTIME void jw_islands_build(JwWorld* world, JwComponent* component) {
  uint32_t cells = 0;
  for (uint32_t o = 0; o < component->object_count; ++o) {
    cells += component->objects[o]->size;
  }
  for (uint32_t i = 0; i < cells; ++i) {
    component->graph.owner[i] = JW_NONE;
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    component->graph.parent[i] = i;
  }
  join_points(component);
  number_islands(component);
  order_points(component);
  fill_pool(world, component);
}
