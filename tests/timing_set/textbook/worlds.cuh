// SPDX-License-Identifier: MIT
// Much arithmetic on few bytes: forces between all pairs of bodies by way of shared tiles, the
// Mandelbrot set, prices of options by simulation with a generator of random numbers of its own,
// and many runs of the Lorenz equations in double precision.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr int kWorldsTile = 128;         // bodies in shared memory at a time
constexpr float kWorldsSoft = 0.01f;     // keeps close bodies apart
constexpr int kWorldsLimit = 256;        // rounds of a point of the Mandelbrot set
constexpr int kWorldsPaths = 32;         // simulated by each lane for an option, an even number
constexpr int kWorldsSteps = 40;         // of the Lorenz equations
constexpr double kWorldsInstant = 0.01;  // a step's time

// Position and mass in, acceleration out.
__global__ void worlds_bodies(const float4* __restrict__ bodies, float3* __restrict__ pull, int n) {
  __shared__ float4 tile[kWorldsTile];
  const int i = blockIdx.x * kWorldsTile + threadIdx.x;
  const float4 mine = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += kWorldsTile) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);  // no mass, no pull
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kWorldsTile; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kWorldsSoft);
      const float scale = other.w * inverse * inverse * inverse;
      sum.x += dx * scale;
      sum.y += dy * scale;
      sum.z += dz * scale;
    }
    __syncthreads();
  }
  if (i < n) pull[i] = sum;
}

// Every rounding is spelled out, so that host and device count the same.
__host__ __device__ inline int worlds_rounds(int column, int row, float step) {
  const float cx = fmaf(float(column), step, -2.0f), cy = fmaf(float(row), step, -1.25f);
  float x = 0, y = 0;
  int rounds = 0;
  while (rounds < kWorldsLimit && fmaf(x, x, y * y) <= 4.0f) {
    const float next = fmaf(x, x, fmaf(-y, y, cx));
    y = fmaf(x + x, y, cy);
    x = next;
    ++rounds;
  }
  return rounds;
}

__global__ void worlds_mandelbrot(unsigned short* image, int side, float step) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < side && row < side) image[row * side + column] = worlds_rounds(column, row, step);
}

struct WorldsOption {
  float spot, strike, years, volatility, rate;
};

// Between 0 and 1, neither of them.
__host__ __device__ inline float worlds_random(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return float(state >> 9) * (1.0f / 8388608) + 1.0f / 16777216;
}

__host__ __device__ inline unsigned worlds_seed(unsigned option, unsigned lane) {
  return mixed(option * 32 + lane + 1) | 1;
}

// A warp has an option; normal numbers come in pairs.
__global__ void worlds_options(const WorldsOption* options, float* prices, int n) {
  const int which = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (which >= n) return;
  const WorldsOption option = options[which];
  const float drift = (option.rate - 0.5f * option.volatility * option.volatility) * option.years;
  const float spread = option.volatility * sqrtf(option.years);
  unsigned state = worlds_seed(which, lane);
  float sum = 0;
  for (int k = 0; k < kWorldsPaths / 2; ++k) {
    const float radius = sqrtf(-2.0f * logf(worlds_random(state)));
    float sine, cosine;
    sincosf(6.2831853f * worlds_random(state), &sine, &cosine);
    sum += fmaxf(option.spot * expf(drift + spread * radius * sine) - option.strike, 0.0f);
    sum += fmaxf(option.spot * expf(drift + spread * radius * cosine) - option.strike, 0.0f);
  }
  sum = warp_sum(sum);
  if (lane == 0) prices[which] = expf(-option.rate * option.years) * sum / (32 * kWorldsPaths);
}

struct WorldsPoint {
  double x, y, z;
};

__host__ __device__ inline WorldsPoint worlds_slope(const WorldsPoint& p) {
  return {10.0 * (p.y - p.x), p.x * (28.0 - p.z) - p.y, p.x * p.y - 8.0 / 3.0 * p.z};
}

__host__ __device__ inline WorldsPoint worlds_moved(const WorldsPoint& p, const WorldsPoint& slope,
                                                    double time) {
  return {p.x + time * slope.x, p.y + time * slope.y, p.z + time * slope.z};
}

// Steps of Runge and Kutta's method of order four.
__host__ __device__ inline WorldsPoint worlds_later(WorldsPoint p, int steps) {
  for (int step = 0; step < steps; ++step) {
    const WorldsPoint a = worlds_slope(p);
    const WorldsPoint b = worlds_slope(worlds_moved(p, a, kWorldsInstant / 2));
    const WorldsPoint c = worlds_slope(worlds_moved(p, b, kWorldsInstant / 2));
    const WorldsPoint d = worlds_slope(worlds_moved(p, c, kWorldsInstant));
    p.x += kWorldsInstant / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
    p.y += kWorldsInstant / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
    p.z += kWorldsInstant / 6 * (a.z + 2 * b.z + 2 * c.z + d.z);
  }
  return p;
}

__global__ void __launch_bounds__(64)
    worlds_lorenz(const WorldsPoint* start, WorldsPoint* end, unsigned n, int steps) {
  const unsigned i = thread_number();
  if (i < n) end[i] = worlds_later(start[i], steps);
}

inline Problem worlds_bodies_problem(unsigned n) {
  auto bodies = uniform(4 * n, 61);
  for (unsigned i = 0; i < n; ++i) bodies->host[4 * i + 3] /= n;
  bodies->restore();
  auto pull = room<float>(3 * n);
  return Problem{[=] {
                   worlds_bodies<<<blocks_of(n, kWorldsTile), kWorldsTile>>>(
                       reinterpret_cast<const float4*>(bodies->data()),
                       reinterpret_cast<float3*>(pull->data()), n);
                 },
                 [=] {
                   return agrees(pull, [&](unsigned i) {
                     const float* mine = &bodies->host[i / 3 * 4];
                     double sum = 0;
                     for (unsigned j = 0; j < n; ++j) {
                       const float* other = &bodies->host[4 * j];
                       double square = kWorldsSoft;
                       for (int k = 0; k < 3; ++k)
                         square += (other[k] - mine[k]) * (other[k] - mine[k]);
                       sum +=
                           other[3] * (other[i % 3] - mine[i % 3]) / (square * std::sqrt(square));
                     }
                     return sum;
                   });
                 }};
}

inline Problem worlds_mandelbrot_problem(unsigned side) {
  const float step = 2.5f / side;
  auto image = room<unsigned short>(side * side);
  return Problem{[=] {
                   const dim3 grid(blocks_of(side, 16), blocks_of(side, 16));
                   worlds_mandelbrot<<<grid, dim3(16, 16)>>>(image->data(), side, step);
                 },
                 [=] {
                   return agrees(
                       image, [&](unsigned i) { return worlds_rounds(i % side, i / side, step); });
                 }};
}

inline double worlds_price(const WorldsOption& option, unsigned which) {
  const double drift = (option.rate - 0.5 * option.volatility * option.volatility) * option.years;
  const double spread = option.volatility * std::sqrt(option.years);
  double sum = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned state = worlds_seed(which, lane);
    for (int k = 0; k < kWorldsPaths / 2; ++k) {
      const double radius = std::sqrt(-2 * std::log(double(worlds_random(state))));
      const double angle = 6.283185307179586 * worlds_random(state);
      for (const double part : {std::sin(angle), std::cos(angle)})
        sum +=
            std::max(option.spot * std::exp(drift + spread * radius * part) - option.strike, 0.0);
    }
  }
  return std::exp(-option.rate * option.years) * sum / (32 * kWorldsPaths);
}

inline Problem worlds_options_problem(unsigned n) {
  const auto part = [](unsigned i, unsigned k) { return (mixed(i * 4 + k) >> 16) / 65536.0f; };
  std::vector<WorldsOption> values(n);
  for (unsigned i = 0; i < n; ++i)
    values[i] = {20 + 10 * part(i, 0), 15 + 20 * part(i, 1), 0.25f + 2 * part(i, 2),
                 0.1f + 0.3f * part(i, 3), 0.03f};
  auto options = array(std::move(values));
  auto prices = room<float>(n);
  return Problem{
      [=] { worlds_options<<<blocks_of(n * 32), kBlock>>>(options->data(), prices->data(), n); },
      [=] {
        return agrees(
            prices, [&](unsigned i) { return worlds_price(options->host[i], i); }, 1e-3);
      }};
}

inline Problem worlds_lorenz_problem(unsigned n) {
  auto start = uniform<double>(3 * n, 62);
  auto end = room<double>(3 * n);
  const auto points = [](const Shared<double>& a) {
    return reinterpret_cast<WorldsPoint*>(a->data());
  };
  return Problem{
      [=] { worlds_lorenz<<<blocks_of(n, 64), 64>>>(points(start), points(end), n, kWorldsSteps); },
      [=] {
        return agrees(
            end,
            [&](unsigned i) {
              const double* from = &start->host[i / 3 * 3];
              const WorldsPoint p = worlds_later({from[0], from[1], from[2]}, kWorldsSteps);
              return i % 3 == 0 ? p.x : i % 3 == 1 ? p.y : p.z;
            },
            1e-8);
      }};
}

inline void add_worlds(Set& set) {
  set.add("worlds_bodies", {300, 1500, 4500}, worlds_bodies_problem);
  set.add("worlds_mandelbrot", {60, 300, 800}, worlds_mandelbrot_problem);  // pixels on a side
  set.add("worlds_options", {10, 500, 5000}, worlds_options_problem);
  set.add("worlds_lorenz", {1000, 20000, 100000}, worlds_lorenz_problem);
}

}  // namespace timing_set
