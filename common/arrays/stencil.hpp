// SPDX-License-Identifier: MIT
// A weighted sum of each element's neighbours: copying and computing, which warps can do at the same
// time. Lesson 10.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// out[i] = the sum of weight(k) * in[i + k] for k from -reach to reach; elements outside count as zero.
// Sums wrap. Pointers are device memory.
struct Stencil {
  const std::uint32_t* in = nullptr;
  std::size_t n = 0;
  std::uint32_t* out = nullptr;
  int block = 256;
  int reach = 8;  // 1, 8 or 24
  const Device* device = nullptr;
};

// No two neighbours weigh the same, so that a shifted or a mirrored result is seen.
__host__ __device__ constexpr std::uint32_t stencil_weight(int k) {
  return static_cast<std::uint32_t>(1000 + 7 * k);
}

// --reach.
std::span<const Choice> stencil_choices();

std::unique_ptr<families::ProblemOf<Stencil>> make_stencil(const families::Setup& setup);

// The CPU's answer.
void cpu_stencil(std::span<const std::uint32_t> x, std::span<std::uint32_t> out, int reach,
                 unsigned threads);

}  // namespace course
