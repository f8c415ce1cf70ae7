// SPDX-License-Identifier: MIT
// Counts, and models at the end of each launch.
#include "observe/modelling.hpp"

#include <bit>

#include "exec/grid.hpp"

namespace emu::observe {
namespace {

bool is_streaming(const exec::Instr& in) {
  const ptx::Instruction& ins = *in.source;
  return ins.has("cs") || ins.has("L1::no_allocate") || ins.has("L2::evict_first");
}

}  // namespace

Modelling::Modelling() {
  counting_.set_lines(false);
  counting_.add_sink([this](const LaunchCounts& launch) { finish(launch); });
}

void Modelling::kernel_begin(const exec::Grid& grid) {
  gpu_ = grid.profile;
  codes_.clear();
  code_ = nullptr;
  written_before_.swap(written_);
  written_.clear();
  recent_.fill({});
  counting_.kernel_begin(grid);
}

void Modelling::kernel_end(const exec::Grid& grid) { counting_.kernel_end(grid); }
void Modelling::kernel_failed(const exec::Grid& grid) { counting_.kernel_failed(grid); }

Tally* Modelling::tally(const exec::Code& code) {
  OfCode& of = codes_[&code];
  Tally* const sums = counting_.tally(code);
  of.tally = sums;
  of.loads.resize(code.instrs.size());
  return sums;
}

void Modelling::memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) {
  if (access.space == MemorySpace::Global) {
    const std::uint64_t address = access.addresses[std::countr_zero(access.mask)];
    if (access.kind == AccessKind::Load) {
      note_load(warp, in, address);
    } else if (access.kind != AccessKind::AsyncCopy) {
      note_store(address);
    }
  }
  counting_.memory(warp, in, access);
}

// Arrays that a kernel walks through side by side often lie a power of two apart: all bits count.
inline Modelling::Recent& Modelling::recent(std::uint64_t piece) {
  return recent_[(piece ^ piece >> 6 ^ piece >> 12 ^ piece >> 18) % recent_.size()];
}

// The first lane speaks for the warp.
void Modelling::note_load(const exec::Warp& warp, const exec::Instr& in, std::uint64_t address) {
  if (warp.frame->code != code_) [[unlikely]] {
    code_ = warp.frame->code;
    first_ = code_->instrs.data();
    tally(*code_);
    loads_ = codes_[code_].loads.data();
  }
  const std::uint64_t piece = address >> kPieceShift;
  Recent& known = recent(piece);
  if (known.piece != piece) {
    const bool written = written_.contains(piece);
    known = {piece, written || written_before_.contains(piece), written};
  }
  Loads& loads = loads_[&in - first_];
  ++loads.all;
  loads.in_l2 += known.in_l2;
}

void Modelling::note_store(std::uint64_t address) {
  const std::uint64_t piece = address >> kPieceShift;
  Recent& known = recent(piece);
  if (known.piece == piece && known.written) return;
  known = {piece, true, true};
  written_.insert(piece);
}

void Modelling::finish(const LaunchCounts& launch) {
  std::vector<Executed> executed;
  std::vector<std::vector<double>> in_l2;
  double loads = 0, streaming = 0;
  in_l2.reserve(codes_.size());
  for (const auto& [code, of] : codes_) {
    auto& shares = in_l2.emplace_back(of.loads.size(), 0.0);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (of.loads[i].all == 0) continue;
      loads += static_cast<double>(of.loads[i].all);
      if (is_streaming(code->instrs[i])) streaming += static_cast<double>(of.loads[i].all);
      shares[i] = static_cast<double>(of.loads[i].in_l2) / static_cast<double>(of.loads[i].all);
    }
    executed.push_back({code, {of.tally, of.loads.size()}, shares});
  }
  last_ = model(launch, executed, loads > 0 ? streaming / loads : 0, *gpu_);
  for (const Sink& sink : sinks_) sink(launch, last_);
}

}  // namespace emu::observe
