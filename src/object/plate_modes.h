// A small supported plate by the modes of its own grid (plate_modes.c).
#ifndef JAWARI_PLATE_MODES_H
#define JAWARI_PLATE_MODES_H

#include "object/object.h"

/// For plan(), layout() and setup() of a plate: nothing where it is not small and supported.
void jw_own_plan(JwObject* object);
void jw_own_layout(JwObject* object, JwArena* arena);
void jw_own_setup(JwObject* object);

/// A handle for a port, unless its weights are made of those there are.  False: there are too many.
JW_REALTIME bool jw_own_add_handle(JwObject* object, const JwPort* port);

/// A port's weights on the handles, instead of the grid.
JW_REALTIME void jw_own_weigh(const JwObject* object, const JwPort* port, JwWeights* weights);

/// Modes and handles of a state from its grid, and its grid from them.
void jw_own_from_grid(const JwObject* object, double* u);
JW_REALTIME void jw_own_to_grid(const JwObject* object, double* u);

/// Its points, in natural order; what a port reads, whether handles serve it or not.
const double* jw_own_points(const JwObject* object, const double* u);
double jw_own_read(const JwObject* object, const JwPort* port, const double* u);

/// Let the modes of a state hear what its handles were pushed by.
JW_REALTIME void jw_own_update(const JwObject* object, double* u);

JW_REALTIME JwStored jw_own_energy(const JwObject* object, const double* u, const double* prev);
JW_REALTIME double jw_own_dissipate(const JwObject* object, const double* next, const double* prev);

#endif // JAWARI_PLATE_MODES_H
