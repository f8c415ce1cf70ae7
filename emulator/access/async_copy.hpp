// SPDX-License-Identifier: MIT
// Copies that were issued and not yet made. They are made as late as the program's waits allow, so
// that a missing wait shows as stale data instead of working by luck:
//   cp.async            at cp.async.wait_group / wait_all of the thread, or when an mbarrier it
//   arrives on is tested cp.async.bulk,      towards shared memory: when the mbarrier that counts
//   it is tested by anyone; st.async, red.async towards global memory: at cp.async.bulk.wait_group
//   of the thread, or at the end of the block
// What nobody waited for is dropped at the end of the block if it goes to shared memory.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "access/access.hpp"
#include "machine/grid.hpp"

namespace emu::exec {

// Bytes in shared memory of a block, or (block == nullptr) at a global address.
struct Place {
  Block* block = nullptr;
  std::uint64_t at = 0;
};

// One copy or reduction of bytes.
struct Move {
  Place to, from;
  std::uint32_t bytes = 0;
  Combine combine = nullptr;        // nullptr: plain copy
  std::uint32_t element_bytes = 1;  // of a reduction
  std::vector<std::byte> data;      // the source, once it has been read
  bool read = false;
  std::uint64_t told = 0;  // its number to who watches
};

struct AsyncCopies {
  // cp.async of one warp instruction.
  struct Copy {
    std::uint64_t serial = 0;  // of the warp
    LaneMask left = 0;         // lanes whose copy has not been made
    std::uint32_t bytes = 0;
    std::uint64_t epoch = 0;
    std::uint32_t group[kLanes];  // number of the lane's group
    std::uint8_t source_bytes[kLanes];
    memory::Address source[kLanes];
    const std::byte* from[kLanes];
    std::byte* to[kLanes];
    std::uint64_t told[kLanes];  // numbers to who watches
  };
  // A bulk copy that a thread's bulk group counts.
  struct Bulk {
    std::uint32_t lane = 0;
    std::uint32_t group = 0;
    Move move;
  };
  struct OfWarp {
    std::deque<Copy> copies;
    std::uint64_t next_serial = 1;
    std::uint32_t groups[kLanes]{};  // closed so far
    std::deque<Bulk> bulks;
    std::uint32_t bulk_groups[kLanes]{};
  };
  // What an mbarrier of this block waits for.
  struct Counted {
    std::uint32_t mbarrier = 0;  // offset in this block's shared memory
    Move move;
    std::uint32_t bytes = 0;  // complete_tx; 0: an arrival of cp.async.mbarrier.arrive ...
    std::uint32_t warp = 0, lane = 0;
    std::uint64_t serial = 0;  // ... after this lane's copies up to here
  };
  std::deque<OfWarp> warps;  // by warp id
  std::deque<Counted> counted;
};

// The queue of a block, made on first use.
AsyncCopies& async_of(Block& block);
AsyncCopies::OfWarp& async_of(Warp& warp);

// Makes the copies of these lanes whose group is older than the last `keep` closed ones.
void finish_groups(Warp& warp, LaneMask mask, std::uint32_t keep);
// The same for bulk groups. read_only: sources are read, the writes may still be outstanding.
void finish_bulk_groups(Warp& warp, LaneMask mask, std::uint32_t keep, bool read_only);
// Makes everything the mbarrier at this offset of the block counts, and tells it. Called before it
// is tested.
void finish_counted(Block& block, std::uint32_t mbarrier);
// Queues a move that the mbarrier `mbarrier` of `block` counts.
void count_move(Block& block, std::uint32_t mbarrier, Move move);

// To be called when the last thread of a block has ended, before its shared memory goes: makes
// outstanding copies to global memory, saves what copies of other blocks in the cluster still have
// to read of it, drops the rest.
void finish_async(Block& block);

}  // namespace emu::exec
