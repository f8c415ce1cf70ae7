// SPDX-License-Identifier: MIT
// What a multiprocessor finds in its first-level cache when it begins, and leaves there.
#include "counters/caches/level1_cache.hpp"

namespace emu::observe {

void Level1::Cache::restart(std::uint64_t shift) {
  places_.restart(shift);
  drawn_from_ = shift;
  waited_ = {};
  round_ = turn_ = 1;
  late_ = false;
  in_place_ = beside_ = 0;
  asked_.reset();
  asked_last_ = ~std::uint64_t{0};
}

void Level1::Cache::begin_with(const std::vector<Level1Local::Line>& local) {
  for (const Level1Local::Line& line : local)
    lines_[places_.put(line.line)] = {line.sectors, 0, 0, 0, 0, 0, 0, 0, 0};
}

std::vector<Level1Local::Line> Level1::Cache::local_lines() {
  std::vector<Level1Local::Line> local;
  places_.for_each([&](std::uint64_t line, std::uint64_t at) {
    if (Level1Local::is(line)) local.push_back({line, lines_[at].sectors});
  });
  return local;
}

}  // namespace emu::observe
