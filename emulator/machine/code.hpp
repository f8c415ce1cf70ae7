// SPDX-License-Identifier: MIT
// A function ready to run: decoded instructions, and the memory areas that their operands lie in.
//
// A register is an array of 32 lanes in its frame (a predicate is one 32-bit word, a bit per lane).
// An operand is an offset into one of a few memory areas, so immediates, special registers and
// registers are read the same way: Warp::lanes<T>(ref)[lane].
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine/lanes.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"

namespace emu::exec {

struct Warp;
struct Instr;

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
  bool access = false;     // a load, store, atomic or reduction: extra is its MemorySpec
  bool back_edge = false;  // a branch that may close a loop
  bool spin_edge = false;  // ... whose loop reads memory others may write
  // A branch out of a loop whose end depends on what others do (analysis/spin_exits.hpp): those who take it leave, or the others.
  bool taken_leave = false, others_leave = false;
  bool plain_branch = false;    // none of all that
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
  std::vector<std::uint32_t> spin_heads;  // where loops begin that might never end, in their order
  // What each instruction is to other threads (explore/visibility.hpp: Step); made when first asked for.
  mutable std::vector<std::uint8_t> steps;
};

}  // namespace emu::exec
