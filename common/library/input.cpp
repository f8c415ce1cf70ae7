// SPDX-License-Identifier: MIT
#include "common/input.hpp"

#include "common/parallel.hpp"

namespace course {

namespace {

// An array of n elements, element i made from random_bits(seed, i).
template <class T, class F>
std::vector<T> random_array(std::size_t n, std::uint64_t seed, F from_bits) {
  std::vector<T> x(n);
  for_each_piece(n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) x[i] = from_bits(random_bits(seed, i));
  });
  return x;
}

}  // namespace

std::vector<float> random_floats(std::size_t n, std::uint64_t seed) {
  return random_array<float>(n, seed, [](std::uint64_t bits) {
    return static_cast<float>(static_cast<std::int64_t>(bits >> 40) - (1 << 23)) * 0x1p-23f;
  });
}

std::vector<float> exact_floats(std::size_t n, std::uint64_t seed) {
  return random_array<float>(n, seed, [](std::uint64_t bits) {
    const int magnitude = 1 + static_cast<int>(bits >> 8 & 1);
    return static_cast<float>(bits & 1 ? magnitude : -magnitude);
  });
}

std::vector<int> random_ints(std::size_t n, std::uint64_t seed) {
  return random_array<int>(n, seed, [](std::uint64_t bits) {
    return static_cast<int>(static_cast<std::uint32_t>(bits));
  });
}

}  // namespace course
