// SPDX-License-Identifier: MIT
#include <algorithm>
#include <thread>
#include <vector>

#include "common/arrays/select.hpp"

namespace course {

std::size_t cpu_select(std::span<const std::uint32_t> x, std::uint32_t threshold,
                       std::span<std::uint32_t> out, unsigned threads) {
  const auto wanted = [=](std::uint32_t v) { return v >> 1 < threshold; };
  if (threads <= 1) {
    std::size_t kept = 0;
    for (const std::uint32_t v : x)
      if (wanted(v)) out[kept++] = v;
    return kept;
  }
  const auto share = [&](unsigned t) {
    const std::size_t begin = x.size() * t / threads, end = x.size() * (t + 1) / threads;
    return x.subspan(begin, end - begin);
  };
  const auto on_all = [&](auto&& work) {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t) workers.emplace_back([&work, t] { work(t); });
  };
  std::vector<std::size_t> before(threads + 1);
  on_all([&](unsigned t) {
    const auto mine = share(t);
    before[t + 1] = static_cast<std::size_t>(std::count_if(mine.begin(), mine.end(), wanted));
  });
  for (unsigned t = 0; t < threads; ++t) before[t + 1] += before[t];
  on_all([&](unsigned t) { cpu_select(share(t), threshold, out.subspan(before[t]), 1); });
  return before[threads];
}

}  // namespace course
