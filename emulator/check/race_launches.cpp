// SPDX-License-Identifier: MIT
// Launches and blocks that come and go. Where there are several devices, several launches run at the same time.
#include "check/races.hpp"
#include "machine/kernel.hpp"

namespace emu::check {

void Races::begin(const exec::Grid& grid) {
  forget_all();
  if (running_.empty()) {
    copies_.clear();
    if (!clocks.several()) messages_.clear();
  }
  recent_ = {};
  const KeptLaunch* const kept = clocks.begin(grid, orders);
  if (!kept) {
    return say_limit(grid.kernel->pretty,
                     "too many launches run at the same time to number their warps: the accesses "
                     "of this one were not looked at");
  }
  auto launch = std::make_unique<RunningLaunch>(*kept);
  for (const ApiUse& use : api_) {
    if (!orders.knows(use.operation)) launch->strange.push_back(use);
  }
  running_[&grid] = std::move(launch);
  last_grid_ = nullptr;
}

RunningLaunch& Races::running(const exec::Grid& grid) {
  if (&grid != last_grid_) {
    last_running_ = running_.at(&grid).get();
    last_grid_ = &grid;
  }
  return *last_running_;
}

void Races::end(const exec::Grid& grid) {
  const auto it = running_.find(&grid);
  if (it == running_.end()) return;
  if (pages_.dropped()) {
    say_limit(
        *it->second,
        "single bytes of large arrays are used in no order: of some it was dropped who used them");
  }
  std::erase_if(shared_, [&](const auto& block) { return block.first->grid == &grid; });
  last_ = nullptr;
  clocks.end(grid);
  running_.erase(it);
  last_grid_ = nullptr;
  // Somebody who still runs may wait for what looks like a race.
  if (!running_.empty()) return;
  doubts_.tell(findings_);
  findings_.say_waiting();
  copies_.clear();
}

void Races::start(const exec::Block& block) {
  clocks.start(block);
  if (!clocks.find(block)) return;
  shared_[&block] = std::make_shared<Shared>(block.shared.size(), most_);
  last_ = nullptr;
  recent_ = {};
}

void Races::end(const exec::Block& block) {
  clocks.end(block);
  shared_.erase(&block);
  last_ = nullptr;
}

std::shared_ptr<Races::Shared> Races::shared_of(const exec::Block& block) {
  const auto it = shared_.find(&block);
  return it == shared_.end() ? nullptr : it->second;
}

}  // namespace emu::check
