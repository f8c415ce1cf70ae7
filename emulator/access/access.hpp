// SPDX-License-Identifier: MIT
// From the address operand of an instruction to host pointers, one per lane, with every check made.
//
// The common cases (a whole warp in one allocation, or in its own block's shared memory) are
// handled in access/lane_access.hpp without calling anything here; this is the path that knows all
// spaces, explains what is wrong, and tells the observer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bind/bind.hpp"
#include "machine/grid.hpp"
#include "machine/warp.hpp"

namespace emu::exec {

// What is done to memory: constants may be read only, and reports say it.
enum class Use : std::uint8_t { Read, Write, Atomic };

// An address operand, resolved as far as decoding can.
struct AddressSpec {
  Ref base{};
  std::int64_t offset = 0;
  std::uint8_t base_bytes = 8;  // 4 or 8 bytes per lane at base
  ptx::Space space =
      ptx::Space::Generic;    // Generic, Global (constants too), Shared, Local or Param
  bool param_symbol = false;  // offset alone says where: in the kernel's parameters ...
  bool kernel_param = false;  // ... or, if this is false, in the frame's
};

// One access per lane.
struct Access {
  std::uint32_t bytes = 4;  // all elements of a vector together; what must lie in one allocation
  std::uint32_t align = 4;
  Use use = Use::Read;
  observe::AccessKind kind = observe::AccessKind::Load;
};

// *at = op(*at, *operand) for one element of an atomic.
using Combine = void (*)(std::byte* at, const std::byte* operand, bool in_shared);

// The memory part of ld, st, atom and red; Instr::extra.
struct MemorySpec {
  AddressSpec where;
  Access what;
  std::uint8_t element_bytes = 4;   // in memory
  std::uint8_t register_bytes = 4;  // of each element's register
  bool sign = false;                // a narrower element is sign-extended
  bool constant = false;      // ld.const: device addresses, but not global memory to an observer
  Combine combine = nullptr;  // atomics on vectors
};

// The space an instruction names by its modifiers: Generic if none. Const counts as Global:
// constants have device addresses.
ptx::Space space_of(const ptx::Instruction& ins);
// Decodes an [address] operand. `space` None: as space_of the instruction.
AddressSpec bind_address(Binder& b, const ptx::Operand& op, ptx::Space space = ptx::Space::None);

// Effective addresses of the lanes of mask (other entries stay as they are).
void effective(const Warp& w, const AddressSpec& where, LaneMask mask, std::uint64_t* addresses);

// Host pointers for the lanes of mask. Throws Fault. Remembers the allocation in in.site. Returns
// the lanes that hit shared memory.
LaneMask place_lanes(Warp& w, const Instr& in, const AddressSpec& where, const Access& what,
                     LaneMask mask, std::byte** at);
// The same, and tells the observer: for instructions that observe_access() does not know.
LaneMask resolve(Warp& w, const Instr& in, const AddressSpec& where, const Access& what,
                 LaneMask mask, std::byte** at);

// Tells the observer of a load, store, atomic or reduction, before it is made: the engine calls it
// for every instruction with a site while somebody watches, so that the handlers of those need not
// know. Does nothing for the others: they call resolve().
void observe_access(const Warp& w, const Instr& in, LaneMask mask);

// The shared memory an offset with cluster rank bits means: its block and the byte in it. Checks
// bounds and alignment.
struct SharedPlace {
  Block* block = nullptr;
  std::uint32_t offset = 0;
  std::byte* host() const { return block->shared.data() + offset; }
};
SharedPlace shared_place(const Warp& w, std::uint64_t offset, std::uint32_t bytes,
                         std::uint32_t align, Use use, int lane);

// Shared offset of a generic or shared address; faults if it lies in another space.
std::uint64_t shared_offset(const AddressSpec& where, std::uint64_t address, int lane);

// Host bytes of a global address (device address), checked for the warp's device. `site` may be
// nullptr.
std::byte* global_place(const Warp& w, MemorySite* site, memory::Address address,
                        std::uint64_t bytes, std::uint32_t align, Use use, int lane);

}  // namespace emu::exec
