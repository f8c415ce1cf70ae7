// SPDX-License-Identifier: MIT
// Whether the addresses of a full warp lie side by side: what most accesses do, and what every rule
// asks first.
#pragma once

#include "exec/lane_access.hpp"
#include "observe/observer.hpp"

namespace emu::observe {

// Whether they are a[0] + lane * step, for a step of at most 16 bytes.
[[gnu::always_inline]] inline bool steps_by(const std::uint64_t* a, std::uint64_t step) {
  return step <= 16 && exec::steps_by<std::uint64_t>(a, step);
}

[[gnu::always_inline]] inline bool side_by_side(const MemoryAccess& access) {
  return access.mask == 0xffffffffu &&
         access.addresses[1] - access.addresses[0] == access.bytes_per_lane &&
         steps_by(access.addresses, access.bytes_per_lane);
}

}  // namespace emu::observe
