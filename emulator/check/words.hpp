// SPDX-License-Identifier: MIT
// Threads, places and values in words.
#pragma once

#include <cstdint>
#include <string>

#include "check/findings.hpp"
#include "machine/grid.hpp"
#include "shadow/sites.hpp"

namespace emu::check {

// Bytes that are used: in the shared memory of a block, or (nullptr) at a global address.
struct Place {
  std::uint64_t at = 0;
  std::uint32_t bytes = 0;
  const exec::Block* block = nullptr;
};

// "thread (3,0,0) of block (0,0,0)"
std::string thread_of_block_text(const exec::Grid& grid, std::uint64_t block, std::uint32_t warp,
                                 int lane);
// ... "on device 1", where there are several
std::string thread_text(const exec::Grid& grid, std::uint64_t block, std::uint32_t warp, int lane);
std::string device_text(int device);  // " on device 1"; "": there is one
void name_devices(bool several);      // from now on
std::string scope_name(Scope scope);
// "s[4]", "s, byte 17", "element 12 of a 1024-byte allocation made by cudaMalloc (the 3rd of the program)"
std::string place_text(const exec::Grid& grid, const Place& place, const Site& site);
const std::byte* host_of(const Place& place);  // nullptr: nowhere
// What lies there, as an instruction sees it.
std::string memory_value(const Place& place, const Site& site);
// What a lane is about to store.
std::string stored_value(const exec::Warp& warp, const Site& site, int lane, std::uint64_t address,
                         const Place& place);
std::string mask_text(LaneMask mask);                            // "0x0000ffff"
std::string lanes_word(LaneMask lanes);                          // "lane 3", "lanes 0-15"
std::string lanes_text(const exec::Warp& warp, LaneMask lanes);  // ... "of warp 0 of block (0,0,0)"
void set_source(Party& party, const Site& site);

}  // namespace emu::check
