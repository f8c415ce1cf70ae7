// SPDX-License-Identifier: MIT
#include "shadow/thread_clocks.hpp"

namespace emu::check {

LaneClock& WarpClock::lane(int i) {
  if (!lanes) lanes = std::make_unique<std::array<LaneClock, kLanes>>();
  return (*lanes)[static_cast<std::size_t>(i)];
}

}  // namespace emu::check
