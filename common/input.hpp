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
std::vector<float> random_floats(std::size_t n, std::uint64_t seed);

// -2, -1, 1 and 2 at random: whole numbers so small that a float holds every partial sum exactly
// (a random walk of n such steps stays near sqrt(n); 2^24 is far off). The answer must be right to
// the last bit, in any order, and no element is 0, so that a lost one is seen.
std::vector<float> exact_floats(std::size_t n, std::uint64_t seed);

// All of the integers' range: sums wrap, on the CPU as on the GPU.
std::vector<int> random_ints(std::size_t n, std::uint64_t seed);

}  // namespace course
