// SPDX-License-Identifier: MIT
// Special registers: which there are, where their lanes lie, and how they are filled.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "exec/grid.hpp"

namespace emu::exec {

// X(enumerator, spelling): 32-bit, one value per lane, in Area::Warp.
#define EMU_WARP_SPECIALS(X)                                                        \
  X(TidX, "%tid.x")                                                                 \
  X(TidY, "%tid.y")                                                                 \
  X(TidZ, "%tid.z")                                                                 \
  X(LaneId, "%laneid")                                                              \
  X(WarpId, "%warpid") X(LaneEq, "%lanemask_eq") X(LaneLe, "%lanemask_le")          \
      X(LaneLt, "%lanemask_lt") X(LaneGe, "%lanemask_ge") X(LaneGt, "%lanemask_gt") \
          X(Clock, "%clock") X(ClockHi, "%clock_hi") X(TimerLo, "%globaltimer_lo")  \
              X(TimerHi, "%globaltimer_hi")
// 64-bit, in Area::Warp behind those.
#define EMU_WARP_SPECIALS64(X) X(Clock64, "%clock64") X(Timer, "%globaltimer")
// 32-bit, the same for the whole block, in Area::Block.
#define EMU_BLOCK_SPECIALS(X)                                                                      \
  X(CtaIdX, "%ctaid.x")                                                                            \
  X(CtaIdY, "%ctaid.y")                                                                            \
  X(CtaIdZ, "%ctaid.z")                                                                            \
  X(GridX, "%nctaid.x")                                                                            \
  X(GridY, "%nctaid.y") X(GridZ, "%nctaid.z") X(DimX, "%ntid.x") X(DimY, "%ntid.y")                \
      X(DimZ, "%ntid.z") X(NWarpId, "%nwarpid") X(SmId, "%smid") X(NSmId, "%nsmid") X(             \
          EnvReg1, "%envreg1") X(EnvReg2, "%envreg2") X(DynamicShared, "%dynamic_smem_size")       \
          X(TotalShared, "%total_smem_size") X(AggrShared, "%aggr_smem_size") X(                   \
              ClusterIdX, "%clusterid.x") X(ClusterIdY, "%clusterid.y")                            \
              X(ClusterIdZ, "%clusterid.z") X(NClusterX, "%nclusterid.x") X(                       \
                  NClusterY, "%nclusterid.y") X(NClusterZ, "%nclusterid.z")                        \
                  X(ClusterCtaX, "%cluster_ctaid.x") X(ClusterCtaY, "%cluster_ctaid.y") X(         \
                      ClusterCtaZ, "%cluster_ctaid.z") X(ClusterNX, "%cluster_nctaid.x")           \
                      X(ClusterNY, "%cluster_nctaid.y") X(ClusterNZ, "%cluster_nctaid.z") X(       \
                          ClusterRank, "%cluster_ctarank") X(ClusterNRank, "%cluster_nctarank")    \
                          X(GridId32, "%gridid") X(ReservedBegin, "%reserved_smem_offset_begin")   \
                              X(ReservedEnd, "%reserved_smem_offset_end")                          \
                                  X(ReservedCap, "%reserved_smem_offset_cap")                      \
                                      X(Reserved0, "%reserved_smem_offset_0")                      \
                                          X(Reserved1, "%reserved_smem_offset_1") X(Zero, "%zero") \
                                              X(ExplicitCluster, "%is_explicit_cluster")

struct SpecialPlace {
  Ref ref{};
  std::uint32_t bytes = 4;
  bool dynamic = false;  // changes while a kernel runs: refresh_clock() before it is read
};
// Place of "%tid.x"; nothing for a name we do not know. %envreg0 and %envreg3 to 31 read as zero.
std::optional<SpecialPlace> find_special(std::string_view name);

// Shared memory that cooperative groups use for tiles of several warps: two halves, zeroed when a
// block starts.
inline constexpr std::uint32_t kReservedShared = 1024;

inline constexpr std::uint32_t kWarpSpecialBytes = 4096;
inline constexpr std::uint32_t kBlockSpecialBytes = 8192;

void fill_warp_specials(Warp& warp);  // once per warp object: they depend on the block's shape only
void fill_block_specials(Block& block);  // for each block that starts
void refresh_clock(Warp& warp);          // %clock and the timers: warp instructions executed so far

}  // namespace emu::exec
