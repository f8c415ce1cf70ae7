// SPDX-License-Identifier: MIT
// The state of an execution: frames of registers, warps and their splits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "machine/code.hpp"
#include "machine/fault.hpp"
#include "machine/lanes.hpp"
#include "machine/observer.hpp"

namespace emu::exec {

struct Block;
struct Grid;

// One activation of a function for the lanes that called it together.
struct Frame {
  const Code* code = nullptr;
  Frame* caller = nullptr;
  std::uint32_t return_to = 0;  // code index in the caller
  LaneMask lanes = 0;           // lanes still in it
  std::uint32_t depth = 0;
  std::uint32_t local_base =
      0;  // offset of this activation's .local variables in each thread's local memory
  std::vector<std::byte> registers;  // room for code->frame_bytes
  std::byte* base = nullptr;         // aligned start
  std::vector<std::byte> params;     // [lane][code->param_bytes]
};

// Lanes of a warp with one program counter.
struct Split {
  // Operation: in front of an operation that others see, until the interleaver chooses the
  // lane.
  enum class State : std::uint8_t { Ready, WarpSync, Barrier, ClusterBarrier, Operation };
  std::uint32_t pc = 0;
  LaneMask mask = 0;
  Frame* frame = nullptr;
  State state = State::Ready;
  bool yielded = false;       // gave way; runs again when nobody else of the warp can
  std::uint8_t behind = 0;    // so many go first, who have left a loop for good (engine/splits.hpp)
  bool counted = false;       // Barrier: its warp has arrived as a whole
  std::uint32_t wait_id = 0;  // barrier number, or the member mask of a warp-level wait
  const Instr* waits_at = nullptr;
};

struct Warp {
  std::array<std::byte*, static_cast<std::size_t>(Area::Count)> areas{};
  // The split that runs now.
  Frame* frame = nullptr;
  const Instr* pc = nullptr;
  LaneMask active = 0;
  const Instr* stop =
      nullptr;  // lowest place another split of this frame waits to be joined; null: none
  std::int32_t budget = 0;         // back edges left before it gives way
  std::uint64_t seen_changes = 0;  // Grid::memory_changes at its last spin edge

  Block* block = nullptr;
  std::uint32_t id = 0;        // in the block
  std::uint64_t executed = 0;  // instructions since its block began
  LaneMask live = 0;           // lanes that have not exited
  LaneMask carry = 0;          // CC.CF of each lane
  std::vector<Split> splits;   // all splits but the running one
  std::array<LaneMask, 16>
      at_barrier{};  // lanes that came to a barrier of the block before the whole warp did
  LaneMask cluster_arrived = 0;  // lanes that arrived at the cluster's barrier in its present phase
  std::array<std::uint32_t, kLanes> cluster_phase{};  // phase each lane last arrived in
  std::vector<std::byte> specials;                    // Area::Warp
  Frame* outermost = nullptr;                         // the kernel's own frame
  std::vector<std::byte> local;                       // [lane][local_stride]
  std::uint32_t local_stride = 0;
  std::uint32_t seat = 0;  // interleaver: which warp this is among those that run
  observe::Observer* observer = nullptr;

  template <class T>
  T* lanes(Ref ref) const {
    return reinterpret_cast<T*>(areas[ref.area] + ref.offset);
  }
  // A predicate operand: bit per lane.
  LaneMask& predicate(Ref ref) const { return *lanes<LaneMask>(ref); }
  void set_predicate(Ref ref, LaneMask mask, LaneMask value) const {
    LaneMask& p = predicate(ref);
    p = (p & ~mask) | (value & mask);
  }
};

[[noreturn]] inline void fault(FaultKind kind, int lane, std::string message,
                               Cause cause = Cause::Unknown) {
  throw Fault{kind, lane, std::move(message), cause};
}

}  // namespace emu::exec
