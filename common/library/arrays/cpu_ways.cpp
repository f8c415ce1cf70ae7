// SPDX-License-Identifier: MIT
#include <algorithm>
#include <thread>
#include <vector>

#include "common/arrays/stencil.hpp"
#include "common/arrays/ways.hpp"

namespace course {

namespace {

// work(begin, end) for equal shares of n, each on a thread of its own.
template <class Work>
void in_shares(std::size_t n, unsigned threads, Work work) {
  if (threads <= 1) return work(std::size_t{0}, n);
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t)
    workers.emplace_back([=] { work(n * t / threads, n * (t + 1) / threads); });
}

}  // namespace

void cpu_ways(std::span<const std::uint32_t> x, std::span<std::uint32_t> out, unsigned ways,
              int steps, unsigned threads) {
  in_shares(x.size(), threads, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const WayConstants c = constants_of(way_of(x[i], ways));
      std::uint32_t v = x[i];
      for (int k = 0; k < steps; ++k) v = step_on(v, c);
      out[i] = v;
    }
  });
}

void cpu_stencil(std::span<const std::uint32_t> x, std::span<std::uint32_t> out, int reach,
                 unsigned threads) {
  in_shares(x.size(), threads, [=](std::size_t begin, std::size_t end) {
    const auto n = static_cast<long long>(x.size());
    for (auto i = static_cast<long long>(begin); i < static_cast<long long>(end); ++i) {
      std::uint32_t sum = 0;
      const long long first = std::max(0LL, i - reach), last = std::min(n - 1, i + reach);
      for (long long j = first; j <= last; ++j)
        sum += stencil_weight(static_cast<int>(j - i)) * x[static_cast<std::size_t>(j)];
      out[static_cast<std::size_t>(i)] = sum;
    }
  });
}

}  // namespace course
