// SPDX-License-Identifier: MIT
// Rung roofline: the last kernel of the ladder. The right shape for every n, and no more code than it
// takes: for a small sum, fetching the kernel's own instructions is a good part of the time.
#pragma once

#include "lessons/05_cooperative_groups/collect.cuh"

namespace lesson05 {

// How a four is read. Streaming says that it will not be needed again: it takes the place of other
// streamed data in the cache, not of what somebody else still has there.
struct PlainLoad {
  template <class T>
  __device__ static Four<T> load(const Four<T>* from) {
    return *from;
  }
};
struct StreamingLoad {
  template <class T>
  __device__ static Four<T> load(const Four<T>* from) {
    return lesson03::load_once(from);
  }
};

template <class T>
__device__ T add_four(const Four<T>& v) {
  return (v.x + v.y) + (v.z + v.w);
}

// At most three elements lie before the fours and three behind them: block 0 takes them.
template <class T>
__device__ T my_odd_element(const T* in, std::size_t n, const Fours<T>& fours) {
  const unsigned t = threadIdx.x, head = static_cast<unsigned>(fours.head);
  const unsigned odd = head + static_cast<unsigned>(n - fours.tail);
  return blockIdx.x == 0 && t < odd ? in[t < head ? t : t - head + fours.tail] : T{0};
}

// A tile is kLoads * kBlock fours in a row. An array of one tile or less: no loop, a test per load.
template <int kBlock, int kLoads, class T>
__device__ T my_share_of_one_tile(const Fours<T>& fours) {
  const auto count = static_cast<unsigned>(fours.count);
  Four<T> v[kLoads];
#pragma unroll
  for (int k = 0; k < kLoads; ++k) {
    const unsigned at = k * kBlock + threadIdx.x;
    v[k] = at < count ? fours.data[at] : Four<T>{0, 0, 0, 0};
  }
  T mine = add_four(v[0]);
#pragma unroll
  for (int k = 1; k < kLoads; ++k) mine += add_four(v[k]);
  return mine;
}

// More than one: tiles go round the blocks. All loads of a whole tile are on their way before the
// first addition; only the last tile of the array may need a test per load. kWhole: there is none such.
template <int kBlock, int kLoads, bool kWhole, class Load, class T>
__device__ T my_share_of_tiles(const Fours<T>& fours) {
  constexpr std::size_t kTile = std::size_t{kLoads} * kBlock;
  T mine = 0;
  for (std::size_t i = blockIdx.x * kTile; i < fours.count; i += gridDim.x * kTile) {
    const Four<T>* const tile = fours.data + i;
    if (kWhole || i + kTile <= fours.count) {
      Four<T> v[kLoads];
#pragma unroll
      for (int k = 0; k < kLoads; ++k) v[k] = Load::load(tile + k * kBlock + threadIdx.x);
#pragma unroll
      for (int k = 0; k < kLoads; ++k) mine += add_four(v[k]);
    } else {
#pragma unroll 1
      for (std::size_t k = threadIdx.x; k < fours.count - i; k += kBlock)
        mine += add_four(Load::load(tile + k));
    }
  }
  return mine;
}

__device__ inline float add_warp(float mine) { return lesson04::warp_sum(mine); }
__device__ inline int add_warp(int mine) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(lesson04::kAllLanes, mine);
#else
  return lesson04::warp_sum(mine);
#endif
}

// Lesson 04's block sum for a block size the compiler knows. Thread 0 alone does the second level: it
// loads the warps' sums, all at once, and adds them in registers. An addition takes a few cycles, a
// shuffle two dozen.
template <int kBlock, class T>
__device__ T block_sum_of(T mine) {
  constexpr int kFours = kBlock / 32 / 4;
  __shared__ Four<T> of_warps[kFours];
  mine = add_warp(mine);
  if (lesson04::lane() == 0) reinterpret_cast<T*>(of_warps)[lesson04::warp_of_block()] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return mine;
  T sums[kFours];
#pragma unroll
  for (int i = 0; i < kFours; ++i) sums[i] = add_four(of_warps[i]);
#pragma unroll
  for (int half = kFours / 2; half > 0; half /= 2) {
#pragma unroll
    for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

// Changed: the shape of the launch follows from n.
// Why:     a small sum is a matter of latency: few blocks, all loads at once, nothing to wait for. A
//          large one is a matter of bandwidth: as many bytes on their way as the memory can use.
// Cost:    a handful of shapes to measure, and to measure again on the next GPU.
// The bounds make the compiler keep to 32 registers, so that 2048 threads fit on a multiprocessor.
// kWhole: the array is whole tiles and nothing else. Many are, and what they do not need is not there
// to be fetched: a few tenths of a microsecond.
template <int kBlock, int kLoads, bool kWhole, class Load, class T>
__global__ void __launch_bounds__(kBlock, 2048 / kBlock)
    roofline(const T* in, std::size_t n, Fours<T> fours, Word* words, T* out) {
  const auto add_up = [](T mine) { return block_sum_of<kBlock>(mine); };
  T mine = my_share_of_tiles<kBlock, kLoads, kWhole, Load>(fours);
  if constexpr (!kWhole) mine += my_odd_element(in, n, fours);
  collect_sums(add_up(mine), words, out, add_up);
}

// One block alone has nobody to wait for. kOdd: there are elements outside the fours. Most arrays have
// none, and then the first load is on its way a few instructions earlier.
template <int kBlock, int kLoads, bool kOdd, class T>
__global__ void __launch_bounds__(kBlock)
    roofline_alone(const T* in, std::size_t n, Fours<T> fours, Word*, T* out) {
  T mine = my_share_of_one_tile<kBlock, kLoads>(fours);
  if constexpr (kOdd) mine += my_odd_element(in, n, fours);
  const T sum = block_sum_of<kBlock>(mine);
  if (threadIdx.x == 0) *out = sum;
}

template <class T>
struct Shape {
  void (*kernel)(const T* in, std::size_t n, Fours<T> fours, Word* words, T* out);
  int block, loads;
  unsigned most_blocks;
};

template <class T, int kBlock, int kLoads>
Shape<T> alone(bool odd) {
  return {
      odd ? &roofline_alone<kBlock, kLoads, true, T> : &roofline_alone<kBlock, kLoads, false, T>,
      kBlock, kLoads, 1};
}
template <class T, int kBlock, int kLoads, class Load>
Shape<T> together(std::size_t fours, bool odd, int most_blocks) {
  const bool whole = !odd && fours % (std::size_t{kBlock} * kLoads) == 0;
  return {
      whole ? &roofline<kBlock, kLoads, true, Load, T> : &roofline<kBlock, kLoads, false, Load, T>,
      kBlock, kLoads, static_cast<unsigned>(most_blocks)};
}

// Measured on an H200 (132 multiprocessors, 60 MiB of L2 cache) with a clean cache. One tile per block,
// until there are so many blocks for each multiprocessor; from then on each takes several.
template <class T>
Shape<T> shape_for(std::size_t n, std::size_t fours, const Device& device) {
  const std::size_t bytes = n * sizeof(T), l2 = static_cast<std::size_t>(device.l2_bytes);
  const bool odd = 4 * fours != n;
  const int each = device.multiprocessors;
  if (bytes <= 16 << 10) return alone<T, 512, 2>(odd);
  if (bytes <= 64 << 10) return alone<T, 1024, 4>(odd);
  if (bytes <= 2 << 20) return together<T, 256, 4, PlainLoad>(fours, odd, 32 * each);
  if (bytes <= 8 << 20) return together<T, 512, 2, PlainLoad>(fours, odd, 16 * each);
  if (bytes <= l2 + l2 / 4) return together<T, 512, 4, StreamingLoad>(fours, odd, 4 * each);
  if (bytes <= 5 * l2) return together<T, 1024, 2, StreamingLoad>(fours, odd, 32 * each);
  return together<T, 1024, 4, PlainLoad>(fours, odd, 32 * each);
}

template <class T>
unsigned blocks_of(const Shape<T>& shape, std::size_t n) {
  const std::size_t tile = 4 * static_cast<std::size_t>(shape.block * shape.loads);
  const std::size_t tiles = n == 0 ? 1 : (n + tile - 1) / tile;
  const std::size_t most = shape.most_blocks < kWords ? shape.most_blocks : kWords;
  return static_cast<unsigned>(tiles < most ? tiles : most);
}

template <class T>
void launch_roofline(const Sum<T>& s) {
  const Fours<T> fours = as_fours(s.in, s.n);
  const Shape<T> shape = shape_for<T>(s.n, fours.count, *s.device);
  const unsigned blocks = blocks_of(shape, s.n);
  shape.kernel<<<blocks, shape.block>>>(s.in, s.n, fours, words_of(s), s.out);
  COURSE_CHECK(cudaGetLastError());
}

inline double depth_of_roofline(std::size_t n, int, const Device& device) {
  const auto shape = shape_for<float>(n, 0, device);
  const double blocks = blocks_of(shape, n);
  return depth_of_block(n, blocks * shape.block, 4 * static_cast<std::size_t>(shape.loads)) +
         blocks / shape.block + 12;
}

}  // namespace lesson05
