// SPDX-License-Identifier: MIT
// How often does each value occur? A sample is the number of its bin; one that is no bin is not counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// counts[b] = how many of in[0] ... in[n-1] are b, for each b < bins. Pointers are device memory.
struct Histogram {
  const void* in = nullptr;
  int sample_bytes = 4;  // 1 or 4: std::uint8_t or std::uint32_t
  std::size_t n = 0;     // below 2^32
  std::uint32_t bins = 0;
  std::uint32_t* counts = nullptr;
  int block = 256;
  unsigned* words = nullptr;  // kHistogramWords, zero before and after each launch
  const Device* device = nullptr;
  std::uint32_t* tables = nullptr;  // histogram_tables() words, for one table per multiprocessor
};
// Counters of 16 bits, two in a word; only where there are more bins than a block's own table is quick for.
inline std::size_t histogram_tables(std::uint32_t bins, int multiprocessors) {
  return bins <= 4096 ? 0 : std::size_t{(bins + 7) / 8} * 4 * multiprocessors;
}
inline constexpr std::size_t kHistogramWords = 4;

// --sample, --bins, --input.
std::span<const Choice> histogram_choices();

// Throws UsageError where there are more bins than the sample has values.
std::unique_ptr<families::ProblemOf<Histogram>> make_histogram(const families::Setup& setup);

// The CPU's: one loop, or one for each of some threads and their tables added up. T is std::uint8_t or
// std::uint32_t.
template <class T>
void cpu_histogram(std::span<const T> x, std::span<std::uint32_t> counts, unsigned threads);

}  // namespace course
