// SPDX-License-Identifier: MIT
// The memory order and scope an instruction names, as the weak mode needs them.
#pragma once

#include <cstdint>

#include "machine/warp.hpp"

namespace emu::exec {

// How far an access or a fence reaches. Beyond the GPU lie other GPUs; the host is not played.
enum class Scope : std::uint8_t { Block, Cluster, Gpu, System };
inline constexpr std::size_t kScopes = 4;

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
  Scope scope = Scope::Block;
  bool acquire = false;
  bool release = false;
  bool sequential = false;  // fence.sc
};

// `one_block_clusters`: the scope of a cluster is then the block's.
Order order_of(const Instr& in, bool one_block_clusters);

}  // namespace emu::exec
