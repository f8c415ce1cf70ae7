// SPDX-License-Identifier: MIT
// Whether the addresses of a full warp lie side by side: what most accesses do, and what every rule
// asks first.
#pragma once

#include "access/lane_access.hpp"
#include "machine/observer.hpp"

namespace emu::observe {

// Whether they are a[0] + lane * step.
[[gnu::always_inline]] inline bool steps_by(const std::uint64_t* a, std::uint64_t step) {
  switch (step) {
    case 0:
      return exec::steps_by<0>(a);
    case 1:
      return exec::steps_by<1>(a);
    case 2:
      return exec::steps_by<2>(a);
    case 4:
      return exec::steps_by<4>(a);
    case 8:
      return exec::steps_by<8>(a);
    case 16:
      return exec::steps_by<16>(a);
    default:
      return false;
  }
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
