// SPDX-License-Identifier: MIT
#include "shadow/orders.hpp"

#include <algorithm>

namespace emu::check {

bool Rows::meets(std::uint64_t at, std::uint64_t bytes) const {
  if (at >= end() || begin >= at + bytes) return false;
  if (count == 1 || at < begin) return true;
  const std::uint64_t row = (at - begin) / pitch, behind = (at - begin) % pitch;
  return behind < width || (row + 1 < count && behind + bytes > pitch);
}

void Orders::join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

bool Orders::within(std::uint32_t operation, const Clock& clock) const {
  const Place& place = operations_[operation];
  return operation == 0 || (place.chain < clock.size() && clock[place.chain] >= place.index);
}

bool Orders::is_all(const Clock& clock, bool but_current) const {
  const Place& current = operations_[current_];
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    const bool one_less = but_current && current_ && i == current.chain;
    if (lengths_[i] - one_less > (i < clock.size() ? clock[i] : 0)) return false;
  }
  return true;
}

// Those that were submitted and have not begun may know less than what is submitted now.
bool Orders::known_to_all() {
  if (pending_ || !is_all(now_)) return false;
  if (is_all(host_, true)) return true;
  if (several_) return false;  // each device has a default stream
  for (const auto& [id, chain] : streams_) {
    if (chain.gone) continue;
    Clock clock = reached(chain.stream);
    join(clock, host_);
    if (!is_all(clock, true)) return false;
  }
  return true;
}

Orders::Chain& Orders::chain(const Stream& stream) {
  const auto [it, fresh] = streams_.try_emplace(stream.id);
  if (fresh) {
    it->second.stream = stream;
    it->second.number = static_cast<std::uint32_t>(lengths_.size());
    lengths_.push_back(0);
  }
  return it->second;
}

Orders::Clock Orders::reached(const Stream& stream) {
  Clock clock = chain(stream).clock;
  for (const auto& [id, other] : streams_) {
    if (other.stream.device != stream.device) continue;
    const bool ordered =
        stream.legacy ? other.stream.blocking : stream.blocking && other.stream.legacy;
    if (ordered) join(clock, other.clock);
  }
  return clock;
}

void Orders::add(std::uint32_t chain, int device, Clock& clock) {
  if (clock.size() <= chain) clock.resize(chain + 1);
  clock[chain] = ++lengths_[chain];
  operations_.push_back({chain, lengths_[chain], device});
  current_ = static_cast<std::uint32_t>(operations_.size() - 1);
}

std::uint32_t Orders::begin(const Stream& stream) {
  now_ = reached(stream);
  join(now_, host_then());
  Chain& mine = chain(stream);
  add(mine.number, stream.device, now_);
  mine.clock = now_;
  return current_;
}

const Orders::Clock& Orders::record(const void* event, const Stream& stream) {
  Clock clock = reached(stream);
  join(clock, host_then());
  return events_[event] = std::move(clock);
}

Orders::Clock Orders::recorded(const void* event) const {
  const auto it = events_.find(event);
  return it == events_.end() ? Clock{} : it->second;
}

void Orders::host_waits(const Stream& stream) { join(host_, reached(stream)); }

void Orders::host_waits_event(const void* event) {
  const auto it = events_.find(event);
  if (it != events_.end()) join(host_, it->second);
}

void Orders::host_waits_device(int device) {
  for (const auto& [id, other] : streams_) {
    if (other.stream.device == device) join(host_, other.clock);
  }
}

// By other means than the runtime's: memory of which the host knows who wrote it.
void Orders::host_waits_operation(std::uint32_t operation) {
  const Place& place = operations_[operation];
  if (host_.size() <= place.chain) host_.resize(place.chain + 1);
  host_[place.chain] = std::max(host_[place.chain], place.index);
}

void Orders::begin_graph(const Stream& stream) {
  launches_.push_back({stream.device, reached(stream), {}});
  join(launches_.back().before, host_then());
}

Orders::Clock Orders::behind(const std::vector<const void*>& nodes) const {
  const Launch& launch = launches_.back();
  Clock clock = launch.before;
  for (const void* node : nodes) {
    if (const auto it = launch.nodes.find(node); it != launch.nodes.end()) join(clock, it->second);
  }
  return clock;
}

void Orders::begin_node(const void* node, const std::vector<const void*>& before) {
  if (launches_.empty()) return;
  now_ = behind(before);
  const auto [it, fresh] =
      node_chains_.try_emplace(node, static_cast<std::uint32_t>(lengths_.size()));
  if (fresh) lengths_.push_back(0);
  add(it->second, launches_.back().device, now_);
  launches_.back().nodes[node] = now_;
}

void Orders::begin_child(const void*, const std::vector<const void*>& before) {
  if (!launches_.empty()) launches_.push_back({launches_.back().device, behind(before), {}});
}

void Orders::end_child(const void* node) {
  if (launches_.size() < 2) return;
  Launch child = std::move(launches_.back());
  launches_.pop_back();
  for (const auto& [inner, clock] : child.nodes) join(child.before, clock);
  launches_.back().nodes[node] = std::move(child.before);
}

void Orders::node_records(const void* node, const void* event) {
  if (!launches_.empty()) events_[event] = launches_.back().nodes[node];
}

void Orders::node_waits(const void* node, const void* event) {
  const auto it = events_.find(event);
  if (!launches_.empty() && it != events_.end()) join(launches_.back().nodes[node], it->second);
}

void Orders::end_graph(const Stream& stream) {
  if (launches_.empty()) return;
  Clock& clock = chain(stream).clock;
  join(clock, launches_.back().before);
  for (const auto& [node, reached] : launches_.back().nodes) join(clock, reached);
  launches_.pop_back();
}

}  // namespace emu::check
