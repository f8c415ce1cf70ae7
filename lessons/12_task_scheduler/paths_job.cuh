// SPDX-License-Identifier: MIT
// The third job: a task is a vertex whose distance has become shorter (shortest_paths.hpp), with the distance
// it then had. What is near is urgent: a distance that is passed on too early is passed on in vain when a shorter way
// turns up.
#pragma once

#include "common/irregular/shortest_paths.hpp"
#include "lessons/12_task_scheduler/persistent.cuh"

namespace lesson12 {

using course::Paths;

__host__ __device__ constexpr Task as_task(std::uint32_t vertex, std::uint32_t distance) {
  return Task{distance} << 32 | vertex;
}
__device__ inline std::uint32_t vertex_of(Task task) { return static_cast<std::uint32_t>(task); }
__device__ inline std::uint32_t distance_of(Task task) {
  return static_cast<std::uint32_t>(task >> 32);
}

// A vertex's neighbours get shorter distances where there are any; found(task) for each.
template <class Found>
__device__ void pass_on(const Paths& p, Task task, Found found) {
  using Distance = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;
  const std::uint32_t v = vertex_of(task), distance = distance_of(task);
  // A shorter way has been found since: its own task does the work, or has done it.
  if (Distance(p.distances[v]).load(cuda::memory_order_relaxed) < distance) return;
#pragma unroll
  for (std::uint32_t i = 0; i < course::kMostEdges; ++i) {
    const course::Edge e = p.edges[std::size_t{v} * course::kMostEdges + i];
    const std::uint32_t longer = distance + e.length;
    if (e.to == v || Distance(p.distances[e.to]).load(cuda::memory_order_relaxed) <= longer)
      continue;
    if (Distance(p.distances[e.to]).fetch_min(longer, cuda::memory_order_relaxed) > longer)
      found(as_task(e.to, longer));
  }
}

// Distances are sorted into stripes so wide. Delta-stepping: one stripe after the other.
inline constexpr std::uint32_t kStripe = 4 * course::kLongest;

// Tasks of kLevels stripes are apart, from the current one on; what is further away lies with the last of them, and
// is sorted again when its turn comes. The current stripe is a hint: whoever has nothing nearer moves it on.
class PathsJob {
 public:
  static constexpr std::uint32_t kMost = course::kMostEdges, kLevels = 4;
  static constexpr bool kUrgentFirst = true;
  struct Made {
    Task tasks[kMost];
    std::uint32_t count;
  };

  PathsJob(const Paths& p, std::uint32_t* current, unsigned long long* runs)
      : p_(p), current_(current), runs_(runs) {}

  // All lanes, before a batch is run.
  __device__ void look(bool mine, Task task) {
    const std::uint32_t nearest = __reduce_min_sync(kAllLanes, mine ? stripe(task) : ~0u);
    if (nearest <= now_) return;
    now_ = nearest;
    if (lane_number() == 0) atomicMax(current_, now_);
  }
  __device__ Made run(Task task) const {
    Made made{};
    const auto keep = [&](Task t) {
#pragma unroll
      for (std::uint32_t i = 0; i < kMost; ++i)
        if (i == made.count) made.tasks[i] = t;
      ++made.count;
    };
    if (stripe(task) > now_)
      keep(task);  // not yet
    else
      pass_on(p_, task, keep);
    return made;
  }
  __device__ void count(const Made&) { ++tasks_; }
  __device__ Task child(const Made& made, std::uint32_t i) const {
    Task task = made.tasks[0];
#pragma unroll
    for (std::uint32_t k = 1; k < kMost; ++k)
      if (k == i) task = made.tasks[k];
    return task;
  }
  __device__ std::uint32_t level(Task task) const {
    const std::uint32_t ahead = stripe(task) > now_ ? stripe(task) - now_ : 0;
    return (now_ + (ahead < kLevels ? ahead : kLevels - 1)) % kLevels;
  }
  __device__ std::uint32_t first_level() {
    // Others may be further. Not looked up every time: all warps read this word.
    if (++calls_ % 4 == 0) {
      const std::uint32_t seen = WordOf<std::uint32_t>(*current_).load(kRelaxed);
      now_ = __shfl_sync(kAllLanes, seen > now_ ? seen : now_, 0);
    }
    return now_ % kLevels;
  }
  __device__ void finish() {
    for (int offset = 16; offset > 0; offset /= 2)
      tasks_ += __shfl_down_sync(kAllLanes, tasks_, offset);
    if (lane_number() == 0 && tasks_ > 0) atomicAdd(runs_, tasks_);
  }

 private:
  static __device__ std::uint32_t stripe(Task task) { return distance_of(task) / kStripe; }
  Paths p_;
  std::uint32_t* current_;
  unsigned long long* runs_;
  std::uint32_t now_ = 0, calls_ = 0;
  unsigned long long tasks_ = 0;
};

}  // namespace lesson12
