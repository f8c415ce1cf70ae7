// SPDX-License-Identifier: MIT
// What the stacks, queues and locks of lesson 06 do when one thread calls them: the yardstick of linearizable.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lock_free/operation.hpp"

namespace lock_free {

// When a push may be refused. Exact: when the structure is full. Pool: also when it would be, were
// each operation under way to hold one node; one that has taken a node out of the stack has not yet
// given it back, and one that has taken it from the free list has not yet put it on the stack.
enum class Full { Exact, Pool };

enum class Takes { Newest, Oldest };

template <Takes kTakes>
class Container {
 public:
  explicit Container(std::size_t capacity, Full full = Full::Exact)
      : capacity_(capacity), full_(full) {}

  bool apply(const Operation& operation, std::size_t pending) {
    if (operation.kind == Kind::Push) {
      const std::size_t held = full_ == Full::Pool ? pending : 0;
      if (operation.ok == 0) return values_.size() + held >= capacity_;
      if (values_.size() >= capacity_) return false;
      values_.push_back(operation.value);
      return true;
    }
    if (operation.kind != Kind::Pop) return false;
    if (operation.ok == 0) return values_.empty();
    const auto taken = kTakes == Takes::Newest ? values_.end() - 1 : values_.begin();
    if (values_.empty() || *taken != operation.result) return false;
    values_.erase(taken);
    return true;
  }
  std::vector<std::uint32_t> state() const { return values_; }

 private:
  std::size_t capacity_;
  Full full_;
  std::vector<std::uint32_t> values_;  // the oldest first
};

using BoundedStack = Container<Takes::Newest>;
using BoundedQueue = Container<Takes::Oldest>;

// A counter that a lock protects: each holder of the lock reads it and writes one more. ok: nobody
// else was inside.
class LockedCounter {
 public:
  bool apply(const Operation& operation, std::size_t) {
    if (operation.kind != Kind::Increment || operation.ok == 0) return false;
    return operation.result == count_++;
  }
  std::vector<std::uint32_t> state() const { return {count_}; }

 private:
  std::uint32_t count_ = 0;
};

}  // namespace lock_free
