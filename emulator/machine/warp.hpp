// SPDX-License-Identifier: MIT
// The state of an execution: decoded instructions, frames of registers, warps, blocks, the grid.
//
// A register is an array of 32 lanes in its frame (a predicate is one 32-bit word, a bit per lane).
// An operand is an offset into one of a few memory areas, so immediates, special registers and
// registers are read the same way: lanes<T>(ref)[lane].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine/fault.hpp"
#include "machine/observer.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"

namespace emu::exec {

using LaneMask = std::uint32_t;
inline constexpr int kLanes = 32;
inline constexpr LaneMask kAllLanes = 0xffffffffu;

struct Warp;
struct Block;
struct Grid;
struct Instr;
struct Code;

// Executes an instruction for the lanes of `mask` (never empty). Must not touch other lanes of its
// destination.
using Handler = void (*)(Warp& warp, const Instr& in, LaneMask mask);

// Where the lanes of an operand are.
enum class Area : std::uint8_t {
  Frame,     // registers of the current function
  Constant,  // immediates, broadcast to 32 lanes; one pool per function
  Warp,      // special registers that differ per warp or lane: %tid, %laneid, ...
  Block,     // special registers and addresses the same for a block: %ctaid, ...
  Count,
};

struct Ref {
  std::uint32_t area : 3;
  std::uint32_t offset : 29;  // bytes
};

// What the engine does after the handler: a column of the instruction table. The operands of those
// that are not Next: Sync has the member mask in src[3] and a SyncOp in extra, Barrier a BarrierOp in
// extra, ClusterBarrier its flags (control/meeting.hpp).
using ptx::Flow;

// Remembers the allocation an instruction last touched: the next access is nearly always in it.
struct MemorySite {
  memory::Address lo = 1, hi = 0;  // valid range [lo, hi)
  std::ptrdiff_t delta = 0;        // host byte = address + delta
  std::uint64_t epoch = 0;         // AddressSpace::epoch() it was valid for
};

struct Instr {
  Handler fn = nullptr;
  Ref guard{};              // predicate word; an unguarded instruction points at a constant ~0
  LaneMask guard_flip = 0;  // ~0 for @!p
  Ref dst{};
  Ref dst2{};  // the predicate of d|p, or the second result
  Ref src[4]{};
  const Ref* list = nullptr;  // further operands: vector elements
  std::int64_t imm = 0;       // offset of an address, lop3 table, branch target...
  std::uint32_t target = 0;   // code index of a branch
  std::uint16_t count = 1;    // vector elements
  Flow flow = Flow::Next;
  std::uint8_t flags = 0;  // private to the handler
  ptx::Row row{};
  bool access = false;          // a load, store, atomic or reduction: extra is its MemorySpec
  bool back_edge = false;       // a branch that may close a loop
  bool spin_edge = false;       // ... whose loop reads memory others may write
  MemorySite* site = nullptr;   // memory instructions only; owned by Code
  const void* extra = nullptr;  // handler's own data, owned by Code
  const ptx::Instruction* source = nullptr;
};

// A function ready to run.
struct Code {
  const ptx::Function* function = nullptr;
  const ptx::Module* module = nullptr;
  std::string name;  // demangled
  std::vector<Instr>
      instrs;  // in an order where post-dominators come after what they post-dominate
  std::vector<std::byte> constants;  // Area::Constant
  std::uint32_t frame_bytes = 0;     // registers, SoA
  std::uint32_t local_bytes = 0;     // .local variables of this function, per thread
  std::uint32_t param_bytes =
      0;  // .param variables and formal parameters, per thread (functions only)
  std::unordered_map<std::string_view, std::uint32_t>
      param_at;  // .param variables and formal parameters: offset in Frame::params
  std::unordered_map<std::string_view, std::uint32_t>
      local_at;  // .local variables: offset from Frame::local_base
  struct LocalSlot {
    std::uint32_t slot, offset, bytes;  // register slot that holds local_base + offset in each lane
  };
  std::vector<LocalSlot>
      local_slots;  // addresses of .local variables, filled in when a frame is made
  std::vector<std::unique_ptr<MemorySite>> sites;
  std::vector<std::unique_ptr<Ref[]>> lists;
  std::vector<std::shared_ptr<void>> extras;
  // What each instruction is to other threads (explore/visibility.hpp: Step); made when first asked for.
  mutable std::vector<std::uint8_t> steps;
};

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

// Before a loop over lanes: none reads what another has written, so they may run side by side.
#if defined(__clang__)
#define EMU_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define EMU_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

inline int first_lane(LaneMask mask) { return __builtin_ctz(mask); }

// for_lanes(mask, [&](int lane) { ... }): the full warp as a plain loop the compiler can vectorise.
template <class F>
inline void for_lanes(LaneMask mask, F&& f) {
  if (mask == kAllLanes) {
    EMU_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
  } else {
    for (LaneMask m = mask; m; m &= m - 1) f(__builtin_ctz(m));
  }
}

}  // namespace emu::exec
