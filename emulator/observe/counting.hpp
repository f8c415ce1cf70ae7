// SPDX-License-Identifier: MIT
// The observer that counts. It keeps the numbers of each instruction while a kernel runs, and adds
// them up per source line and launch when it ends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "exec/warp.hpp"
#include "observe/counters.hpp"
#include "observe/footprint.hpp"
#include "observe/observer.hpp"

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

  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  Tally* tally(const exec::Code& code) override;
  void memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) override;

 private:
  // What is counted of one function, an entry per instruction.
  struct OfCode {
    const exec::Code* code = nullptr;
    std::vector<Tally> tally;
    std::vector<Counts> counts;
    std::vector<std::uint8_t> unwanted;  // atomics whose result nobody reads
  };
  Counts& at(const exec::Warp& warp, const exec::Instr& in);
  OfCode& of(const exec::Code& code);
  void change_code(const exec::Code* code);
  void global(Counts& c, const MemoryAccess& access);
  void global_atomic(Counts& c, const MemoryAccess& access);
  void add_global(Counts& c, const GlobalCost& cost, const Sectors& sectors, std::uint8_t use);
  void shared(Counts& c, const MemoryAccess& access);
  void async_copy(Counts& c, const exec::Instr& in, const MemoryAccess& access);
  void finish(const exec::Grid& grid, bool failed);
  void fill_figures(const exec::Grid& grid);
  void add_up();

  std::unordered_map<const exec::Code*, std::unique_ptr<OfCode>> codes_;
  const exec::Code* code_ = nullptr;  // the one that ran last ...
  const exec::Instr* first_ = nullptr;
  Counts* counts_ = nullptr;  // ... and its entries
  const std::uint8_t* unwanted_ = nullptr;
  Footprint footprint_;
  AddressTally atomics_;
  std::vector<Sink> sinks_;
  LaunchCounts last_;
  bool lines_wanted_ = true;
};

}  // namespace emu::observe
