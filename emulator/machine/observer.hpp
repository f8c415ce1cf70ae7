// SPDX-License-Identifier: MIT
// What watches an execution. The engine calls these hooks and knows nothing of what listens; with
// no observer attached it pays one predictable branch per memory access and nothing per
// instruction.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace emu::exec {
struct Instr;
struct Warp;
struct Block;
struct Grid;
struct Code;
}  // namespace emu::exec

namespace emu::observe {

using LaneMask = std::uint32_t;

enum class AccessKind : std::uint8_t { Load, Store, Atomic, Reduction, AsyncCopy };
enum class MemorySpace : std::uint8_t { Global, Shared, Local, Const, Param };

// One memory instruction of one warp, told before it is made (also if it then faults).
// addresses[lane] is meaningful where mask has the bit; for
// Shared and Local it is the offset in the space.
struct MemoryAccess {
  AccessKind kind;
  MemorySpace space;
  std::uint32_t bytes_per_lane;
  LaneMask mask;
  const std::uint64_t* addresses;  // [32]
};

// Sums of one instruction, for an observer that needs no more than that.
struct Tally {
  std::uint64_t executed = 0;   // warp instructions
  std::uint64_t active = 0;     // lanes that were there, added up
  std::uint64_t on = 0;         // ... and whose guard held
  std::uint64_t divergent = 0;  // branches at which lanes parted
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Where the engine shall add up the instructions of a function, one entry each; it may ask again
  // at any time. It then calls neither instruction() nor branch(), which is much faster. nullptr:
  // it calls them.
  virtual Tally* tally(const exec::Code&) { return nullptr; }
  virtual void kernel_begin(const exec::Grid&) {}
  virtual void kernel_end(const exec::Grid&) {}
  virtual void kernel_failed(const exec::Grid&) {
  }  // instead of kernel_end, when an error stopped it
  // A block has ended; its warps still know how many instructions they executed. Not under a schedule.
  virtual void block_end(const exec::Block&) {}
  // Before execution: `active` are the lanes of the split, `on` those whose guard holds.
  virtual void instruction(const exec::Warp&, const exec::Instr&, LaneMask active, LaneMask on) {
    (void)active, (void)on;
  }
  virtual void branch(const exec::Warp&, const exec::Instr&, LaneMask taken,
                      LaneMask fell_through) {
    (void)taken, (void)fell_through;
  }
  virtual void memory(const exec::Warp&, const exec::Instr&, const MemoryAccess&) {}
  // After an exchange or compare-and-swap outside shared memory: the lanes that changed their word.
  // memory() has told their addresses just before.
  virtual void exchanged(const exec::Warp&, const exec::Instr&, LaneMask changed) { (void)changed; }
  virtual void barrier(const exec::Warp&, const exec::Instr&, std::uint32_t id) { (void)id; }
};

}  // namespace emu::observe
