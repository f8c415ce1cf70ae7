// SPDX-License-Identifier: MIT
// Counts instructions and memory accesses. Everything here runs once per warp instruction: what can
// be derived from the instruction later (is it a shuffle?) is derived when the launch has ended.
#include "counters/counting.hpp"

#include <algorithm>
#include <bit>

#include "counters/caches/l2_page.hpp"
#include "counters/lane_steps.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "machine/grid.hpp"
#include "machine/kernel.hpp"
#include "memory/address_space.hpp"

namespace emu::observe {
namespace {

using u64 = std::uint64_t;
using exec::Instr;
using exec::Warp;
using ptx::Row;

constexpr u64 kLineBytes = kLineSectors * kSectorBytes;

u64 bits(LaneMask mask) { return static_cast<u64>(std::popcount(mask)); }

// The counters of one kind of access to one space, in the order of counters.def: requests, sectors
// or wavefronts, bytes.
struct Trio {
  Counter requests, pieces, bytes;
};
constexpr Trio kGlobalTrios[] = {
    {Counter::GlobalLdRequests, Counter::GlobalLdSectors, Counter::GlobalLdBytes},
    {Counter::GlobalStRequests, Counter::GlobalStSectors, Counter::GlobalStBytes},
    {Counter::GlobalAtomRequests, Counter::GlobalAtomSectors, Counter::GlobalAtomBytes},
    {Counter::GlobalRedRequests, Counter::GlobalRedSectors, Counter::GlobalRedBytes},
};
static_assert(static_cast<int>(AccessKind::Load) == 0 &&
              static_cast<int>(AccessKind::Reduction) == 3);
const Trio& global_trio(AccessKind kind) { return kGlobalTrios[static_cast<int>(kind)]; }
Trio shared_trio(AccessKind kind) {
  switch (kind) {
    case AccessKind::Store:
      return {Counter::SharedStRequests, Counter::SharedStWavefronts, Counter::SharedStBytes};
    case AccessKind::Atomic:
    case AccessKind::Reduction:
      return {Counter::SharedAtomRequests, Counter::SharedAtomWavefronts, Counter::SharedAtomBytes};
    default:
      return {Counter::SharedLdRequests, Counter::SharedLdWavefronts, Counter::SharedLdBytes};
  }
}
Counter cluster_counter(AccessKind kind) {
  switch (kind) {
    case AccessKind::Store:
      return Counter::ClusterStRequests;
    case AccessKind::Atomic:
    case AccessKind::Reduction:
      return Counter::ClusterAtomRequests;
    default:
      return Counter::ClusterLdRequests;
  }
}

std::uint8_t use_of(AccessKind kind) {
  return kind == AccessKind::Store ? Footprint::Write : Footprint::Read;
}

// Of a thread in the launch: no block has more than 1024.
u64 number_of(const Warp& warp, std::size_t lane) {
  return warp.block->linear << 10 | warp.id << 5 | lane;
}

}  // namespace

Passes* Counting::passes(const exec::Code& code) { return of(code).passes.data(); }

void Counting::change_code(const exec::Code* code) {
  OfCode& entry = of(*code);
  code_ = code;
  first_ = code->instrs.data();
  counts_ = entry.counts.data();
  sites_ = entry.sites.data();
  number_ = entry.number;
}

void Counting::change_block(const exec::Block* block) {
  block_ = block;
  block_linear_ = block->linear;
  watched_ = level1_.watches(*block);
  constants_.next_block();
  L2Near near = near_of(block->linear % multiprocessors_, begin_at_once_, multiprocessors_);
  if (const u64 first = block->grid->resident_blocks; block->grid->grid.count() > first)
    near.half = half_in_waves(block->linear, first, block->grid->id, multiprocessors_);
  footprint_.set_near(near, true);
}

// The rest of L2 is not to be had for data: of every third line of an array, what was lost when it was read again (tests/model/l2.cu).
constexpr double kUsableL2 = 0.977;

void Counting::kernel_begin(const exec::Grid& grid) {
  codes_.clear();
  in_order_.clear();
  code_ = nullptr;
  block_ = nullptr;
  next_number_ = 0;
  waited_ = waiting_;
  piled_up_ = 0;
  footprint_.set_capacity(static_cast<u64>(kUsableL2 * grid.profile->l2_bytes));
  const u64 resident = std::max(1u, grid.resident_blocks);
  const u64 side_by_side = std::min<u64>(resident, grid.grid.count());
  const u64 warps = (grid.block.count() + kWarpLanes - 1) / kWarpLanes;
  footprint_.begin_launch(side_by_side, grid.grid.count() <= resident, warps * side_by_side);
  multiprocessors_ = std::max<u64>(1, grid.profile->multiprocessors);
  begin_at_once_ = std::min<u64>(grid.grid.count(), multiprocessors_);
  level1_.begin(grid, branches_by_tickets(*grid.kernel->function));
  workload_.begin(grid);
  atomics_.clear();
  handovers_.clear();
  constants_ = {};
}

void Counting::memory(const Warp& warp, const Instr& in, const MemoryAccess& access) {
  if (warp.frame->code != code_) [[unlikely]]
    change_code(warp.frame->code);
  const auto index = static_cast<std::size_t>(&in - first_);
  Site& site = sites_[index];
  if (site.apart) [[unlikely]] {
    if (site.joined) return;
    hand_over(warp, in, access);
  }
  if (warp.block != block_ || warp.block->linear != block_linear_) [[unlikely]]
    change_block(warp.block);
  const bool whole = access.space == MemorySpace::Global && access.kind <= AccessKind::Store &&
                     side_by_side(access) && access.addresses[0] % kLineBytes == 0;
  if (!whole) return other(warp, in, index, access);
  footprint_.set_warp(warp.id, static_cast<std::uint32_t>(index));
  Lines& lines = site.lines;
  ++lines.accesses;
  lines.bytes_per_lane = access.bytes_per_lane;
  lines.kind = access.kind;
  const u64 first = access.addresses[0] / kSectorBytes;
  const auto use = static_cast<std::uint8_t>(use_of(access.kind) | site.at_home);
  lines.add(footprint_.add_run(first, access.bytes_per_lane, use));
  footprint_.askers().take(lines.asked);
  if (watched_) whole_to_level1(warp, in, access);
}

// Apart, so that memory() needs no room for it.
[[gnu::noinline]] void Counting::whole_to_level1(const Warp& warp, const Instr& in,
                                                 const MemoryAccess& access) {
  Sectors sectors;
  sectors.form = Sectors::Form::Run;
  sectors.first = access.addresses[0] / kSectorBytes;
  sectors.count = access.bytes_per_lane;
  to_level1(warp, in, access, sectors);
}

// Local memory has addresses of its own here, a line for each word of a warp. Those of the warps that run side by side are on
// end, as on a GPU: who comes next gets the place of one that has ended.
void Counting::local(const Warp& warp, const Instr& in, const MemoryAccess& access) {
  const Level1Local::Place own =
      level1_.local_place(warp, (u64{warp.frame->code->local_bytes} + 3) / 4);
  const auto index = static_cast<std::uint32_t>(&in - first_);
  Sectors sectors;
  sectors.form = Sectors::Form::List;
  for (u64 word = 0; word < std::max(1u, access.bytes_per_lane / 4); ++word) {
    sectors.count = 0;
    u64 last = 0;
    for (LaneMask m = access.mask; m; m &= m - 1) {
      const auto lane = static_cast<u64>(std::countr_zero(m));
      const u64 line = own.first + access.addresses[lane] / 4 + word;
      const u64 sector = line * kLineSectors + lane / 8;
      if (sector != last) sectors.list[sectors.count++] = last = sector;
    }
    if (watched_) level1_.add(warp.id, number_ + index, Level1::How::Load, sectors);
    // To L1 those of each multiprocessor are the same, to L2 they are not.
    for (u64& sector : std::span(sectors.list).first(sectors.count))
      sector += own.of_others * kLineSectors;
    footprint_.add(sectors, use_of(access.kind));
  }
}

void Counting::to_level1(const Warp& warp, const Instr& in, const MemoryAccess& access,
                         const Sectors& sectors) {
  if (!watched_) return;
  const auto index = static_cast<std::uint32_t>(&in - first_);
  std::optional<Level1::How>& how = sites_[index].how;
  if (!how) how = Level1::how(*in.source, access.kind);
  const bool whole = sectors.form == Sectors::Form::Run && sectors.count == access.bytes_per_lane;
  level1_.add(warp.id, number_ + index, *how, sectors, whole ? nullptr : &access);
}

// Behind a fence that is for more than the block, the machine code empties L1.
void Counting::fenced(const Warp& warp, const Instr& in, LaneMask /*lanes*/) {
  if (in.source->has("cta") || in.source->has("proxy")) return;
  if (warp.frame->code != code_) change_code(warp.frame->code);
  if (warp.block != block_ || warp.block->linear != block_linear_) change_block(warp.block);
  if (watched_) level1_.fence(warp.id, number_ + static_cast<std::uint32_t>(&in - first_));
}

// A store with release is told before it is made, as every access; whether an exchange changes
// something is known afterwards.
void Counting::hand_over(const Warp& warp, const Instr& in, const MemoryAccess& access) {
  if (access.space != MemorySpace::Global) return;
  for (LaneMask m = access.mask; m; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    if (in.row == Row::st)
      handovers_.add(access.addresses[lane], number_of(warp, lane), Handovers::How::Release);
    else
      exchange_at_[lane] = access.addresses[lane];
  }
}

void Counting::exchanged(const Warp& warp, const Instr&, LaneMask changed) {
  for (LaneMask m = changed; m; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    handovers_.add(exchange_at_[lane], number_of(warp, lane), Handovers::How::Exchange);
  }
}

void Counting::met(const Warp& warp, const Instr& in, const Meeting& meeting) {
  if (!meeting.equal) return;
  if (warp.frame->code != code_) change_code(warp.frame->code);
  if (&in < first_ || &in >= first_ + code_->instrs.size()) return;  // of another function
  u64& values = counts_[&in - first_][Counter::MatchedValues];
  for (LaneMask m = meeting.lanes; m; ++values) m &= ~meeting.equal[std::countr_zero(m)];
}

// A warp has as many lanes as a sector has bytes: as many sectors as a lane has bytes.
void Counting::add_lines(Counts& c, const Lines& lines) {
  const u64 n = lines.accesses, sectors = n * lines.bytes_per_lane;
  const Trio& trio = global_trio(lines.kind);
  c[trio.requests] += n;
  c[trio.pieces] += sectors;
  c[trio.bytes] += sectors * kSectorBytes;
  c[Counter::GlobalSectors] += sectors;
  c[Counter::GlobalIdeal] += sectors;
  c[Counter::GlobalTags] += n * std::max(1u, lines.bytes_per_lane / kLineSectors);
  c[Counter::L1Wavefronts] += n * std::max(1u, lines.bytes_per_lane / kLineSectors);
}

void Counting::other(const Warp& warp, const Instr& in, std::size_t index,
                     const MemoryAccess& access) {
  Counts& c = counts_[index];
  Site& site = sites_[index];
  footprint_.set_warp(warp.id, uniform(access) ? 0 : static_cast<std::uint32_t>(index));
  if (access.kind == AccessKind::AsyncCopy) return async_copy(c, warp, in, access, site.lines);
  switch (access.space) {
    case MemorySpace::Global: {
      Sectors sectors;
      if (access.kind == AccessKind::Atomic && site.unwanted) {
        MemoryAccess reduction = access;
        reduction.kind = AccessKind::Reduction;
        global(c, reduction, sectors, site);
      } else {
        global(c, access, sectors, site);
      }
      return to_level1(warp, in, access, sectors);
    }
    case MemorySpace::Shared:
      return shared(c, in, access);
    case MemorySpace::Local: {
      if (site.spared) return;
      const bool store = access.kind == AccessKind::Store;
      ++c[store ? Counter::LocalStRequests : Counter::LocalLdRequests];
      c[store ? Counter::LocalStSectors : Counter::LocalLdSectors] += local_sectors(access);
      local(warp, in, access);
      // Lanes at the same place of their arrays count once, as lanes on one address do elsewhere.
      c[store ? Counter::LocalStBytes : Counter::LocalLdBytes] +=
          u64{different_places(access)} * access.bytes_per_lane;
      return;
    }
    case MemorySpace::Const: {
      Addresses addresses;
      group_addresses(access, addresses);
      constants_.add(addresses, access.bytes_per_lane);
      ++c[Counter::ConstRequests];
      c[Counter::ConstAddresses] += addresses.count;
      return;
    }
    case MemorySpace::Param:
      return;
  }
}

void Counting::global(Counts& c, const MemoryAccess& access, Sectors& sectors, Site& site) {
  if (access.bytes_per_lane > kSectorBytes) return;  // a hint (discard), no transfer
  if (is_atomic(access.kind)) return global_atomic(c, access, sectors, site);
  const GlobalCost cost = global_cost(access, sectors);
  const Trio& trio = global_trio(access.kind);
  ++c[trio.requests];
  c[trio.pieces] += cost.sectors;
  c[trio.bytes] += u64{cost.places} * access.bytes_per_lane;
  if (sectors.form == Sectors::Form::Run)
    c[Counter::L1Wavefronts] += (cost.sectors + kLineSectors - 1) / kLineSectors;
  else
    c[Counter::L1Wavefronts] +=
        cost.in_order && access.bytes_per_lane <= 4 ? 1 : bank_passes(access);
  std::uint8_t use = use_of(access.kind) | site.at_home;
  if (access.kind == AccessKind::Store) use |= footprint_.part_of(access, cost);
  if (site.turns) atomics_.look(sectors);
  add_global(c, cost, sectors, use, site.lines);
}

void Counting::global_atomic(Counts& c, const MemoryAccess& access, Sectors& sectors, Site& site) {
  const AddressTally::Added added = atomics_.add(access, site.aggregated);
  if (site.turns) atomics_.swap(access);
  const u64 lanes = bits(access.mask);
  const GlobalCost cost = added.near ? near_cost(access.addresses[std::countr_zero(access.mask)],
                                                 added.near, static_cast<std::uint32_t>(lanes),
                                                 access.bytes_per_lane, added.addresses, sectors)
                                     : global_cost(access, sectors);
  const Trio& trio = global_trio(access.kind);
  ++c[trio.requests];
  c[trio.pieces] += added.sectors;
  c[trio.bytes] += u64{added.addresses} * access.bytes_per_lane;
  c[Counter::GlobalAtomics] += lanes;
  c[Counter::GlobalAtomicSerial] += added.most;
  add_global(c, cost, sectors, Footprint::Read | Footprint::Write, site.lines);
}

// What all kinds of access to global memory have in common.
inline void Counting::add_global(Counts& c, const GlobalCost& cost, const Sectors& sectors,
                                 std::uint8_t use, Lines& lines) {
  c[Counter::GlobalSectors] += cost.sectors;
  c[Counter::GlobalIdeal] += cost.ideal;
  c[Counter::GlobalTags] += cost.lines;
  lines.add(footprint_.add(sectors, use));
  footprint_.askers().take(lines.asked);
}

// The shared memory of a block of the cluster. The machine has generic instructions for it only, and
// Nsight Compute adds the bytes of those to every space that they could name.
void Counting::cluster(Counts& c, const MemoryAccess& access) {
  const u64 bytes = bits(access.mask) * access.bytes_per_lane;
  ++c[cluster_counter(access.kind)];
  c[Counter::ClusterBytes] += bytes;
  const bool atomic = is_atomic(access.kind);
  c[global_trio(atomic ? AccessKind::Atomic : access.kind).bytes] += bytes;
  c[shared_trio(access.kind).bytes] += bytes;
  if (atomic) return;
  c[access.kind == AccessKind::Store ? Counter::LocalStBytes : Counter::LocalLdBytes] += bytes;
}

void Counting::shared(Counts& c, const Instr& in, const MemoryAccess& access) {
  const u64 first = access.addresses[std::countr_zero(access.mask)];
  if (first >> memory::kClusterRankShift) return cluster(c, access);
  const Trio trio = shared_trio(access.kind);
  ++c[trio.requests];
  SharedCost cost = shared_cost(access);
  if (is_atomic(access.kind) && in.source->has("cas")) {  // two values per lane: twice the way
    cost.wavefronts *= 2;
    cost.ideal *= 2;
  }
  c[trio.pieces] += cost.wavefronts;
  c[trio.bytes] += u64{cost.places} * access.bytes_per_lane;
  c[Counter::SharedIdeal] += cost.ideal;
  if (!is_atomic(access.kind)) return;
  Addresses addresses;
  group_addresses(access, addresses);
  c[Counter::SharedAtomics] += bits(access.mask);
  c[Counter::SharedAtomicSerial] += addresses.most;
}

void Counting::async_copy(Counts& c, const Warp& warp, const Instr& in, const MemoryAccess& access,
                          Lines& lines) {
  const bool in_shared = access.space == MemorySpace::Shared;
  const u64 bytes = bits(access.mask) * access.bytes_per_lane;
  if (is_bulk(in.row)) {  // one lane at a time
    c[in_shared ? Counter::BulkSharedBytes : Counter::BulkGlobalBytes] += bytes;
    if (in_shared) return;
    const u64 address = access.addresses[std::countr_zero(access.mask)];
    const u64 first = address / kSectorBytes, last = (address + bytes - 1) / kSectorBytes;
    const bool writes =
        in.row == Row::cp_reduce_async_bulk || !in.source->has("mbarrier::complete_tx::bytes");
    footprint_.add_range(first, last - first + 1, writes ? Footprint::Write : Footprint::Read);
    return;
  }
  if (in_shared) {
    ++c[Counter::CopyRequests];
    const SharedCost cost = shared_cost(access);
    c[Counter::CopyWavefronts] += copy_wavefronts_ = cost.wavefronts;
    c[Counter::SharedIdeal] += cost.ideal;
    return;
  }
  Sectors sectors;
  const GlobalCost cost = global_cost(access, sectors);
  // To the cache it is a load; only the data's way differs.
  ++c[Counter::GlobalLdRequests];
  c[Counter::GlobalLdSectors] += cost.sectors;
  c[Counter::CopySectors] += cost.sectors;
  // The data come line by line: one pass for each at least.
  c[Counter::CopyWavefronts] += std::max(cost.lines, copy_wavefronts_) - copy_wavefronts_;
  c[Counter::CopyBytes] += u64{cost.places} * access.bytes_per_lane;
  add_global(c, cost, sectors, Footprint::Read, lines);
  to_level1(warp, in, access, sectors);
}

}  // namespace emu::observe
