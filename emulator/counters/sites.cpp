// SPDX-License-Identifier: MIT
// What is known of a function's instructions before they run.
#include "counters/counting.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "counters/ptxas/joined_loads.hpp"
#include "counters/ptxas/local_arrays.hpp"
#include "machine/kernel.hpp"
#include "ptx/module.hpp"

namespace emu::observe {
namespace {

// A load that must see what others have written goes where that is put together. `ld.cg` passes L1, and asks the half that is
// near, as ordinary loads do.
bool is_strong(const exec::Instr& in) {
  return in.row == ptx::Row::ld && (in.source->has("relaxed") || in.source->has("acquire") ||
                                    in.source->has("mmio") || in.source->has("cv"));
}
// What may meet atomics of others at its sector again and again. Ordinary loads of it come from L1.
bool takes_turns(const exec::Instr& in) {
  if (in.row == ptx::Row::atom) return in.source->has("cas");
  return in.row == ptx::Row::ld && (is_strong(in) || in.source->has("volatile"));
}
// A volatile load asks both halves (tests/timing_set: `hashfills_packed`, which fills a table that does not fit into L2).
bool is_volatile(const exec::Instr& in) {
  return in.row == ptx::Row::ld && in.source->has("volatile");
}
// Streaming loads (__ldcs).
bool leaves_first(const exec::Instr& in) {
  return in.row == ptx::Row::ld && (in.source->has("cs") || in.source->has("L2::evict_first"));
}

}  // namespace

Counting::OfCode& Counting::of(const exec::Code& code) {
  auto& of = codes_[&code];
  if (!of) {
    of = std::make_unique<OfCode>();
    in_order_.push_back(of.get());
    of->code = &code;
    of->number = next_number_;
    next_number_ += static_cast<std::uint32_t>(code.instrs.size());
    level1_.number(code);
    of->passes.resize(code.instrs.size() + 1);
    of->counts.resize(code.instrs.size());
    of->sites.resize(code.instrs.size());
    const std::vector<std::uint8_t> unwanted = unwanted_results(code),
                                    aggregated = aggregated_atomics(code),
                                    placed = placed_stores(code),
                                    spared = local_arrays(code).spared;
    const std::vector<std::uint32_t> joined = joined_loads(code);
    for (std::size_t i = 0; i < code.instrs.size(); ++i) {
      const exec::Instr& in = code.instrs[i];
      Site& site = of->sites[i];
      site.unwanted = unwanted[i];
      site.aggregated = aggregated[i];
      site.spared = spared[i];
      if (placed[i]) site.how = Level1::How::Placed;
      if (!in.source) continue;
      site.joined = joined[i] != kOnItsOwn;
      site.apart = site.joined || hands_over(*in.source);
      site.turns = takes_turns(in);
      site.at_home = is_strong(in)      ? Footprint::AtHome
                     : is_volatile(in)  ? Footprint::Across
                     : leaves_first(in) ? Footprint::First
                                        : 0;
    }
  }
  return *of;
}

}  // namespace emu::observe
