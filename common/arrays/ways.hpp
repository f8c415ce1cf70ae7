// SPDX-License-Identifier: MIT
// Every element has its way: a few steps of arithmetic, with constants of their own. What do lanes pay
// whose elements go different ways? Lesson 10.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// out[i] is in[i], so many steps further on its way. Pointers are device memory.
struct Ways {
  const std::uint32_t* in = nullptr;
  std::size_t n = 0;
  std::uint32_t* out = nullptr;
  int block = 256;
  unsigned ways = 8;  // how many different ones occur: a power of two, up to kMostWays
  int steps = 32;
  const Device* device = nullptr;
};
inline constexpr unsigned kMostWays = 32;

// Which way an element goes is in its upper bits.
__host__ __device__ constexpr unsigned way_of(std::uint32_t x, unsigned ways) {
  return (x >> 27) & (ways - 1);
}
struct WayConstants {
  std::uint32_t factor, summand;
};
__host__ __device__ constexpr WayConstants constants_of(unsigned way) {
  return {1664525u + 8 * way, 1013904223u + 2 * way};
}
// The shift is in it because the compiler makes one multiplication and one addition of any number of
// steps without it.
__host__ __device__ constexpr std::uint32_t step_on(std::uint32_t v, WayConstants c) {
  return (v ^ (v >> 15)) * c.factor + c.summand;
}

// --ways, --steps.
std::span<const Choice> ways_choices();

std::unique_ptr<families::ProblemOf<Ways>> make_ways(const families::Setup& setup);

// The CPU's answer.
void cpu_ways(std::span<const std::uint32_t> x, std::span<std::uint32_t> out, unsigned ways,
              int steps, unsigned threads);

}  // namespace course
