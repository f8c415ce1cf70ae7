// SPDX-License-Identifier: MIT
// Three spin locks (test-and-set, with back-off, ticket), and how the lanes of a warp use one. They
// work between all threads of the grid. A thread waits only for one that runs already (it holds the
// lock, or has an earlier ticket), so blocks that have no place on the GPU yet keep nobody waiting.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

namespace lesson06 {

struct LockOrders {
  // The lock orders what all threads of the GPU do.
  static constexpr cuda::thread_scope scope = cuda::thread_scope_device;
  // Taking the lock: after it, this thread sees what the last holder wrote, and nothing of the
  // critical section may happen before it.
  static constexpr cuda::memory_order take = cuda::memory_order_acquire;
  // Giving it back: what was written in the critical section is there before the lock looks free.
  static constexpr cuda::memory_order give = cuda::memory_order_release;
};

// Two lock objects are the same lock if they lie at the same place.
__device__ inline std::uint64_t lock_id(const void* place) {
  return reinterpret_cast<std::uint64_t>(place);
}

// The simplest one: a word that is 1 while somebody holds the lock.
template <class Orders = LockOrders>
class TestAndSetLock {
 public:
  static std::size_t bytes(std::uint32_t = 0) { return 128; }
  explicit TestAndSetLock(void* memory, std::uint32_t = 0)
      : word_(static_cast<std::uint32_t*>(memory)) {}
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *word_ = 0;
  }

  // Every attempt is an atomic that writes the word: the waiting threads stand in the same queue at
  // the L2 cache as the holder, who wants to give the lock back.
  __device__ void lock() {
    while (Ref(*word_).exchange(1, Orders::take) != 0) {
    }
  }
  __device__ void unlock() { Ref(*word_).store(0, Orders::give); }
  __device__ std::uint64_t id() const { return lock_id(word_); }

 private:
  using Ref = cuda::atomic_ref<std::uint32_t, Orders::scope>;
  std::uint32_t* word_;
};

// Changed: look before you try, and sleep after each failure, longer and longer.
// Why:     who sleeps keeps nobody from the word.
// Cost:    the lock may be free while everybody sleeps. The longest sleep is a compromise.
template <class Orders = LockOrders>
class BackoffLock {
 public:
  static std::size_t bytes(std::uint32_t = 0) { return 128; }
  explicit BackoffLock(void* memory, std::uint32_t = 0)
      : word_(static_cast<std::uint32_t*>(memory)) {}
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *word_ = 0;
  }

  __device__ void lock() {
    for (unsigned wait = kFirstWait; !try_lock(); wait = wait < kLastWait ? 2 * wait : wait)
      __nanosleep(wait);
  }
  __device__ void unlock() { Ref(*word_).store(0, Orders::give); }
  __device__ std::uint64_t id() const { return lock_id(word_); }

 private:
  using Ref = cuda::atomic_ref<std::uint32_t, Orders::scope>;
  static constexpr unsigned kFirstWait = 32;  // nanoseconds
  static constexpr unsigned kLastWait = 4096;

  // The look is relaxed: it decides nothing but whether to try.
  __device__ bool try_lock() const {
    return Ref(*word_).load(cuda::memory_order_relaxed) == 0 &&
           Ref(*word_).exchange(1, Orders::take) == 0;
  }

  std::uint32_t* word_;
};

// Changed: who comes takes a number and waits until it is called.
// Why:     first come, first served, and one atomic per critical section however many wait. The
//          number says how long to sleep, too.
// Cost:    a lock that is free must wait for the one whose turn it is, even if that one sleeps.
template <class Orders = LockOrders>
class TicketLock {
 public:
  static std::size_t bytes(std::uint32_t = 0) { return 256; }
  explicit TicketLock(void* memory, std::uint32_t = 0)
      : next_(static_cast<std::uint32_t*>(memory)), called_(next_ + 32) {}  // a cache line each
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *next_ = *called_ = 0;
  }

  __device__ void lock() {
    // Relaxed: a number carries no data. The data come with `called_`.
    const std::uint32_t mine = Ref(*next_).fetch_add(1, cuda::memory_order_relaxed);
    for (;;) {
      // Both numbers wrap at 2^32; the difference does not mind.
      const std::uint32_t before_me = mine - Ref(*called_).load(Orders::take);
      if (before_me == 0) return;
      __nanosleep(before_me < kLastWait / kWait ? before_me * kWait : kLastWait);
    }
  }
  // The holder alone writes called_, so a load and a store do. The load is relaxed: it reads what
  // lock() has seen.
  __device__ void unlock() {
    const std::uint32_t mine = Ref(*called_).load(cuda::memory_order_relaxed);
    Ref(*called_).store(mine + 1, Orders::give);
  }
  __device__ std::uint64_t id() const { return lock_id(next_); }

 private:
  using Ref = cuda::atomic_ref<std::uint32_t, Orders::scope>;
  static constexpr unsigned kWait = 32;  // nanoseconds for each one before me
  static constexpr unsigned kLastWait = 4096;

  std::uint32_t* next_;
  std::uint32_t* called_;
};

// The loop everybody writes first: each thread takes the lock for itself.
//
// Before Volta, the lanes of a warp had one program counter. The lane that got the lock left the
// loop and waited behind it for the other lanes; those waited in the loop for the lock: for ever.
// Since Volta each lane has its own, and the GPU runs all of them in turn, so this is correct. But
// it is slow: 32 lanes of a warp take the lock 32 times, one after the other, each a trip to the L2
// cache and back.
template <class Lock, class F>
__device__ void with_lock(Lock& lock, F&& critical) {
  lock.lock();
  critical();
  lock.unlock();
}

// The lanes of a group, one at a time. The barrier between turns also makes what one lane wrote
// visible to the next.
template <class Group, class F>
__device__ void one_at_a_time(const Group& group, F&& f) {
  for (unsigned turn = 0; turn < group.num_threads(); ++turn) {
    if (turn == group.thread_rank()) f();
    group.sync();
  }
}

// The same for whichever lanes are here together.
template <class F>
__device__ void warp_serial(F&& f) {
  one_at_a_time(cooperative_groups::coalesced_threads(), f);
}

// What to write instead: one lane takes the lock for all that are here together and want the same
// one, and they take turns. None of them waits in a loop for another lane of the group; and 32
// lanes take the lock once.
//
// The same one: lanes of a warp may come with different locks (of two queues, of two buckets). To
// take one lane's lock for all of them would leave the others' data without any, and nothing would
// say so. With one lock the match costs a few cycles beside a trip to the L2 cache.
template <class Lock, class F>
__device__ void with_lock_per_warp(Lock& lock, F&& critical) {
  const auto here = cooperative_groups::coalesced_threads();
  const auto group = cooperative_groups::labeled_partition(here, lock.id());
  if (group.thread_rank() == 0) lock.lock();
  group.sync();  // what the first lane may see now, all may see
  one_at_a_time(group, critical);
  if (group.thread_rank() == 0) lock.unlock();
  here.sync();  // keeps the warp together for what comes next
}

}  // namespace lesson06
