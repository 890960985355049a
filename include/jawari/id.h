// SPDX-License-Identifier: MIT
// jawari/id.h: small handles, passed by value.  Zero stands for nothing.
#ifndef JAWARI_ID_H
#define JAWARI_ID_H

#include <stdint.h>

typedef struct {
  uint32_t index;
} JwObjectId;
typedef struct {
  uint32_t index;
} JwContactId;
typedef struct {
  uint32_t index;
} JwExciterId;
typedef struct {
  uint32_t index;
} JwPickupId;

#endif // JAWARI_ID_H
