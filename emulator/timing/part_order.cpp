// SPDX-License-Identifier: MIT
#include "timing/part_order.hpp"

#include <algorithm>
#include <limits>

#include "counters/ptxas/branches.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Row;

namespace {

// The compiler does not know how long a load takes, and asks for as much as it can before it waits.
constexpr double kLoad = 400;
constexpr double kNever = std::numeric_limits<double>::max();
// Cycles: what has to wait longer is passed over. Of what has not, and of all, so many are looked at.
constexpr double kLong = 12;
constexpr std::size_t kNear = 12, kFar = 128;

double latency_of(const Instr& at, const Cost& cost) {
  return at.row == Row::ld ? std::min(cost.latency, kLoad) : cost.latency;
}

}  // namespace

PartOrder::PartOrder(const KnownOfCode& of, std::size_t first, std::size_t end)
    : of_(of), first_(first), end_(end), value_(of.words.size(), kNone) {}

void PartOrder::after(std::size_t node, std::size_t before, double cycles) {
  if (before != kNone && before != node) nodes_[node].waits.push_back({before, cycles});
}

std::size_t PartOrder::value_of(std::uint32_t reg) {
  if (value_[reg] == kNone) {  // from before the part
    value_[reg] = values_.size();
    values_.push_back({of_.words[reg], kNone, 0, false, {}});
    if (of_.written[reg] < first_) live_ += of_.words[reg];
  }
  return value_[reg];
}

void PartOrder::reads(std::size_t node, std::uint32_t reg, bool guards) {
  const std::size_t v = value_of(reg);
  Value& value = values_[v];
  if (value.maker != kNone) {
    const std::size_t maker = nodes_[value.maker].at;
    after(node, value.maker,
          latency_of(of_.code.instrs[maker], of_.costs[maker]) + (guards ? kGuardLatency : 0));
  }
  if (!value.readers.empty() && value.readers.back() == node) return;
  value.readers.push_back(node);
  ++value.reads;
  nodes_[node].reads.push_back(v);
}

void PartOrder::writes(std::size_t node, std::uint32_t reg) {
  if (const std::size_t v = value_[reg]; v != kNone) {
    if (values_[v].maker == node) return;
    after(node, values_[v].maker, 0);
    for (const std::size_t reader : values_[v].readers) after(node, reader, 0);
  }
  value_[reg] = values_.size();
  values_.push_back({of_.words[reg], node, 0, false, {}});
  nodes_[node].makes.push_back(value_[reg]);
}

void PartOrder::add(std::size_t i) {
  const Instr& at = of_.code.instrs[i];
  const std::size_t node = nodes_.size();
  nodes_.push_back({});
  nodes_[node].at = i;
  nodes_[node].issue = of_.costs[i].issue;
  visit_read(at, [&](std::uint32_t reg) { reads(node, reg, reg == at.source->guard); });
  if (i < guarded_until_ && guard_ != ptx::kNoIndex) reads(node, guard_, true);
  if (const std::size_t until = guarded_until(of_.code, i)) {
    guarded_until_ = until;
    guard_ = at.source ? at.source->guard : ptx::kNoIndex;
  }
  visit_written(at, [&](std::uint32_t reg) { writes(node, reg); });
  keep_order(node);
}

void PartOrder::keep_order(std::size_t node) {
  const Instr& at = of_.code.instrs[nodes_[node].at];
  if (exchanges(at.row)) {
    after(node, exchanged_, 0);
    exchanged_ = node;
    return;
  }
  if (ptx::info(at.row).others == ptx::Others::Own || in_space(*at.source, "param")) return;
  const bool plain = at.row == Row::ld && !at.source->has("volatile") &&
                     !at.source->has("relaxed") && !at.source->has("acquire");
  if (plain && at.source->has("nc")) return;
  // Local memory is ordered with global memory.
  Memory& memory = memory_[in_space(*at.source, "shared") ? 1 : 0];
  after(node, memory.stored, 0);
  if (plain) {
    memory.loaded.push_back(node);
    return;
  }
  for (const std::size_t load : memory.loaded) after(node, load, 0);
  memory.loaded.clear();
  memory.stored = node;
}

// Registers that are in use when the part begins, and values that are needed behind it.
void PartOrder::find_live() {
  known_live_ = true;
  for (std::uint32_t reg = 0; reg < value_.size(); ++reg) {
    if (value_[reg] != kNone)
      values_[value_[reg]].stays = of_.needed[reg] >= end_;
    else if (of_.written[reg] < first_ && of_.needed[reg] >= first_)
      live_ += of_.words[reg];
  }
}

bool PartOrder::fits(const Node& node) const {
  std::size_t live = live_;
  for (const std::size_t v : node.reads)
    if (values_[v].reads == 1 && !values_[v].stays) live -= std::min(live, values_[v].words);
  for (const std::size_t v : node.makes) live += values_[v].words;
  return live <= most_ || live <= live_;
}

void PartOrder::take(const Node& node) {
  for (const std::size_t v : node.reads)
    if (--values_[v].reads == 0 && !values_[v].stays) live_ -= std::min(live_, values_[v].words);
  for (const std::size_t v : node.makes)
    if (values_[v].reads || values_[v].stays) live_ += values_[v].words;
}

std::size_t PartOrder::registers_in_order() {
  if (!known_live_) find_live();
  const std::size_t live = live_;
  const std::vector<Value> values = values_;
  std::size_t most = live_;
  for (const Node& node : nodes_) {
    take(node);
    most = std::max(most, live_);
  }
  live_ = live;
  values_ = values;
  return most;
}

// Loads of global memory whose addresses need nothing that the part has to wait for.
void PartOrder::find_early() {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    Node& node = nodes_[k];
    for (const Wait& wait : node.waits)
      node.late = node.late || nodes_[wait.before].late || wait.cycles > kLong;
    const Instr& at = of_.code.instrs[node.at];
    if (at.row == Row::ld && !node.late && in_space(*at.source, "global")) early_.push_back(k);
  }
}

// The compiler asks first for what takes long: shared memory waits, and takes no registers, while there is something in global
// memory to ask for.
bool PartOrder::is_held(const Node& node) {
  const Instr& at = of_.code.instrs[node.at];
  if (at.row != Row::ld || !in_space(*at.source, "shared")) return false;
  while (next_early_ < early_.size() && nodes_[early_[next_early_]].done) ++next_early_;
  return next_early_ < early_.size() && fits(nodes_[early_[next_early_]]);
}

// The first one that can go now.
std::size_t PartOrder::choose(std::size_t next, double now, bool hold) {
  soonest_ = kNever;
  std::size_t near = 0, far = 0;
  for (std::size_t k = next; k < nodes_.size() && far < kFar; ++k) {
    Node& node = nodes_[k];
    if (node.done) continue;
    ++far;
    bool issued = true;  // all that it waits for
    node.ready = 0;
    for (const Wait& wait : node.waits) {
      node.ready = std::max(node.ready, nodes_[wait.before].ready + wait.cycles);
      issued = issued && nodes_[wait.before].done;
    }
    if (hold && is_held(node)) {
      node.ready = std::max(node.ready, now + 1);
      continue;
    }
    const bool fit = k == next || fits(node);
    if (issued && node.ready <= now && fit) return k;
    if (issued && node.ready > now && fit) soonest_ = std::min(soonest_, node.ready);
    if (!issued) node.ready = std::max(node.ready, now + 1);
    if (node.ready <= now + kLong && ++near == kNear) return kNone;
  }
  return kNone;
}

std::vector<std::size_t> PartOrder::run(std::size_t most) {
  most_ = std::max(most, registers_in_order());
  find_early();
  std::vector<std::size_t> order;
  order.reserve(nodes_.size());
  double now = 0;
  for (std::size_t next = 0; next < nodes_.size();) {
    std::size_t chosen = choose(next, now, true);
    // What leads to those loads may find no room.
    if (chosen == kNone && soonest_ == kNever) chosen = choose(next, now, false);
    if (chosen == kNone) {
      now = soonest_ < kNever ? std::max(now + 1, soonest_) : now + 1;
      continue;
    }
    Node& node = nodes_[chosen];
    take(node);
    node.done = true;
    node.ready = now;
    order.push_back(node.at);
    now += node.issue;
    while (next < nodes_.size() && nodes_[next].done) ++next;
  }
  return order;
}

}  // namespace emu::observe
