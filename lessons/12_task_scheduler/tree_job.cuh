// SPDX-License-Identifier: MIT
// The first job: a task is a node; it is hashed, counted, and makes the tasks of its children.
#pragma once

#include <cuda/atomic>

#include "common/irregular/tree_search.hpp"
#include "lessons/12_task_scheduler/task_queue.cuh"

namespace lesson12 {

using course::TreeRule;
using course::TreeSearch;
using course::TreeTotals;

// What one thread has counted. Kept in registers until the end: no task adds to a word that others use.
class TreeJob {
 public:
  // What a scheduler must know of a job: at most so many children for one task, kinds or urgencies.
  static constexpr std::uint32_t kMost = course::kMostKids, kLevels = 1;
  static constexpr bool kUrgentFirst = false;
  struct Made {
    Task hash;
    std::uint32_t count;  // children
  };

  TreeJob(const TreeRule& rule, TreeTotals* totals) : rule_(rule), totals_(totals) {}

  // All lanes, before a batch: nothing to decide.
  __device__ void look(bool, Task) {}
  __device__ Made run(Task task) const {
    const Task hash = course::tree_hash(task, rule_.rounds);
    return {hash, course::tree_kids(hash, rule_)};
  }
  // It has been run, and its children have found room.
  __device__ void count(const Made& made) { ++nodes_, sum_ += made.hash; }
  __device__ Task child(const Made& made, std::uint32_t i) const {
    return course::tree_child(made.hash, i);
  }
  __device__ std::uint32_t level(Task) const { return 0; }
  __device__ std::uint32_t first_level() const { return 0; }

  // All lanes of a warp, at the end: their counts go to the totals.
  __device__ void finish() {
    for (int offset = 16; offset > 0; offset /= 2) {
      nodes_ += __shfl_down_sync(0xffffffff, nodes_, offset);
      sum_ += __shfl_down_sync(0xffffffff, sum_, offset);
    }
    if (threadIdx.x % 32 != 0 || nodes_ == 0) return;
    atomicAdd(&totals_->count, nodes_);
    atomicAdd(&totals_->sum, sum_);
  }

 private:
  TreeRule rule_;
  TreeTotals* totals_;
  unsigned long long nodes_ = 0, sum_ = 0;
};

}  // namespace lesson12
