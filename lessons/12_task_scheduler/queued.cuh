// SPDX-License-Identifier: MIT
// Tasks in queues of global memory. Whoever finds nothing for a while leaves; when all have left, the host asks
// whether anything remained, and launches again.
#pragma once

#include "lessons/12_task_scheduler/levels.cuh"

namespace lesson12 {

// Looks again so often, at other queues too, before a thread leaves.
inline constexpr int kPatience = 24;

template <class Queue>
__global__ void push_roots(Queues<Queue> queues, const Task* roots, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) queues[static_cast<std::uint32_t>(i / 32 % queues.count)].push(roots[i]);
}

// A task goes to the own queue; if that is full, to the next that is not. Together they have room for all. The lanes
// of a warp go from queue to queue together: some reserve together, and then they must mean the same queue.
template <class Queue>
__device__ void push_somewhere(const Queues<Queue>& queues, std::uint32_t at, bool mine,
                               Task task) {
  while (__any_sync(kAllLanes, mine)) {
    if (mine) mine = !queues[at].push(task);
    __syncwarp();
    at = at + 1 < queues.count ? at + 1 : 0;
  }
}

template <class Queue>
__global__ void work_off(Queues<Queue> queues, TreeJob job) {
  const std::uint32_t own = blockIdx.x % queues.count;
  std::uint32_t at = own, dice = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (int misses = 0; misses < kPatience;) {
    Task task = 0;
    bool mine = false;
    if (Queue queue = queues[at]; queue.about() > 0) mine = queue.pop(task);
    __syncwarp();
    if (!__any_sync(kAllLanes, mine)) {
      ++misses;
      __nanosleep(100);
      dice = dice * 1664525u + 1013904223u;
      at = misses % 2 == 0 ? own : (dice >> 8) % queues.count;  // at home, or with somebody else
      continue;
    }
    misses = 0;
    TreeJob::Made made{};
    if (mine) {
      made = job.run(task);
      job.count(made);
    }
    for (std::uint32_t i = 0; __any_sync(kAllLanes, i < made.count); ++i)
      push_somewhere(queues, own, i < made.count, job.child(made, i));
  }
  job.finish();
}

template <class Queue>
__global__ void sum_sizes(Queues<Queue> queues, unsigned long long* sum) {
  for (std::uint32_t i = threadIdx.x; i < queues.count; i += blockDim.x)
    atomicAdd(sum, static_cast<unsigned long long>(queues[i].about()));
}

// As many queues as asked for, with room for every node in them together. `mark` is the address of something that is
// different for every rung: queues that the same rung has left are empty, and need no reset.
template <class Queue>
void launch_queued(const TreeSearch& t, std::uint32_t count, const void* mark) {
  clear_totals(t);
  if (t.root_count == 0) return;
  auto* const left = reinterpret_cast<unsigned long long*>(t.memory);
  const auto room = static_cast<std::uint32_t>(t.node_count / count + 33);
  const Queues<Queue> queues{t.memory + 256, count, room};
  const unsigned grid = count > 1024 ? 1024 : count;
  if (*t.owner != mark) reset_queues<<<grid, 256>>>(queues);
  *t.owner = mark;
  push_roots<<<static_cast<unsigned>((t.root_count + 255) / 256), 256>>>(
      queues, reinterpret_cast<const Task*>(t.roots), t.root_count);
  for (unsigned long long size = t.root_count; size > 0;) {
    work_off<<<course::full_grid(*t.device, t.node_count / 32 + 1, t.block), t.block>>>(
        queues, {t.rule, t.totals});
    COURSE_CHECK(cudaMemsetAsync(left, 0, sizeof *left));
    sum_sizes<<<1, 256>>>(queues, left);
    COURSE_CHECK(cudaGetLastError());
    COURSE_CHECK(cudaMemcpy(&size, left, sizeof size, cudaMemcpyDeviceToHost));
  }
}
// Queues for blocks: few enough that each has room for some hundred tasks.
inline std::uint32_t queues_for(const TreeSearch& t) {
  const std::size_t most = static_cast<std::size_t>(t.device->multiprocessors) * 4;
  const std::size_t needed = t.node_count / 256 + 1;
  return static_cast<std::uint32_t>(needed < most ? needed : most);
}

// Changed: one queue for everybody: take a task, run it, put its children in.
// Why:     no levels: a task can be run as soon as it is known, and nobody waits for the slowest.
// Cost:    all threads of the GPU meet at four words, and each task takes eight operations on them.
inline void launch_tree_queue(const TreeSearch& t) {
  static constexpr char kMark = 0;
  launch_queued<TaskQueue<>>(t, 1, &kMark);
}

// Changed: a queue for every few blocks. Whoever finds his own empty looks into another.
// Why:     the words are used by hundreds of threads and no longer by all.
// Cost:    finding work is a search; a task may lie where nobody looks just now.
inline void launch_tree_steal(const TreeSearch& t) {
  static constexpr char kMark = 0;
  launch_queued<TaskQueue<>>(t, queues_for(t), &kMark);
}

// Changed: a warp takes 32 tasks with one reservation, and puts its children in with one.
// Why:     the words are changed once for 32 tasks; the slots lie side by side.
// Cost:    the lanes of a warp come and go together.
inline void launch_tree_batches(const TreeSearch& t) {
  static constexpr char kMark = 0;
  launch_queued<WarpTaskQueue<>>(t, queues_for(t), &kMark);
}

}  // namespace lesson12
