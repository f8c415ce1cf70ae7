// SPDX-License-Identifier: MIT
// All cores for making and adding up large arrays. The pieces do not depend on the number of cores,
// so the results do not either.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/function_ref.hpp"

namespace course {

// The threads that this machine can run at once; at least 1.
unsigned cpu_threads();

// Calls f(i) for each i below count, on all cores, in any order.
void for_each_number(std::size_t count, FunctionRef<void(std::size_t)> f);

inline constexpr std::size_t kPiece = std::size_t{1} << 20;
inline std::size_t pieces_of(std::size_t n) { return (n + kPiece - 1) / kPiece; }

// Calls f(piece, begin, end) for each piece of [0, n), on all cores, in any order.
void for_each_piece(std::size_t n, FunctionRef<void(std::size_t, std::size_t, std::size_t)> f);

// Pieces are sorted, then neighbours are merged until there is one left.
template <class T>
void sort_on_all_cores(std::vector<T>& x) {
  const std::size_t n = x.size();
  const auto at = [&](std::size_t i) {
    return x.begin() + static_cast<std::ptrdiff_t>(std::min(i, n));
  };
  for_each_piece(
      n, [&](std::size_t, std::size_t begin, std::size_t end) { std::sort(at(begin), at(end)); });
  for (std::size_t width = kPiece; width < n; width *= 2)
    for_each_number((n + 2 * width - 1) / (2 * width), [&](std::size_t i) {
      const std::size_t begin = i * 2 * width;
      std::inplace_merge(at(begin), at(begin + width), at(begin + 2 * width));
    });
}

}  // namespace course
