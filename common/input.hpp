// SPDX-License-Identifier: MIT
// The arrays that are added up. The same seed gives the same numbers on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace course {

// SplitMix64 of seed and index: every element can be computed alone, so order and threads do not
// matter.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ull + (index + 1) * 0xd1342543de82ef95ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// Floats in [-1, 1), with all 24 bits in use.
inline std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<float>(static_cast<std::int64_t>(random_bits(seed, i) >> 40) - (1 << 23)) *
           0x1p-23f;
  return x;
}

// Small whole numbers whose every partial sum a float holds exactly: the answer must be right to
// the last bit, in any order. Every element differs from 0, so that a lost one is seen. -1 and 1,
// and a few 2s and 3s, in a pattern that keeps all sums below 2^24.
inline std::vector<float> exact_floats(std::size_t n, std::uint64_t seed) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random_bits(seed, i);
    const int magnitude = 1 + static_cast<int>(bits >> 8 & 1);
    x[i] = static_cast<float>(bits & 1 ? magnitude : -magnitude);
  }
  return x;
}

// All of the integers' range: sums wrap, on the CPU as on the GPU.
inline std::vector<int> random_ints(std::size_t n, std::uint64_t seed) {
  std::vector<int> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<int>(static_cast<std::uint32_t>(random_bits(seed, i)));
  return x;
}

}  // namespace course
