// SPDX-License-Identifier: MIT
// The engine: runs the blocks of a grid, their warps and the splits of a warp, one at a time and
// always in the same order.
//
// Fairness: a split that takes many loop edges, sleeps, or
// spins on memory that does not change gives way to the next split of its warp, the warp to the
// next warp of its block, the block to the next resident block. That is what spin locks, look-back
// and grid barriers need. A pass over all resident blocks that changes nothing and ends in the
// state of an earlier one will go on for ever: livelock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/calls.hpp"
#include "engine/launch.hpp"
#include "program/image.hpp"

namespace emu::exec {

class Interleaver;

enum class Outcome : std::uint8_t { Exited, Blocked, Yielded };

class Engine {
 public:
  Engine(Grid& grid, const KernelImage& image, const LaunchRequest& request);
  ~Engine();

  // A launch is run turn by turn, so that launches of several devices can take turns: a pass over the resident
  // blocks, or under a schedule one operation of one thread.
  enum class Turn : std::uint8_t {
    Over,   // the grid has finished
    Going,  // there is more to do
    Stuck   // nothing will ever change, unless somebody outside this grid changes memory
  };
  Turn turn();
  // Passes in a row that changed nothing anybody else could see: it may be waiting for another device.
  std::uint64_t idle_passes() const { return idle_passes_; }
  [[noreturn]] void stuck(bool spinning);

  enum class Watch : std::uint8_t { Nobody, Sums, Each };  // what the observer wants to know
  // Ordinary: at full speed. Traced: what others see is told lane by lane. Interleaved: a split stops in
  // front of it.
  enum class Mode : std::uint8_t { Ordinary, Traced, Interleaved };

 private:
  enum class BlockOutcome : std::uint8_t { Finished, Blocked, Yielded };
  struct Cluster {
    std::vector<std::unique_ptr<Block>> blocks;
  };

  // grid_loop.cpp
  void start_cluster();
  void start_block(Block& block, std::uint64_t linear, const Dim3& index);
  BlockOutcome run_block(Block& block);
  std::uint64_t state_hash() const;
  void report_progress();
  Turn pass();
  bool run_active(bool& progress);
  std::uint64_t most_clusters() const;
  void retire(std::size_t i);  // the i-th active cluster has finished

  // interleaved.cpp: threads in the order that a seed gives
  Turn turn_interleaved();
  void fill();
  void step(Warp& warp, int lane);
  void advance(Warp& warp);
  bool settle(Block& block);
  const Instr* hold(Warp& warp, const Instr& in, LaneMask on);
  void note_control(Warp& warp, const Instr& in, LaneMask on);
  void perform(Warp& warp, const Instr& in, LaneMask on);
  void act(Warp& warp, const Instr& in, LaneMask on);

  // warp_run.cpp
  Outcome run_warp(Warp& warp);
  template <Watch kWatch, Mode kMode>
  struct Cursor;
  template <Watch kWatch, Mode kMode>
  void execute(Warp& warp);
  template <Mode kMode>
  void execute_watched(Warp& warp);
  void execute_split(Warp& warp);
  observe::Passes* passes_of(const Code& code) {
    if (&code != passes_code_) [[unlikely]]
      find_passes(code);
    return passes_;
  }
  void find_passes(const Code& code);
  const Instr* control(Warp& warp, const Instr& in, LaneMask on);
  const Instr* give_way(Warp& warp, const Instr* resume);
  const Instr* part_ways(Warp& warp, const Instr& in, LaneMask on, const Instr* target);
  [[noreturn]] void over_limit();

  Grid& grid_;
  const KernelImage& image_;
  const LaunchRequest& request_;
  std::uint64_t limit_ = 0;
  std::uint64_t next_cluster_ = 0, clusters_ = 0;
  std::uint64_t next_report_ = kProgressInterval;  // clock at which progress is told
  std::vector<std::unique_ptr<Cluster>> active_;
  std::vector<std::unique_ptr<Cluster>> spare_;  // finished ones, to be used again
  Frames frames_;
  Calls calls_{image_, frames_};
  Warp* current_ = nullptr;
  Mode mode_ = Mode::Ordinary;
  std::unique_ptr<Interleaver> interleaver_;
  bool permitted_ = false;  // the next instruction was chosen: it need not stop in front of it
  bool met_ = false;        // something happened that lets other warps go on
  const Code* passes_code_ = nullptr;  // the function whose sums were kept last ...
  observe::Passes* passes_ = nullptr;  // ... and where
  bool each_ = false;                  // ... and whether each is told all the same
  // Brent's cycle detection over passes that changed nothing.
  std::uint64_t seen_hash_ = 0, quiet_ = 0, refresh_at_ = 1, last_change_ = 0;
  std::uint64_t seen_changes_ = 0;  // Grid::memory_changes when the last pass ended
  std::uint64_t idle_passes_ = 0;
};

}  // namespace emu::exec
