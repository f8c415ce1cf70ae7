// SPDX-License-Identifier: MIT
// Forces between molecules and the 32 on their lists (Lennard-Jones): by a thread each with lists one after the other or
// side by side, and by a warp each.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kListed = 32;
struct Force {
  float x, y, z;
};
__host__ __device__ inline void push_away(Force& force, float4 own, float4 other) {
  const float x = own.x - other.x, y = own.y - other.y, z = own.z - other.z;
  const float square = 1 / (x * x + y * y + z * z + 0.5f);
  const float sixth = square * square * square;
  const float size = square * sixth * (2 * sixth - 1);
  force.x += size * x;
  force.y += size * y;
  force.z += size * z;
}
template <bool SideBySide>
__global__ void molecules_by_thread(const float4* at, const unsigned* list, float4* out,
                                    unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 own = at[i];
  Force force = {};
  for (unsigned k = 0; k < kListed; ++k)
    push_away(force, own, at[list[SideBySide ? k * n + i : i * kListed + k]]);
  out[i] = {force.x, force.y, force.z, 0};
}
__global__ void molecules_by_warp(const float4* at, const unsigned* list, float4* out, unsigned n) {
  const unsigned i = thread_number() / 32, lane = threadIdx.x % 32;
  if (i >= n) return;
  Force force = {};
  push_away(force, at[i], at[list[i * kListed + lane]]);
  force = {warp_sum(force.x), warp_sum(force.y), warp_sum(force.z)};
  if (lane == 0) out[i] = {force.x, force.y, force.z, 0};
}

inline unsigned listed_at(unsigned i, unsigned k, unsigned n) {
  return (i + 1 + mixed(i * kListed + k) % 500) % n;
}
template <bool SideBySide, unsigned Threads, unsigned Block, class Function>
std::function<Problem(unsigned)> molecules_problem(Function kernel) {
  return [=](unsigned n) {
    std::vector<float4> places(n);
    const auto coordinate = [](unsigned i) { return static_cast<float>(mixed(i) % 4096) / 1024; };
    for (unsigned i = 0; i < n; ++i)
      places[i] = {coordinate(3 * i), coordinate(3 * i + 1), coordinate(3 * i + 2), 0};
    auto at = array(std::move(places));
    auto list = array<unsigned>(n * kListed, [n](unsigned j) {
      return SideBySide ? listed_at(j % n, j / n, n) : listed_at(j / kListed, j % kListed, n);
    });
    auto out = room<float4>(n);
    return Problem{[=] {
                     kernel<<<blocks_of(n * Threads, Block), Block>>>(at->data(), list->data(),
                                                                      out->data(), n);
                   },
                   [=] {
                     const std::vector<float4> got = out->device.download();
                     for (unsigned i = 0; i < n; i += n / 1000 | 1) {
                       Force force = {};
                       for (unsigned k = 0; k < kListed; ++k)
                         push_away(force, at->host[i], at->host[listed_at(i, k, n)]);
                       if (!near(got[i].x, force.x, 1e-3) || !near(got[i].y, force.y, 1e-3) ||
                           !near(got[i].z, force.z, 1e-3))
                         return false;
                     }
                     return true;
                   }};
  };
}

inline void add_molecules(Set& set) {
  const std::vector<unsigned> sizes = {1000, 10000, 250000};
  set.add("molecules_one_by_one", sizes,
          molecules_problem<false, 1, 128>(molecules_by_thread<false>));
  set.add("molecules_side_by_side", sizes,
          molecules_problem<true, 1, 128>(molecules_by_thread<true>));
  set.add("molecules_by_warp", sizes, molecules_problem<false, 32, 256>(molecules_by_warp));
}

}  // namespace timing_set
