// SPDX-License-Identifier: MIT
// One sum, and how right it must be: lesson 09.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/program/family.cuh"
#include "common/sums/stored.hpp"

namespace course {

// Where a rung writes its sum says what it promises. Each place has its judge.
struct Promises {
  float near;     // within the error bound of sums in fp32
  float same;     // the bits of reproducible_sum(), in every order (common/sums/rounded_sum.hpp)
  float rounded;  // the nearest float to the exact sum
};

// in[0] + ... + in[n-1]. Pointers are device memory.
struct Sums {
  Stored stored = Stored::kF32;
  const void* in = nullptr;
  std::size_t n = 0;
  Promises* out = nullptr;
  int block = 256;
  void* scratch = nullptr;         // kSumBlocks * kSumBytesPerBlock, for the sums of blocks
  std::uint64_t* words = nullptr;  // kSumWords, zero before and after each launch
  unsigned* ticket = nullptr;      // zero before and after each launch
  const Device* device = nullptr;
};
inline constexpr unsigned kSumBlocks = 16384, kSumBytesPerBlock = 32, kSumWords = 32;

// --input, --stored.
std::span<const Choice> sums_choices();

std::unique_ptr<families::ProblemOf<Sums>> make_sums(const families::Setup& setup);

// n numbers that can be stored so: "uniform" in [-1, 1); "positive" in [0, 1); "cancelling", of many
// magnitudes, which nearly all occur with both signs; "wide", of all magnitudes that there are.
std::vector<float> sum_input(const std::string& input, Stored stored, std::size_t n,
                             std::uint64_t seed);

}  // namespace course
