// SPDX-License-Identifier: MIT
// The second job: a task is a square of a grid (refinement.hpp). There are two kinds: a large one is compared
// with the circles and perhaps cut, a small one has its 64 points tried one by one, which takes tens of times as long.
#pragma once

#include "common/irregular/refinement.hpp"
#include "lessons/12_task_scheduler/persistent.cuh"

namespace lesson12 {

using course::Refinement;

// kByKind: each kind has a level, and a warp takes its 32 tasks from one.
template <bool kByKind>
class RefineJob {
 public:
  static constexpr std::uint32_t kMost = 4, kLevels = kByKind ? 2 : 1;
  static constexpr bool kUrgentFirst = false;
  struct Made {
    Task square;
    unsigned long long points;
    std::uint32_t count;
  };

  explicit RefineJob(const Refinement& r) : circles_(r.circles), side_(r.side), totals_(r.totals) {}

  __device__ void look(bool, Task) {}
  __device__ Made run(Task task) const {
    const course::Square s = course::as_square(task);
    const course::Looked looked = is_small(task) ? course::look_at_points(s, circles_, side_)
                                                 : course::look_at_square(s, circles_, side_);
    return {task, looked.points, looked.cut ? 4u : 0u};
  }
  __device__ void count(const Made& made) { ++squares_, points_ += made.points; }
  __device__ Task child(const Made& made, std::uint32_t i) const {
    return course::quarter_of(course::as_square(made.square), i);
  }
  __device__ std::uint32_t level(Task task) const { return kByKind && is_small(task) ? 1 : 0; }
  __device__ std::uint32_t first_level() const { return 0; }
  __device__ void finish() {
    for (int offset = 16; offset > 0; offset /= 2) {
      squares_ += __shfl_down_sync(kAllLanes, squares_, offset);
      points_ += __shfl_down_sync(kAllLanes, points_, offset);
    }
    if (lane_number() != 0 || squares_ == 0) return;
    atomicAdd(&totals_->squares, squares_);
    atomicAdd(&totals_->points, points_);
  }

 private:
  static __device__ bool is_small(Task task) {
    return course::as_square(task).log <= course::kSmallestLog;
  }
  course::Circles circles_;
  std::uint32_t side_;
  course::RefinementTotals* totals_;
  unsigned long long squares_ = 0, points_ = 0;
};

}  // namespace lesson12
