// SPDX-License-Identifier: MIT
// Is there an order, one operation after another, in which a sequential structure gives the same
// answers as the threads got? The search is Wing's and Gong's, with Lowe's memory of what has been
// tried: a set of operations done and the state they led to is never visited twice. What an operation
// may do is said by a specification (specifications.hpp, map_specifications.hpp).
//
// Which orders count is the question of the memory model:
//   RealTime      linearizable: what returned before another was called comes before it. Needs one
//                 clock that means something, so this is for runs with strong memory.
//   ProgramOrder  only the operations of one thread keep their order: what weak memory promises,
//                 since no clock tells a thread what others have done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lock_free/operation.hpp"

namespace lock_free {

enum class Order { RealTime, ProgramOrder };

inline bool precedes(const Operation& a, const Operation& b, Order order) {
  if (a.phase != b.phase) return a.phase < b.phase;
  if (a.thread == b.thread) return a.begin < b.begin;
  return order == Order::RealTime && a.end < b.begin;
}

constexpr std::size_t kMaxOperations = 64;

// A specification S can be copied and has
//   bool apply(const Operation&, std::size_t pending)   does the answer agree? then the state moves on.
//                                                       pending: operations that overlap this one
//   std::vector<std::uint32_t> state() const            equal for equal states
template <class S>
class Search {
 public:
  Search(const History& history, Order order) : history_(history) {
    const std::size_t n = history.size();
    if (n > kMaxOperations) throw std::invalid_argument("a history of more than 64 operations");
    before_.assign(n, 0);
    pending_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        if (i == k) continue;
        if (precedes(history[k], history[i], order)) {
          before_[i] |= std::uint64_t{1} << k;
        } else if (!precedes(history[i], history[k], order)) {
          ++pending_[i];
        }
      }
    }
  }

  bool explains(const S& initial) {
    tried_.clear();
    const std::size_t n = history_.size();
    return visit(n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1, initial);
  }

 private:
  bool visit(std::uint64_t left, const S& specification) {
    if (left == 0) return true;
    if (!tried_.emplace(left, specification.state()).second) return false;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if ((left >> i & 1) == 0 || (before_[i] & left) != 0) continue;
      S next = specification;
      if (!next.apply(history_[i], pending_[i])) continue;
      if (visit(left & ~(std::uint64_t{1} << i), next)) return true;
    }
    return false;
  }

  const History& history_;
  std::vector<std::uint64_t> before_;  // of each operation: those that must come before it
  std::vector<std::size_t> pending_;
  std::set<std::pair<std::uint64_t, std::vector<std::uint32_t>>> tried_;
};

template <class S>
bool linearizable(const History& history, const S& initial, Order order = Order::RealTime) {
  return Search<S>(history, order).explains(initial);
}

}  // namespace lock_free
