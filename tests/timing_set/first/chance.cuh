// SPDX-License-Identifier: MIT
// Monte Carlo: points in a circle, prices of an option (logarithms, roots and cosines), walks with a branch at each step.
#pragma once
#include "../set.cuh"

namespace timing_set {

__host__ __device__ inline unsigned next_random(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}
__host__ __device__ inline unsigned first_state(unsigned i) { return mixed(i + 1) | 1; }
constexpr unsigned kDraws = 64;

__host__ __device__ inline unsigned hits_of(unsigned i) {
  unsigned state = first_state(i), hits = 0;
  for (unsigned k = 0; k < kDraws; ++k) {
    const float x = static_cast<float>(next_random(state) >> 8) / 16777216.f;
    const float y = static_cast<float>(next_random(state) >> 8) / 16777216.f;
    hits += x * x + y * y <= 1.f;
  }
  return hits;
}
__global__ void circle_hits(unsigned* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = hits_of(i);
}
__host__ __device__ inline float price_of(unsigned i) {
  unsigned state = first_state(i);
  float sum = 0;
  for (unsigned k = 0; k < kDraws / 4; ++k) {
    // Not 2^24 + 1, which no float is: nvcc rounds that up on x86-64 and down on arm64.
    const float u = (static_cast<float>(next_random(state) >> 8) + 1) / 16777218.f;
    const float v = static_cast<float>(next_random(state) >> 8) / 16777216.f;
    const float normal = sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
    sum += fmaxf(expf(0.2f * normal - 0.02f) - 1, 0.f);
  }
  return sum;
}
__global__ void option_prices(float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = price_of(i);
}
__host__ __device__ inline unsigned walk_of(unsigned i) {
  unsigned state = first_state(i), steps = 0;
  for (int at = 8; at > 0 && steps < 4 * kDraws; ++steps)
    at += next_random(state) % 16 < 9 ? -1 : 1;
  return steps;
}
__global__ void walks(unsigned* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = walk_of(i);
}

inline void add_chance(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 19};
  set.add("circle_hits", sizes, [](unsigned n) {
    auto out = room<unsigned>(n);
    return Problem{[=] { circle_hits<<<blocks_of(n), kBlock>>>(out->data(), n); },
                   [=] {
                     return agrees(
                         out, [](unsigned i) { return hits_of(i); }, 0.05);
                   }};
  });
  set.add("option_prices", sizes, [](unsigned n) {
    auto out = room<float>(n);
    return Problem{[=] { option_prices<<<blocks_of(n), kBlock>>>(out->data(), n); },
                   [=] {
                     return agrees(
                         out, [](unsigned i) { return price_of(i); }, 1e-3);
                   }};
  });
  set.add("walks", sizes, [](unsigned n) {
    auto out = room<unsigned>(n);
    return Problem{[=] { walks<<<blocks_of(n), kBlock>>>(out->data(), n); },
                   [=] {
                     return agrees(
                         out, [](unsigned i) { return walk_of(i); }, 0);
                   }};
  });
}

}  // namespace timing_set
