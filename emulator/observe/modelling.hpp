// SPDX-License-Identifier: MIT
// The observer behind the modelled clock: counts each launch (counting.hpp), notes which loads find
// their data in L2, and models its time when it ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "observe/counting.hpp"
#include "observe/model.hpp"

namespace emu::observe {

class Modelling final : public Observer {
 public:
  Modelling();
  // Called when a launch has ended, also when an error stopped it.
  using Sink = std::function<void(const LaunchCounts&, const Modelled&)>;
  void add_sink(Sink sink) { sinks_.push_back(std::move(sink)); }
  // Whether lines are told apart (LaunchCounts::lines); off until somebody wants them.
  void set_lines(bool wanted) { counting_.set_lines(wanted); }
  // The launch that ended last.
  const Modelled& last() const { return last_; }

  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  Tally* tally(const exec::Code& code) override;
  void memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) override;

 private:
  struct Loads {
    std::uint64_t all = 0, in_l2 = 0;
  };
  struct OfCode {
    const Tally* tally = nullptr;
    std::vector<Loads> loads;
  };
  void note_load(const exec::Warp& warp, const exec::Instr& in, std::uint64_t address);
  void note_store(std::uint64_t address);
  void finish(const LaunchCounts& launch);

  // Pieces of memory that a launch wrote, by number; they are taken to be in L2 for it and the next.
  static constexpr std::uint32_t kPieceShift = 12;
  Counting counting_;
  std::unordered_map<const exec::Code*, OfCode> codes_;
  const exec::Code* code_ = nullptr;
  const exec::Instr* first_ = nullptr;
  Loads* loads_ = nullptr;
  std::unordered_set<std::uint64_t> written_, written_before_;
  // What was looked up last of each piece, by a few bits of its number.
  struct Recent {
    std::uint64_t piece = ~std::uint64_t{0};
    bool in_l2 = false;    // written by this launch or the one before
    bool written = false;  // by this launch
  };
  Recent& recent(std::uint64_t piece);
  std::array<Recent, 64> recent_;
  const devices::Profile* gpu_ = nullptr;
  std::vector<Sink> sinks_;
  Modelled last_;
};

}  // namespace emu::observe
