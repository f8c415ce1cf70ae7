// SPDX-License-Identifier: MIT
#include <algorithm>
#include <thread>
#include <vector>

#include "common/arrays/histogram.hpp"

namespace course {

namespace {

template <class T>
void count_all(std::span<const T> x, std::span<std::uint32_t> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  const std::uint32_t bins = static_cast<std::uint32_t>(counts.size());
  for (const T sample : x)
    if (sample < bins) ++counts[sample];
}

}  // namespace

template <class T>
void cpu_histogram(std::span<const T> x, std::span<std::uint32_t> counts, unsigned threads) {
  if (threads <= 1) return count_all(x, counts);
  std::vector<std::vector<std::uint32_t>> tables(threads);
  {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) {
      const std::size_t begin = x.size() * t / threads, end = x.size() * (t + 1) / threads;
      workers.emplace_back(
          [&table = tables[t], bins = counts.size(), share = x.subspan(begin, end - begin)] {
            table.resize(bins);
            count_all(share, std::span(table));
          });
    }
  }
  std::fill(counts.begin(), counts.end(), 0);
  for (const auto& table : tables)
    for (std::size_t b = 0; b < counts.size(); ++b) counts[b] += table[b];
}
template void cpu_histogram(std::span<const std::uint8_t>, std::span<std::uint32_t>, unsigned);
template void cpu_histogram(std::span<const std::uint32_t>, std::span<std::uint32_t>, unsigned);

}  // namespace course
