// SPDX-License-Identifier: MIT
#include "cudart/launching/peer_traffic.hpp"

#include <algorithm>
#include <bit>

#include "machine/grid.hpp"
#include "memory/address_space.hpp"

namespace emu::cudart {

void PeerTraffic::kernel_begin(const exec::Grid& grid) {
  device_ = grid.device;
  bytes_ = {};
  handovers_.clear();
}

void PeerTraffic::memory(const exec::Warp& warp, const exec::Instr& in,
                         const observe::MemoryAccess& access) {
  if (access.space != observe::MemorySpace::Global || !access.mask) return;
  // Lanes of a warp that reach into two devices at once are taken for lanes that reach into one.
  const auto first = static_cast<std::size_t>(std::countr_zero(access.mask));
  const auto* found = memory::AddressSpace::instance().find(access.addresses[first]);
  if (!found || found->kind != memory::Kind::Device || found->device == device_) return;
  const std::uint64_t bytes =
      std::uint64_t{access.bytes_per_lane} * static_cast<unsigned>(std::popcount(access.mask));
  if (access.kind != observe::AccessKind::Store) bytes_.read[found->device] += bytes;
  if (access.kind == observe::AccessKind::Load) return;
  bytes_.written[found->device] += bytes;
  if (!in.source->has("sys") && !in.source->has("gpu") && !in.source->has("volatile")) return;
  for (std::uint32_t m = access.mask; m; m &= m - 1) {
    const std::uint64_t thread =
        warp.block->linear << 10 | warp.id << 5 | static_cast<unsigned>(std::countr_zero(m));
    bytes_.handovers = std::max(bytes_.handovers, ++handovers_[thread]);
  }
}

}  // namespace emu::cudart
