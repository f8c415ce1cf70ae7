// SPDX-License-Identifier: MIT
// The pull of n bodies on each other, all pairs, softened so that a body may pull itself. One
// thread per body with the coordinates in four arrays, the same with bodies as structs and with a
// root and a division, tiles of bodies in shared memory, the same in double, one warp per body, and
// parts of the sums in several blocks that add them up with atomics.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kBrutesSoft = 0.01f;  // added to the square of each distance

__global__ void brutes_plain(const float* x, const float* y, const float* z, const float* mass,
                             float* pull, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float my_x = x[i], my_y = y[i], my_z = z[i];
  float sum_x = 0, sum_y = 0, sum_z = 0;
  for (unsigned j = 0; j < n; ++j) {
    const float dx = x[j] - my_x, dy = y[j] - my_y, dz = z[j] - my_z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kBrutesSoft);
    const float force = mass[j] * inverse * inverse * inverse;
    sum_x += force * dx;
    sum_y += force * dy;
    sum_z += force * dz;
  }
  pull[3 * i] = sum_x;
  pull[3 * i + 1] = sum_y;
  pull[3 * i + 2] = sum_z;
}

struct BrutesBody {
  float x, y, z, mass, speed_x, speed_y, speed_z;
};

// As the formula stands in the book: the cube of a root, and a division by it.
__global__ void brutes_structs(const BrutesBody* bodies, float* pull, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const BrutesBody me = bodies[i];
  float sum_x = 0, sum_y = 0, sum_z = 0;
  for (unsigned j = 0; j < n; ++j) {
    const BrutesBody other = bodies[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float distance = sqrtf(dx * dx + dy * dy + dz * dz + kBrutesSoft);
    const float force = other.mass / (distance * distance * distance);
    sum_x += force * dx;
    sum_y += force * dy;
    sum_z += force * dz;
  }
  pull[3 * i] = sum_x;
  pull[3 * i + 1] = sum_y;
  pull[3 * i + 2] = sum_z;
}

__device__ inline void brutes_add(float3& sum, const float4& me, const float4& other) {
  const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kBrutesSoft);
  const float force = other.w * inverse * inverse * inverse;
  sum.x += force * dx;
  sum.y += force * dy;
  sum.z += force * dz;
}

constexpr unsigned kBrutesTile = 128;

// Bodies beyond the last have no mass, and so do not pull.
__global__ void brutes_tile(const float4* __restrict__ bodies, float* __restrict__ pull,
                            unsigned n) {
  __shared__ float4 tile[kBrutesTile];
  const unsigned i = blockIdx.x * kBrutesTile + threadIdx.x;
  const float4 nobody = make_float4(0, 0, 0, 0);
  const float4 me = i < n ? bodies[i] : nobody;
  float3 sum = make_float3(0, 0, 0);
  for (unsigned first = 0; first < n; first += kBrutesTile) {
    const unsigned j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : nobody;
    __syncthreads();
#pragma unroll 8
    for (unsigned k = 0; k < kBrutesTile; ++k) brutes_add(sum, me, tile[k]);
    __syncthreads();
  }
  if (i >= n) return;
  pull[3 * i] = sum.x;
  pull[3 * i + 1] = sum.y;
  pull[3 * i + 2] = sum.z;
}

constexpr unsigned kBrutesDouble = 64;

struct BrutesQuad {
  double x, y, z, mass;
};

__global__ void brutes_double(const BrutesQuad* __restrict__ bodies, double* __restrict__ pull,
                              unsigned n) {
  __shared__ double x[kBrutesDouble], y[kBrutesDouble], z[kBrutesDouble], mass[kBrutesDouble];
  const unsigned i = blockIdx.x * kBrutesDouble + threadIdx.x, own = min(i, n - 1);
  const double my_x = bodies[own].x, my_y = bodies[own].y, my_z = bodies[own].z;
  double sum_x = 0, sum_y = 0, sum_z = 0;
  for (unsigned first = 0; first < n; first += kBrutesDouble) {
    const unsigned count = min(kBrutesDouble, n - first);
    if (threadIdx.x < count) {
      const BrutesQuad other = bodies[first + threadIdx.x];
      x[threadIdx.x] = other.x;
      y[threadIdx.x] = other.y;
      z[threadIdx.x] = other.z;
      mass[threadIdx.x] = other.mass;
    }
    __syncthreads();
    for (unsigned k = 0; k < count; ++k) {
      const double dx = x[k] - my_x, dy = y[k] - my_y, dz = z[k] - my_z;
      const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + kBrutesSoft);
      const double force = mass[k] * inverse * inverse * inverse;
      sum_x += force * dx;
      sum_y += force * dy;
      sum_z += force * dz;
    }
    __syncthreads();
  }
  if (i >= n) return;
  pull[3 * i] = sum_x;
  pull[3 * i + 1] = sum_y;
  pull[3 * i + 2] = sum_z;
}

__global__ void brutes_warp(const float4* __restrict__ bodies, float* __restrict__ pull,
                            unsigned n) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (i >= n) return;
  const float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (unsigned j = lane; j < n; j += 32) brutes_add(sum, me, bodies[j]);
  sum.x = warp_sum(sum.x);
  sum.y = warp_sum(sum.y);
  sum.z = warp_sum(sum.z);
  if (lane == 0) {
    pull[3 * i] = sum.x;
    pull[3 * i + 1] = sum.y;
    pull[3 * i + 2] = sum.z;
  }
}

constexpr unsigned kBrutesPart = 512;

// Each block has the pull of one part of the bodies on another part.
__global__ void brutes_split(const float4* __restrict__ bodies, float* __restrict__ pull,
                             unsigned n) {
  __shared__ float4 part[kBrutesPart];
  const unsigned i = blockIdx.x * kBrutesPart + threadIdx.x;
  const unsigned first = blockIdx.y * kBrutesPart, count = min(kBrutesPart, n - first);
  if (threadIdx.x < count) part[threadIdx.x] = bodies[first + threadIdx.x];
  __syncthreads();
  if (i >= n) return;
  const float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (unsigned k = 0; k < count; ++k) brutes_add(sum, me, part[k]);
  atomicAdd(&pull[3 * i], sum.x);
  atomicAdd(&pull[3 * i + 1], sum.y);
  atomicAdd(&pull[3 * i + 2], sum.z);
}

// Bodies in a cube; together they have about half the mass of 1.
template <class T>
Shared<T> brutes_axis(unsigned n, unsigned axis) {
  const double scale = axis < 3 ? 1.0 : 1.0 / n;
  return array<T>(n, [=](unsigned i) { return scale * (mixed(4 * i + axis) >> 16) / 65536; });
}

// x, y, z and mass of each body, one after the other.
template <class T>
Shared<T> brutes_fours(unsigned n) {
  return array<T>(4 * std::size_t{n}, [=](unsigned i) {
    return (i % 4 < 3 ? 1.0 : 1.0 / n) * (mixed(i) >> 16) / 65536;
  });
}

inline Shared<BrutesBody> brutes_bodies(unsigned n) {
  const auto fours = brutes_fours<float>(n);
  const std::vector<float>& f = fours->host;
  return array<BrutesBody>(n, [&](unsigned i) {
    return BrutesBody{f[4 * i], f[4 * i + 1], f[4 * i + 2], f[4 * i + 3], 0, 0, 0};
  });
}

// All kernels have the same bodies.
template <class T>
bool brutes_right(const Shared<T>& pull, unsigned n) {
  const auto bodies = brutes_fours<double>(n);
  const std::vector<double>& b = bodies->host;
  return agrees(
      pull,
      [&](unsigned place) {
        const unsigned i = place / 3, axis = place % 3;
        double sum = 0;
        for (unsigned j = 0; j < n; ++j) {
          double squares = kBrutesSoft;
          for (unsigned k = 0; k < 3; ++k)
            squares += (b[4 * j + k] - b[4 * i + k]) * (b[4 * j + k] - b[4 * i + k]);
          sum +=
              b[4 * j + 3] * (b[4 * j + axis] - b[4 * i + axis]) / (squares * std::sqrt(squares));
        }
        return sum;
      },
      sizeof(T) == sizeof(double) ? 1e-9 : 2e-5);
}

inline void brutes_add_threads(Set& set, const std::vector<unsigned>& sizes) {
  set.add("brutes_plain", sizes, [](unsigned n) {
    auto x = brutes_axis<float>(n, 0), y = brutes_axis<float>(n, 1), z = brutes_axis<float>(n, 2);
    auto mass = brutes_axis<float>(n, 3), pull = room<float>(3 * n);
    return Problem{[=] {
                     brutes_plain<<<blocks_of(n, 256), 256>>>(x->data(), y->data(), z->data(),
                                                              mass->data(), pull->data(), n);
                   },
                   [=] { return brutes_right(pull, n); }};
  });
  set.add("brutes_structs", sizes, [](unsigned n) {
    auto bodies = brutes_bodies(n);
    auto pull = room<float>(3 * n);
    return Problem{
        [=] { brutes_structs<<<blocks_of(n, 64), 64>>>(bodies->data(), pull->data(), n); },
        [=] { return brutes_right(pull, n); }};
  });
  set.add("brutes_double", sizes, [](unsigned n) {
    auto bodies = brutes_fours<double>(n), pull = room<double>(3 * n);
    return Problem{[=] {
                     brutes_double<<<blocks_of(n, kBrutesDouble), kBrutesDouble>>>(
                         reinterpret_cast<BrutesQuad*>(bodies->data()), pull->data(), n);
                   },
                   [=] { return brutes_right(pull, n); }};
  });
}

using BrutesLaunch = void (*)(const float4* bodies, float* pull, unsigned n);

inline void brutes_add_fours(Set& set, const char* id, const std::vector<unsigned>& sizes,
                             BrutesLaunch launch) {
  set.add(id, sizes, [=](unsigned n) {
    auto bodies = brutes_fours<float>(n), pull = room<float>(3 * n);
    clear(pull);  // for the one that adds to it
    return Problem{
        [=] { launch(reinterpret_cast<const float4*>(bodies->data()), pull->data(), n); },
        [=] { return brutes_right(pull, n); }, [=] { clear(pull); }};
  });
}

inline void add_brutes(Set& set) {
  const std::vector<unsigned> sizes = {133, 2003, 6501};
  brutes_add_threads(set, sizes);
  brutes_add_fours(set, "brutes_tile", sizes, [](const float4* bodies, float* pull, unsigned n) {
    brutes_tile<<<blocks_of(n, kBrutesTile), kBrutesTile>>>(bodies, pull, n);
  });
  brutes_add_fours(set, "brutes_warp", sizes, [](const float4* bodies, float* pull, unsigned n) {
    brutes_warp<<<blocks_of(n, 8), 256>>>(bodies, pull, n);
  });
  brutes_add_fours(set, "brutes_split", sizes, [](const float4* bodies, float* pull, unsigned n) {
    const unsigned parts = blocks_of(n, kBrutesPart);
    brutes_split<<<dim3(parts, parts), kBrutesPart>>>(bodies, pull, n);
  });
}

}  // namespace timing_set
