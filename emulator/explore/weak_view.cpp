// SPDX-License-Identifier: MIT
// Views and messages of the weak memory mode.
#include "explore/weak_view.hpp"

#include <algorithm>

namespace emu::exec {

Time View::at(std::size_t slot) const {
  const std::size_t part = slot / kPart, chapter = part / kChapter;
  if (!table_ || chapter >= table_->size()) return 0;
  const Shared<Chapter>& of = (*table_)[chapter];
  if (!of) return 0;
  const Shared<Part>& numbers = (*of)[part % kChapter];
  return numbers ? (*numbers)[slot % kPart] : 0;
}

void View::raise(std::size_t slot, Time time) {
  if (at(slot) >= time) return;
  const std::size_t part = slot / kPart, chapter = part / kChapter;
  Table& mine = table_.own();
  if (chapter >= mine.size()) mine.resize(chapter + 1);
  mine[chapter].own()[part % kChapter].own()[slot % kPart] = time;
}

View::Order View::compare(const Chapter& a, const Chapter& b) {
  Order order;
  for (std::size_t i = 0; i < kChapter; ++i) {
    if (a[i] == b[i]) continue;
    if (!a[i] || !b[i]) {
      (a[i] ? order.ahead : order.behind) = true;
      continue;
    }
    unsigned ahead = 0, behind = 0;
    for (std::size_t k = 0; k < kPart; ++k) {
      ahead |= (*a[i])[k] > (*b[i])[k];
      behind |= (*b[i])[k] > (*a[i])[k];
    }
    order.ahead |= ahead != 0;
    order.behind |= behind != 0;
  }
  return order;
}

void View::join(Chapter& to, const Chapter& from) {
  for (std::size_t i = 0; i < kChapter; ++i) {
    if (!from[i] || to[i] == from[i]) continue;
    if (!to[i]) {
      to[i] = from[i];
      continue;
    }
    unsigned behind = 0;
    for (std::size_t k = 0; k < kPart; ++k) behind |= (*from[i])[k] > (*to[i])[k];
    if (!behind) continue;
    Part& part = to[i].own();
    for (std::size_t k = 0; k < kPart; ++k) part[k] = std::max(part[k], (*from[i])[k]);
  }
}

void View::join(const View& other) {
  if (!other.table_ || other.same(*this)) return;
  if (!table_) {
    table_ = other.table_;
    return;
  }
  // Where they differ: chapters of the other that are ahead, and whether any of this one is.
  const Table &a = *table_, &b = *other.table_;
  bool any_ahead = a.size() > b.size();
  std::vector<std::pair<std::size_t, bool>> behind;  // whether all of it is the other's
  for (std::size_t i = 0; i < b.size(); ++i) {
    const bool a_has = i < a.size() && a[i];
    if (!b[i] || (a_has && a[i] == b[i])) {
      any_ahead |= a_has && !b[i];
      continue;
    }
    const Order order = a_has ? compare(*a[i], *b[i]) : Order{false, true};
    any_ahead |= order.ahead;
    if (order.behind) behind.emplace_back(i, !order.ahead);
  }
  if (behind.empty()) return;
  if (!any_ahead) {  // after a barrier all threads then hold one copy
    table_ = other.table_;
    return;
  }
  Table& mine = table_.own();
  if (mine.size() < b.size()) mine.resize(b.size());
  for (const auto& [i, whole] : behind) {
    if (whole) {
      mine[i] = b[i];
    } else {
      join(mine[i].own(), *b[i]);
    }
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
