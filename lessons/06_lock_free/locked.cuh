// SPDX-License-Identifier: MIT
// What the lock-free structures are measured against: the ordinary stack, ring and map of one
// thread behind a spin lock, with the same operations, and the cheapest thing that could stand in
// their place, one atomic counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "lessons/06_lock_free/spin_lock.cuh"
#if __has_include("lessons/06_lock_free/hash_map.cuh")
#include "lessons/06_lock_free/hash_map.cuh"
#else  // copied out without the map: its answers, with the same meaning
namespace lesson06 {
enum class Insert : std::uint32_t { Inserted, Present, Full, Refused };
}
#endif

namespace lesson06 {

// For one thread at a time: no atomics anywhere. The lock brings mutual exclusion and visibility.
class SequentialStack {
 public:
  static std::size_t bytes(std::uint32_t capacity) {
    return (std::size_t{1} + capacity) * sizeof(std::uint32_t);
  }
  SequentialStack(void* memory, std::uint32_t capacity)
      : count_(static_cast<std::uint32_t*>(memory)), values_(count_ + 1), capacity_(capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *count_ = 0;
  }

  __device__ bool push(std::uint32_t value) {
    const std::uint32_t count = *count_;
    if (count == capacity_) return false;
    values_[count] = value;
    *count_ = count + 1;
    return true;
  }
  __device__ bool pop(std::uint32_t& value) {
    const std::uint32_t count = *count_;
    if (count == 0) return false;
    value = values_[count - 1];
    *count_ = count - 1;
    return true;
  }

 private:
  std::uint32_t* count_;
  std::uint32_t* values_;
  std::uint32_t capacity_;
};

// First in, first out, of any capacity.
class SequentialRing {
 public:
  static std::size_t bytes(std::uint32_t capacity) {
    return (std::size_t{2} + capacity) * sizeof(std::uint32_t);
  }
  SequentialRing(void* memory, std::uint32_t capacity)
      : first_(static_cast<std::uint32_t*>(memory)),
        count_(first_ + 1),
        values_(first_ + 2),
        capacity_(capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *first_ = *count_ = 0;
  }

  __device__ bool push(std::uint32_t value) {
    const std::uint32_t first = *first_, count = *count_;
    if (count == capacity_) return false;
    // first + count modulo the capacity, without a sum that could pass 2^32
    const std::uint32_t to_the_end = capacity_ - first;
    values_[count < to_the_end ? first + count : count - to_the_end] = value;
    *count_ = count + 1;
    return true;
  }
  __device__ bool pop(std::uint32_t& value) {
    const std::uint32_t first = *first_, count = *count_;
    if (count == 0) return false;
    value = values_[first];
    *first_ = first + 1 < capacity_ ? first + 1 : 0;
    *count_ = count - 1;
    return true;
  }

 private:
  std::uint32_t* first_;
  std::uint32_t* count_;
  std::uint32_t* values_;
  std::uint32_t capacity_;
};

// Open addressing with the rules of HashMap: a key keeps its slot when it is erased, so a slot that
// was used once is not free for another key.
class SequentialMap {
 public:
  static constexpr std::uint32_t kNoKey = 0xffffffff;      // the key of an unused slot
  static constexpr std::uint32_t kDeadValue = 0xffffffff;  // the value of an erased key

  static std::size_t bytes(std::uint32_t capacity) { return std::size_t{capacity} * sizeof(Slot); }
  SequentialMap(void* memory, std::uint32_t capacity)
      : slots_(static_cast<Slot*>(memory)), capacity_(capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    for (std::size_t k = i; k < capacity_; k += n) slots_[k] = {kNoKey, kDeadValue};
  }

  __device__ Insert insert(std::uint32_t key, std::uint32_t value) {
    if (key == kNoKey || value == kDeadValue) return Insert::Refused;
    Slot* const slot = slot_of(key);
    if (slot == nullptr) return Insert::Full;
    if (slot->key == key && slot->value != kDeadValue) return Insert::Present;
    *slot = {key, value};
    return Insert::Inserted;
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) const {
    const Slot* const slot = alive(key);
    if (slot != nullptr) value = slot->value;
    return slot != nullptr;
  }
  __device__ bool erase(std::uint32_t key) {
    Slot* const slot = alive(key);
    if (slot != nullptr) slot->value = kDeadValue;
    return slot != nullptr;
  }

 private:
  struct Slot {
    std::uint32_t key;
    std::uint32_t value;
  };

  // The slot of the key, alive or not, or the unused one where it belongs; null: all are others'.
  __device__ Slot* slot_of(std::uint32_t key) const {
    if (capacity_ == 0) return nullptr;
    std::uint32_t at = key * 0x9e3779b1u % capacity_;  // a factor that mixes neighbouring keys
    for (std::uint32_t tried = 0; tried < capacity_; ++tried) {
      if (slots_[at].key == key || slots_[at].key == kNoKey) return slots_ + at;
      at = at + 1 < capacity_ ? at + 1 : 0;
    }
    return nullptr;
  }
  __device__ Slot* alive(std::uint32_t key) const {
    Slot* const slot = key == kNoKey ? nullptr : slot_of(key);
    return slot != nullptr && slot->key == key && slot->value != kDeadValue ? slot : nullptr;
  }

  Slot* slots_;
  std::uint32_t capacity_;
};

// How an operation gets the lock: each thread for itself, or one lane for all that are here.
struct EachThread {
  template <class Lock, class F>
  static __device__ void run(Lock& lock, F&& f) {
    with_lock(lock, f);
  }
};
struct OncePerWarp {
  template <class Lock, class F>
  static __device__ void run(Lock& lock, F&& f) {
    with_lock_per_warp(lock, f);
  }
};

// A structure of one thread behind a lock. It has the operations that Sequential has.
template <class Lock, class Sequential, class How = EachThread>
class Locked {
 public:
  static std::size_t bytes(std::uint32_t capacity) {
    return Lock::bytes(capacity) + Sequential::bytes(capacity);
  }
  Locked(void* memory, std::uint32_t capacity)
      : lock_(memory, capacity),
        inner_(static_cast<std::byte*>(memory) + Lock::bytes(capacity), capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t n) {
    lock_.reset(i, n);
    inner_.reset(i, n);
  }

  __device__ bool push(std::uint32_t value) {
    return locked([&] { return inner_.push(value); });
  }
  __device__ bool pop(std::uint32_t& value) {
    return locked([&] { return inner_.pop(value); });
  }
  __device__ auto insert(std::uint32_t key, std::uint32_t value) {
    return locked([&] { return inner_.insert(key, value); });
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) {
    return locked([&] { return inner_.find(key, value); });
  }
  __device__ bool erase(std::uint32_t key) {
    return locked([&] { return inner_.erase(key); });
  }

 private:
  template <class F>
  __device__ auto locked(F f) {
    decltype(f()) result{};
    How::run(lock_, [&] { result = f(); });
    return result;
  }

  Lock lock_;
  Sequential inner_;
};

template <class Lock, class Sequential>
using WarpLocked = Locked<Lock, Sequential, OncePerWarp>;

// No container: it counts, and keeps no values. A push is one fetch_add, a pop one fetch_sub, and a
// pop says how many were left. Nothing that all threads share can be cheaper, so it is the line
// that the other structures are measured against. Relaxed: nothing is published.
class Counter {
 public:
  static std::size_t bytes(std::uint32_t = 0) { return 128; }
  Counter(void* memory, std::uint32_t capacity)
      : count_(static_cast<long long*>(memory)), capacity_(capacity) {}
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *count_ = 0;
  }

  // One that went too far is taken back. Meanwhile others may see "full" or "empty" a little early.
  __device__ bool push(std::uint32_t) {
    if (Ref(*count_).fetch_add(1, cuda::memory_order_relaxed) < capacity_) return true;
    Ref(*count_).fetch_sub(1, cuda::memory_order_relaxed);
    return false;
  }
  __device__ bool pop(std::uint32_t& value) {
    const long long before = Ref(*count_).fetch_sub(1, cuda::memory_order_relaxed);
    if (before > 0) {
      value = static_cast<std::uint32_t>(before - 1);
      return true;
    }
    Ref(*count_).fetch_add(1, cuda::memory_order_relaxed);
    return false;
  }

 private:
  using Ref = cuda::atomic_ref<long long, cuda::thread_scope_device>;
  long long* count_;
  long long capacity_;
};

}  // namespace lesson06
