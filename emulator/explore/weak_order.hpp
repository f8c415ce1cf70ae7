// SPDX-License-Identifier: MIT
// The memory order and scope an instruction names, as the weak mode needs them.
#pragma once

#include <cstdint>

#include "machine/warp.hpp"

namespace emu::exec {

struct Order {
  enum class Kind : std::uint8_t {
    Other,
    Load,
    Store,
    Atomic,
    Fence,
    MbarrierArrive,
    MbarrierWait
  };
  Kind kind = Kind::Other;
  bool strong = false;  // relaxed or more; false: weak
  bool wide = false;    // scope of the GPU or wider; false: the block's
  bool acquire = false;
  bool release = false;
  bool sequential = false;  // fence.sc
};

// `one_block_clusters`: the scope of a cluster is then the block's; in larger clusters it counts as
// the GPU's.
Order order_of(const Instr& in, bool one_block_clusters);

}  // namespace emu::exec
