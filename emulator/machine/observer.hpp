// SPDX-License-Identifier: MIT
// What watches an execution. The engine calls these hooks and knows nothing of what listens; with
// no observer attached it pays one predictable branch per memory access and nothing per
// instruction.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "machine/passes.hpp"

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
// Who reads or writes memory beside launches: copies and memsets on the device, and copies from the host.
enum class TouchedBy : std::uint8_t { Reader, Writer, FromHost };

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

// Bytes of an asynchronous copy: in the shared memory of a block, or (nullptr) at a global address.
struct CopyPlace {
  const exec::Block* block = nullptr;
  std::uint64_t at = 0;
};
// What one lane has asked to be copied. The copy is made later.
struct AsyncCopy {
  int lane = 0;
  std::uint32_t bytes = 0, source_bytes = 0;  // written; read
  bool reduces = false;                       // adds to what is there, instead of replacing it
  CopyPlace to, from;
};

// Lanes that have met in a warp-level instruction, told before its results are stored.
struct Meeting {
  LaneMask lanes = 0;                  // who came
  LaneMask members = 0;                // whom their mask names; some may have exited
  const std::uint8_t* from = nullptr;  // of a shuffle, by lane: whose value it gets
  const LaneMask* equal = nullptr;     // of a match for any, by lane: who holds the same value
};

// The barrier of a cluster, among those of a block.
inline constexpr std::uint32_t kClusterBarrier = 16;

// What is done to an mbarrier, at which phase it was before.
enum class MbarrierStep : std::uint8_t { Init, Invalidate, Arrive, Wait };
struct MbarrierUse {
  MbarrierStep step;
  int lane = 0;
  const exec::Block* block = nullptr;
  std::uint32_t offset = 0;
  bool phase = false;  // its parity: that of the arrival, or that which the wait found complete
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Where the engine shall write down how warps pass through a function: an entry for each instruction and one more. It may ask
  // again at any time. It then calls neither instruction() nor branch(), which is much faster. nullptr: it calls them.
  virtual Passes* passes(const exec::Code&) { return nullptr; }
  // Whether it wants instruction() and branch() for this function although it gave room for sums.
  virtual bool wants_each(const exec::Code&) { return false; }
  // While it is set, which memory() may do, it wants them for every function.
  bool follows = false;
  virtual void kernel_begin(const exec::Grid&) {}
  virtual void kernel_end(const exec::Grid&) {}
  virtual void kernel_failed(const exec::Grid&) {
  }  // instead of kernel_end, when an error stopped it
  // A block has ended; its warps still know how many instructions they executed, unless they went by a
  // schedule.
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

  // ---- what orders threads, for an observer that must know why one comes after another
  virtual void block_begin(const exec::Block&) {}
  virtual void met(const exec::Warp&, const exec::Instr&, const Meeting&) {}
  // Lanes come to a barrier of the block (or kClusterBarrier); it is complete; lanes go on behind it.
  virtual void arrived(const exec::Warp&, const exec::Instr&, LaneMask lanes, std::uint32_t id) {
    (void)lanes, (void)id;
  }
  virtual void completed(const exec::Block&, std::uint32_t id) { (void)id; }
  virtual void left(const exec::Warp&, LaneMask lanes, std::uint32_t id) { (void)lanes, (void)id; }
  virtual void fenced(const exec::Warp&, const exec::Instr&, LaneMask lanes) { (void)lanes; }
  virtual void mbarrier(const exec::Warp&, const exec::Instr&, const MbarrierUse&) {}
  // A copy is asked for: the number it shall have when more is told of it (0: no need).
  virtual std::uint64_t copying(const exec::Warp&, const exec::Instr&, const AsyncCopy&) {
    return 0;
  }
  // Its thread has waited for it (`read`: only until the source was read).
  virtual void copy_waited(const exec::Warp&, std::uint64_t copy, bool read) {
    (void)copy, (void)read;
  }
  // An mbarrier counts it in this phase.
  virtual void copy_counted(const exec::Block&, std::uint32_t offset, bool phase,
                            std::uint64_t copy) {
    (void)offset, (void)phase, (void)copy;
  }
};

}  // namespace emu::observe
