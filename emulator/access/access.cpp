// SPDX-License-Identifier: MIT
// The checked path of memory accesses: all spaces, all faults, the observer.
#include "access/access.hpp"

#include <algorithm>
#include <cstdio>

namespace emu::exec {

using memory::AddressSpace;
using memory::Allocation;
using observe::MemorySpace;
using ptx::Space;

namespace {

const char* verb(Use use) {
  switch (use) {
    case Use::Read:
      return "read";
    case Use::Write:
      return "write";
    case Use::Atomic:
      return "atomic operation";
  }
  return "access";
}

std::string bytes_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}
std::string hex(std::uint64_t n) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}
std::string head(Use use, std::uint64_t bytes) {
  return std::string(verb(use)) + " of " + bytes_text(bytes) + " at ";
}

[[noreturn]] void fault_alignment(Use use, const std::string& where, std::uint64_t bytes,
                                  std::uint32_t align, int lane) {
  fault(FaultKind::Misaligned, lane,
        head(use, bytes) + where + " is misaligned: the address must be a multiple of " +
            std::to_string(align));
}

[[noreturn]] void fault_global(memory::Address address, std::uint64_t bytes, Use use, int lane) {
  const auto [miss, text] = AddressSpace::instance().explain(address, bytes);
  const std::string message = head(use, bytes) + text;
  using memory::Miss;
  switch (miss) {
    case Miss::Freed:
      fault(FaultKind::FreedMemory, lane, message);
    case Miss::Host:
      fault(FaultKind::HostMemory, lane, message);
    case Miss::Null:
      fault(FaultKind::OutOfBounds, lane, message, Cause::NullPointer);
    case Miss::Unwritten:
    case Miss::Nowhere:
      fault(FaultKind::OutOfBounds, lane, message, Cause::UnsetPointer);
    case Miss::Far:
      fault(FaultKind::OutOfBounds, lane, message, Cause::WildPointer);
    case Miss::Before:
      fault(FaultKind::OutOfBounds, lane, message, Cause::BeforeStart);
    case Miss::Edge:
    case Miss::OtherSpace:
      break;
  }
  fault(FaultKind::OutOfBounds, lane, message);
}

// The slow half of global_place: looks the address up and explains what is wrong.
[[gnu::noinline]] std::byte* global_miss(const Warp& w, MemorySite* site, memory::Address address,
                                         std::uint64_t bytes, std::uint32_t align, Use use,
                                         int lane) {
  const AddressSpace& space = AddressSpace::instance();
  const Allocation* a = space.find(address);
  if (!a || !a->holds(address, bytes)) fault_global(address, bytes, use, lane);
  if (use != Use::Read && a->kind == memory::Kind::Constant) {
    fault(FaultKind::InvalidSpace, lane,
          head(use, bytes) + space.describe(address, bytes) + ": kernels can only read it");
  }
  const int device = w.block->grid->device;
  if (!a->host_visible() && !space.peer_allowed(device, a->device)) {
    fault(FaultKind::OutOfBounds, lane,
          head(use, bytes) + space.describe(address, bytes) + " on device " +
              std::to_string(a->device) + "; device " + std::to_string(device) +
              " has no peer access to it (cudaDeviceEnablePeerAccess)");
  }
  if (address & (align - 1)) {
    fault(FaultKind::Misaligned, lane,
          head(use, bytes) + space.describe(address, bytes) +
              ": the address must be a multiple of " + std::to_string(align));
  }
  if (site) {
    site->lo = a->address;
    site->hi = a->end();
    site->delta =
        reinterpret_cast<std::intptr_t>(a->bytes) - static_cast<std::intptr_t>(a->address);
    site->epoch = AddressSpace::epoch();
  }
  return a->bytes + (address - a->address);
}

std::byte* local_place(const Warp& w, std::uint64_t offset, std::uint32_t bytes,
                       std::uint32_t align, Use use, int lane) {
  const std::uint64_t size = w.local_stride;
  if (bytes > size || offset > size - bytes) {
    fault(FaultKind::OutOfBounds, lane,
          head(use, bytes) + "local offset " + std::to_string(static_cast<std::int64_t>(offset)) +
              " is outside the " + bytes_text(size) + " of local memory of this thread",
          Cause::LocalArray);
  }
  if (offset & (align - 1))
    fault_alignment(use, "local offset " + std::to_string(offset), bytes, align, lane);
  return const_cast<std::byte*>(w.local.data()) + std::size_t(lane) * size + offset;
}

std::byte* param_place(const Warp& w, bool of_kernel, std::uint64_t offset, const Access& what,
                       int lane) {
  const std::uint64_t bytes = what.bytes;
  const std::uint64_t size = of_kernel ? w.block->grid->params.size() : w.frame->code->param_bytes;
  if (bytes > size || offset > size - bytes) {
    fault(FaultKind::OutOfBounds, lane,
          head(what.use, bytes) + "parameter offset " +
              std::to_string(static_cast<std::int64_t>(offset)) + " is outside the " +
              bytes_text(size) + " of parameters");
  }
  if (offset & (what.align - 1)) {
    fault_alignment(what.use, "parameter offset " + std::to_string(offset), bytes, what.align,
                    lane);
  }
  if (of_kernel) {
    if (what.use != Use::Read) {
      fault(FaultKind::InvalidSpace, lane,
            head(what.use, bytes) + "parameter offset " + std::to_string(offset) +
                ": a kernel can only read its parameters");
    }
    return w.block->grid->params.data() + offset;
  }
  return w.frame->params.data() + std::size_t(lane) * size + offset;
}

Space window_of(std::uint64_t address) {
  switch (address & memory::kWindowMask) {
    case 0:
      return Space::Global;
    case memory::kSharedWindow:
      return Space::Shared;
    case memory::kLocalWindow:
      return Space::Local;
    case memory::kParamWindow:
      return Space::Param;
    default:
      return Space::None;
  }
}

constexpr std::uint64_t kOffsetMask = 0xffff'ffff;

bool in_entry(const Warp& w) {
  return !w.frame || !w.frame->code || !w.frame->code->function ||
         w.frame->code->function->is_entry;
}

// One lane; `space` is set to where the address is. A generic address is split into window and
// offset here.
std::byte* resolve_lane(const Warp& w, const Instr& in, const AddressSpec& where,
                        const Access& what, int lane, std::uint64_t& address, Space& space) {
  space = where.space;
  bool kernel_param = where.kernel_param;
  if (space == Space::Generic) {
    space = window_of(address);
    if (space == Space::None) fault_global(address, what.bytes, what.use, lane);
    if (space != Space::Global) address &= kOffsetMask;
    kernel_param = true;
  } else if (space == Space::Param && !where.param_symbol) {
    kernel_param = in_entry(w) || window_of(address) == Space::Param;
    address &= kOffsetMask;
  }
  switch (space) {
    case Space::Shared:
      return shared_place(w, address, what.bytes, what.align, what.use, lane).host();
    case Space::Local:
      return local_place(w, address, what.bytes, what.align, what.use, lane);
    case Space::Param:
      return param_place(w, kernel_param, address, what, lane);
    default:
      return global_place(w, in.site, address, what.bytes, what.align, what.use, lane);
  }
}

MemorySpace observed(Space space, bool is_const) {
  switch (space) {
    case Space::Shared:
      return MemorySpace::Shared;
    case Space::Local:
      return MemorySpace::Local;
    case Space::Param:
      return MemorySpace::Param;
    default:
      return is_const ? MemorySpace::Const : MemorySpace::Global;
  }
}

// One report per space that lanes of this instruction touch.
[[gnu::noinline]] void report(const Warp& w, const Instr& in, const Access& what, bool constant,
                              LaneMask mask, const std::uint64_t* addresses, const Space* spaces) {
  for (const Space space : {Space::Global, Space::Shared, Space::Local, Space::Param}) {
    LaneMask here = 0;
    for (LaneMask m = mask; m; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (spaces[lane] == space) here |= LaneMask{1} << lane;
    }
    if (!here) continue;
    w.observer->memory(w, in, {what.kind, observed(space, constant), what.bytes, here, addresses});
  }
}

// Generic addresses: usually all lanes are in the space of the first.
void report_generic(const Warp& w, const Instr& in, const Access& what, LaneMask mask,
                    std::uint64_t* addresses) {
  Space spaces[kLanes];
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    spaces[lane] = window_of(addresses[lane]);
    if (spaces[lane] != Space::Global) addresses[lane] &= kOffsetMask;
  }
  report(w, in, what, false, mask, addresses, spaces);
}

LaneMask place_all(Warp& w, const Instr& in, const AddressSpec& where, const Access& what,
                   LaneMask mask, std::byte** at, std::uint64_t* addresses, Space* spaces) {
  effective(w, where, mask, addresses);
  LaneMask shared = 0;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    at[lane] = resolve_lane(w, in, where, what, lane, addresses[lane], spaces[lane]);
    shared |= LaneMask{spaces[lane] == Space::Shared} << lane;
  }
  return shared;
}

}  // namespace

ptx::Space space_of(const ptx::Instruction& ins) {
  for (const auto m : ins.mods) {
    if (m == "global" || m == "const") return Space::Global;
    if (m == "shared" || m == "shared::cta" || m == "shared::cluster") return Space::Shared;
    if (m == "local") return Space::Local;
    if (m == "param" || m == "param::entry" || m == "param::func") return Space::Param;
  }
  return Space::Generic;
}

AddressSpec bind_address(Binder& b, const ptx::Operand& op, ptx::Space space) {
  const Binder::AddressRef ref = b.address(op);
  AddressSpec spec;
  spec.base = ref.base;
  spec.offset = ref.offset;
  spec.base_bytes = static_cast<std::uint8_t>(ref.base_bytes);
  spec.space = space == Space::None ? space_of(b.ins()) : space;
  spec.param_symbol = ref.is_param;
  spec.kernel_param = ref.kernel_param;
  // A symbol gives an offset in its own space even where the instruction is generic.
  if (ref.is_param) {
    spec.space = Space::Param;
  } else if (spec.space == Space::Generic && ref.space != Space::None &&
             ref.space != Space::Generic) {
    spec.space = ref.space == Space::Const ? Space::Global : ref.space;
  }
  return spec;
}

void effective(const Warp& w, const AddressSpec& where, LaneMask mask, std::uint64_t* addresses) {
  if (where.param_symbol) {
    for_lanes(mask, [&](int i) { addresses[i] = static_cast<std::uint64_t>(where.offset); });
  } else if (where.base_bytes == 8) {
    const auto* a = w.lanes<std::uint64_t>(where.base);
    const auto offset = static_cast<std::uint64_t>(where.offset);
    for_lanes(mask, [&](int i) { addresses[i] = a[i] + offset; });
  } else {
    const auto* a = w.lanes<std::uint32_t>(where.base);
    const auto offset = static_cast<std::uint32_t>(where.offset);
    for_lanes(mask, [&](int i) { addresses[i] = a[i] + offset; });
  }
}

LaneMask place_lanes(Warp& w, const Instr& in, const AddressSpec& where, const Access& what,
                     LaneMask mask, std::byte** at) {
  std::uint64_t addresses[kLanes];
  Space spaces[kLanes];
  return place_all(w, in, where, what, mask, at, addresses, spaces);
}

LaneMask resolve(Warp& w, const Instr& in, const AddressSpec& where, const Access& what,
                 LaneMask mask, std::byte** at) {
  std::uint64_t addresses[kLanes];
  Space spaces[kLanes];
  const LaneMask shared = place_all(w, in, where, what, mask, at, addresses, spaces);
  if (w.observer) report(w, in, what, false, mask, addresses, spaces);
  return shared;
}

namespace {
// Apart, so that the usual case needs no room for addresses.
[[gnu::noinline]] void observe_other(const Warp& w, const Instr& in, LaneMask mask) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const AddressSpec& where = spec.where;
  const Access& what = spec.what;
  std::uint64_t addresses[kLanes];
  effective(w, where, mask, addresses);
  if (where.space == Space::Generic) return report_generic(w, in, what, mask, addresses);
  if (where.space == Space::Param && !where.param_symbol)
    for_lanes(mask, [&](int lane) { addresses[lane] &= kOffsetMask; });
  w.observer->memory(
      w, in, {what.kind, observed(where.space, spec.constant), what.bytes, mask, addresses});
}

}  // namespace

void observe_access(const Warp& w, const Instr& in, LaneMask mask) {
  if (!in.access) return;
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const AddressSpec& where = spec.where;
  if (where.space != Space::Global || where.base_bytes != 8 || where.offset != 0 || spec.constant)
    return observe_other(w, in, mask);
  w.observer->memory(w, in,
                     {spec.what.kind, observe::MemorySpace::Global, spec.what.bytes, mask,
                      w.lanes<std::uint64_t>(where.base)});
}

SharedPlace shared_place(const Warp& w, std::uint64_t offset, std::uint32_t bytes,
                         std::uint32_t align, Use use, int lane) {
  Block* block = w.block;
  std::uint64_t byte = offset;
  const std::uint64_t rank_bits = offset >> memory::kClusterRankShift;
  const char* whose = "this block";
  if (rank_bits != 0 && rank_bits <= 0xff) {
    const std::uint64_t rank = rank_bits - 1;
    if (offset >= 0xff00'0000) {  // what an index below zero gives
      fault(FaultKind::OutOfBounds, lane,
            head(use, bytes) + "shared offset " +
                std::to_string(static_cast<std::int32_t>(offset)) +
                " is before the start of shared memory",
            Cause::SharedArray);
    }
    if (rank >= block->cluster.size()) {
      fault(FaultKind::OutOfBounds, lane,
            head(use, bytes) + "shared offset " + hex(offset) +
                ": the cluster has no block of rank " + std::to_string(rank),
            Cause::SharedArray);
    }
    byte = offset & ((1u << memory::kClusterRankShift) - 1);
    if (rank != block->rank) whose = "that block of the cluster";
    block = block->cluster[rank];
    if (block->finished) {
      fault(FaultKind::OutOfBounds, lane,
            head(use, bytes) + "shared offset " + std::to_string(byte) + " of block rank " +
                std::to_string(rank) +
                " in the cluster, which has ended (its threads must wait, for example with "
                "cluster.sync())",
            Cause::SharedArray);
    }
  }
  const std::uint64_t size = block->shared.size();
  if (bytes > size || byte > size - bytes) {
    const auto shown = rank_bits > 0xff ? hex(byte) : std::to_string(byte);
    const char* how = byte >= size ? " is past the " : " runs past the ";
    fault(FaultKind::OutOfBounds, lane,
          head(use, bytes) + "shared offset " + shown + how + bytes_text(size) +
              " of shared memory of " + whose,
          size == 0 ? Cause::NoDynamicShared : Cause::SharedArray);
  }
  if (byte & (align - 1))
    fault_alignment(use, "shared offset " + std::to_string(byte), bytes, align, lane);
  return {block, static_cast<std::uint32_t>(byte)};
}

std::uint64_t shared_offset(const AddressSpec& where, std::uint64_t address, int lane) {
  if (where.space == Space::Shared) return address;
  if (window_of(address) == Space::Shared) return address & kOffsetMask;
  fault(FaultKind::InvalidSpace, lane,
        "the address " + hex(address) +
            " must be in shared memory: " + AddressSpace::instance().describe(address, 1));
}

std::byte* global_place(const Warp& w, MemorySite* site, memory::Address address,
                        std::uint64_t bytes, std::uint32_t align, Use use, int lane) {
  if (site && site->epoch == AddressSpace::epoch()) {
    const std::uint64_t off = address - site->lo, size = site->hi - site->lo;
    if (off < size && bytes <= size - off && !(address & (align - 1))) {
      return reinterpret_cast<std::byte*>(address + static_cast<std::uint64_t>(site->delta));
    }
  }
  return global_miss(w, site, address, bytes, align, use, lane);
}

}  // namespace emu::exec
