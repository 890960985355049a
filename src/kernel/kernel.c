// The kernels in plain C: the definition that every other width must equal to the bit.

#include "kernel/kernel.h"

// ---------------------------------------------------------------- strings
// Points in order, two zeros to either side, so that every neighbour can be read.

#define GHOSTS 2

uint32_t jw_string_size(uint32_t n) { return n + 2 * GHOSTS; }

uint32_t jw_string_offset(uint32_t n, uint32_t l)
{
  (void)n;
  return l + GHOSTS;
}

static void fix_end(const JwEndFix* fix, double* next, const double* u, const double* p, int step)
{
  next[0] += (fix->u00 * u[0] + fix->u01 * u[step] + fix->u02 * u[2 * step])
             + (fix->p00 * p[0] + fix->p01 * p[step]);
  next[step] += fix->u10 * u[0] + fix->u11 * u[step];
}

void jw_string_advance(const JwStringKernel* kernel, double* next, const double* u, const double* prev)
{
  const uint32_t n = kernel->n;
  const double c0 = kernel->c0, c1 = kernel->c1, c2 = kernel->c2, d0 = kernel->d0, d1 = kernel->d1;
  double* restrict out = next + GHOSTS;
  const double* restrict v = u + GHOSTS;
  const double* restrict p = prev + GHOSTS;
  for (int l = 0; l < (int)n; ++l) {
    out[l] = ((c0 * v[l] + c1 * (v[l - 1] + v[l + 1])) + c2 * (v[l - 2] + v[l + 2]))
             + (d0 * p[l] + d1 * (p[l - 1] + p[l + 1]));
  }
  fix_end(&kernel->fix[0], out, v, p, 1);
  fix_end(&kernel->fix[1], out + n - 1, v + n - 1, p + n - 1, -1);
}

// ---------------------------------------------------------------- plates
// Rows of nx points and two zeros, two rows of zeros above and below.

static uint32_t plate_stride(uint32_t nx) { return nx + GHOSTS; }

uint32_t jw_plate_size(uint32_t nx, uint32_t ny)
{
  return plate_stride(nx) * (ny + 2 * GHOSTS) + GHOSTS;
}

uint32_t jw_plate_offset(uint32_t nx, uint32_t x, uint32_t y)
{
  return plate_stride(nx) * (y + GHOSTS) + GHOSTS + x;
}

void jw_plate_advance(const JwPlateKernel* kernel, double* next, const double* u, const double* prev)
{
  const uint32_t nx = kernel->nx;
  const int s = (int)plate_stride(nx);
  const double cx1 = kernel->cx1, cy1 = kernel->cy1, cd = kernel->cd, cx2 = kernel->cx2,
               cy2 = kernel->cy2, d0 = kernel->d0, dx = kernel->dx, dy = kernel->dy;
  for (uint32_t y = 0; y < kernel->ny; ++y) {
    const uint32_t start = jw_plate_offset(nx, 0, y);
    double* restrict out = next + start;
    const double* restrict v = u + start;
    const double* restrict p = prev + start;
    const double c0 = kernel->c0[y];
    for (int x = 0; x < (int)nx; ++x) {
      const double near = (c0 * v[x] + cx1 * (v[x - 1] + v[x + 1])) + cy1 * (v[x - s] + v[x + s]);
      const double diagonal = cd * ((v[x - s - 1] + v[x - s + 1]) + (v[x + s - 1] + v[x + s + 1]));
      const double far = cx2 * (v[x - 2] + v[x + 2]) + cy2 * (v[x - 2 * s] + v[x + 2 * s]);
      const double past = (d0 * p[x] + dx * (p[x - 1] + p[x + 1])) + dy * (p[x - s] + p[x + s]);
      out[x] = ((near + diagonal) + far) + past;
    }
    out[0] += kernel->left * v[0];
    out[nx - 1] += kernel->right * v[nx - 1];
  }
}

// ---------------------------------------------------------------- modes

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

void jw_axpy(uint32_t n, const double* w, double f, double* u)
{
  for (uint32_t i = 0; i < n; ++i) {
    u[i] += w[i] * f;
  }
}
