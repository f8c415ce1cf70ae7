// SPDX-License-Identifier: MIT
// Rungs against the truth. Each rung adds up three arrays: integers and small whole floats, which
// must come out exactly, and random floats, within their error bound; and each array
// three times: from its second element on, so that nobody relies on alignment; its first few; all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "common/program/verify.hpp"
#include "common/sums/rung.cuh"

namespace course {

// What a rung launches for elements of type T; null: it cannot add them.
template <class T>
auto launcher(const Rung& rung) {
  if constexpr (std::is_same_v<T, float>) {
    return rung.f32;
  } else {
    return rung.i32;
  }
}

// One verdict per rung: of the first array it got wrong, else of the last one, the random floats.
std::vector<Verdict> verify(std::span<const Rung* const> rungs, const Device& device, std::size_t n,
                            int block, std::uint64_t seed);
Verdict verify(const Rung& rung, const Device& device, std::size_t n, int block,
               std::uint64_t seed);

}  // namespace course
