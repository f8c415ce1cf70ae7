// SPDX-License-Identifier: MIT
// What the tests of integer instructions share: names of types and packed edge values.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/ptx_lanes.hpp"

namespace emu::tests {

// "s16", "u64": an integer type as PTX spells it.
template <class T>
std::string type_name() {
  return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

// Two halves in a word, each at its edges, in all combinations.
inline std::vector<std::uint32_t> packed_edges() {
  std::vector<std::uint32_t> v;
  for (std::uint32_t x : {0u, 1u, 0x7fffu, 0x8000u, 0xffffu})
    for (std::uint32_t y : {0u, 1u, 0x7fffu, 0x8000u, 0xffffu}) v.push_back(y << 16 | x);
  for (std::uint32_t r : edges<std::uint32_t>()) v.push_back(r);
  return v;
}

}  // namespace emu::tests
