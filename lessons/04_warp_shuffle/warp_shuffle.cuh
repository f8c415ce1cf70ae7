// SPDX-License-Identifier: MIT
// Lesson 04. The 32 lanes of a warp hand values to each other through registers: no shared memory,
// no barrier of the block.
//
// Rungs: shuffle_down     a warp adds its lanes' values by shuffles; each warp writes a partial sum
//        shuffle_xor      the same as a butterfly: every lane ends with the sum
//        shuffle_block    two levels: warps first, then the first warp adds the warps' sums
//        shuffle_vector   four 16-byte loads in flight before the first addition
//        redux            one instruction adds a whole warp; integers only
//
// Loading is that of lesson 03's vector_load until shuffle_vector changes it. Before, only the way
// in which the threads' sums come together differs.
#pragma once

#include <cstddef>

#include "common/check.cuh"
#include "common/launch.cuh"
#include "common/sums/rung.cuh"
#include "lessons/03_divergence_free/shares.cuh"

namespace lesson04 {

using course::Device;
using course::full_grid;
using course::Sum;
using lesson03::as_fours;
using lesson03::Four;
using lesson03::Fours;
using lesson03::my_share_vector;

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;  // the mask that names every lane of the warp

__device__ inline unsigned lane() { return threadIdx.x % kWarp; }
__device__ inline unsigned warp_of_block() { return threadIdx.x / kWarp; }

// Changed: the tree is made of shuffles. Lane i adds the register of lane i + 16, then of lane
//          i + 8, and so on: five steps.
// Why:     a step is one instruction. In shared memory it was a store, a wait and a load.
// Cost:    a warp knows nothing of the others: every warp writes a partial sum of its own, and the
//          second pass, which is one warp, has more of them to add.
// Only lane 0 has the sum of all. A lane that would look past lane 31 gets its own value back; what
// it then holds is of no use, and nobody uses it.
template <class T>
__device__ T warp_sum_down(T mine) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    mine += __shfl_down_sync(kAllLanes, mine, distance);
  return mine;
}

template <class T>
__global__ void shuffle_down(const T* in, std::size_t n, T* partial) {
  const T sum = warp_sum_down(my_share_vector(in, n));
  if (lane() == 0) partial[blockIdx.x * (blockDim.x / kWarp) + warp_of_block()] = sum;
}

// Changed: lane i trades with lane i xor 16, then i xor 8, and so on.
// Why:     after five steps every lane has the sum. Whoever needs it next need not be told it.
// Cost:    none. It is the same instruction with another rule for whom to read; the lanes that did
//          useless additions before do useful ones now.
template <class T>
__device__ T warp_sum(T mine) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    mine += __shfl_xor_sync(kAllLanes, mine, distance);
  return mine;
}

template <class T>
__global__ void shuffle_xor(const T* in, std::size_t n, T* partial) {
  const T sum = warp_sum(my_share_vector(in, n));
  if (lane() == 0) partial[blockIdx.x * (blockDim.x / kWarp) + warp_of_block()] = sum;
}

// Changed: two levels. Each warp leaves its sum in shared memory, and the first warp adds those.
// Why:     one partial sum per block, so that the second pass is short; and that pass is a whole
//          block now, not one warp.
// Cost:    one barrier, 32 words of shared memory. A block has at most 32 warps, and 32 is what one
//          warp can add: two levels are always enough.
// Thread 0 has the sum of the block.
template <class T>
__device__ T block_sum(T mine) {
  __shared__ T of_warp[kWarp];
  mine = warp_sum(mine);
  if (lane() == 0) of_warp[warp_of_block()] = mine;
  __syncthreads();
  if (warp_of_block() != 0) return mine;
  // All 32 lanes of the first warp take part, also those for which there is no warp.
  return warp_sum(lane() < blockDim.x / kWarp ? of_warp[lane()] : T{0});
}

template <class T>
__global__ void shuffle_block(const T* in, std::size_t n, T* partial) {
  const T sum = block_sum(my_share_vector(in, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// Changed: a thread asks for four fours before it adds the first.
// Why:     with one load per round the thread waits for the memory in every round. Memory is far
//          and wide: it gives more when more is asked of it at the same time.
// Cost:    registers: 16 for what is on its way. And a test per load, for the last round.
constexpr int kInFlight = 4;

template <class T>
__device__ T my_share_in_flight(const T* in, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Fours<T> fours = as_fours(in, n);
  T mine = 0;
  for (std::size_t i = me; i < fours.count; i += kInFlight * stride) {
    Four<T> v[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
      const std::size_t at = i + k * stride;
      v[k] = at < fours.count ? fours.data[at] : Four<T>{0, 0, 0, 0};
    }
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) mine += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
  if (me < fours.head) mine += in[me];
  if (fours.tail + me < n) mine += in[fours.tail + me];
  return mine;
}

template <class T>
__global__ void shuffle_vector(const T* in, std::size_t n, T* partial) {
  const T sum = block_sum(my_share_in_flight(in, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// Changed: __reduce_add_sync adds the whole warp: one instruction instead of five shuffles and five
//          additions.
// Why:     since compute capability 8.0 the hardware does the tree itself.
// Cost:    integers only, up to compute capability 9.0: there is no such instruction for floats.
__device__ inline int warp_sum_redux(int mine) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kAllLanes, mine);
#else
  __trap();  // never launched: the table of rungs says that it needs 8.0
  return mine;
#endif
}

__device__ inline int block_sum_redux(int mine) {
  __shared__ int of_warp[kWarp];
  mine = warp_sum_redux(mine);
  if (lane() == 0) of_warp[warp_of_block()] = mine;
  __syncthreads();
  if (warp_of_block() != 0) return mine;
  return warp_sum_redux(lane() < blockDim.x / kWarp ? of_warp[lane()] : 0);
}

// A template only because a kernel that is not one could be defined in one file of a program only.
template <class T>
__global__ void redux(const T* in, std::size_t n, T* partial) {
  const T sum = block_sum_redux(my_share_in_flight(in, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// ---- launchers

template <class T>
using Kernel = void(const T* in, std::size_t n, T* partial);

// Enough threads for n elements if each takes `each` of them in a round; more rounds if the GPU
// does not hold so many.
inline unsigned blocks_for(std::size_t n, std::size_t each, int block, const Device& device) {
  return full_grid(device, n / each + 1, block);
}
constexpr std::size_t kOneFour = 4, kFoursInFlight = 4 * kInFlight;

// The first pass leaves one partial sum per warp. The second is one warp: it leaves one.
template <class T>
void sums_of_warps(Kernel<T>* kernel, const Sum<T>& s) {
  const unsigned blocks = blocks_for(s.n, kOneFour, s.block, *s.device);
  kernel<<<blocks, s.block>>>(s.in, s.n, s.partials);
  COURSE_CHECK(cudaGetLastError());
  kernel<<<1, kWarp>>>(s.partials, std::size_t{blocks} * (s.block / kWarp), s.out);
  COURSE_CHECK(cudaGetLastError());
}

// The first pass leaves one partial sum per block. The second is one block: it leaves one.
template <class T>
void sums_of_blocks(Kernel<T>* kernel, std::size_t each, const Sum<T>& s) {
  const unsigned blocks = blocks_for(s.n, each, s.block, *s.device);
  kernel<<<blocks, s.block>>>(s.in, s.n, s.partials);
  COURSE_CHECK(cudaGetLastError());
  kernel<<<1, s.block>>>(s.partials, blocks, s.out);
  COURSE_CHECK(cudaGetLastError());
}

template <class T>
void launch_shuffle_down(const Sum<T>& s) {
  sums_of_warps(&shuffle_down<T>, s);
}
template <class T>
void launch_shuffle_xor(const Sum<T>& s) {
  sums_of_warps(&shuffle_xor<T>, s);
}
template <class T>
void launch_shuffle_block(const Sum<T>& s) {
  sums_of_blocks(&shuffle_block<T>, kOneFour, s);
}
template <class T>
void launch_shuffle_vector(const Sum<T>& s) {
  sums_of_blocks(&shuffle_vector<T>, kFoursInFlight, s);
}
inline void launch_redux(const Sum<int>& s) { sums_of_blocks(&redux<int>, kFoursInFlight, s); }

// How many additions an element goes through, at most. In a thread's share: two inside its four,
// one for each round (with fours in flight: one for each four of a round), one for each end of the
// array. Then five per level of shuffles.
inline double depth_of_share(std::size_t n, std::size_t each, std::size_t threads) {
  const std::size_t a_round = threads * each, rounds = (n + a_round - 1) / a_round;
  return 2 + static_cast<double>(rounds * (each / 4)) + 2;
}
inline double depth_of_warps(std::size_t n, int block, const Device& device) {
  const std::size_t threads = std::size_t{blocks_for(n, kOneFour, block, device)} * block;
  return depth_of_share(n, kOneFour, threads) + 5 +
         depth_of_share(threads / kWarp, kOneFour, kWarp) + 5;
}
template <std::size_t kEach>
double depth_of_blocks(std::size_t n, int block, const Device& device) {
  const std::size_t blocks = blocks_for(n, kEach, block, device);
  return depth_of_share(n, kEach, blocks * block) + 10 + depth_of_share(blocks, kEach, block) + 10;
}

inline constexpr course::Rung kRungs[] = {
    {"shuffle_down", "a warp's tree by __shfl_down_sync, one partial sum per warp",
     &launch_shuffle_down<float>, &launch_shuffle_down<int>, &depth_of_warps},
    {"shuffle_xor", "the same by __shfl_xor_sync: every lane gets the sum",
     &launch_shuffle_xor<float>, &launch_shuffle_xor<int>, &depth_of_warps},
    {"shuffle_block", "two levels, one barrier: one partial sum per block",
     &launch_shuffle_block<float>, &launch_shuffle_block<int>, &depth_of_blocks<kOneFour>},
    {"shuffle_vector", "four 16-byte loads in flight per thread", &launch_shuffle_vector<float>,
     &launch_shuffle_vector<int>, &depth_of_blocks<kFoursInFlight>},
    {"redux", "one instruction adds a warp (__reduce_add_sync, integers only)", nullptr,
     &launch_redux, &depth_of_blocks<kFoursInFlight>, 80},
};
inline constexpr course::Lesson kLesson{"04_warp_shuffle", "How do lanes talk without memory?",
                                        kRungs};

}  // namespace lesson04
