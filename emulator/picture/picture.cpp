// SPDX-License-Identifier: MIT
// Collects the picture of a launch while it runs. It is much slower than counting, so only launches
// that are kept are watched step by step.
#include "picture/picture.hpp"

#include <algorithm>
#include <bit>

#include "counters/access_rules.hpp"
#include "machine/grid.hpp"
#include "machine/kernel.hpp"
#include "machine/source_place.hpp"
#include "memory/address_space.hpp"

namespace emu::observe {
namespace {

std::uint64_t bits(LaneMask mask) { return static_cast<std::uint64_t>(std::popcount(mask)); }

std::array<std::uint32_t, 3> triple(const exec::Dim3& d) { return {d.x, d.y, d.z}; }

std::string shape(const exec::Grid& grid) {
  std::string out = grid.kernel->name;
  for (const exec::Dim3& d : {grid.grid, grid.block})
    for (const std::uint32_t n : triple(d)) out += " " + std::to_string(n);
  return out;
}

// Sectors or passes as they are and at best; nothing where no picture can be drawn.
bool cost_of(const MemoryAccess& access, std::uint32_t& pieces, std::uint32_t& ideal) {
  if (!access.mask || access.bytes_per_lane > kSectorBytes) return false;
  const std::uint64_t first = access.addresses[std::countr_zero(access.mask)];
  if (access.space == MemorySpace::Global) {
    Sectors sectors;
    const GlobalCost cost = global_cost(access, sectors);
    pieces = cost.sectors;
    ideal = cost.ideal;
    return true;
  }
  if (access.space != MemorySpace::Shared || first >> memory::kClusterRankShift) return false;
  const SharedCost cost = shared_cost(access);
  pieces = cost.wavefronts;
  ideal = cost.ideal;
  return true;
}

}  // namespace

void Picture::kernel_begin(const exec::Grid& grid) {
  next_.kernel_begin(grid);
  const std::uint64_t number = launches_++;
  codes_.clear();
  keeping_ = seen_.size() < kMostLaunches && seen_.insert(shape(grid)).second;
  if (!keeping_) return;
  now_ = {};
  file_numbers_.clear();
  worst_.clear();
  now_.number = number;
  now_.kernel = grid.kernel->pretty;
  now_.grid = triple(grid.grid);
  now_.block = triple(grid.block);
  choose_warps(grid);
}

// The first and the last warp of the first, the middle and the last block: they show the ordinary
// case and the edges, which are where lanes part.
void Picture::choose_warps(const exec::Grid& grid) {
  chosen_.clear();
  const std::uint64_t blocks = grid.grid.count();
  const auto warps = static_cast<std::uint32_t>((grid.block.count() + 31) / 32);
  for (const std::uint64_t block : {std::uint64_t{0}, blocks / 2, blocks - 1}) {
    for (const std::uint32_t warp : {0u, warps - 1}) {
      if (!chosen_.try_emplace({block, warp}, now_.warps.size()).second) continue;
      PictureWarp& kept = now_.warps.emplace_back();
      kept.block = {static_cast<std::uint32_t>(block % grid.grid.x),
                    static_cast<std::uint32_t>(block / grid.grid.x % grid.grid.y),
                    static_cast<std::uint32_t>(block / grid.grid.x / grid.grid.y)};
      kept.warp = warp;
    }
  }
}

void Picture::finish() {
  if (!keeping_) return;
  keeping_ = false;
  std::sort(now_.requests.begin(), now_.requests.end(),
            [](const auto& a, const auto& b) { return a.instruction < b.instruction; });
  sink_(now_);
}

void Picture::kernel_end(const exec::Grid& grid) {
  next_.kernel_end(grid);
  finish();
}

void Picture::kernel_failed(const exec::Grid& grid) {
  next_.kernel_failed(grid);
  now_.failed = true;
  finish();
}

Passes* Picture::passes(const exec::Code& code) { return keeping_ ? nullptr : next_.passes(code); }

Picture::OfCode& Picture::of(const exec::Code& code) {
  const auto [at, fresh] = codes_.try_emplace(&code);
  if (!fresh) return at->second;
  at->second = {code.instrs.data(), static_cast<std::uint32_t>(now_.instructions.size()),
                next_.passes(code)};
  for (const exec::Instr& in : code.instrs) {
    PictureInstruction& kept = now_.instructions.emplace_back();
    if (!in.source) continue;
    const exec::SourceLine place = exec::line_of(code, *in.source);
    const auto next = static_cast<std::uint32_t>(now_.files.size());
    const auto file = file_numbers_.try_emplace(std::string(place.file), next);
    if (file.second) now_.files.emplace_back(place.file);
    kept.file = file.first->second;
    kept.line = place.line;
    kept.text = exec::one_line(in.source->text);
  }
  worst_.resize(now_.instructions.size(), -1);
  return at->second;
}

void Picture::instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active,
                          LaneMask on) {
  OfCode& code = of(*warp.frame->code);
  const auto place = static_cast<std::uint32_t>(&in - code.begin);
  if (code.passes) {
    code.passes[place].begin(code.passes[place + 1], bits(active));
    code.passes[place].off += bits(active & ~on);
  } else {
    next_.instruction(warp, in, active, on);
  }
  PictureInstruction& kept = now_.instructions[code.first + place];
  ++kept.executed;
  kept.lanes += bits(on);
  const auto chosen = chosen_.find({warp.block->linear, warp.id});
  if (chosen == chosen_.end()) return;
  PictureWarp& steps = now_.warps[chosen->second];
  ++steps.total;
  if (steps.steps.size() < kMostSteps) steps.steps.push_back({code.first + place, active, on});
}

void Picture::branch(const exec::Warp& warp, const exec::Instr& in, LaneMask taken,
                     LaneMask fell_through) {
  const OfCode& code = of(*warp.frame->code);
  if (code.passes)
    code.passes[&in - code.begin].divergent += taken && fell_through;
  else
    next_.branch(warp, in, taken, fell_through);
}

void Picture::memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) {
  next_.memory(warp, in, access);
  std::uint32_t pieces = 0, ideal = 0;
  if (!keeping_ || !cost_of(access, pieces, ideal)) return;
  const OfCode& code = of(*warp.frame->code);
  const auto number = code.first + static_cast<std::uint32_t>(&in - code.begin);
  std::int32_t& worst = worst_[number];
  if (worst < 0) {
    worst = static_cast<std::int32_t>(now_.requests.size());
    now_.requests.emplace_back();
  } else {
    const PictureRequest& kept = now_.requests[static_cast<std::size_t>(worst)];
    // An asynchronous copy is told twice, for its two ends: the global one is drawn.
    if (kept.space == MemorySpace::Global && access.space == MemorySpace::Shared) return;
    const bool other_end = kept.space == MemorySpace::Shared && access.space == MemorySpace::Global;
    const auto excess = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : 0; };
    const std::uint32_t before = excess(kept.pieces, kept.ideal), now = excess(pieces, ideal);
    if (!other_end && (now < before || (now == before && pieces <= kept.pieces))) return;
  }
  PictureRequest& kept = now_.requests[static_cast<std::size_t>(worst)];
  kept = {number, access.space, access.kind, access.bytes_per_lane, pieces,
          ideal,  {},           warp.id,     access.mask,           {}};
  kept.block = triple(warp.block->index);
  for (LaneMask m = access.mask; m; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    kept.addresses[lane] = access.addresses[lane];
  }
}

void Picture::exchanged(const exec::Warp& warp, const exec::Instr& in, LaneMask changed) {
  next_.exchanged(warp, in, changed);
}

void Picture::barrier(const exec::Warp& warp, const exec::Instr& in, std::uint32_t id) {
  next_.barrier(warp, in, id);
}

}  // namespace emu::observe
