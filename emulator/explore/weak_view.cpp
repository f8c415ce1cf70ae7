// SPDX-License-Identifier: MIT
// Views and messages of the weak memory mode.
#include "explore/weak_view.hpp"

#include <algorithm>

namespace emu::exec {

Time View::at(std::size_t slot) const {
  if (!table_ || slot / kPart >= table_->size()) return 0;
  const Shared<Part>& part = (*table_)[slot / kPart];
  return part ? (*part)[slot % kPart] : 0;
}

void View::raise(std::size_t slot, Time time) {
  if (at(slot) >= time) return;
  Table& mine = table_.own();
  if (slot / kPart >= mine.size()) mine.resize(slot / kPart + 1);
  mine[slot / kPart].own()[slot % kPart] = time;
}

void View::join(const View& other) {
  if (!other.table_ || other.same(*this)) return;
  if (!table_) {
    table_ = other.table_;
    return;
  }
  // Where they differ: parts of the other that are ahead, and whether any of this one is.
  const Table &a = *table_, &b = *other.table_;
  bool any_a_ahead = a.size() > b.size();
  std::vector<std::size_t> behind;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const bool a_has = i < a.size() && a[i];
    if (!b[i] || (a_has && a[i] == b[i])) {
      any_a_ahead |= a_has && !b[i];
      continue;
    }
    unsigned a_ahead = 0, b_ahead = !a_has;
    for (std::size_t k = 0; a_has && k < kPart; ++k) {
      a_ahead |= (*a[i])[k] > (*b[i])[k];
      b_ahead |= (*b[i])[k] > (*a[i])[k];
    }
    any_a_ahead |= a_ahead != 0;
    if (b_ahead) behind.push_back(i);
  }
  if (behind.empty()) return;
  if (!any_a_ahead) {  // after a barrier all threads then hold one copy
    table_ = other.table_;
    return;
  }
  Table& mine = table_.own();
  if (mine.size() < b.size()) mine.resize(b.size());
  for (const std::size_t i : behind) {
    if (!mine[i]) {
      mine[i] = b[i];
      continue;
    }
    Part& part = mine[i].own();
    for (std::size_t k = 0; k < kPart; ++k) part[k] = std::max(part[k], (*b[i])[k]);
  }
}

void Message::add(Domain domain, const View& view) {
  if (view.empty()) return;
  if (domain == kEverywhere) return wide.join(view);
  for (auto& [owner, known] : near) {
    if (owner == domain) return known.join(view);
  }
  near.emplace_back(domain, view);
}

const View* Message::of(Domain domain) const {
  if (domain == kEverywhere) return wide.empty() ? nullptr : &wide;
  for (const auto& [owner, known] : near) {
    if (owner == domain) return &known;
  }
  return nullptr;
}

void Message::join(const Message& other) {
  wide.join(other.wide);
  for (const auto& [domain, view] : other.near) add(domain, view);
}

}  // namespace emu::exec
