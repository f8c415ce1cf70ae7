// SPDX-License-Identifier: MIT
// The tasks that a warp has for itself, in shared memory: a stack for each level. Nobody else touches them, so
// they need no atomic operation; __syncwarp orders the lanes.
//
// A stack lies in a ring: new tasks come on top and are taken from there, and the oldest, which stand for the
// largest part of the work, can be given away from below. All functions are called by the whole warp.
#pragma once

#include <cuda/std/cstdint>

#include "lessons/12_task_scheduler/task_queue.cuh"

namespace lesson12 {

inline constexpr unsigned kAllLanes = 0xffffffff;

__device__ inline std::uint32_t lane_number() { return threadIdx.x % 32; }
__device__ inline unsigned lanes_below() { return (1u << lane_number()) - 1; }

// Of numbers below 2^kBits: the sum of those of the lanes below, and of all. Where all that are not 0 are equal, two
// votes tell; otherwise one for each bit. A scan by shuffles would take five steps one after the other.
struct Ranked {
  std::uint32_t before = 0, total = 0;
};
template <int kBits>
__device__ Ranked rank_numbers(std::uint32_t number) {
  const unsigned some = __ballot_sync(kAllLanes, number != 0);
  if (some == 0) return {};
  const std::uint32_t first = __shfl_sync(kAllLanes, number, __ffs(some) - 1);
  if (__all_sync(kAllLanes, number == 0 || number == first))
    return {__popc(some & lanes_below()) * first, __popc(some) * first};
  Ranked ranked;
#pragma unroll
  for (int bit = 0; bit < kBits; ++bit) {
    const unsigned who = __ballot_sync(kAllLanes, number >> bit & 1);
    ranked.before += __popc(who & lanes_below()) << bit;
    ranked.total += __popc(who) << bit;
  }
  return ranked;
}
__host__ __device__ constexpr int bits_for(std::uint32_t most) {
  return most == 0 ? 0 : 1 + bits_for(most / 2);
}

template <std::uint32_t kLevels, std::uint32_t kCapacity>
class WarpStacks {
  static_assert((kCapacity & (kCapacity - 1)) == 0, "a power of two");

 public:
  static constexpr std::size_t kBytes = std::size_t{kLevels} * kCapacity * sizeof(Task);

  explicit __device__ WarpStacks(void* memory)
      : memory_(static_cast<std::uint32_t>(__cvta_generic_to_shared(memory))) {
    asm("" : "+r"(memory_));  // kept in a register: otherwise it is worked out anew at every access
  }

  // The numbers are the same in all lanes. Levels are selected, not indexed: they stay in registers.
  __device__ std::uint32_t size(std::uint32_t level) const {
    if constexpr (kLevels == 1) return size_[0];
    std::uint32_t size = 0;
#pragma unroll
    for (std::uint32_t l = 0; l < kLevels; ++l)
      if (l == level) size = size_[l];
    return size;
  }
  __device__ std::uint32_t largest() const {
    std::uint32_t most = 0;
#pragma unroll
    for (std::uint32_t l = 0; l < kLevels; ++l) most = size_[l] > most ? size_[l] : most;
    return most;
  }
  // Children that certainly have room, whichever level they belong to.
  __device__ std::uint32_t room() const { return kCapacity - largest(); }
  // The first level from `first` on that has tasks, going round; kLevels: none.
  __device__ std::uint32_t first_filled(std::uint32_t first) const {
#pragma unroll
    for (std::uint32_t l = 0; l < kLevels; ++l) {
      const std::uint32_t level = first + l < kLevels ? first + l : first + l - kLevels;
      if (size(level) > 0) return level;
    }
    return kLevels;
  }
  __device__ std::uint32_t fullest() const {
    std::uint32_t level = 0;
#pragma unroll
    for (std::uint32_t l = 1; l < kLevels; ++l)
      if (size_[l] > size(level)) level = l;
    return size(level) > 0 ? level : kLevels;
  }

  // The newest `count` tasks of a level, lane i gets one of them; count <= 32 and <= size(level).
  __device__ Task pop(std::uint32_t level, std::uint32_t count) {
    const std::uint32_t top = bottom(level) + size(level);
    change(level, 0, 0u - count);
    return read(level, top - 1 - lane_number(), lane_number() < count);
  }
  // The oldest ones.
  __device__ Task pop_oldest(std::uint32_t level, std::uint32_t count) {
    const std::uint32_t from = bottom(level);
    change(level, count, 0u - count);
    return read(level, from + lane_number(), lane_number() < count);
  }
  // One task of each lane that has one.
  __device__ void push(std::uint32_t level, bool mine, Task task) {
    const unsigned who = __ballot_sync(kAllLanes, mine);
    const std::uint32_t top = bottom(level) + size(level);
    if (mine) at(level, top + __popc(who & lanes_below())) = task;
    change(level, 0, __popc(who));
    __syncwarp();  // others take what this lane has put
  }
  // Tasks of pop_oldest() that come back: they are the oldest again.
  __device__ void push_oldest(std::uint32_t level, bool mine, Task task) {
    const unsigned who = __ballot_sync(kAllLanes, mine);
    const std::uint32_t count = __popc(who);
    change(level, 0u - count, count);
    if (mine) at(level, bottom(level) + __popc(who & lanes_below())) = task;
    __syncwarp();
  }
  // A lane's `count` tasks, child(i) is the one numbered i. level_of says where it belongs. There is room.
  template <std::uint32_t kMost, class Child, class LevelOf>
  __device__ void push_children(std::uint32_t count, Child child, LevelOf level_of) {
    if constexpr (kLevels == 1) {
      const Ranked places = rank_numbers<bits_for(kMost)>(count);
      const std::uint32_t top = bottom_[0] + size_[0] + places.before;
      if (count == kMost && top % kCapacity <= kCapacity - kMost) {  // side by side: one address
        Task* const to = &at(0, top);
#pragma unroll
        for (std::uint32_t i = 0; i < kMost; ++i) to[i] = child(i);
      } else {
        for (std::uint32_t i = 0; i < count; ++i) at(0, top + i) = child(i);
      }
      size_[0] += places.total;
      __syncwarp();
    } else {
      for (std::uint32_t i = 0; __any_sync(kAllLanes, i < count); ++i) {
        const bool mine = i < count;
        const Task task = mine ? child(i) : 0;
        const std::uint32_t level = mine ? level_of(task) : kLevels;
#pragma unroll
        for (std::uint32_t l = 0; l < kLevels; ++l) push(l, level == l, task);
      }
    }
  }

 private:
  __device__ Task read(std::uint32_t level, std::uint32_t place, bool mine) {
    const Task task = mine ? at(level, place) : 0;
    __syncwarp();  // others may put something there now
    return task;
  }
  __device__ Task& at(std::uint32_t level, std::uint32_t place) {
    const std::uint32_t i = (kLevels == 1 ? 0 : level * kCapacity) + (place & (kCapacity - 1));
    return *static_cast<Task*>(__cvta_shared_to_generic(memory_ + i * sizeof(Task)));
  }
  __device__ std::uint32_t bottom(std::uint32_t level) const {
    if constexpr (kLevels == 1) return bottom_[0];
    std::uint32_t bottom = 0;
#pragma unroll
    for (std::uint32_t l = 0; l < kLevels; ++l)
      if (l == level) bottom = bottom_[l];
    return bottom;
  }
  __device__ void change(std::uint32_t level, std::uint32_t from_below, std::uint32_t more) {
#pragma unroll
    for (std::uint32_t l = 0; l < kLevels; ++l)
      if (kLevels == 1 || l == level) bottom_[l] += from_below, size_[l] += more;
  }
  std::uint32_t memory_;  // an address in shared memory
  std::uint32_t bottom_[kLevels] = {}, size_[kLevels] = {};
};

}  // namespace lesson12
