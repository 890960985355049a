// Oscillator banks and dense ports: short loops over modes (kernel.h).

#include "kernel/kernel.h"

void jw_modes_advance(uint32_t n, const double* e, const double* b, double* next, const double* u,
                      const double* prev)
{
  for (uint32_t i = 0; i < n; ++i) {
    next[i] = u[i] + (e[i] * (u[i] - prev[i]) - b[i] * u[i]);
  }
}

double jw_dot(uint32_t n, const double* w, const double* u)
{
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  const uint32_t whole = n - n % 4;
  for (uint32_t i = 0; i < whole; i += 4) {
    for (uint32_t j = 0; j < 4; ++j) {
      s[j] += w[i + j] * u[i + j];
    }
  }
  for (uint32_t i = whole; i < n; ++i) {
    s[i - whole] += w[i] * u[i];
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

double jw_distance(uint32_t n, const double* u, const double* v)
{
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  const uint32_t whole = n - n % 4;
  for (uint32_t i = 0; i < whole; i += 4) {
    for (uint32_t j = 0; j < 4; ++j) {
      const double d = u[i + j] - v[i + j];
      s[j] += d * d;
    }
  }
  for (uint32_t i = whole; i < n; ++i) {
    s[i - whole] += (u[i] - v[i]) * (u[i] - v[i]);
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

void jw_axpy(uint32_t n, const double* w, double f, double* u)
{
  for (uint32_t i = 0; i < n; ++i) {
    u[i] += w[i] * f;
  }
}
