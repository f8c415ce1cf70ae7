// SPDX-License-Identifier: MIT
// Queues of tasks: the ring of lesson 06 with slots for 64 bits. Any thread may push and pop at any time; a
// full queue refuses a task, an empty one gives none, and both answers are true of some moment of the call.
#pragma once

#include "lessons/06_lock_free/ring_queue.cuh"

namespace lesson12 {

// A task is one word, and means to a job what the job likes: a node, a square, a vertex and its distance.
using Task = unsigned long long;

// lesson06::TurnSlot for a task: the turn says who may touch it.
template <class Orders>
class alignas(16) TaskSlot {
 public:
  using Value = Task;
  __device__ void reset(std::uint32_t turn) { turn_ = turn, task_ = 0; }
  __device__ bool try_put(std::uint32_t turn, Task task) {
    Ref mine(turn_);
    if (mine.load(Orders::kSeeTurn) != turn) return false;
    task_ = task;
    mine.store(turn + 1, Orders::kPassTurn);
    return true;
  }
  __device__ bool try_take(std::uint32_t turn, Task& task) {
    Ref mine(turn_);
    if (mine.load(Orders::kSeeTurn) != turn + 1) return false;
    task = task_;
    mine.store(turn + 2, Orders::kPassTurn);
    return true;
  }

 private:
  using Ref = cuda::atomic_ref<std::uint32_t, Orders::kScope>;
  Task task_;
  std::uint32_t turn_;
};

// Every thread for itself, or one reservation for all lanes of a warp that are here together.
template <class Orders = lesson06::RingOrders>
using TaskQueue = lesson06::RingQueue<Orders, TaskSlot>;
template <class Orders = lesson06::RingOrders>
using WarpTaskQueue = lesson06::WarpRingQueue<Orders, TaskSlot>;

// Several queues of the same capacity, one behind the other in memory.
template <class Queue>
struct Queues {
  std::byte* memory = nullptr;
  std::uint32_t count = 1, capacity = 1;

  static __host__ __device__ std::size_t stride(std::uint32_t capacity) {
    return (Queue::bytes(capacity) + 127) / 128 * 128;  // a queue's words lie on lines of their own
  }
  std::size_t bytes() const { return count * stride(capacity); }
  __device__ Queue operator[](std::uint32_t i) const {
    return Queue(memory + i * stride(capacity), capacity);
  }
};

template <class Queue>
__global__ void reset_queues(Queues<Queue> queues) {
  for (std::uint32_t i = blockIdx.x; i < queues.count; i += gridDim.x)
    queues[i].reset(threadIdx.x, blockDim.x);
}

}  // namespace lesson12
