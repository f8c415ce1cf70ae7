// SPDX-License-Identifier: MIT
// The kernel in which the workers live, and what the host does: prepare, launch once, ask how it ended.
#pragma once

#include <memory>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/device_buffer.cuh"
#include "lessons/12_task_scheduler/worker.cuh"

namespace lesson12 {

// The words that a warp goes by: those of all, or where blocks end each by itself those of its block.
template <class S>
__device__ SchedulerWords* words_of_block(const S& s, SchedulerWords& own) {
  if constexpr (S::kSteal) {
    return s.words;
  } else {
    const unsigned long long share = (s.root_count + s.blocks - 1) / s.blocks;
    const unsigned long long first = min(s.root_count, blockIdx.x * share);
    if (threadIdx.x == 0)
      own = {static_cast<long long>(min(s.root_count - first, share)) * SchedulerWords::kLying,
             first, 0};
    __syncthreads();
    return &own;
  }
}

// So many blocks on a multiprocessor: with more registers the compiler would only save what it does not need.
template <class Job, class How, class Orders, class Watch>
__global__ void __launch_bounds__(Scheduler<Job, How, Orders>::kWarps * 32,
                                  Scheduler<Job, How, Orders>::kBlocks)
    work(const __grid_constant__ Scheduler<Job, How, Orders> s, Job job, Watch watch) {
  using S = Scheduler<Job, How, Orders>;
  extern __shared__ Task room[];
  __shared__ SchedulerWords own;
  Worker<Job, How, Orders, Watch> worker(
      s, job, room + threadIdx.x / 32 * (S::Stacks::kBytes / sizeof(Task)), words_of_block(s, own),
      watch);
  worker.work();
}

template <class S>
__global__ void prepare(S s) {
  *s.words = {static_cast<long long>(s.root_count) * SchedulerWords::kLying, 0,
              static_cast<unsigned>(Ended::Done)};
}

// Blocks that fill the GPU. Nobody waits for a block that has not started: more, and fewer, are right too.
template <class S>
unsigned blocks_to_fill(const course::Device& device) {
  return static_cast<unsigned>(device.multiprocessors * S::kBlocks);
}

template <class Job, class How, class Orders, class Watch = Unwatched>
void run_all(const Scheduler<Job, How, Orders>& s, const Job& job, Watch watch = {}) {
  using S = Scheduler<Job, How, Orders>;
  prepare<<<1, 1>>>(s);
  work<Job, How, Orders, Watch>
      <<<s.blocks, S::kWarps * 32, S::kWarps * S::Stacks::kBytes>>>(s, job, watch);
  COURSE_CHECK(cudaGetLastError());
}

// How the last run ended; waits for it. Not for Apart, whose blocks end each for itself.
template <class S>
Ended how_it_ended(const S& s) {
  SchedulerWords words;
  COURSE_CHECK(cudaMemcpy(&words, s.words, sizeof words, cudaMemcpyDeviceToHost));
  return static_cast<Ended>(words.stop);
}

// After a stop: every task that has not been run, in any order, into `out`. `count` was 0. The queues are
// empty afterwards. One warp for each queue.
template <class S>
__global__ void gather_left(S s, Task* out, unsigned long long capacity,
                            unsigned long long* count) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned warps = gridDim.x * blockDim.x / 32;
  const auto keep = [&](bool mine, Task task) {
    const unsigned who = __ballot_sync(kAllLanes, mine);
    unsigned long long first = 0;
    if (lane_number() == 0) first = atomicAdd(count, static_cast<unsigned long long>(__popc(who)));
    first = __shfl_sync(kAllLanes, first, 0) + __popc(who & lanes_below());
    if (mine && first < capacity) out[first] = task;
  };
  for (std::uint32_t q = warp; q < s.queues.count; q += warps) {
    for (bool got = true; __any_sync(kAllLanes, got);) {
      Task task = 0;
      got = s.queues[q].pop(task);
      __syncwarp();
      keep(got, task);
    }
  }
  for (std::uint32_t w = warp; w < s.blocks * S::kWarps; w += warps) {
    const Task* const from = s.left + std::size_t{w} * S::kLevels * S::kStack;
    for (unsigned i = 0; i < s.left_count[w]; i += 32) {
      const bool mine = i + lane_number() < s.left_count[w];
      keep(mine, mine ? from[i + lane_number()] : 0);
    }
  }
  for (unsigned long long i = s.words->next_root + warp * 32; i < s.root_count; i += warps * 32) {
    const bool mine = i + lane_number() < s.root_count;
    keep(mine, mine ? s.roots[i + lane_number()] : 0);
  }
}

// run_all(), and where there was no room again with what is left, until all is done. Roots wait in their list for as
// long as nobody has room for them, so every run gets on. Returns how often it had to begin again.
template <class Job, class How, class Orders>
unsigned run_to_the_end(Scheduler<Job, How, Orders> s, const Job& job) {
  std::unique_ptr<course::DeviceBuffer<Task>> roots;
  run_all(s, job);
  for (unsigned again = 0;; ++again) {
    if (how_it_ended(s) != Ended::Full) return again;
    const std::size_t most = s.root_count + s.queues.count * std::size_t{s.queues.capacity} +
                             s.left_bytes(s.blocks) / sizeof(Task);
    auto left = std::make_unique<course::DeviceBuffer<Task>>(most);
    course::DeviceBuffer<unsigned long long> count(std::vector<unsigned long long>(1));
    gather_left<<<32, 256>>>(s, left->data(), most, count.data());
    COURSE_CHECK(cudaGetLastError());
    s.root_count = count.download()[0];
    roots = std::move(left);  // what the list before had was copied from there
    s.roots = roots->data();
    run_all(s, job);
  }
}

}  // namespace lesson12
