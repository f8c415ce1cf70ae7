// SPDX-License-Identifier: MIT
// Where each register of a function lives in its frame. PTX is close to single assignment and names
// hundreds of registers; letting those that are never alive together share a place keeps a warp's
// frame in the first-level cache.
//
// Sharing is safe under divergence: each lane has its own column of a slot and writes it only when
// it executes, so what counts is liveness along one lane's own path, which is a path of the graph.
#include "analysis/slots.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "analysis/liveness.hpp"

namespace emu::exec {
namespace {

using ptx::kNoIndex;

struct Interval {
  std::uint32_t reg, begin, end;
};

// For functions whose liveness would take too much memory: each register that is used has a place
// of its own.
std::vector<Interval> whole_function(const ptx::Function& function) {
  Bits used((function.registers.size() + 63) / 64);
  const auto note = [&](std::uint32_t r) { set(used, r); };
  for (const auto& ins : function.code) visit(ins, note, note);
  std::vector<Interval> result;
  for (std::uint32_t r = 0; r < function.registers.size(); ++r) {
    if (test(used, r)) result.push_back({r, 0, kNoIndex - 1});
  }
  return result;
}

// First and last position, in layout order, at which each register is alive.
std::vector<Interval> intervals(const ptx::Function& function, const FlowGraph& graph) {
  const std::uint32_t registers = static_cast<std::uint32_t>(function.registers.size());
  const std::optional<Liveness> alive = find_liveness(function, graph);
  if (!alive) return whole_function(function);

  std::vector<Interval> result(registers);
  for (std::uint32_t r = 0; r < registers; ++r) result[r] = {r, kNoIndex, 0};
  const auto touch = [&](std::uint32_t r, std::uint32_t at) {
    result[r].begin = std::min(result[r].begin, at);
    result[r].end = std::max(result[r].end, at);
  };
  std::uint32_t at = 0;
  for (const std::uint32_t b : graph.order) {
    const std::uint32_t first = at;
    for (std::uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i, ++at) {
      const auto note = [&](std::uint32_t r) { touch(r, at); };
      visit(function.code[i], note, note);
    }
    const Bits out = alive->out(graph, b);
    const std::uint32_t last = at == first ? first : at - 1;
    for_each_bit(alive->in[b], [&](std::uint32_t r) { touch(r, first); });
    for_each_bit(out, [&](std::uint32_t r) { touch(r, last); });
  }
  std::erase_if(result, [](const Interval& i) { return i.begin == kNoIndex; });
  std::sort(result.begin(), result.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  return result;
}

}  // namespace

std::vector<std::uint32_t> count_definitions(const ptx::Function& function) {
  std::vector<std::uint32_t> counts(function.registers.size());
  for (const auto& ins : function.code) {
    visit(
        ins, [](std::uint32_t) {}, [&](std::uint32_t r) { ++counts[r]; });
  }
  return counts;
}

std::uint32_t frame_bytes_of(ptx::Type type) {
  if (type == ptx::Type::Pred) return sizeof(std::uint32_t);
  return 32 * std::max<std::uint32_t>(2, ptx::size_of(type));
}

Slots allocate_slots(const ptx::Function& function, const FlowGraph& graph,
                     std::uint32_t first_free) {
  Slots slots;
  slots.offset.assign(function.registers.size(), kNoIndex);
  // Places are shared only between registers of one size: handlers rely on operands that overlap
  // being the same array.
  std::array<std::vector<std::uint32_t>, 33> free_places;  // by log2 of the bytes
  std::vector<Interval> active;
  slots.bytes = first_free;
  const auto bytes_of = [&](std::uint32_t r) { return frame_bytes_of(function.registers[r].type); };
  for (const Interval& now : intervals(function, graph)) {
    std::erase_if(active, [&](const Interval& old) {
      if (old.end >= now.begin) return false;
      free_places[std::countr_zero(bytes_of(old.reg))].push_back(slots.offset[old.reg]);
      return true;
    });
    const std::uint32_t bytes = bytes_of(now.reg);
    auto& places = free_places[std::countr_zero(bytes)];
    if (!places.empty()) {
      slots.offset[now.reg] = places.back();
      places.pop_back();
    } else {
      slots.bytes =
          (slots.bytes + std::min(bytes, 64u) - 1) / std::min(bytes, 64u) * std::min(bytes, 64u);
      slots.offset[now.reg] = slots.bytes;
      slots.bytes += bytes;
    }
    active.push_back(now);
  }
  slots.bytes = (slots.bytes + 63) / 64 * 64;
  return slots;
}

}  // namespace emu::exec
