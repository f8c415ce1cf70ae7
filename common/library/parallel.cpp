// SPDX-License-Identifier: MIT
#include "common/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace course {

unsigned cpu_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

void for_each_number(std::size_t count, FunctionRef<void(std::size_t)> f) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) f(i);
  };
  const std::size_t threads = std::min<std::size_t>(count, cpu_threads());
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  work();
}

void for_each_piece(std::size_t n, FunctionRef<void(std::size_t, std::size_t, std::size_t)> f) {
  for_each_number(pieces_of(n),
                  [&](std::size_t p) { f(p, p * kPiece, std::min(n, (p + 1) * kPiece)); });
}

}  // namespace course
