// SPDX-License-Identifier: MIT
// What voices of the Synthesis Toolkit cost: a bowed and a plucked waveguide, and a mesh of 12 x 12.
#include "least.h"

#include <Bowed.h>
#include <Mesh2D.h>
#include <Plucked.h>
#include <Stk.h>

int main()
{
  stk::Stk::setSampleRate(44100);
  volatile double heard = 0;
  stk::Bowed bowed(30);
  bowed.noteOn(65.4, 0.8);
  print_least("bowed", [&](int frames) { for (int i = 0; i < frames; ++i) heard = bowed.tick(); });
  stk::Plucked plucked(30);
  plucked.noteOn(65.4, 0.8);
  print_least("plucked", [&](int frames) { for (int i = 0; i < frames; ++i) heard = plucked.tick(); });
  stk::Mesh2D mesh(12, 12);
  mesh.noteOn(0, 1);
  print_least("mesh", [&](int frames) { for (int i = 0; i < frames; ++i) heard = mesh.tick(); });
  return 0;
}
