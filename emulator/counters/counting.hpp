// SPDX-License-Identifier: MIT
// The observer that counts. It keeps the numbers of each instruction while a kernel runs, and adds
// them up per source line and launch when it ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "counters/counters.hpp"
#include "counters/footprint.hpp"
#include "counters/handovers.hpp"
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
  // What was counted of one function, an entry per instruction: for sinks, while they are called.
  struct CodeCounts {
    const exec::Code* code = nullptr;
    std::span<const Tally> tally;
    std::span<const Counts> counts;
    std::vector<double> in_l2;  // of its loads from global memory, the share that finds it in L2
  };
  std::vector<CodeCounts> by_code() const;

  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  Tally* tally(const exec::Code& code) override;
  void memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) override;
  void exchanged(const exec::Warp& warp, const exec::Instr& in, LaneMask changed) override;

 private:
  // Accesses of full warps to whole lines of global memory, which are all the same: how many, and of
  // all accesses, how many found their data in L2.
  struct Lines {
    std::uint64_t accesses = 0, in_l2 = 0;
    std::uint32_t bytes_per_lane = 0;
    AccessKind kind = AccessKind::Load;
  };
  // What is counted of one function, an entry per instruction.
  struct OfCode {
    const exec::Code* code = nullptr;
    std::vector<Tally> tally;
    std::vector<Counts> counts;
    std::vector<Lines> lines;
    std::vector<std::uint8_t> unwanted;    // atomics whose result nobody reads
    std::vector<std::uint8_t> hands_over;  // exchanges and stores with release
  };
  OfCode& of(const exec::Code& code);
  void change_code(const exec::Code* code);
  void hand_over(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access);
  void other(const exec::Instr& in, std::size_t index, const MemoryAccess& access);
  void global(Counts& c, const MemoryAccess& access);
  static void add_lines(Counts& c, const Lines& lines);
  void global_atomic(Counts& c, const MemoryAccess& access);
  void add_global(Counts& c, const GlobalCost& cost, const Sectors& sectors, std::uint8_t use);
  void shared(Counts& c, const exec::Instr& in, const MemoryAccess& access);
  static void cluster(Counts& c, const MemoryAccess& access);
  void async_copy(Counts& c, const exec::Instr& in, const MemoryAccess& access);
  void finish(const exec::Grid& grid, bool failed);
  void fill_figures(const exec::Grid& grid);
  void add_up();

  std::unordered_map<const exec::Code*, std::unique_ptr<OfCode>> codes_;
  // In the order in which they first ran: sums of doubles depend on the order, and that of the map
  // on addresses.
  std::vector<OfCode*> in_order_;
  const exec::Code* code_ = nullptr;  // the one that ran last ...
  const exec::Instr* first_ = nullptr;
  Counts* counts_ = nullptr;  // ... and its entries
  Lines* lines_ = nullptr;
  const std::uint8_t* unwanted_ = nullptr;
  const std::uint8_t* hands_over_ = nullptr;
  Footprint footprint_;
  AddressTally atomics_;
  Handovers handovers_;
  std::array<std::uint64_t, kWarpLanes>
      exchange_at_{};                  // addresses of the exchange that is made now
  std::uint32_t copy_wavefronts_ = 0;  // of the cp.async whose source comes next
  std::vector<Sink> sinks_;
  LaunchCounts last_;
  bool lines_wanted_ = true;
};

}  // namespace emu::observe
