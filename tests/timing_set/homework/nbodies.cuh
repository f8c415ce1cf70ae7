// SPDX-License-Identifier: MIT
// Bodies: the pull of all n bodies on each of them. The others come from global memory, as four
// arrays or as float4, or from tiles in shared memory, for one or for two bodies per thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kNbodiesSoft = 0.01f;  // added to squared distances
constexpr unsigned kNbodiesTile = 256;
constexpr unsigned kNbodiesPairBlock = 64;

// Adds to `sum` the pull on a body at `at` of another; w is its mass.
__device__ inline void nbodies_pull(float3& sum, float4 at, float4 other) {
  const float dx = other.x - at.x, dy = other.y - at.y, dz = other.z - at.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kNbodiesSoft);
  const float scale = other.w * inverse * inverse * inverse;
  sum.x += dx * scale;
  sum.y += dy * scale;
  sum.z += dz * scale;
}

__global__ void nbodies_naive(float* x, float* y, float* z, float* mass, float* ax, float* ay,
                              float* az, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum_x = 0, sum_y = 0, sum_z = 0;
  for (int j = 0; j < n; ++j) {
    const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    const float squared = dx * dx + dy * dy + dz * dz + kNbodiesSoft;
    const float scale = mass[j] / (squared * sqrtf(squared));
    sum_x += dx * scale;
    sum_y += dy * scale;
    sum_z += dz * scale;
  }
  ax[i] = sum_x;
  ay[i] = sum_y;
  az[i] = sum_z;
}

__global__ void nbodies_fours(const float4* __restrict__ bodies, float4* __restrict__ pulls,
                              int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 at = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j) nbodies_pull(sum, at, bodies[j]);
  pulls[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

__global__ void nbodies_tiles(const float4* bodies, float4* pulls, unsigned n) {
  __shared__ float4 tile[kNbodiesTile];
  const unsigned i = thread_number();
  const float4 at = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (unsigned first = 0; first < n; first += kNbodiesTile) {
    const unsigned mine = first + threadIdx.x;
    tile[threadIdx.x] = mine < n ? bodies[mine] : make_float4(0, 0, 0, 0);  // no mass, no pull
    __syncthreads();
#pragma unroll 8
    for (unsigned j = 0; j < kNbodiesTile; ++j) nbodies_pull(sum, at, tile[j]);
    __syncthreads();
  }
  if (i < n) pulls[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

// Two bodies per thread: each body that is read from the tile serves both.
__global__ void nbodies_pairs(const float4* __restrict__ bodies, float4* __restrict__ pulls,
                              unsigned n) {
  __shared__ float4 tile[kNbodiesPairBlock];
  const unsigned i = 2 * blockIdx.x * kNbodiesPairBlock + threadIdx.x;
  const unsigned k = i + kNbodiesPairBlock;
  const float4 at_i = bodies[min(i, n - 1)], at_k = bodies[min(k, n - 1)];
  float3 sum_i = make_float3(0, 0, 0), sum_k = make_float3(0, 0, 0);
  for (unsigned first = 0; first < n; first += kNbodiesPairBlock) {
    const unsigned count = min(kNbodiesPairBlock, n - first);
    if (threadIdx.x < count) tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < count; ++j) {
      const float4 other = tile[j];
      nbodies_pull(sum_i, at_i, other);
      nbodies_pull(sum_k, at_k, other);
    }
    __syncthreads();
  }
  if (i < n) pulls[i] = make_float4(sum_i.x, sum_i.y, sum_i.z, 0);
  if (k < n) pulls[k] = make_float4(sum_k.x, sum_k.y, sum_k.z, 0);
}

// Part `part` (0 to 3, of which the last is the mass) of body i.
inline float nbodies_value(unsigned i, unsigned part, unsigned n) {
  const float value = (mixed(4 * i + part + 77) >> 16) / 65536.0f;
  return part == 3 ? value / n : value;
}
inline double nbodies_wanted(const std::vector<float>& bodies, unsigned i, unsigned part) {
  if (part == 3) return 0;
  double sum = 0;
  for (unsigned j = 0; j < bodies.size() / 4; ++j) {
    const float *at = &bodies[4 * i], *other = &bodies[4 * j];
    const double dx = other[0] - at[0], dy = other[1] - at[1], dz = other[2] - at[2];
    const double squared = dx * dx + dy * dy + dz * dz + kNbodiesSoft;
    sum += (other[part] - at[part]) * other[3] / (squared * std::sqrt(squared));
  }
  return sum;
}
// The three kernels on float4 differ in how they are launched.
inline Problem nbodies_of_fours(unsigned n, std::function<void(const float4*, float4*)> launch) {
  auto bodies = array<float>(4 * n, [n](unsigned i) { return nbodies_value(i / 4, i % 4, n); });
  auto pulls = room<float>(4 * n);
  return Problem{[=] {
                   launch(reinterpret_cast<const float4*>(bodies->data()),
                          reinterpret_cast<float4*>(pulls->data()));
                 },
                 [=] {
                   return agrees(pulls, [=](unsigned i) {
                     return nbodies_wanted(bodies->host, i / 4, i % 4);
                   });
                 }};
}

inline void add_nbodies(Set& set) {
  const std::vector<unsigned> sizes = {600, 6000};
  set.add("nbodies_naive", sizes, [](unsigned n) {
    std::vector<Shared<float>> parts;
    for (unsigned part = 0; part < 4; ++part)
      parts.push_back(array<float>(n, [=](unsigned i) { return nbodies_value(i, part, n); }));
    auto pulls = room<float>(3 * n);
    auto bodies = std::make_shared<std::vector<float>>(4 * n);
    for (unsigned i = 0; i < 4 * n; ++i) (*bodies)[i] = nbodies_value(i / 4, i % 4, n);
    return Problem{
        [=] {
          nbodies_naive<<<blocks_of(n), kBlock>>>(parts[0]->data(), parts[1]->data(),
                                                  parts[2]->data(), parts[3]->data(), pulls->data(),
                                                  pulls->data() + n, pulls->data() + 2 * n, n);
        },
        [=] {
          return agrees(pulls, [=](unsigned i) { return nbodies_wanted(*bodies, i % n, i / n); });
        }};
  });
  set.add("nbodies_fours", sizes, [](unsigned n) {
    return nbodies_of_fours(n, [n](const float4* bodies, float4* pulls) {
      nbodies_fours<<<blocks_of(n, 128), 128>>>(bodies, pulls, n);
    });
  });
  set.add("nbodies_tiles", sizes, [](unsigned n) {
    return nbodies_of_fours(n, [n](const float4* bodies, float4* pulls) {
      nbodies_tiles<<<blocks_of(n, kNbodiesTile), kNbodiesTile>>>(bodies, pulls, n);
    });
  });
  set.add("nbodies_pairs", sizes, [](unsigned n) {
    return nbodies_of_fours(n, [n](const float4* bodies, float4* pulls) {
      nbodies_pairs<<<blocks_of(n, 2 * kNbodiesPairBlock), kNbodiesPairBlock>>>(bodies, pulls, n);
    });
  });
}

}  // namespace timing_set
