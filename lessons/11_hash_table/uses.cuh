// SPDX-License-Identifier: MIT
// What the three programs about uses share: timing of two ways to the same answer, side by side.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/irregular/cub_group.hpp"
#include "common/parallel.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/11_hash_table/slots.cuh"

namespace lesson11 {

using course::DeviceBuffer;

// Some values of which each comes about 1/k as often as the first, or all equally often.
inline std::uint32_t drawn(std::uint64_t seed, std::size_t i, std::uint32_t different,
                           bool skewed) {
  const std::uint64_t bits = course::random_bits(seed, i);
  if (!skewed) return static_cast<std::uint32_t>((bits >> 32) * different >> 32);
  const double u = static_cast<double>(bits >> 11) * 0x1p-53;
  const auto rank = static_cast<std::uint32_t>(std::pow(different + 1.0, u)) - 1;
  return std::min(rank, different - 1);
}

// Million items per second of a launch.
template <class Launch>
double rate(course::Stopwatch& watch, std::size_t n, Launch&& launch) {
  return static_cast<double>(n) / watch.measure(launch, 0).median_us;
}

// Pairs of a key and its sum.
using Sums = std::vector<std::pair<unsigned long long, unsigned long long>>;
// In the order of the keys, each once.
inline Sums added_up(Sums pairs) {
  course::sort_on_all_cores(pairs);
  Sums all;
  for (const auto& [key, value] : pairs)
    if (!all.empty() && all.back().first == key)
      all.back().second += value;
    else
      all.emplace_back(key, value);
  return all;
}
inline bool agree(Sums got, const Sums& truth, const char* what) {
  course::sort_on_all_cores(got);
  if (got == truth) return true;
  std::printf("FAIL %s: %zu groups where %zu should be, or wrong sums\n", what, got.size(),
              truth.size());
  return false;
}
inline Sums groups_of(const DeviceBuffer<unsigned long long>& keys,
                      const DeviceBuffer<unsigned long long>& sums, unsigned count) {
  const auto k = keys.download(count), s = sums.download(count);
  Sums all;
  for (unsigned i = 0; i < count; ++i) all.emplace_back(k[i], s[i]);
  return all;
}

}  // namespace lesson11
