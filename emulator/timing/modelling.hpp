// SPDX-License-Identifier: MIT
// The observer behind the modelled clock: counts each launch (counting.hpp), and models its time when
// it ends.
#pragma once

#include <functional>
#include <vector>

#include "counters/counting.hpp"
#include "timing/model.hpp"

namespace emu::observe {

class Modelling final : public Observer {
 public:
  Modelling();
  // Called when a launch has ended, also when an error stopped it.
  using Sink = std::function<void(const LaunchCounts&, const Modelled&)>;
  void add_sink(Sink sink) { sinks_.push_back(std::move(sink)); }
  // Whether somebody will read why it takes so long: lines are told apart then (LaunchCounts::lines), and each time is explained
  // (Modelled::because, what_if). Off until somebody does.
  void set_explained(bool wanted) {
    explained_ = wanted;
    counting_.set_lines(wanted);
  }
  // What the L2 cache goes through between launches.
  void flush_l2() { counting_.flush_l2(); }
  void touch_l2(std::uint64_t address, std::uint64_t bytes, TouchedBy by) {
    counting_.touch_l2(address, bytes, by);
  }
  void another_kernel() { counting_.another_kernel(); }
  // The launch that ended last.
  const Modelled& last() const { return last_; }

  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  Passes* passes(const exec::Code& code) override { return counting_.passes(code); }
  void memory(const exec::Warp& warp, const exec::Instr& in, const MemoryAccess& access) override {
    counting_.Counting::memory(warp, in, access);
  }
  void fenced(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) override {
    counting_.Counting::fenced(warp, in, lanes);
  }
  void block_end(const exec::Block& block) override { counting_.Counting::block_end(block); }
  void exchanged(const exec::Warp& warp, const exec::Instr& in, LaneMask changed) override {
    counting_.Counting::exchanged(warp, in, changed);
  }
  void met(const exec::Warp& warp, const exec::Instr& in, const Meeting& meeting) override {
    if (meeting.equal) counting_.Counting::met(warp, in, meeting);
  }

 private:
  void finish(const LaunchCounts& launch);
  void work_out(const LaunchCounts& launch);

  Counting counting_;
  const devices::Profile* gpu_ = nullptr;
  bool explained_ = false;
  std::vector<Sink> sinks_;
  Modelled last_;
};

}  // namespace emu::observe
