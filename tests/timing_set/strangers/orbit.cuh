// SPDX-License-Identifier: MIT
// Ordinary differential equations, each by a thread: Runge-Kutta over a box of parameters, steps that adapt themselves
// (doubles), a chain of springs in local arrays, and the same springs with a lane for each.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kOrbitSteps = 60;
template <class T>
struct OrbitPlace {
  T x, y, z;
};
template <class T>
__host__ __device__ inline OrbitPlace<T> orbit_along(OrbitPlace<T> p, T h, OrbitPlace<T> v) {
  return {p.x + h * v.x, p.y + h * v.y, p.z + h * v.z};
}
// Lorenz's equations, from (1, 1, 20).
template <class T>
__host__ __device__ inline OrbitPlace<T> orbit_lorenz(T sigma, T rho, T beta) {
  const T h = T(0.01);
  const auto slope = [=](OrbitPlace<T> p) {
    return OrbitPlace<T>{sigma * (p.y - p.x), p.x * (rho - p.z) - p.y, p.x * p.y - beta * p.z};
  };
  OrbitPlace<T> p = {1, 1, 20};
  for (int step = 0; step < kOrbitSteps; ++step) {
    const OrbitPlace<T> k1 = slope(p), k2 = slope(orbit_along(p, h / 2, k1));
    const OrbitPlace<T> k3 = slope(orbit_along(p, h / 2, k2)), k4 = slope(orbit_along(p, h, k3));
    p = orbit_along(p, h / 6, k1);
    p = orbit_along(p, h / 3, k2);
    p = orbit_along(p, h / 3, k3);
    p = orbit_along(p, h / 6, k4);
  }
  return p;
}
__host__ __device__ inline OrbitPlace<float> orbit_parameters(int i, int j, int k) {
  return {8 + 0.1f * i, 20 + 0.2f * j, 2 + 0.03f * k};
}
__global__ void orbit_sweep(float* x, float* y, float* z, int side) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= side || j >= side || k >= side) return;
  const OrbitPlace<float> of = orbit_parameters(i, j, k);
  const OrbitPlace<float> p = orbit_lorenz(of.x, of.y, of.z);
  const int at = (k * side + j) * side + i;
  x[at] = p.x;
  y[at] = p.y;
  z[at] = p.z;
}

// Van der Pol's oscillator until time 3, second and third order together (Bogacki and Shampine).
__host__ __device__ inline double2 orbit_oscillate(double mu, double x, double v, int& steps) {
  const double end = 3, tolerance = 1e-5;
  double t = 0, h = 0.02;
  steps = 0;
  while (t < end) {
    h = fmin(h, end - t);
    const auto pull = [=](double px, double pv) { return mu * (1 - px * px) * pv - px; };
    const double x1 = v, v1 = pull(x, v);
    const double x2 = v + h / 2 * v1, v2 = pull(x + h / 2 * x1, x2);
    const double x3 = v + 0.75 * h * v2, v3 = pull(x + 0.75 * h * x2, x3);
    const double nx = x + h * (2 * x1 + 3 * x2 + 4 * x3) * (1 / 9.0);
    const double nv = v + h * (2 * v1 + 3 * v2 + 4 * v3) * (1 / 9.0);
    const double x4 = nv, v4 = pull(nx, nv);
    const double ex = h * (-5 * x1 + 6 * x2 + 8 * x3 - 9 * x4) * (1 / 72.0);
    const double ev = h * (-5 * v1 + 6 * v2 + 8 * v3 - 9 * v4) * (1 / 72.0);
    const double error = fmax(fabs(ex), fabs(ev));
    if (error <= tolerance) {
      t += h;
      x = nx;
      v = nv;
    }
    h *= error > tolerance ? 0.5 : error < tolerance / 10 ? 1.7 : 1;
    ++steps;
  }
  return {x, v};
}
__global__ void orbit_adaptive(const double* mu, double2* state, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) state[i] = orbit_oscillate(mu[i], state[i].x, state[i].y, steps[i]);
}

// Fermi, Pasta and Ulam's springs between masses; the first and the last are tied to walls.
template <class T>
__host__ __device__ inline T orbit_force(T left, T here, T right) {
  const T a = right - here, b = here - left;
  return a - b + T(0.25) * (a * a - b * b);
}
constexpr int kOrbitChain = 16, kOrbitChainSteps = 10;
template <class T>
__host__ __device__ void orbit_slopes(const T* y, T* slope, int masses) {
  for (int m = 0; m < masses; ++m) {
    const T left = m > 0 ? y[m - 1] : 0, right = m < masses - 1 ? y[m + 1] : 0;
    slope[m] = y[masses + m];
    slope[masses + m] = orbit_force(left, y[m], right);
  }
}
template <class T>
__host__ __device__ void orbit_advance(T* y, int masses, int steps) {
  const T h = T(0.1);
  T sum[2 * kOrbitChain], slope[2 * kOrbitChain], tried[2 * kOrbitChain];
  for (int step = 0; step < steps; ++step) {
    for (int m = 0; m < 2 * masses; ++m) {
      tried[m] = y[m];
      sum[m] = 0;
    }
    for (int stage = 0; stage < 4; ++stage) {
      orbit_slopes(tried, slope, masses);
      const T share = stage == 0 || stage == 3 ? h / 6 : h / 3, ahead = stage < 2 ? h / 2 : h;
      for (int m = 0; m < 2 * masses; ++m) {
        sum[m] += share * slope[m];
        tried[m] = y[m] + ahead * slope[m];
      }
    }
    for (int m = 0; m < 2 * masses; ++m) y[m] += sum[m];
  }
}
__global__ void orbit_chain(const float* in, float* out, int masses, int steps, int chains) {
  const int chain = blockIdx.x * blockDim.x + threadIdx.x;
  if (chain >= chains) return;
  float y[2 * kOrbitChain];
  for (int m = 0; m < 2 * masses; ++m) y[m] = in[chain * 2 * masses + m];
  orbit_advance(y, masses, steps);
  for (int m = 0; m < 2 * masses; ++m) out[chain * 2 * masses + m] = y[m];
}

constexpr int kOrbitLaneSteps = 64;
__global__ void __launch_bounds__(256) orbit_lanes(float* place, float* speed, int chains) {
  const int lane = threadIdx.x, chain = blockIdx.x * blockDim.y + threadIdx.y;
  if (chain >= chains) return;
  const float h = 0.0625f;
  float x = place[chain * 32 + lane], v = speed[chain * 32 + lane];
  for (int step = 0; step < kOrbitLaneSteps; ++step) {
    x += h / 2 * v;
    float left = __shfl_up_sync(kAll, x, 1), right = __shfl_down_sync(kAll, x, 1);
    if (lane == 0) left = 0;
    if (lane == 31) right = 0;
    v += h * orbit_force(left, x, right);
    x += h / 2 * v;
  }
  place[chain * 32 + lane] = x;
  speed[chain * 32 + lane] = v;
}

inline Problem orbit_sweep_problem(unsigned n) {
  auto x = room<float>(n * n * n), y = room<float>(n * n * n), z = room<float>(n * n * n);
  const int side = static_cast<int>(n);
  return {[=] {
            const dim3 grid(blocks_of(n, 8), blocks_of(n, 8), blocks_of(n, 2));
            orbit_sweep<<<grid, dim3(8, 8, 2)>>>(x->data(), y->data(), z->data(), side);
          },
          [=] {
            const auto end = [=](int i) {
              const auto of = orbit_parameters(i % side, i / side % side, i / side / side);
              return orbit_lorenz<double>(of.x, of.y, of.z);
            };
            return agrees(
                       x, [=](unsigned i) { return end(i).x; }, 1e-3) &&
                   agrees(
                       y, [=](unsigned i) { return end(i).y; }, 1e-3) &&
                   agrees(
                       z, [=](unsigned i) { return end(i).z; }, 1e-3);
          }};
}
inline Problem orbit_adaptive_problem(unsigned n) {
  auto mu = array<double>(n, [](unsigned i) { return 0.25 + (mixed(i) >> 16) / 65536.0 * 6; });
  auto state = array<double>(2 * n, [](unsigned i) { return (mixed(i + 4) >> 16) / 16384.0 - 2; });
  auto steps = room<int>(n);
  return {[=] {
            orbit_adaptive<<<blocks_of(n, 64), 64>>>(mu->data(),
                                                     reinterpret_cast<double2*>(state->data()),
                                                     steps->data(), static_cast<int>(n));
          },
          [=] {
            const auto end = [=](unsigned i, unsigned part) {
              int count;
              const double2 at =
                  orbit_oscillate(mu->host[i], state->host[2 * i], state->host[2 * i + 1], count);
              return part == 0 ? at.x : part == 1 ? at.y : count;
            };
            return agrees(
                       state, [=](unsigned i) { return end(i / 2, i % 2); }, 1e-3) &&
                   agrees(
                       steps, [=](unsigned i) { return end(i, 2); }, 0.05);
          },
          [=] { state->restore(); }};
}
inline Problem orbit_chain_problem(unsigned n) {
  auto in = uniform(n * 2 * kOrbitChain, 6), out = room<float>(n * 2 * kOrbitChain);
  return {[=] {
            orbit_chain<<<blocks_of(n, 64), 64>>>(in->data(), out->data(), kOrbitChain,
                                                  kOrbitChainSteps, static_cast<int>(n));
          },
          [=] {
            return agrees(out, [=](unsigned i) {
              const unsigned part = i % (2 * kOrbitChain);
              double y[2 * kOrbitChain];
              for (unsigned m = 0; m < 2 * kOrbitChain; ++m) y[m] = in->host[i - part + m];
              orbit_advance(y, kOrbitChain, kOrbitChainSteps);
              return y[part];
            });
          }};
}
inline Problem orbit_lanes_problem(unsigned n) {
  auto place = uniform(n * 32, 7), speed = uniform(n * 32, 8);
  return {[=] {
            orbit_lanes<<<blocks_of(n, 8), dim3(32, 8)>>>(place->data(), speed->data(),
                                                          static_cast<int>(n));
          },
          [=] {
            const auto end = [=](unsigned i, bool speeds) {
              double x[34] = {}, v[34] = {};
              for (unsigned m = 0; m < 32; ++m) {
                x[m + 1] = place->host[i / 32 * 32 + m];
                v[m + 1] = speed->host[i / 32 * 32 + m];
              }
              for (int step = 0; step < kOrbitLaneSteps; ++step) {
                for (int m = 1; m <= 32; ++m) x[m] += v[m] / 32;
                for (int m = 1; m <= 32; ++m) v[m] += orbit_force(x[m - 1], x[m], x[m + 1]) / 16;
                for (int m = 1; m <= 32; ++m) x[m] += v[m] / 32;
              }
              return speeds ? v[i % 32 + 1] : x[i % 32 + 1];
            };
            return agrees(
                       place, [=](unsigned i) { return end(i, false); }, 1e-3) &&
                   agrees(
                       speed, [=](unsigned i) { return end(i, true); }, 1e-3);
          },
          [=] {
            place->restore();
            speed->restore();
          }};
}

inline void add_orbit(Set& set) {
  set.add("orbit_sweep", {10, 28, 60}, orbit_sweep_problem);
  set.add("orbit_adaptive", {200, 9000, 30000}, orbit_adaptive_problem);
  set.add("orbit_chain", {100, 5000, 20000}, orbit_chain_problem);
  set.add("orbit_lanes", {40, 2100, 30001}, orbit_lanes_problem);
}

}  // namespace timing_set
