// SPDX-License-Identifier: MIT
// All cores for making and adding up large arrays. The pieces do not depend on the number of cores,
// so the results do not either.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace course {

inline constexpr std::size_t kPiece = std::size_t{1} << 20;
inline std::size_t pieces_of(std::size_t n) { return (n + kPiece - 1) / kPiece; }

// Calls f(piece, begin, end) for each piece of [0, n), on all cores, in any order.
template <class F>
void for_each_piece(std::size_t n, F&& f) {
  const std::size_t pieces = pieces_of(n);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t p; (p = next.fetch_add(1)) < pieces;)
      f(p, p * kPiece, std::min(n, (p + 1) * kPiece));
  };
  const std::size_t threads =
      std::min<std::size_t>(pieces, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  work();
}

}  // namespace course
