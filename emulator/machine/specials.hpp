// SPDX-License-Identifier: MIT
// Special registers: where their lanes lie and how they are filled. specials.def lists them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "machine/grid.hpp"

namespace emu::exec {

struct SpecialPlace {
  Ref ref{};
  std::uint32_t bytes = 4;
  bool dynamic = false;  // changes while a kernel runs: refresh_clock() before it is read
};
// Place of "%tid.x" for a read of so many bytes; nothing for a name we do not know. %envreg0 and
// %envreg3 to 31 read as zero. %gridid had 32 bits once and may still be read so.
std::optional<SpecialPlace> find_special(std::string_view name, std::uint32_t bytes);

// Shared memory that cooperative groups use for tiles of several warps: two halves, zeroed when a
// block starts.
inline constexpr std::uint32_t kReservedShared = 1024;

inline constexpr std::uint32_t kWarpSpecialBytes = 4096;
inline constexpr std::uint32_t kBlockSpecialBytes = 8192;

void fill_warp_specials(Warp& warp);  // once per warp object: they depend on the block's shape only
void fill_block_specials(Block& block);  // for each block that starts
void refresh_clock(Warp& warp);          // %clock: warp instructions of this launch; timers: of all

}  // namespace emu::exec
