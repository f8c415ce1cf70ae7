// SPDX-License-Identifier: MIT
// RMSNorm: every row of a matrix is divided by its root mean square, and its columns get weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"
#include "common/sums/stored.hpp"

namespace course {

// h = x, or x + residual, rounded to what can be stored; out = h weight / sqrt(mean of h^2 + epsilon).
// Rows lie one after the other. Pointers are device memory; all of them begin equally far from an
// aligned address, but weight, which is aligned.
struct RmsNorm {
  Stored stored = Stored::kBf16;
  const void* x = nullptr;
  const void* residual = nullptr;  // null: there is none
  const void* weight = nullptr;    // one for each column
  void* out = nullptr;
  void* sum = nullptr;  // x + residual, where there is a residual
  std::size_t rows = 0;
  unsigned columns = 0;
  float epsilon = 1e-6f;
  int block = 256;
  const Device* device = nullptr;
};

// --type, --columns, --residual.
std::span<const Choice> rmsnorm_choices();

// n elements are as many rows as they fill; fewer than a row are one shorter row.
std::unique_ptr<families::ProblemOf<RmsNorm>> make_rmsnorm(const families::Setup& setup);

// The CPU's, in fp32: rows one after the other, or a share of them for each thread.
void cpu_rmsnorm(std::span<const float> x, std::span<const float> weight, float epsilon,
                 std::span<float> out, unsigned threads);

// By how much an element may be off, as a share of it, before it is rounded to be stored: a sum of
// squares over `chain` additions, and a few operations after it.
double rmsnorm_error(double chain);

}  // namespace course
