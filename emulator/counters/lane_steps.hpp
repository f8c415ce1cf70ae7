// SPDX-License-Identifier: MIT
// Whether the addresses of a full warp lie side by side: what most accesses do, and what every rule
// asks first.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "machine/observer.hpp"

namespace emu::observe {

// Eight addresses at once: as wide as vectors are anywhere, and compilers make several of it where they are narrower.
using EightAddresses [[gnu::vector_size(64)]] = std::uint64_t;

// Whether they are a[0] + lane * step, which is zero or a power of two up to 128: multiplying would take longer.
[[gnu::always_inline]] inline bool steps_by(const std::uint64_t* a, std::uint64_t step) {
  constexpr EightAddresses kLanes = {0, 1, 2, 3, 4, 5, 6, 7};
  static constexpr EightAddresses kSteps[] = {{},          kLanes,      2 * kLanes,
                                              4 * kLanes,  8 * kLanes,  16 * kLanes,
                                              32 * kLanes, 64 * kLanes, 128 * kLanes};
  EightAddresses first, second, third, fourth;
  std::memcpy(&first, a, sizeof first);
  std::memcpy(&second, a + 8, sizeof second);
  std::memcpy(&third, a + 16, sizeof third);
  std::memcpy(&fourth, a + 24, sizeof fourth);
  const std::uint64_t eight = 8 * step;
  const EightAddresses differs =
      ((first ^ (kSteps[std::bit_width(step)] + a[0])) | ((second - first) ^ eight)) |
      (((third - second) ^ eight) | ((fourth - third) ^ eight));
  std::uint64_t any = 0;
  for (int i = 0; i < 8; ++i) any |= differs[i];
  return any == 0;
}

// A bit for each of 32 places in a row, which begin at a multiple of 64 of them and are 1 << shift bytes each: those of the addresses.
[[gnu::always_inline]] inline std::uint64_t places_named(const std::uint64_t* a, int shift) {
  EightAddresses named{};
  for (int i = 0; i < 4; ++i) {
    EightAddresses eight;
    std::memcpy(&eight, a + 8 * i, sizeof eight);
    named |= (EightAddresses{} + 1) << (eight >> shift & 63);
  }
  std::uint64_t all = 0;
  for (int i = 0; i < 8; ++i) all |= named[i];
  return all;
}

// All lanes that are on have the same address, as far as the first and the last of them say.
inline bool uniform(const MemoryAccess& access) {
  if (!access.mask) return true;
  const auto first = static_cast<std::size_t>(std::countr_zero(access.mask)),
             last = static_cast<std::size_t>(31 - std::countl_zero(access.mask));
  return access.addresses[first] == access.addresses[last];
}

[[gnu::always_inline]] inline bool side_by_side(const MemoryAccess& access) {
  return access.mask == 0xffffffffu &&
         access.addresses[1] - access.addresses[0] == access.bytes_per_lane &&
         steps_by(access.addresses, access.bytes_per_lane);
}

}  // namespace emu::observe
