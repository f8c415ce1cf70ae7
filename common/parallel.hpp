// SPDX-License-Identifier: MIT
// All cores for making and adding up large arrays. The pieces do not depend on the number of cores,
// so the results do not either.
#pragma once

#include <cstddef>

#include "common/function_ref.hpp"

namespace course {

// The threads that this machine can run at once; at least 1.
unsigned cpu_threads();

inline constexpr std::size_t kPiece = std::size_t{1} << 20;
inline std::size_t pieces_of(std::size_t n) { return (n + kPiece - 1) / kPiece; }

// Calls f(piece, begin, end) for each piece of [0, n), on all cores, in any order.
void for_each_piece(std::size_t n, FunctionRef<void(std::size_t, std::size_t, std::size_t)> f);

}  // namespace course
