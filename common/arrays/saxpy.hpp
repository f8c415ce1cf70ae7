// SPDX-License-Identifier: MIT
// out[i] = a x[i] + y[i]: the smallest problem that is worth a GPU, for lesson 00.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// n elements. Pointers are device memory, and all three begin equally far from an aligned address.
struct Saxpy {
  float a = 0;
  const float* x = nullptr;
  const float* y = nullptr;
  float* out = nullptr;
  std::size_t n = 0;
  int block = 256;
  const Device* device = nullptr;
};

// x and y are whole numbers so small that every result is exact, whether the product is rounded before
// the addition or not: the judge compares bits.
std::unique_ptr<families::ProblemOf<Saxpy>> make_saxpy(const families::Setup& setup);

// The CPU's: one loop, or a share of it for each thread.
void cpu_saxpy(float a, std::span<const float> x, std::span<const float> y, std::span<float> out,
               unsigned threads);

}  // namespace course
