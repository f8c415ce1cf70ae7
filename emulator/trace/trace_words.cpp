// SPDX-License-Identifier: MIT
// Puts operations, addresses and values into words.
#include "trace/trace_words.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "access/atomic_ops.hpp"
#include "machine/demangle.hpp"
#include "machine/kernel.hpp"

namespace emu::observe {
namespace {

using exec::Instr;
using exec::MemorySpec;
using exec::Warp;
using memory::Kind;
using ptx::Row;

std::string print(const char* format, auto... values) {
  char text[80];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// An index with a version in the upper half is read best in two halves.
std::string integer(std::uint64_t bits, std::uint32_t bytes, bool is_signed) {
  if (is_signed) {
    const int unused = 64 - 8 * static_cast<int>(bytes);
    return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  if (bits >> 32) {
    return print("0x%llx'%08llx", static_cast<unsigned long long>(bits >> 32),
                 static_cast<unsigned long long>(bits & 0xffff'ffff));
  }
  if (bits >> 31) return print("0x%llx", static_cast<unsigned long long>(bits));
  return std::to_string(bits);
}

std::string values(const std::byte* at, const MemorySpec& spec, ptx::Type type) {
  const std::uint32_t n = spec.what.bytes / spec.element_bytes;
  std::string text;
  for (std::uint32_t e = 0; e < n; ++e) {
    text += (e ? ", " : "") + value_text(at + e * spec.element_bytes, spec.element_bytes, type);
  }
  return n > 1 ? "{" + text + "}" : text;
}

const std::byte* lane_of(const Warp& warp, exec::Ref ref, int lane, std::uint32_t bytes) {
  return warp.lanes<std::byte>(ref) + static_cast<std::size_t>(lane) * bytes;
}

std::string loaded(const Warp& warp, const Instr& in, int lane, const std::byte* at) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const std::uint32_t n = spec.what.bytes / spec.element_bytes;
  std::byte got[64];
  if (spec.what.bytes > sizeof got) return "";
  for (std::uint32_t e = 0; e < n; ++e) {
    std::memcpy(got + e * spec.element_bytes,
                lane_of(warp, n > 1 ? in.list[e] : in.dst, lane, spec.register_bytes),
                spec.element_bytes);
  }
  const ptx::Type type = in.source->type();
  std::string text = values(got, spec, type);
  // The weak memory model lets a load return what has been overwritten already.
  if (std::memcmp(got, at, spec.what.bytes) != 0) {
    text += " (stale: newest is " + values(at, spec, type) + ")";
  }
  return text;
}

std::string order_and_scope(const ptx::Instruction& ins, std::string_view otherwise) {
  std::string order(otherwise),
      scope(ptx::info(ins.row).others == ptx::Others::Atomic ? ".gpu" : "");
  for (const auto m : ins.mods) {
    for (const std::string_view word :
         {"relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "mmio"}) {
      if (m == word) order = m;
    }
    for (const std::string_view word : {"cta", "cluster", "gpu", "gl", "sys"}) {
      if (m == word) scope = "." + std::string(m == "gl" ? "gpu" : m);
    }
  }
  return order + scope;
}

std::string symbol_name(const memory::Allocation& a) {
  const std::string name = exec::demangle(a.name);
  return name.empty() ? "variable" : name;
}

std::string allocation_name(const memory::Allocation& a) {
  const std::string n = std::to_string(a.serial);
  switch (a.kind) {
    case Kind::Device:
      return "alloc" + n;
    case Kind::Managed:
      return a.name.empty() ? "managed" + n : symbol_name(a);
    case Kind::Pinned:
      return "pinned" + n;
    case Kind::Registered:
      return "registered" + n;
    case Kind::Heap:
      return "heap" + n;
    case Kind::Symbol:
    case Kind::Constant:
      return symbol_name(a);
  }
  return "memory";
}

}  // namespace

std::string value_text(const std::byte* at, std::uint32_t bytes, ptx::Type type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, std::min<std::size_t>(bytes, 8));
  if (type == ptx::Type::F32) {
    float value;
    std::memcpy(&value, at, sizeof value);
    return print("%g", static_cast<double>(value));
  }
  if (type == ptx::Type::F64) {
    double value;
    std::memcpy(&value, at, sizeof value);
    return print("%g", value);
  }
  if (bytes == 16) {
    std::uint64_t high = 0;
    std::memcpy(&high, at + 8, sizeof high);
    return print("0x%016llx'%016llx", static_cast<unsigned long long>(high),
                 static_cast<unsigned long long>(bits));
  }
  using enum ptx::Type;
  return integer(bits, bytes, type == S8 || type == S16 || type == S32 || type == S64);
}

std::string trace_kernel(const exec::Grid& grid) {
  const std::string& name = grid.kernel->pretty;
  // "void push<Orders>(int*)": what it takes and returns says nothing here.
  std::string text = name.substr(0, name.rfind('('));
  if (text.starts_with("void ")) text.erase(0, 5);
  return text;
}

std::string trace_operation(const Instr& in) {
  const ptx::Instruction& ins = *in.source;
  const ptx::RowInfo& row = ptx::info(in.row);
  switch (row.others) {
    case ptx::Others::Load:
      return "load " + order_and_scope(ins, "weak");
    case ptx::Others::Store:
      return "store " + order_and_scope(ins, "weak");
    case ptx::Others::Atomic:
      return std::string(exec::operation_of(ins)) + " " + order_and_scope(ins, "relaxed");
    case ptx::Others::Fence:
      return "fence " + order_and_scope(ins, in.row == Row::membar ? "sc" : "acq_rel");
    case ptx::Others::Sleep:
      return "sleep";
    case ptx::Others::Mask:
      return "active mask";
    default:
      break;
  }
  switch (row.counted) {
    case ptx::Counted::Barrier:
      return ins.has("arrive") ? "barrier, arrives" : "barrier";
    case ptx::Counted::ClusterBarrier:
      return ins.has("arrive") ? "cluster, arrives" : "cluster, waits";
    case ptx::Counted::WarpSync:
      return "warp barrier";
    default:  // called as PTX calls it
      break;
  }
  std::string_view text = ins.text;
  if (text.starts_with('@')) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
  return std::string(text.substr(0, text.find_first_of(" \t\n;")));
}

std::string trace_address(const Warp& warp, const MemorySpec& spec, int lane) {
  std::uint64_t addresses[exec::kLanes];
  exec::effective(warp, spec.where, LaneMask{1} << lane, addresses);
  const std::uint64_t address = addresses[lane];
  const bool shared = spec.where.space == ptx::Space::Shared ||
                      (spec.where.space == ptx::Space::Generic &&
                       (address & memory::kWindowMask) == memory::kSharedWindow);
  if (shared) {
    const std::uint64_t offset = address & 0xffff'ffff, rank = offset >> memory::kClusterRankShift;
    const std::uint64_t byte = offset & ((1u << memory::kClusterRankShift) - 1);
    const bool other = rank != 0 && rank - 1 != warp.block->rank;
    return "shared" + (other ? "[" + std::to_string(rank - 1) + "]" : "") + "+" +
           std::to_string(byte);
  }
  const memory::Allocation* a = memory::AddressSpace::instance().find(address);
  if (!a) return print("0x%llx", static_cast<unsigned long long>(address));
  const std::string offset = std::to_string(address - a->address);
  if (a->address == warp.block->grid->cooperative_workspace) return "grid+" + offset;
  const bool whole = a->kind == Kind::Symbol && a->size == spec.what.bytes;
  return allocation_name(*a) + (whole ? "" : "+" + offset);
}

std::string trace_values(const Warp& warp, const Instr& in, int lane, const std::byte* before,
                         const std::byte* at) {
  const auto& spec = *static_cast<const MemorySpec*>(in.extra);
  const ptx::Type type = in.source->type();
  if (ptx::info(in.row).others == ptx::Others::Load) return loaded(warp, in, lane, at);
  const bool single = spec.what.bytes == spec.element_bytes;
  const std::byte* read = before;
  if (in.row == Row::atom && single) read = lane_of(warp, in.dst, lane, spec.register_bytes);
  std::string old = values(read, spec, type);
  if (std::memcmp(read, before, spec.what.bytes) != 0) {
    old += " (stale: newest is " + values(before, spec, type) + ")";
  }
  if (exec::operation_of(*in.source) == "cas") {
    const std::byte* const wanted = lane_of(warp, in.src[1], lane, spec.element_bytes);
    if (std::memcmp(read, wanted, spec.what.bytes) != 0) {
      return old + " is not " + values(wanted, spec, type);
    }
  }
  // Nor need a store be the last one, though it is made last.
  if (ptx::info(in.row).others == ptx::Others::Store && single) {
    const std::byte* const stored = lane_of(warp, in.src[1], lane, spec.register_bytes);
    if (std::memcmp(stored, at, spec.what.bytes) != 0) {
      return values(stored, spec, type) + " (comes before the newest: " + old + ")";
    }
  }
  return old + " -> " + values(at, spec, type);
}

std::string trace_event_value(const Warp& warp, const Instr& in, LaneMask lanes) {
  if (ptx::info(in.row).others != ptx::Others::Mask) return "";
  return print("0x%08x", warp.lanes<std::uint32_t>(in.dst)[exec::first_lane(lanes)]);
}

}  // namespace emu::observe
