// SPDX-License-Identifier: MIT
// Weighted sums of neighbours, by warps that do different things: one copies, eight compute.
#pragma once

#include "lessons/10_thread_scheduling/stencil.cuh"

namespace lesson10 {

constexpr int kCopying = 32, kComputing = 256, kBoth = kCopying + kComputing;

// How the warp that copies (c) and those that compute agree about a round. Its slot is
//   asked for   when it is empty         c: start_copy(round), then may_read(round) when it is there
//   read        when it is full          others: wait_full(round)
//   given back  when all have read it    others: read(round)

// Changed: a warp only copies, the others only compute. They meet at barriers with numbers, and who
//          need not wait only arrives.
// Why:     no warp waits for a copy that it asked for, or works out addresses between two results.
// Cost:    a warp that does not compute; two of the block's 16 barriers for each slot; the warp that
//          copies has to wait for its own copies before it says so.
struct NamedBarriers {
  static constexpr unsigned kLead =
      kStages - 1;  // rounds between asking for a tile and handing it over
  static __device__ int full(unsigned round) { return 1 + round % kStages; }
  static __device__ int empty(unsigned round) { return 1 + kStages + round % kStages; }

  struct Shared {};
  static __device__ void open(Shared&) {}
  template <int kReach>
  static __device__ void start_copy(Shared&, const Stencil& s, std::uint32_t* slot, unsigned tile,
                                    unsigned round) {
    if (round >= kStages) wait_named(empty(round), kBoth);
    bring<kReach>(s, slot, tile, threadIdx.x, kCopying);
  }
  static __device__ void asked(Shared&, unsigned) { end_group(); }
  static __device__ void may_read(Shared&, unsigned round) {
    wait_for_groups<kLead>();
    arrive_named(full(round), kBoth);
  }
  static __device__ void wait_full(Shared&, unsigned round) { wait_named(full(round), kBoth); }
  static __device__ void read(Shared&, unsigned round) { arrive_named(empty(round), kBoth); }
};

// Changed: the barriers are words in shared memory, and a copy arrives there by itself. With kBulk one
//          lane asks for a whole tile, where it lies at 16 bytes.
// Why:     the warp that copies waits for nothing but an empty slot. As many barriers as one likes.
// Cost:    who waits looks again and again. A word for each, to be set up first.
template <bool kBulk>
struct ByMbarrier {
  static constexpr unsigned kLead = 0;
  struct Shared {
    Mbarrier full[kStages], empty[kStages];
  };
  static __device__ void open(Shared& b) {
    for (int i = 0; i < kStages; ++i) {
      init(&b.full[i], kCopying);          // every lane that copies
      init(&b.empty[i], kComputing / 32);  // a lane of each warp that computes
    }
  }
  template <int kReach>
  static __device__ void start_copy(Shared& b, const Stencil& s, std::uint32_t* slot, unsigned tile,
                                    unsigned round) {
    if (round >= kStages) wait_for(&b.empty[round % kStages], round / kStages - 1);
    Mbarrier* const full = &b.full[round % kStages];
    constexpr unsigned kBytes = kSlot<kReach> * sizeof(std::uint32_t);
    if (!kBulk || !is_whole<kReach>(s, tile)) {
      bring<kReach>(s, slot, tile, threadIdx.x, kCopying);
      arrive_after_copies(full);
    } else if (threadIdx.x == 0) {
      arrive_and_expect(full, kBytes);
      copy_bulk(slot, s.in + begin_of<kReach>(tile), kBytes, full);
    } else {
      arrive(full);
    }
  }
  static __device__ void asked(Shared&, unsigned) {}
  static __device__ void may_read(Shared&, unsigned) {}
  static __device__ void wait_full(Shared& b, unsigned round) {
    wait_for(&b.full[round % kStages], round / kStages);
  }
  static __device__ void read(Shared& b, unsigned round) {
    __syncwarp();  // all lanes have read
    if (threadIdx.x % 32 == 0) arrive(&b.empty[round % kStages]);
  }
};

template <int kReach, class Meet>
__global__ void __launch_bounds__(kBoth) st_apart(Stencil s, unsigned tiles) {
  __shared__ alignas(128) std::uint32_t slots[kStages][kSlot<kReach>];
  __shared__ typename Meet::Shared shared;
  if (threadIdx.x == 0) Meet::open(shared);
  __syncthreads();
  const unsigned rounds = (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x;
  const auto tile_of = [&](unsigned round) { return blockIdx.x + round * gridDim.x; };
  if (threadIdx.x < kCopying) {
    for (unsigned round = 0; round < rounds + Meet::kLead; ++round) {
      if (round < rounds)
        Meet::template start_copy<kReach>(shared, s, slots[round % kStages], tile_of(round), round);
      Meet::asked(shared, round);
      if (round + 1 > Meet::kLead) Meet::may_read(shared, round - Meet::kLead);
    }
  } else {
    for (unsigned round = 0; round < rounds; ++round) {
      Meet::wait_full(shared, round);
      compute<kReach>(s, slots[round % kStages], tile_of(round), threadIdx.x - kCopying,
                      kComputing);
      if (round + kStages < rounds) Meet::read(shared, round);  // somebody waits for it
    }
  }
}

template <class Meet>
void launch_st_apart(const Stencil& s) {
  if (s.n == 0) return;
  const unsigned blocks = blocks_for_tiles(s, 2048 / kBoth);
  with_reach(s.reach, [&](auto r) { st_apart<r, Meet><<<blocks, kBoth>>>(s, tiles_of(s)); });
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson10
