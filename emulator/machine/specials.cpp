// SPDX-License-Identifier: MIT
#include "machine/specials.hpp"

#include <algorithm>

namespace emu::exec {
namespace {

enum WarpSpecial : std::uint32_t {
#define WARP_SPECIAL(name, text) k##name,
#include "machine/specials.def"
  kWarpSpecials
};
enum WarpSpecial64 : std::uint32_t {
#define WARP_SPECIAL64(name, text) k##name,
#include "machine/specials.def"
  kWarpSpecials64
};
enum BlockSpecial : std::uint32_t {
#define BLOCK_SPECIAL(name, text) k##name,
#include "machine/specials.def"
  kBlockSpecials
};

constexpr std::uint32_t kLaneWords = kLanes * 4;
constexpr std::uint32_t offset_of(WarpSpecial s) { return s * kLaneWords; }
constexpr std::uint32_t offset_of(WarpSpecial64 s) { return (kWarpSpecials + 2 * s) * kLaneWords; }
constexpr std::uint32_t offset_of(BlockSpecial s) { return s * kLaneWords; }
static_assert((kWarpSpecials + 2 * kWarpSpecials64) * kLaneWords <= kWarpSpecialBytes);
static_assert(kBlockSpecials * kLaneWords <= kBlockSpecialBytes);

Ref place(Area area, std::uint32_t offset) {
  Ref ref{};
  ref.area = static_cast<std::uint32_t>(area);
  ref.offset = offset;
  return ref;
}

std::uint32_t* warp_lanes(Warp& warp, WarpSpecial s) {
  return warp.lanes<std::uint32_t>(place(Area::Warp, offset_of(s)));
}

void fill64(Warp& warp, WarpSpecial64 s, std::uint64_t value) {
  std::fill_n(warp.lanes<std::uint64_t>(place(Area::Warp, offset_of(s))), kLanes, value);
}

}  // namespace

std::optional<SpecialPlace> find_special(std::string_view name, std::uint32_t bytes) {
  if (name == "%gridid" && bytes == 4) name = "%gridid (32 bits)";
  const auto changes = [](std::string_view n) {
    return n.starts_with("%clock") || n.starts_with("%globaltimer");
  };
#define WARP_SPECIAL(id, text) \
  if (name == text) return SpecialPlace{place(Area::Warp, offset_of(k##id)), 4, changes(name)};
#include "machine/specials.def"
#define WARP_SPECIAL64(id, text) \
  if (name == text) return SpecialPlace{place(Area::Warp, offset_of(k##id)), 8, changes(name)};
#include "machine/specials.def"
#define BLOCK_SPECIAL(id, text) \
  if (name == text) return SpecialPlace{place(Area::Block, offset_of(k##id)), 4, false};
#include "machine/specials.def"
  if (name.starts_with("%envreg") || name.starts_with("%pm")) {
    return SpecialPlace{place(Area::Block, offset_of(kZero)), 4, false};
  }
  return std::nullopt;
}

void fill_warp_specials(Warp& warp) {
  const Dim3& dim = warp.block->grid->block;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t thread = warp.id * kLanes + lane;
    const LaneMask bit = LaneMask{1} << lane;
    warp_lanes(warp, kTidX)[lane] = thread % dim.x;
    warp_lanes(warp, kTidY)[lane] = thread / dim.x % dim.y;
    warp_lanes(warp, kTidZ)[lane] = thread / dim.x / dim.y;
    warp_lanes(warp, kLaneId)[lane] = lane;
    warp_lanes(warp, kWarpId)[lane] = warp.id;
    warp_lanes(warp, kLaneEq)[lane] = bit;
    warp_lanes(warp, kLaneLt)[lane] = bit - 1;
    warp_lanes(warp, kLaneLe)[lane] = bit | (bit - 1);
    warp_lanes(warp, kLaneGe)[lane] = ~(bit - 1);
    warp_lanes(warp, kLaneGt)[lane] = ~(bit | (bit - 1));
  }
  fill64(warp, kGridId, warp.block->grid->id);
}

void fill_block_specials(Block& block) {
  const Grid& grid = *block.grid;
  const auto put = [&](BlockSpecial s, std::uint32_t value) {
    auto* lanes = reinterpret_cast<std::uint32_t*>(block.specials.data() + offset_of(s));
    std::fill_n(lanes, kLanes, value);
  };
  const auto put3 = [&](BlockSpecial x, const Dim3& v) {
    put(x, v.x);
    put(static_cast<BlockSpecial>(x + 1), v.y);
    put(static_cast<BlockSpecial>(x + 2), v.z);
  };
  const Dim3& c = grid.cluster;
  put3(kCtaIdX, block.index);
  put3(kGridX, grid.grid);
  put3(kDimX, grid.block);
  put(kNWarpId, grid.profile->max_warps_per_sm);
  put(kSmId, static_cast<std::uint32_t>(block.linear % grid.profile->multiprocessors));
  put(kNSmId, grid.profile->multiprocessors);
  put(kEnvReg1, static_cast<std::uint32_t>(grid.cooperative_workspace >> 32));
  put(kEnvReg2, static_cast<std::uint32_t>(grid.cooperative_workspace));
  put(kDynamicShared, grid.dynamic_shared);
  put(kTotalShared, grid.static_shared + grid.dynamic_shared);
  put(kAggrShared, grid.static_shared + grid.dynamic_shared);
  put3(kClusterIdX, {block.index.x / c.x, block.index.y / c.y, block.index.z / c.z});
  put3(kNClusterX, {grid.grid.x / c.x, grid.grid.y / c.y, grid.grid.z / c.z});
  put3(kClusterCtaX, {block.index.x % c.x, block.index.y % c.y, block.index.z % c.z});
  put3(kClusterNX, c);
  put(kClusterRank, block.rank);
  put(kClusterNRank, static_cast<std::uint32_t>(c.count()));
  put(kGridId32, static_cast<std::uint32_t>(grid.id));
  put(kReservedBegin, 0);
  put(kReservedEnd, kReservedShared);
  put(kReservedCap, kReservedShared);
  put(kReserved0, 0);
  put(kReserved1, kReservedShared / 2);
  put(kZero, 0);
  put(kExplicitCluster, c.count() > 1 ? ~0u : 0u);
}

void refresh_clock(Warp& warp) {
  Grid& grid = *warp.block->grid;
  const std::uint64_t now = grid.clock, timer = grid.timer_start + now;
  ++grid.clock_reads;
  std::fill_n(warp_lanes(warp, kClock), kLanes, static_cast<std::uint32_t>(now));
  std::fill_n(warp_lanes(warp, kClockHi), kLanes, static_cast<std::uint32_t>(now >> 32));
  std::fill_n(warp_lanes(warp, kTimerLo), kLanes, static_cast<std::uint32_t>(timer));
  std::fill_n(warp_lanes(warp, kTimerHi), kLanes, static_cast<std::uint32_t>(timer >> 32));
  fill64(warp, kClock64, now);
  fill64(warp, kTimer, timer);
}

}  // namespace emu::exec
