// SPDX-License-Identifier: MIT
// Compaction, the first rungs: an atomic for each element, for each warp, for each block. Where an
// element goes depends on who comes first, so these do not keep the order.
#pragma once

#include "common/arrays/select.hpp"
#include "common/check.cuh"
#include "common/launch.cuh"
#include "lessons/07_vote_and_match/lanes.cuh"

namespace lesson07 {

using course::Device;
using course::full_grid;
using course::Select;
using Count64 = unsigned long long;  // what atomicAdd knows of 64 bits

__device__ inline bool wanted(std::uint32_t v, std::uint32_t threshold) {
  return v >> 1 < threshold;
}

// Elements, a whole block at a time, so that all lanes of a warp come together: f(element, whether
// there is one).
template <class F>
__device__ void each_element(const Select& s, F f) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x; base < s.n; base += step) {
    const std::size_t i = base + threadIdx.x;
    f(i < s.n ? s.in[i] : 0u, i < s.n);
  }
}
__device__ inline std::uint64_t reserve(const Select& s, unsigned places) {
  return atomicAdd(reinterpret_cast<Count64*>(s.kept), Count64{places});
}

// Changed: nothing yet. Every wanted element takes the next place.
// Cost:    an atomic for each, all at one word. (nvcc lets one lane add for all that are together:
//          see what it makes of it in the chapter.)
static __global__ void sel_atomic(Select s) {
  each_element(s, [&](std::uint32_t v, bool there) {
    if (there && wanted(v, s.threshold)) s.out[reserve(s, 1)] = v;
  });
}

// Changed: the lanes vote, one takes places for all, and each counts the lanes before it.
// Why:     one atomic for 32 elements. A ballot and a population count take the place of 31 trips.
static __global__ void sel_ballot(Select s) {
  each_element(s, [&](std::uint32_t v, bool there) {
    const bool mine = there && wanted(v, s.threshold);
    const Mask takers = __ballot_sync(kAllLanes, mine);
    if (takers == 0) return;  // the same for all lanes
    std::uint64_t first = 0;
    if (lane() == 0) first = reserve(s, __popc(takers));
    first = __shfl_sync(kAllLanes, first, 0);
    if (mine) s.out[first + rank_in(takers)] = v;
  });
}

// Changed: the warps of a block put their counts together, and one thread takes places for the block.
// Why:     one atomic for up to 1024 elements.
// Cost:    two barriers for each.
static __global__ void sel_block(Select s) {
  __shared__ unsigned of_warps[kWarp];
  __shared__ std::uint64_t first;
  each_element(s, [&](std::uint32_t v, bool there) {
    const bool mine = there && wanted(v, s.threshold);
    const Mask takers = __ballot_sync(kAllLanes, mine);
    if (lane() == 0) of_warps[warp_of_block()] = __popc(takers);
    __syncthreads();
    // Every warp reads all counts: its own place is the sum of those before it.
    const unsigned count = lane() < warps_of_block() ? of_warps[lane()] : 0;
    const unsigned before = warp_sum(lane() < warp_of_block() ? count : 0u);
    const unsigned all = warp_sum(count);
    if (threadIdx.x == 0) first = all > 0 ? reserve(s, all) : 0;
    __syncthreads();
    if (mine) s.out[first + before + rank_in(takers)] = v;
  });
}

// ---- launching

inline void clear_kept(const Select& s) {
  COURSE_CHECK(cudaMemsetAsync(s.kept, 0, sizeof *s.kept));
}
inline void launch_select(void (*kernel)(Select), const Select& s) {
  clear_kept(s);
  kernel<<<full_grid(*s.device, s.n, s.block), s.block>>>(s);
  COURSE_CHECK(cudaGetLastError());
}
inline void launch_sel_atomic(const Select& s) { launch_select(&sel_atomic, s); }
inline void launch_sel_ballot(const Select& s) { launch_select(&sel_ballot, s); }
inline void launch_sel_block(const Select& s) { launch_select(&sel_block, s); }

}  // namespace lesson07
