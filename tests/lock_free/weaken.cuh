// SPDX-License-Identifier: MIT
// The weakened twins of a structure: one memory order, or the scope, less than what it declares.
#pragma once

#include <cuda/atomic>
#include <string>
#include <utility>
#include <vector>

#include "lock_free/subject.cuh"

// A struct like `Base` but for one constant.
#define LOCK_FREE_WEAKENED(Name, Base, constant, weaker) \
  struct Name : Base {                                   \
    static constexpr auto constant = weaker;             \
  }

namespace lock_free {

inline constexpr auto kRelaxed = cuda::memory_order_relaxed;
inline constexpr auto kAcquire = cuda::memory_order_acquire;
inline constexpr auto kRelease = cuda::memory_order_release;
inline constexpr auto kAcqRel = cuda::memory_order_acq_rel;
inline constexpr auto kBlock = cuda::thread_scope_block;

inline Case right_row(std::string id, Shape shape, bool pool, const Launches& launches) {
  Case row{std::move(id), shape};
  row.pool = pool;
  row.make = runner(launches);
  row.width = launches.width;
  return row;
}

inline Case weakened_row(std::string id, Shape shape, bool pool, const Launches& launches) {
  Case row = right_row(std::move(id), shape, pool, launches);
  row.expect = Expect::Wrong;
  row.weak_only = true;
  row.reason = "one order is weaker than the structure needs";
  return row;
}

template <class Subject>
Case right(std::string id, Shape shape, bool pool = false) {
  return right_row(std::move(id), shape, pool, launches<Subject>());
}

template <class Subject>
Case weakened(std::string id, Shape shape, bool pool = false) {
  return weakened_row(std::move(id), shape, pool, launches<Subject>());
}

// Run as every other; nobody expects it to fail.
template <class Subject>
Case unseen(std::string id, Shape shape, bool pool, std::string why) {
  Case row = weakened<Subject>(std::move(id), shape, pool);
  row.expect = Expect::Unseen;
  row.reason = std::move(why);
  return row;
}

}  // namespace lock_free
