// SPDX-License-Identifier: MIT
// The observer that counts. It keeps the numbers of each instruction while a kernel runs, and adds
// them up per source line and launch when it ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "counters/address_tally.hpp"
#include "counters/caches/footprint.hpp"
#include "counters/caches/level1.hpp"
#include "counters/code_counts.hpp"
#include "counters/constant_lines.hpp"
#include "counters/counters.hpp"
#include "counters/handovers.hpp"
#include "counters/workload.hpp"
#include "machine/observer.hpp"
#include "machine/warp.hpp"

namespace emu::observe {

class Counting : public Observer {
 public:
  // Called when a launch has ended, also when an error stopped it.
  using Sink = std::function<void(const LaunchCounts&)>;
  void add_sink(Sink sink) { sinks_.push_back(std::move(sink)); }
  // The launch that ended last.
  const LaunchCounts& last() const { return last_; }
  // Whether lines are told apart (LaunchCounts::lines).
  void set_lines(bool wanted) { lines_wanted_ = wanted; }
  // For sinks, while they are called.
  std::vector<CodeCounts> by_code() const;
  const Workload& workload() const { return workload_; }
  double stored_lines() const { return stored_lines_; }  // of global memory, by each request
  // For sinks: stores come faster than they can leave, so that this share of them does not wait for others to go with.
  void pile_up(double share) {
    piled_up_ = share;
    fill_caches();
  }
  // What the L2 cache goes through between launches.
  void flush_l2() {
    footprint_.flush();
    level1_.forget_local();
    waiting_ = 0;
  }
  void touch_l2(std::uint64_t address, std::uint64_t bytes, TouchedBy by) {
    using enum TouchedBy;
    const auto host = by == FromHost ? Footprint::Host : std::uint8_t{0};
    footprint_.touch(address, bytes, by == Reader ? Footprint::Read : Footprint::Write | host);
  }
  // A memset, which is a kernel too.
  void another_kernel() { level1_.forget_local(); }

  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  Passes* passes(const exec::Code& code) override;
  void memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) override;
  void exchanged(const exec::Warp& warp, const exec::Instr& in, LaneMask changed) override;
  void fenced(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) override;
  void met(const exec::Warp& warp, const exec::Instr& in, const Meeting& meeting) override;
  void block_end(const exec::Block& block) override { workload_.add(block); }

 private:
  // What is known of an instruction that accesses memory. One cache line, since it is looked at each time.
  struct alignas(64) Site {
    Lines lines;
    bool unwanted = false;           // an atomic whose result nobody reads
    bool apart = false;              // joined, or an exchange or a store with release
    bool joined = false;             // a load that another one brings (joined_loads)
    bool aggregated = false;         // an atomic that the compiler makes one of for a warp
    bool spared = false;             // local memory that the compiler does not need (local_arrays)
    bool turns = false;              // a load or a compare-and-swap that takes turns with atomics
    std::uint8_t at_home = 0;        // Footprint::AtHome for a load that is asked there
    std::optional<Level1::How> how;  // what is done to L1; found out when first asked
  };
  // What is counted of one function, an entry per instruction.
  struct OfCode {
    const exec::Code* code = nullptr;
    std::vector<Passes> passes;  // and one more
    std::vector<Tally> tally;    // their sums, when the launch has ended
    std::vector<Counts> counts;
    std::vector<Site> sites;
    std::uint32_t number = 0;  // of its first instruction, among those of all functions
  };
  OfCode& of(const exec::Code& code);
  void change_code(const exec::Code* code);
  void change_block(const exec::Block* block);
  // To the first-level cache, where it is watched.
  void to_level1(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access,
                 const Sectors& sectors);
  void whole_to_level1(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access);
  void local(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access);
  void hand_over(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access);
  void other(const exec::Warp& warp, const exec::Instr& in, std::size_t index,
             const MemoryAccess& access);
  void global(Counts& c, const MemoryAccess& access, Sectors& sectors, Site& site);
  static void add_lines(Counts& c, const Lines& lines);
  void global_atomic(Counts& c, const MemoryAccess& access, Sectors& sectors, Site& site);
  void add_global(Counts& c, const GlobalCost& cost, const Sectors& sectors, std::uint8_t use,
                  Lines& lines);
  void shared(Counts& c, const exec::Instr& in, const MemoryAccess& access);
  static void cluster(Counts& c, const MemoryAccess& access);
  void async_copy(Counts& c, const exec::Warp& warp, const exec::Instr& in,
                  const MemoryAccess& access, Lines& lines);
  void finish(const exec::Grid& grid, bool failed);
  void fill_figures(const exec::Grid& grid);
  void fill_caches();
  void add_up();

  std::unordered_map<const exec::Code*, std::unique_ptr<OfCode>> codes_;
  // In the order in which they first ran: sums of doubles depend on the order, and that of the map
  // on addresses.
  std::vector<OfCode*> in_order_;
  const exec::Code* code_ = nullptr;  // the one that ran last ...
  const exec::Instr* first_ = nullptr;
  Counts* counts_ = nullptr;  // ... and its entries
  Site* sites_ = nullptr;
  std::uint32_t number_ = 0;            // of its first instruction ...
  std::uint32_t next_number_ = 0;       // ... and of that of the next function
  const exec::Block* block_ = nullptr;  // the block that ran last ...
  std::uint64_t block_linear_ = 0;
  bool watched_ = false;  // ... and whether its requests are written down
  std::uint64_t multiprocessors_ = 1, begin_at_once_ = 1;  // the second: blocks
  Footprint footprint_;
  // Sectors that the last launch filled up and that have not left L2, and those of the launch before it.
  double waiting_ = 0, waited_ = 0;
  double piled_up_ = 0, stored_lines_ = 0;
  Level1 level1_;
  std::vector<Level1::Found> found_;  // by number
  Workload workload_;
  AddressTally atomics_;
  Handovers handovers_;
  ConstantLines constants_;
  std::array<std::uint64_t, kWarpLanes>
      exchange_at_{};                  // addresses of the exchange that is made now
  std::uint32_t copy_wavefronts_ = 0;  // of the cp.async whose source comes next
  std::vector<Sink> sinks_;
  LaunchCounts last_;
  bool lines_wanted_ = true;
};

}  // namespace emu::observe
