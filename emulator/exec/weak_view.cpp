// SPDX-License-Identifier: MIT
// Views and messages of the weak memory mode.
#include "exec/weak_view.hpp"

#include <algorithm>

namespace emu::exec {

std::vector<Time>& View::own() {
  if (!times_) {
    times_ = std::make_shared<std::vector<Time>>();
  } else if (times_.use_count() > 1) {
    times_ = std::make_shared<std::vector<Time>>(*times_);
  }
  return *times_;
}

void View::raise(std::size_t slot, Time time) {
  if (at(slot) >= time) return;
  std::vector<Time>& mine = own();
  if (slot >= mine.size()) mine.resize(slot + 1);
  mine[slot] = time;
}

void View::join(const View& other) {
  if (!other.times_ || other.times_ == times_) return;
  if (!times_) {
    times_ = other.times_;
    return;
  }
  const std::vector<Time>& a = *times_;
  const std::vector<Time>& b = *other.times_;
  const std::size_t both = std::min(a.size(), b.size());
  bool a_ahead = a.size() > both, b_ahead = b.size() > both;
  for (std::size_t i = 0; i < both; ++i) {
    a_ahead |= a[i] > b[i];
    b_ahead |= b[i] > a[i];
  }
  if (!b_ahead) return;
  if (!a_ahead) {  // share: after a barrier all threads then hold one copy
    times_ = other.times_;
    return;
  }
  std::vector<Time>& mine = own();
  if (mine.size() < b.size()) mine.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) mine[i] = std::max(mine[i], b[i]);
}

void Message::add_near(std::uint64_t block, const View& view) {
  if (view.empty()) return;
  for (auto& [owner, known] : near) {
    if (owner == block) return known.join(view);
  }
  near.emplace_back(block, view);
}

const View* Message::near_of(std::uint64_t block) const {
  for (const auto& [owner, known] : near) {
    if (owner == block) return &known;
  }
  return nullptr;
}

void Message::join(const Message& other) {
  wide.join(other.wide);
  for (const auto& [block, view] : other.near) add_near(block, view);
}

}  // namespace emu::exec
