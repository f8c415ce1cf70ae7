// SPDX-License-Identifier: MIT
// Gravity of all bodies on each: positions from global memory, through shared memory, and two bodies per thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

__device__ inline void pull(float4 on, float4 from, float3& force) {
  const float x = from.x - on.x, y = from.y - on.y, z = from.z - on.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
  const float strength = from.w * inverse * inverse * inverse;
  force.x += x * strength;
  force.y += y * strength;
  force.z += z * strength;
}
__global__ void bodies_plain(const float4* bodies, float3* forces, unsigned n) {
  const unsigned i = thread_number();
  float3 force = {};
  for (unsigned k = 0; k < n; ++k) pull(bodies[i], bodies[k], force);
  forces[i] = force;
}
__global__ void bodies_shared(const float4* bodies, float3* forces, unsigned n) {
  __shared__ float4 part[64];
  const unsigned i = thread_number();
  const float4 own = bodies[i];
  float3 force = {};
  for (unsigned k0 = 0; k0 < n; k0 += 64) {
    part[threadIdx.x] = bodies[k0 + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < 64; ++k) pull(own, part[k], force);
    __syncthreads();
  }
  forces[i] = force;
}
__global__ void bodies_pairs(const float4* bodies, float3* forces, unsigned n) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float4 first = bodies[i], second = bodies[i + 64];
  float3 one = {}, two = {};
  for (unsigned k = 0; k < n; ++k) {
    const float4 from = bodies[k];
    pull(first, from, one);
    pull(second, from, two);
  }
  forces[i] = one;
  forces[i + 64] = two;
}

template <class Function>
std::function<Problem(unsigned)> bodies_problem(Function kernel, unsigned per_thread) {
  return [=](unsigned n) {
    auto bodies = uniform(n * 4, 1), forces = room<float>(n * 3);
    return Problem{[=] {
                     kernel<<<n / 64 / per_thread, 64>>>(
                         reinterpret_cast<const float4*>(bodies->data()),
                         reinterpret_cast<float3*>(forces->data()), n);
                   },
                   [=] {
                     return agrees(
                         forces,
                         [=](unsigned at) {
                           const float *all = bodies->host.data(), *on = all + at / 3 * 4;
                           double force = 0;
                           for (const float* from = all; from < all + 4 * n; from += 4) {
                             const double x = double{from[0]} - on[0], y = double{from[1]} - on[1],
                                          z = double{from[2]} - on[2];
                             const double square = x * x + y * y + z * z + 0.01;
                             const double along = at % 3 == 0 ? x : at % 3 == 1 ? y : z;
                             force += from[3] * along / (square * std::sqrt(square));
                           }
                           return force;
                         },
                         1e-3);
                   }};
  };
}

inline void add_bodies(Set& set) {
  const std::vector<unsigned> sizes = {512, 2048, 4096};
  set.add("bodies_plain", sizes, bodies_problem(bodies_plain, 1));
  set.add("bodies_shared", sizes, bodies_problem(bodies_shared, 1));
  set.add("bodies_pairs", sizes, bodies_problem(bodies_pairs, 2));
}

}  // namespace timing_set
