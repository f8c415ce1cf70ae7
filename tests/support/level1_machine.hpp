// SPDX-License-Identifier: MIT
// A launch on an H200 whose blocks have a warp each that asks for something, for tests of its first-level caches.
#pragma once

#include "counters/caches/level1.hpp"

namespace emu::observe {

struct Machine {
  explicit Machine(std::uint32_t blocks, std::uint32_t dynamic_shared = 0,
                   std::uint32_t threads = 32) {
    grid.profile = devices::find("h200");
    grid.grid = {blocks, 1, 1};
    grid.block = {threads, 1, 1};
    grid.resident_blocks = 8 * grid.profile->multiprocessors;
    grid.dynamic_shared = dynamic_shared;
    level1.begin(grid);
  }
  // A warp of a block reads (or writes) lines from `first` on, one request each; false: nobody watches.
  bool touch(std::uint64_t block, std::uint64_t first, std::uint64_t lines,
             Level1::How how = Level1::How::Load) {
    exec::Block b;
    b.linear = block;
    b.warps.push_back(nullptr);
    if (!level1.watches(b)) return false;
    for (std::uint64_t i = 0; i < lines; ++i) {
      Sectors sectors;
      sectors.first = (first + i) * kLineSectors;
      sectors.count = kLineSectors;
      level1.add(0, 0, how, sectors);
    }
    return true;
  }
  // The first, second... block of the watched multiprocessor that has the most to do, or of another one.
  std::uint64_t block(std::uint64_t number, std::uint64_t by_load = 16) const {
    BlockOrder order({132, 8}, grid.grid.count(), 8);
    std::uint64_t at = 0;
    for (;; ++at)
      if (order.place_of(at) == order.by_load(by_load) && number-- == 0) return at;
  }
  Level1::Found found() { return level1.play(1)[0]; }

  exec::Grid grid;
  Level1 level1;
};

}  // namespace emu::observe
