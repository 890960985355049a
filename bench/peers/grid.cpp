// SPDX-License-Identifier: MIT
// The least that a Faust program needs around it: no controls, one output; with the time it takes.
#include "least.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#define FAUSTFLOAT double
struct Meta { void declare(const char*, const char*) {} };
struct UI {
  void openVerticalBox(const char*) {}
  void closeBox() {}
  void declare(FAUSTFLOAT*, const char*, const char*) {}
};
struct dsp { virtual ~dsp() {} };

<<includeIntrinsic>>
<<includeclass>>

int main()
{
  static mydsp program;
  static double rows[8][2240];
  double* out[8];
  for (int i = 0; i < 8; ++i) out[i] = rows[i];
  program.init(44100);
  volatile double heard = 0;
  print_least(NAME, [&](int frames) { program.compute(frames, nullptr, out); heard = rows[0][frames - 1]; });
  return std::isfinite(heard) && heard != 0 ? 0 : 1;
}
