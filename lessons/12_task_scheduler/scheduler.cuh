// SPDX-License-Identifier: MIT
// A scheduler in one kernel. Every warp works on its own stacks (warp_stacks.cuh); what it has too much of lies in
// the queue of its block, where whoever is hungry takes 32 tasks at a time. All warps know by one word when
// nothing is left, so the host launches once. Needs task_queue.cuh, warp_stacks.cuh and lesson 06's ring.
//
// A job says what a task does (tree_job.cuh is one). Its tasks may make up to Job::kMost tasks each.
//
// No room: a batch is run only where there is room for all children that it could have. If there is none, in the
// warp's stack or in the queue of its block, everybody stops: Ended::Full. A task that wants more than kMost
// children is not counted as run: Ended::TooMany. After both, gather_left() hands out every task that has not
// been run; they are the roots of a next run, with more room. Nothing is lost, nothing is run twice.
#pragma once

#include "lessons/12_task_scheduler/warp_stacks.cuh"

namespace lesson12 {

enum class Ended : unsigned { Done, Full, TooMany };

// The words that all share. Relaxed: they guard no data; tasks travel through queues, whose turns do.
struct SchedulerWords {
  // Tasks in queues and roots that nobody took, in units of kLying, and one for each warp that has work. A warp adds
  // what it puts into a queue before it does so, and takes off what it took out afterwards: neither count is ever
  // too small, and 0 means that there is nothing left, and nobody who could make anything.
  alignas(128) long long outstanding;
  alignas(128) unsigned long long next_root;
  alignas(128) unsigned stop;                     // an Ended
  static constexpr long long kLying = 1ll << 24;  // more warps than a GPU will have
};

// How many tasks a warp keeps for itself before it shares, and how many may lie in its block's queue until it
// stops sharing (where it has room).
struct Shared {
  static constexpr bool kSteal = true;
  static constexpr int kWarps = 8;  // of a block, at most
  // Of a multiprocessor: these keep it busy, and more would only have fewer tasks each.
  static constexpr int kResident = 24;
  static constexpr std::uint32_t kKeep = 64;
  static constexpr long long kOffer = 128;
  static constexpr unsigned kLongest = 4096;  // ns that a hungry warp sleeps before it asks again
  // A warp with so few tasks left at the end hands them on, and tries that once in so many steps.
  static constexpr std::uint32_t kPoor = 16;
  static constexpr unsigned kMergeEvery = 32;
};
// Static shares: every block has its part of the roots, and nobody takes from another block.
struct Apart : Shared {
  static constexpr bool kSteal = false;
};

template <class Job, class How = Shared, class Orders = lesson06::RingOrders>
struct Scheduler {
  static constexpr bool kSteal = How::kSteal;
  static constexpr std::uint32_t kLevels = Job::kLevels;
  static constexpr std::uint32_t stack_for(std::uint32_t least, std::uint32_t size = 32) {
    return size >= least ? size : stack_for(least, 2 * size);
  }
  static constexpr std::uint32_t kStack = stack_for(32 * Job::kMost + How::kKeep);
  using Stacks = WarpStacks<kLevels, kStack>;
  static constexpr int kFit = 32768 / Stacks::kBytes;  // 32 KiB of shared memory
  static constexpr int kWarps = kFit < How::kWarps ? kFit : How::kWarps;
  static constexpr int kBlocks = How::kResident / kWarps;  // of a multiprocessor
  using Queue = WarpTaskQueue<Orders>;

  SchedulerWords* words = nullptr;
  Queues<Queue> queues;  // kLevels for each block
  Task* left = nullptr;  // after a stop: what each warp had, kLevels * kStack places
  unsigned* left_count = nullptr;
  const Task* roots = nullptr;
  unsigned long long root_count = 0;
  unsigned blocks = 1;

  static constexpr std::size_t left_bytes(unsigned blocks) {
    return std::size_t{blocks} * kWarps * (Stacks::kBytes + sizeof(unsigned));
  }
  static std::size_t bytes(unsigned blocks, std::uint32_t capacity) {
    return sizeof(SchedulerWords) + left_bytes(blocks) +
           blocks * kLevels * Queues<Queue>::stride(capacity) + 256;
  }
  // On memory of that size, aligned to 256 bytes. capacity: tasks in the queue of a block and level.
  Scheduler(std::byte* memory, unsigned blocks, std::uint32_t capacity)
      : words(reinterpret_cast<SchedulerWords*>(memory)), blocks(blocks) {
    queues = {memory + sizeof(SchedulerWords), blocks * kLevels, capacity};
    left = reinterpret_cast<Task*>(queues.memory + queues.bytes());
    left_count =
        reinterpret_cast<unsigned*>(left + std::size_t{blocks} * kWarps * kLevels * kStack);
  }
  // Once, before the first run. A run leaves the queues empty, and the next can begin.
  void set_up() const {
    const unsigned grid = queues.count > 1024 ? 1024 : queues.count;
    reset_queues<<<grid, 256>>>(queues);
  }
};

template <class T>
using WordOf = cuda::atomic_ref<T, cuda::thread_scope_device>;
inline constexpr auto kRelaxed = cuda::memory_order_relaxed;

}  // namespace lesson12
