// SPDX-License-Identifier: MIT
// Shortest paths with a launch per round: all that was found in one round is passed on in the next.
#pragma once

#include "common/launch.cuh"
#include "lessons/12_task_scheduler/paths_job.cuh"

namespace lesson12 {

struct TaskList {
  Task* tasks;
  unsigned long long* size;
  unsigned long long capacity;
};
// Lanes that have a task append it, with one addition for those that are here together. False: no room.
__device__ inline bool append(const TaskList& list, Task task) {
  const auto lanes = cooperative_groups::coalesced_threads();
  unsigned long long first = 0;
  if (lanes.thread_rank() == 0)
    first = atomicAdd(list.size, static_cast<unsigned long long>(lanes.size()));
  const unsigned long long at = lanes.shfl(first, 0) + lanes.thread_rank();
  if (at < list.capacity) list.tasks[at] = task;
  return at < list.capacity;
}

// What is nearer than `limit` goes to the next round, the rest to later ones. A round passes on each vertex once at
// most, so `next` has room for all edges; if `later` has none, its tasks come early, which is no mistake.
__global__ void one_round(Paths p, TaskList now, unsigned long long size, TaskList next,
                          TaskList later, std::uint32_t limit) {
  const unsigned long long step = gridDim.x * static_cast<unsigned long long>(blockDim.x);
  for (unsigned long long i =
           blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x;
       i < size; i += step)
    pass_on(p, now.tasks[i], [&](Task found) {
      if (distance_of(found) < limit || !append(later, found)) append(next, found);
    });
}
// Of what was left for later: whose turn it is now, and what is overtaken already.
__global__ void sort_again(Paths p, TaskList later, unsigned long long size, TaskList next,
                           TaskList still_later, std::uint32_t limit) {
  const unsigned long long step = gridDim.x * static_cast<unsigned long long>(blockDim.x);
  for (unsigned long long i =
           blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x;
       i < size; i += step) {
    const Task task = later.tasks[i];
    if (p.distances[vertex_of(task)] < distance_of(task)) continue;
    append(distance_of(task) < limit ? next : still_later, task);
  }
}
__global__ void start_at_first(Paths p, Task* first) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; v < p.vertices;
       v += step)
    p.distances[v] = v == 0 ? 0 : course::kFar;
  if (blockIdx.x == 0 && threadIdx.x == 0) *first = as_task(0, 0);
}

// `stripe` 0: everything at once.
inline void launch_in_rounds(const Paths& p, std::uint32_t stripe) {
  *p.owner = nullptr;
  if (p.vertices == 0) return;
  auto* const sizes = reinterpret_cast<unsigned long long*>(p.memory);
  const auto list = [&](std::size_t words_before, std::size_t capacity, int number) {
    return TaskList{reinterpret_cast<Task*>(p.memory + 256) + words_before, sizes + number,
                    capacity};
  };
  const std::size_t v = p.vertices;
  TaskList now = list(0, 4 * v, 0), next = list(4 * v, 4 * v, 1);
  TaskList later = list(8 * v, 8 * v, 2), still_later = list(16 * v, 8 * v, 3);
  unsigned long long size[4] = {1, 0, 0, 0};
  const auto grid = [&](unsigned long long n) { return course::full_grid(*p.device, n, p.block); };
  start_at_first<<<grid(v), p.block>>>(p, now.tasks);
  COURSE_CHECK(cudaMemsetAsync(sizes, 0, sizeof size));
  std::uint32_t limit = stripe > 0 ? stripe : course::kFar;
  const auto read_sizes = [&] {
    COURSE_CHECK(cudaGetLastError());
    COURSE_CHECK(cudaMemcpy(size, sizes, sizeof size, cudaMemcpyDeviceToHost));
  };
  for (unsigned long long left = 1;;) {
    while (left > 0) {
      COURSE_CHECK(cudaMemsetAsync(next.size, 0, sizeof *size));
      one_round<<<grid(left), p.block>>>(p, now, left, next, later, limit);
      read_sizes();
      left = size[next.size - sizes];
      std::swap(now, next);
    }
    const unsigned long long waiting = std::min(size[later.size - sizes], later.capacity);
    if (waiting == 0) return;
    limit += stripe;
    COURSE_CHECK(cudaMemsetAsync(now.size, 0, sizeof *size));
    COURSE_CHECK(cudaMemsetAsync(still_later.size, 0, sizeof *size));
    sort_again<<<grid(waiting), p.block>>>(p, later, waiting, now, still_later, limit);
    read_sizes();
    left = size[now.size - sizes];
    std::swap(later, still_later);
  }
}

// Changed: (the first) whatever has become shorter is passed on in the next round.
inline void launch_paths_rounds(const Paths& p) { launch_in_rounds(p, 0); }

// Changed: distances in stripes: the vertices of one are passed on until none becomes shorter, then the next stripe.
// Why:     a vertex is passed on when its distance has nearly always become final: fewer in vain.
// Cost:    more rounds, each smaller; who waits for its stripe is looked at again and again.
inline void launch_paths_delta(const Paths& p) { launch_in_rounds(p, kStripe); }

}  // namespace lesson12
