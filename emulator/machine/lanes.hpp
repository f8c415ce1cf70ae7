// SPDX-License-Identifier: MIT
// The lanes of a warp as a mask, and loops over them.
#pragma once

#include <cstdint>

namespace emu::exec {

using LaneMask = std::uint32_t;
inline constexpr int kLanes = 32;
inline constexpr LaneMask kAllLanes = 0xffffffffu;

// Before a loop over lanes: none reads what another has written, so they may run side by side.
#if defined(__clang__)
#define EMU_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define EMU_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

inline int first_lane(LaneMask mask) { return __builtin_ctz(mask); }

// for_lanes(mask, [&](int lane) { ... }): the full warp as a plain loop the compiler can vectorise.
template <class F>
inline void for_lanes(LaneMask mask, F&& f) {
  if (mask == kAllLanes) {
    EMU_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
  } else {
    for (LaneMask m = mask; m; m &= m - 1) f(__builtin_ctz(m));
  }
}

}  // namespace emu::exec
