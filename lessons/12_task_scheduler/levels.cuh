// SPDX-License-Identifier: MIT
// Two ways without a queue: the nodes of a level with one launch, and all nodes from a list that nobody has.
#pragma once

#include <utility>

#include "common/check.cuh"
#include "common/launch.cuh"
#include "lessons/12_task_scheduler/tree_job.cuh"
#include "lessons/12_task_scheduler/warp_stacks.cuh"

namespace lesson12 {

inline void clear_totals(const TreeSearch& t) {
  COURSE_CHECK(cudaMemsetAsync(t.totals, 0, sizeof(TreeTotals)));
}

// The nodes of one level; their children make the next. A warp reserves places for all its children with one
// addition.
__global__ void one_level(const Task* level, unsigned long long size, Task* next,
                          unsigned long long* next_size, TreeJob job) {
  const unsigned long long step = gridDim.x * static_cast<unsigned long long>(blockDim.x);
  const unsigned long long first = blockIdx.x * static_cast<unsigned long long>(blockDim.x);
  for (unsigned long long i = first + threadIdx.x / 32 * 32; i < size; i += step) {
    const bool mine = i + lane_number() < size;
    TreeJob::Made made{};
    if (mine) {
      made = job.run(level[i + lane_number()]);
      job.count(made);
    }
    const Ranked places = rank_numbers<bits_for(TreeJob::kMost)>(made.count);
    unsigned long long at = 0;
    if (lane_number() == 0 && places.total > 0)
      at = atomicAdd(next_size, static_cast<unsigned long long>(places.total));
    at = __shfl_sync(kAllLanes, at, 0) + places.before;
    for (std::uint32_t k = 0; k < made.count; ++k) next[at + k] = job.child(made, k);
  }
  job.finish();
}

// Returns how many levels there were.
inline unsigned long long search_by_levels(const TreeSearch& t) {
  clear_totals(t);
  *t.owner = nullptr;
  auto* const sizes = reinterpret_cast<unsigned long long*>(t.memory);
  Task* now = reinterpret_cast<Task*>(t.memory + 256);
  Task* next = now + t.node_count;
  if (t.root_count == 0) return 0;
  unsigned long long levels = 0;
  COURSE_CHECK(
      cudaMemcpyAsync(now, t.roots, t.root_count * sizeof(Task), cudaMemcpyDeviceToDevice));
  for (unsigned long long size = t.root_count; size > 0; ++levels) {
    COURSE_CHECK(cudaMemsetAsync(sizes, 0, sizeof *sizes));
    one_level<<<course::full_grid(*t.device, size, t.block), t.block>>>(now, size, next, sizes,
                                                                        {t.rule, t.totals});
    COURSE_CHECK(cudaGetLastError());
    COURSE_CHECK(cudaMemcpy(&size, sizes, sizeof size, cudaMemcpyDeviceToHost));
    std::swap(now, next);
  }
  return levels;
}
// Changed: every level of the forest is a launch; all threads share it out evenly.
// Why:     the sizes of the trees no longer matter.
// Cost:    the host waits for the size of each level and launches again, however small the level is.
inline void launch_tree_levels(const TreeSearch& t) { search_by_levels(t); }

// The same tasks without a scheduler: what everything else is measured against.
__global__ void from_list(const Task* nodes, std::size_t count, TreeJob job) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const TreeJob::Made made = job.run(nodes[i]);
    job.count(made);
  }
  __syncwarp();
  job.finish();
}

// Changed: nothing has to be found: every node is in a list, and every thread has as many as the others.
// Why:     it says what the tasks alone cost.
// Cost:    nobody has that list; to make it, the search must have been done.
inline void launch_tree_list(const TreeSearch& t) {
  clear_totals(t);
  if (t.node_count == 0) return;
  from_list<<<course::full_grid(*t.device, t.node_count, t.block), t.block>>>(
      reinterpret_cast<const Task*>(t.nodes), t.node_count, {t.rule, t.totals});
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson12
