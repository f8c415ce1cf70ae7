// SPDX-License-Identifier: MIT
// Producer and consumer: some lanes make messages, others read them, through a few slots in shared
// memory. One kernel, many ways to say that a slot is full, and that it is empty again.
//
//   struct Way {
//     static constexpr int kThreads;         // of each side; both sides are one warp, or a warp each
//     struct Shared { ... };
//     static void open(Shared&);             // one thread, before all others
//     static void wait_empty(Shared&, i);    // producers: slot i % kSlots has been read
//     static void tell_full(Shared&, i);     // producers: message i is there
//     static void wait_full(Shared&, i);     // consumers
//     static void tell_empty(Shared&, i);    // consumers
//   };
#pragma once

#include "lessons/10_thread_scheduling/arrivals.cuh"
#include "lessons/10_thread_scheduling/signals.cuh"

namespace lesson10 {

constexpr unsigned kSlots = 4;

// What lane `rank` of the producers writes in message i, and what the consumer makes of it.
__host__ __device__ constexpr unsigned written(unsigned i, unsigned rank) {
  return i * 2654435761u + rank;
}
__host__ __device__ constexpr unsigned heard(unsigned before, unsigned value) {
  return before * 31 + value;
}

// Two counters: how many messages were written, and how many were read. A lane of a side speaks for it,
// when all its lanes have come. kHalf: both sides are halves of one warp.
template <bool kHalf>
struct Flags {
  static constexpr int kThreads = kHalf ? 16 : 32;
  struct Shared {
    unsigned written, read;
  };
  static __device__ unsigned side() {
    return !kHalf ? 0xffffffffu : threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
  }
  static __device__ bool speaks() { return threadIdx.x % kThreads == 0; }

  static __device__ void open(Shared& s) { s.written = s.read = 0; }
  static __device__ void wait_empty(Shared& s, unsigned i) {
    while (i >= seen(&s.read) + kSlots) {
    }
  }
  static __device__ void tell_full(Shared& s, unsigned i) {
    __syncwarp(side());  // every lane's part of the message comes before the word
    if (speaks()) raise_word(&s.written, i + 1);
  }
  static __device__ void wait_full(Shared& s, unsigned i) {
    while (seen(&s.written) <= i) {
    }
  }
  static __device__ void tell_empty(Shared& s, unsigned i) {
    __syncwarp(side());  // every lane has read
    if (speaks()) raise_word(&s.read, i + 1);
  }
};

// Wrong: the word is raised without an order. Lanes may see it before they see the message.
template <bool kHalf>
struct FlagsWithoutOrder : Flags<kHalf> {
  using Shared = typename Flags<kHalf>::Shared;
  static __device__ void tell_full(Shared& s, unsigned i) {
    if (Flags<kHalf>::speaks()) *static_cast<volatile unsigned*>(&s.written) = i + 1;
  }
  static __device__ void wait_full(Shared& s, unsigned i) {
    while (*static_cast<volatile unsigned*>(&s.written) <= i) {
    }
  }
};

// Two barriers with numbers for each slot: one side arrives, the other waits.
struct Numbers {
  static constexpr int kThreads = 32;
  struct Shared {};
  static __device__ void open(Shared&) {}
  static __device__ void wait_empty(Shared&, unsigned i) {
    if (i >= kSlots) wait_named(1 + kSlots + i % kSlots, 64);
  }
  static __device__ void tell_full(Shared&, unsigned i) { arrive_named(1 + i % kSlots, 64); }
  static __device__ void wait_full(Shared&, unsigned i) { wait_named(1 + i % kSlots, 64); }
  static __device__ void tell_empty(Shared&, unsigned i) {
    arrive_named(1 + kSlots + i % kSlots, 64);
  }
};

// Two mbarriers for each slot.
struct Mbarriers {
  static constexpr int kThreads = 32;
  struct Shared {
    Mbarrier full[kSlots], empty[kSlots];
  };
  static __device__ void open(Shared& s) {
    for (unsigned i = 0; i < kSlots; ++i) {
      init(&s.full[i], 32);
      init(&s.empty[i], 32);
    }
  }
  static __device__ void wait_empty(Shared& s, unsigned i) {
    if (i >= kSlots) wait_for(&s.empty[i % kSlots], i / kSlots - 1);
  }
  static __device__ void tell_full(Shared& s, unsigned i) { arrive(&s.full[i % kSlots]); }
  static __device__ void wait_full(Shared& s, unsigned i) {
    wait_for(&s.full[i % kSlots], i / kSlots);
  }
  static __device__ void tell_empty(Shared& s, unsigned i) { arrive(&s.empty[i % kSlots]); }
};

// `count` messages from the first half of the block to the second, which writes down what it heard.
template <class Way>
__global__ void hand_over(unsigned count, unsigned* out) {
  __shared__ typename Way::Shared shared;
  __shared__ unsigned slots[kSlots][Way::kThreads];
  if (threadIdx.x == 0) Way::open(shared);
  __syncthreads();
  const unsigned rank = threadIdx.x % Way::kThreads;
  if (threadIdx.x < Way::kThreads) {
    for (unsigned i = 0; i < count; ++i) {
      Way::wait_empty(shared, i);
      slots[i % kSlots][rank] = written(i, rank);
      Way::tell_full(shared, i);
    }
  } else {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; ++i) {
      Way::wait_full(shared, i);
      // A neighbour's word: a lane that reads its own place would need no message.
      sum = heard(sum, slots[i % kSlots][(rank + 1) % Way::kThreads]);
      if (i + kSlots < count) Way::tell_empty(shared, i);  // somebody waits for it
    }
    out[rank] = sum;
  }
}

// What a consumer must have heard.
template <class Way>
unsigned right_answer(unsigned count, unsigned rank) {
  unsigned sum = 0;
  for (unsigned i = 0; i < count; ++i) sum = heard(sum, written(i, (rank + 1) % Way::kThreads));
  return sum;
}

}  // namespace lesson10
