// SPDX-License-Identifier: MIT
// Much computing on little data: the prices of options by random paths, a block for each option;
// the pull of many bodies on each other, from an array for each coordinate, and from tiles in
// shared memory with a step of each body; and a picture of the Mandelbrot set, where neighbours
// need different numbers of rounds.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kDrawsThreads = 128, kDrawsPaths = 16;
constexpr float kDrawsInterest = 0.03f, kDrawsVolatility = 0.25f;
constexpr float kDrawsSoft = 0.01f, kDrawsStep = 0.001f;
constexpr unsigned kDrawsTile = 128;
constexpr int kDrawsRounds = 100;

// Marsaglia's xorshift; above zero, and at most one.
__host__ __device__ inline float draws_next(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return static_cast<float>((state >> 8) + 1) / 16777216.0f;
}

__host__ __device__ inline float draws_payoff(unsigned& state, float spot, float strike,
                                              float years) {
  const float u = draws_next(state), v = draws_next(state);
  const float normal = sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
  const float drift = (kDrawsInterest - 0.5f * kDrawsVolatility * kDrawsVolatility) * years;
  const float end = spot * expf(drift + kDrawsVolatility * sqrtf(years) * normal);
  return fmaxf(end - strike, 0);
}

__global__ void draws_options(const float* spot, const float* strike, const float* years,
                              float* price) {
  __shared__ float part[kDrawsThreads];
  const unsigned option = blockIdx.x, t = threadIdx.x;
  unsigned state = mixed(option * kDrawsThreads + t) | 1;
  float sum = 0;
  for (unsigned path = 0; path < kDrawsPaths; ++path)
    sum += draws_payoff(state, spot[option], strike[option], years[option]);
  part[t] = sum;
  __syncthreads();
  for (unsigned half = kDrawsThreads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    price[option] = expf(-kDrawsInterest * years[option]) * part[0] / (kDrawsThreads * kDrawsPaths);
}

__global__ void draws_bodies(const float* x, const float* y, const float* z, const float* mass,
                             float* ax, float* ay, float* az, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum_x = 0, sum_y = 0, sum_z = 0;
  for (unsigned j = 0; j < n; ++j) {
    const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kDrawsSoft);
    const float pull = mass[j] * inverse * inverse * inverse;
    sum_x += dx * pull;
    sum_y += dy * pull;
    sum_z += dz * pull;
  }
  ax[i] = sum_x;
  ay[i] = sum_y;
  az[i] = sum_z;
}

__global__ void draws_bodies_tiled(const float4* bodies, float4* velocities, float4* moved,
                                   unsigned n) {
  __shared__ float4 tile[kDrawsTile];
  const unsigned i = blockIdx.x * kDrawsTile + threadIdx.x;
  const float4 nothing = make_float4(0, 0, 0, 0);
  float4 me = i < n ? bodies[i] : nothing;
  float sum_x = 0, sum_y = 0, sum_z = 0;
  for (unsigned first = 0; first < n; first += kDrawsTile) {
    const unsigned j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : nothing;
    __syncthreads();
#pragma unroll 8
    for (unsigned k = 0; k < kDrawsTile; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kDrawsSoft);
      const float pull = other.w * inverse * inverse * inverse;
      sum_x += dx * pull;
      sum_y += dy * pull;
      sum_z += dz * pull;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = velocities[i];
  v.x += sum_x * kDrawsStep;
  v.y += sum_y * kDrawsStep;
  v.z += sum_z * kDrawsStep;
  me.x += v.x * kDrawsStep;
  me.y += v.y * kDrawsStep;
  me.z += v.z * kDrawsStep;
  velocities[i] = v;
  moved[i] = me;
}

// Each operation is rounded in the same way everywhere, so that the rounds are the same.
__host__ __device__ inline int draws_rounds(unsigned column, unsigned row, float scale) {
  const float cx = fmaf(static_cast<float>(column), scale, -2.1f);
  const float cy = fmaf(static_cast<float>(row), scale, -1.4f);
  float x = 0, y = 0;
  int rounds = 0;
  while (rounds < kDrawsRounds && fmaf(x, x, y * y) <= 4) {
    const float next = fmaf(x, x, fmaf(-y, y, cx));
    y = fmaf(2 * x, y, cy);
    x = next;
    ++rounds;
  }
  return rounds;
}

__global__ void draws_mandelbrot(unsigned char* picture, unsigned side, float scale) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < side && row < side)
    picture[row * side + column] = static_cast<unsigned char>(draws_rounds(column, row, scale));
}

inline Problem draws_options_problem(unsigned n) {
  const auto between = [n](float low, float high, unsigned seed) {
    return array<float>(n, [=](unsigned i) {
      return low + (high - low) * static_cast<float>(mixed(i ^ (seed << 24)) >> 16) / 65536;
    });
  };
  auto spot = between(5, 50, 61), strike = between(5, 50, 62), years = between(0.25f, 3, 63);
  auto price = room<float>(n);
  return Problem{[=] {
                   draws_options<<<n, kDrawsThreads>>>(spot->data(), strike->data(), years->data(),
                                                       price->data());
                 },
                 [=] {
                   return agrees(
                       price,
                       [&](unsigned i) {
                         const float t = years->host[i];
                         double sum = 0;
                         for (unsigned k = 0; k < kDrawsThreads; ++k) {
                           unsigned state = mixed(i * kDrawsThreads + k) | 1;
                           for (unsigned path = 0; path < kDrawsPaths; ++path)
                             sum += draws_payoff(state, spot->host[i], strike->host[i], t);
                         }
                         return std::exp(-kDrawsInterest * t) * sum / (kDrawsThreads * kDrawsPaths);
                       },
                       1e-3);
                 }};
}

// How body i is pulled along one axis; what(j, axis) is a coordinate or, as the fourth, the mass.
template <class What>
double draws_pull(What what, unsigned i, unsigned axis, unsigned n) {
  double sum = 0;
  for (unsigned j = 0; j < n; ++j) {
    double squares = kDrawsSoft;
    for (unsigned k = 0; k < 3; ++k) {
      const double d = double(what(j, k)) - double(what(i, k));
      squares += d * d;
    }
    sum += (what(j, axis) - what(i, axis)) * what(j, 3) / (squares * std::sqrt(squares));
  }
  return sum;
}

inline Problem draws_bodies_problem(unsigned n) {
  const std::vector<Shared<float>> in = {uniform(n, 64), uniform(n, 65), uniform(n, 66),
                                         uniform(n, 67)};
  const std::vector<Shared<float>> out = {room<float>(n), room<float>(n), room<float>(n)};
  return Problem{
      [=] {
        draws_bodies<<<blocks_of(n, 64), 64>>>(in[0]->data(), in[1]->data(), in[2]->data(),
                                               in[3]->data(), out[0]->data(), out[1]->data(),
                                               out[2]->data(), n);
      },
      [=] {
        const auto what = [&](unsigned j, unsigned k) { return in[k]->host[j]; };
        for (unsigned axis = 0; axis < 3; ++axis)
          if (!agrees(
                  out[axis], [&](unsigned i) { return draws_pull(what, i, axis, n); }, 1e-3))
            return false;
        return true;
      }};
}

inline Problem draws_bodies_tiled_problem(unsigned n) {
  auto bodies = uniform(4 * n, 68), velocities = uniform(4 * n, 69);
  auto moved = room<float>(4 * n);
  const auto fours = [](const Shared<float>& a) { return reinterpret_cast<float4*>(a->data()); };
  return Problem{
      [=] {
        draws_bodies_tiled<<<blocks_of(n, kDrawsTile), kDrawsTile>>>(
            fours(bodies), fours(velocities), fours(moved), n);
      },
      [=] {
        const auto what = [&](unsigned j, unsigned k) { return bodies->host[4 * j + k]; };
        const auto fast = [&](unsigned i) {
          const double before = velocities->host[i];
          return i % 4 == 3 ? before : before + kDrawsStep * draws_pull(what, i / 4, i % 4, n);
        };
        const auto place = [&](unsigned i) {
          return bodies->host[i] + (i % 4 == 3 ? 0 : kDrawsStep * fast(i));
        };
        return agrees(velocities, fast) && agrees(moved, place, 1e-5);
      },
      [=] { velocities->restore(); }};
}

inline Problem draws_mandelbrot_problem(unsigned side) {
  auto picture = room<unsigned char>(side * side);
  const float scale = 2.8f / static_cast<float>(side);
  return Problem{
      [=] {
        const dim3 block(32, 4), grid(blocks_of(side, block.x), blocks_of(side, block.y));
        draws_mandelbrot<<<grid, block>>>(picture->data(), side, scale);
      },
      [=] {
        return agrees(
            picture, [&](unsigned i) { return draws_rounds(i % side, i / side, scale); }, 1e-9);
      }};
}

inline void add_draws(Set& set) {
  const std::vector<unsigned> bodies = {300, 2000, 4100};
  set.add("draws_options", {20, 500, 2100}, draws_options_problem);
  set.add("draws_bodies", bodies, draws_bodies_problem);
  set.add("draws_bodies_tiled", bodies, draws_bodies_tiled_problem);
  set.add("draws_mandelbrot", {61, 500, 1201}, draws_mandelbrot_problem);
}

}  // namespace timing_set
