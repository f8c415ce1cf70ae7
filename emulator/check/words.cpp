// SPDX-License-Identifier: MIT
#include "check/words.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "access/access.hpp"
#include "machine/demangle.hpp"
#include "machine/kernel.hpp"
#include "machine/source_place.hpp"
#include "memory/address_space.hpp"
#include "trace/trace_words.hpp"

namespace emu::check {
namespace {

std::string dims(std::uint64_t i, const exec::Dim3& of) {
  return "(" + std::to_string(i % of.x) + "," + std::to_string(i / of.x % of.y) + "," +
         std::to_string(i / of.x / of.y) + ")";
}

std::uint32_t element_bytes(const Site& site) {
  const std::uint32_t bytes = ptx::size_of(site.in->source->type());
  return bytes == 0 || bytes > 16 ? 4 : bytes;
}

// "kernel(float*)::tile" -> "tile"
std::string own_name(std::string_view mangled) {
  std::string name = exec::demangle(mangled);
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 1;) {
    depth += name[i] == ')' || name[i] == '>';
    depth -= name[i] == '(' || name[i] == '<';
    if (depth == 0 && name[i] == ':' && name[i - 1] == ':') return name.substr(i + 1);
  }
  return name;
}

std::string element_of(const std::string& name, std::uint64_t offset, std::uint64_t size,
                       std::uint32_t bytes) {
  if (size == bytes && offset == 0) return name;
  if (offset % bytes) return name + ", byte " + std::to_string(offset);
  return name + "[" + std::to_string(offset / bytes) + "]";
}

std::string shared_text(const exec::Grid& grid, const Place& place, std::uint32_t bytes) {
  for (const exec::SharedVariable& v : grid.kernel->shared) {
    const std::uint64_t end = v.size ? v.at + v.size : ~0ull;
    if (place.at < v.at || place.at >= end) continue;
    return element_of(own_name(v.name), place.at - v.at, v.size, bytes);
  }
  return "byte " + std::to_string(place.at) + " of shared memory";
}

}  // namespace

namespace {
bool devices_named = false;
}  // namespace

void name_devices(bool several) { devices_named = several; }

std::string device_text(int device) {
  return devices_named ? " on device " + std::to_string(device) : "";
}

std::string scope_name(Scope scope) {
  return scope == Scope::Block ? "block" : scope == Scope::Cluster ? "cluster" : "device";
}

std::string thread_of_block_text(const exec::Grid& grid, std::uint64_t block, std::uint32_t warp,
                                 int lane) {
  const std::uint64_t thread = std::uint64_t{warp} * kLanes + static_cast<unsigned>(lane);
  return "thread " + dims(thread, grid.block) + " of block " + dims(block, grid.grid);
}

std::string thread_text(const exec::Grid& grid, std::uint64_t block, std::uint32_t warp, int lane) {
  return thread_of_block_text(grid, block, warp, lane) + device_text(grid.device);
}

std::string place_text(const exec::Grid& grid, const Place& place, const Site& site) {
  const std::uint32_t bytes = element_bytes(site);
  if (place.block) return shared_text(grid, place, bytes);
  const memory::Allocation* a = memory::AddressSpace::instance().find(place.at);
  if (!a) return "global memory";
  const std::uint64_t offset = place.at - a->address;
  if (a->address == grid.cooperative_workspace) return "the barrier of the grid";
  if (!a->name.empty()) return element_of(own_name(a->name), offset, a->size, bytes);
  const bool whole = a->size == bytes;
  const std::string part = whole ? ""
                           : offset % bytes != 0
                               ? "byte " + std::to_string(offset) + " of "
                               : "element " + std::to_string(offset / bytes) + " of ";
  return part + memory::name_of(*a);
}

const std::byte* host_of(const Place& place) {
  if (!place.block) return memory::AddressSpace::instance().host(place.at, place.bytes);
  if (place.at + place.bytes > place.block->shared.size()) return nullptr;
  return place.block->shared.data() + place.at;
}

std::string memory_value(const Place& place, const Site& site) {
  const std::uint32_t bytes = element_bytes(site);
  const Place whole{place.at / bytes * bytes, bytes, place.block};
  const std::byte* const at = host_of(whole);
  return at ? observe::value_text(at, bytes, site.in->source->type()) : "";
}

std::string stored_value(const exec::Warp& warp, const Site& site, int lane, std::uint64_t address,
                         const Place& place) {
  if (!site.in->access) return "";
  const exec::Instr& in = *site.in;
  const auto& spec = *static_cast<const exec::MemorySpec*>(in.extra);
  const std::uint64_t base =
      place.block ? address & ((1u << memory::kClusterRankShift) - 1) : address;
  const std::uint64_t e = place.at < base ? 0 : (place.at - base) / spec.element_bytes;
  if (e >= in.count || spec.element_bytes > 8) return "";
  const exec::Ref from = in.list ? in.list[e] : in.src[1];
  const std::byte* const value =
      warp.lanes<std::byte>(from) + static_cast<std::size_t>(lane) * spec.register_bytes;
  return observe::value_text(value, spec.element_bytes, in.source->type());
}

std::string mask_text(LaneMask mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

std::string lanes_word(LaneMask lanes) {
  return (std::has_single_bit(lanes) ? "lane " : "lanes ") + exec::lane_list(lanes);
}

std::string lanes_text(const exec::Warp& warp, LaneMask lanes) {
  return lanes_word(lanes) + " of warp " + std::to_string(warp.id) + " of block " +
         dims(warp.block->linear, warp.block->grid->grid) + device_text(warp.block->grid->device);
}

void set_source(Party& party, const Site& site) {
  const ptx::Instruction& ins = *site.in->source;
  const exec::SourcePlace place = exec::place_of(*site.code, ins);
  const exec::SourceLine line = exec::line_of(*site.code, ins);
  party.where = place.where.empty() ? "PTX line " + std::to_string(ins.text_line) : place.where;
  party.inlined = place.inlined;
  party.file = line.file;
  party.line = line.line;
}

}  // namespace emu::check
