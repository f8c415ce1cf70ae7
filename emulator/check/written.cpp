// SPDX-License-Identifier: MIT
#include "check/written.hpp"

#include <algorithm>
#include <bit>

#include "access/access.hpp"
#include "machine/kernel.hpp"
#include "memory/address_space.hpp"
#include "shadow/operands.hpp"
#include "shadow/pages.hpp"

namespace emu::check {

using observe::AccessKind;
using observe::MemorySpace;
using ptx::Operand;

namespace {

constexpr std::uint64_t kOffset = (1u << memory::kClusterRankShift) - 1;

constexpr std::uint64_t kWorkspace = 64;  // of grid.sync(): the launch has filled it

// NVIDIA's headers read ahead and drop what is past the end.
bool in_toolkit(const Party& party) {
  const auto inlines = [](const std::string& line) { return line.starts_with("which inlines"); };
  return std::any_of(party.inlined.begin(), party.inlined.end(), inlines) ||
         (party.file.find("/include/") != party.file.npos &&
          party.file.find("cuda") != party.file.npos);
}

const exec::Block* owner_of(const exec::Warp& warp, std::uint64_t offset) {
  const std::uint64_t rank = offset >> memory::kClusterRankShift;
  if (rank == 0) return warp.block;
  return rank > warp.block->cluster.size() ? nullptr : warp.block->cluster[rank - 1];
}

// Whether an instruction uses the register otherwise than as what it stores.
bool decides(const ptx::Instruction& ins, std::uint32_t reg) {
  if (ins.guard == reg) return true;
  const bool stores = ptx::info(ins.row).others == ptx::Others::Store;
  for (std::size_t i = 0; i < ins.operands.size(); ++i) {
    const bool result = i == 0 && has_result(ins);
    if (result || (stores && i == 1)) continue;
    if (names(ins.operands[i], reg)) return true;
  }
  return false;
}

}  // namespace

void Written::Bits::set(std::uint64_t at, std::uint64_t bytes) {
  const std::uint64_t end = std::min<std::uint64_t>(at + bytes, words_.size() * 64);
  while (at < end) {
    const std::uint64_t n = std::min(end - at, 64 - at % 64);
    words_[at / 64] |= (n == 64 ? ~0ull : (1ull << n) - 1) << at % 64;
    at += n;
  }
}

bool Written::Bits::any(std::uint64_t at, std::uint64_t bytes) const {
  const std::uint64_t end = at + bytes;
  if (end > words_.size() * 64) return true;  // outside: not ours to say
  while (at < end) {
    const std::uint64_t n = std::min(end - at, 64 - at % 64);
    if (words_[at / 64] >> at % 64 & (n == 64 ? ~0ull : (1ull << n) - 1)) return true;
    at += n;
  }
  return false;
}

bool Written::Bits::all(std::uint64_t at, std::uint64_t bytes) const {
  const std::uint64_t end = at + bytes;
  if (end > words_.size() * 64) return false;
  while (at < end) {
    const std::uint64_t n = std::min(end - at, 64 - at % 64);
    const std::uint64_t wanted = (n == 64 ? ~0ull : (1ull << n) - 1) << at % 64;
    if ((words_[at / 64] & wanted) != wanted) return false;
    at += n;
  }
  return true;
}

void Written::begin(const exec::Grid& grid) {
  if (grid.cooperative_workspace) set_global(grid.cooperative_workspace, kWorkspace);
}

void Written::begin() {
  interesting_.clear();
  told_.clear();
  shared_.clear();
}

void Written::start(const exec::Block& block) {
  Bits bits(block.shared.size());
  bits.set(0, block.grid->reserved_shared);
  shared_[&block] = std::move(bits);
}

void Written::end(const exec::Block& block) { shared_.erase(&block); }

void Written::drop(const exec::Grid& grid) {
  std::erase_if(shared_, [&](const auto& kept) { return kept.first->grid == &grid; });
}

Written::Bits& Written::page(std::uint64_t address) {
  const std::uint64_t number = address / kPage;
  Recent& recent = recent_[number % recent_.size()];
  if (recent.page != number) {
    auto it = pages_.find(number);
    if (it == pages_.end()) it = pages_.emplace(number, Bits(kPage)).first;
    recent = {number, &it->second};
  }
  return *recent.bits;
}

void Written::set_global(std::uint64_t address, std::uint64_t bytes) {
  while (bytes) {
    const std::uint64_t n = std::min(bytes, kPage - address % kPage);
    page(address).set(address % kPage, n);
    address += n;
    bytes -= n;
  }
}

// What the host can write itself, and what has a value from the start, counts as written.
bool Written::written_global(std::uint64_t address, std::uint32_t bytes) {
  if (page(address).any(address % kPage, bytes)) return true;
  const memory::Allocation* a = memory::AddressSpace::instance().find(address);
  return !a || (a->kind != memory::Kind::Device && a->kind != memory::Kind::Heap);
}

void Written::note(const observe::CopyPlace& place, std::uint64_t bytes) {
  if (!place.block) return set_global(place.at, bytes);
  const auto it = shared_.find(place.block);
  if (it != shared_.end()) it->second.set(place.at, bytes);
}

void Written::freed(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0) return;
  erase_pages(pages_, address / kPage, (address + bytes - 1) / kPage);
  recent_ = {};
}

bool Written::is_copied_only(const exec::Warp& warp, const exec::Instr& in) {
  std::vector<std::uint32_t> registers;
  const Operand& to = in.source->operands.front();
  if (to.kind == Operand::Kind::Vector) {
    for (const Operand& part : to.parts) registers.push_back(part.reg);
  } else {
    registers.push_back(to.reg);
  }
  for (const ptx::Instruction& ins : warp.frame->code->function->code) {
    for (const std::uint32_t reg : registers) {
      if (reg != ptx::kNoIndex && decides(ins, reg)) return false;
    }
  }
  return true;
}

// Whether what it reads is used for more than a copy, and not by NVIDIA's headers. (The atomic functions are there.)
bool Written::is_of_interest(const exec::Warp& warp, const exec::Instr& in, bool atomic) {
  const auto [it, fresh] = interesting_.try_emplace(&in, false);
  if (!fresh || (!atomic && is_copied_only(warp, in))) return it->second;
  Party party;
  set_source(party, {.in = &in, .code = warp.frame->code});
  if (atomic && party.inlined.size() == 1 &&
      party.inlined.front().find("atomic_functions.hpp") != std::string::npos) {
    party.inlined.clear();
  }
  return it->second = !in_toolkit(party);
}

namespace {

Finding unwritten(const exec::Grid& grid, std::uint64_t block, std::uint32_t warp, int lane,
                  const Place& place, const Site& site) {
  Finding f;
  f.check = Check::Init;
  f.id = place.block ? "init-shared" : "init-global";
  f.title = std::string("read of ") + (place.block ? "shared" : "global") +
            " memory that nobody has written,";
  f.kernel = grid.kernel->pretty;
  f.what = place_text(grid, place, site);
  Party party;
  party.who = thread_text(grid, block, warp, lane);
  party.does = "reads it";
  set_source(party, site);
  f.parties.push_back(std::move(party));
  f.why = "a GPU gives whatever was left there by somebody else";
  f.cure = place.block
               ? "write every element that is read, also for threads past the end of the input"
               : "cudaMemset() or cudaMemcpy() before the launch, or a check of the index";
  return f;
}

}  // namespace

void Written::load(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes,
                   const observe::MemoryAccess& a) {
  if (const auto it = told_.find(&in); it != told_.end()) return findings_.again(it->second);
  if (!is_of_interest(warp, in, a.kind != AccessKind::Load)) return;
  std::array<std::uint64_t, kLanes> addresses;
  std::copy_n(a.addresses, kLanes, addresses.begin());
  const Site site{.in = &in, .code = warp.frame->code};
  const auto tell = [&warp, site, addresses, bytes = a.bytes_per_lane,
                     global = a.space == MemorySpace::Global](int lane) {
    const std::uint64_t at = addresses[static_cast<std::size_t>(lane)];
    const Place place =
        global ? Place{at, bytes, nullptr} : Place{at & kOffset, bytes, owner_of(warp, at)};
    return unwritten(*warp.block->grid, warp.block->linear, warp.id, lane, place, site);
  };
  if (a.kind == AccessKind::Load) {
    undefined_.loads(warp, in, lanes, tell);
  } else {  // it computes with it itself
    told_[&in] = findings_.add(tell(std::countr_zero(lanes)));
  }
}

// A whole warp side by side, where all is written or being written: done at once.
bool Written::in_a_row(const exec::Warp& warp, const observe::MemoryAccess& a) {
  if (a.mask != exec::kAllLanes) return false;
  const std::uint64_t first = a.addresses[0], bytes = std::uint64_t{a.bytes_per_lane} * kLanes;
  std::uint64_t differs = 0;
  for (std::uint64_t i = 0; i < kLanes; ++i) {
    differs |= a.addresses[i] ^ (first + i * a.bytes_per_lane);
  }
  if (differs) return false;
  Bits* bits = nullptr;
  std::uint64_t at = first;
  if (a.space == MemorySpace::Global) {
    at = first % kPage;
    if (at + bytes > kPage) return false;
    bits = &page(first);
  } else {
    const auto it = shared_.find(warp.block);
    if (first + bytes > kOffset || it == shared_.end()) return false;
    bits = &it->second;
  }
  if (a.kind != AccessKind::Store) return bits->all(at, bytes);
  bits->set(at, bytes);
  return true;
}

void Written::access(const exec::Warp& warp, const exec::Instr& in,
                     const observe::MemoryAccess& a) {
  const bool global = a.space == MemorySpace::Global;
  if ((!global && a.space != MemorySpace::Shared) || a.kind == AccessKind::AsyncCopy) return;
  if (in_a_row(warp, a)) return;
  LaneMask unwritten = 0;
  for (LaneMask m = a.mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t at = a.addresses[lane];
    Bits* bits = nullptr;
    const exec::Block* owner = nullptr;
    if (!global) {
      owner = owner_of(warp, at);
      const auto it = shared_.find(owner);
      if (it == shared_.end()) continue;
      bits = &it->second;
    }
    const Place place{global ? at : at & kOffset, a.bytes_per_lane, owner};
    if (a.kind != AccessKind::Store) {
      const bool fine = global ? written_global(at, place.bytes) : bits->any(place.at, place.bytes);
      if (!fine) unwritten |= LaneMask{1} << lane;
    }
    if (a.kind != AccessKind::Load) note({owner, place.at}, place.bytes);
  }
  if (unwritten) load(warp, in, unwritten, a);
}

}  // namespace emu::check
