// SPDX-License-Identifier: MIT
// One sum for each segment of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/program/family.cuh"

namespace course {

// out[s] = in[offsets[s]] + ... + in[offsets[s + 1] - 1], 0 where that is nothing. offsets[0] = 0,
// offsets[segments] = n, and they do not go down. Pointers are device memory.
struct Segments {
  const float* in = nullptr;
  std::size_t n = 0;  // below 2^32
  const std::uint32_t* offsets = nullptr;
  std::uint32_t segments = 0;
  float* out = nullptr;
  int block = 256;
  std::uint64_t* words = nullptr;  // kSegmentWords, zero at first; kept from launch to launch
  const Device* device = nullptr;
};
inline constexpr std::size_t kSegmentWords = 65536;

// --segments, --lengths.
std::span<const Choice> segments_choices();

std::unique_ptr<families::ProblemOf<Segments>> make_segments(const families::Setup& setup);

// Offsets of so many segments of n elements: of (nearly) equal length, of random lengths, or skewed:
// half of the elements in the first, half of the rest in the next, and so on; then empty ones.
std::vector<std::uint32_t> segment_offsets(const std::string& lengths, std::uint32_t segments,
                                           std::size_t n, std::uint64_t seed);

// The CPU's: segments one after the other, or a share of them for each thread.
void cpu_segments(std::span<const float> x, std::span<const std::uint32_t> offsets,
                  std::span<float> out, unsigned threads);

}  // namespace course
