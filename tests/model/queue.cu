// SPDX-License-Identifier: MIT
// In which order the warps of a multiprocessor get their requests through, and how soon a store finds what another one stored to.
// What comes out is in docs/emulator.md.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/queue.cu -o queue && ./queue
//   ncu --clock-control none --metrics
//     l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum ./queue
//
// First up to 32 warps of a block make eight stores each, as fast as they can, each of so many lines: when they could issue them, in
// cycles, by scheduler. The queue is as long as there are stores that were issued before the first of them can be through; from then
// on warps have their turns. Then one warp stores to some lines, to others, and to the first ones again, as many lines later as
// the table says: Nsight Compute tells how many of the second stores find their lines.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

constexpr unsigned kStores = 8, kLanes = 32, kSchedulers = 4, kMostWarps = 32, kMostGroups = 12;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "queue: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

__device__ unsigned cycles() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}
__device__ void store(unsigned* to, unsigned value) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

// A lane's word is `stride` words from its neighbour's: as many lines per store, up to 32.
__global__ void stores_of_warps(unsigned* words, unsigned stride, unsigned* issued) {
  unsigned* const own = words + threadIdx.x * stride;
  unsigned when[kStores];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kStores; ++k) {
    store(own + k, k);
    when[k] = cycles();
  }
  __syncthreads();
  if (threadIdx.x % kLanes != 0) return;
#pragma unroll
  for (unsigned k = 0; k < kStores; ++k) issued[threadIdx.x / kLanes * kStores + k] = when[k];
}

// Sixteen times, with a pause in between. The second store is for the word behind that of the first, or that one would be left out.
template <unsigned Groups>
__global__ void twice(unsigned* words, unsigned stride) {
  constexpr unsigned kTimes = 16, kApart = 1024, kPause = 4000;
  for (unsigned time = 0; time < kTimes; ++time) {
    unsigned* const own = words + time * Groups * kApart + threadIdx.x * stride;
    __syncwarp();
    for (const unsigned begin = cycles(); cycles() - begin < kPause;) continue;
#pragma unroll
    for (unsigned round = 0; round < 2; ++round)
#pragma unroll
      for (unsigned group = 0; group < Groups; ++group) store(own + group * kApart + round, round);
  }
}

void show_order(unsigned* words, unsigned* issued, unsigned warps, unsigned lines) {
  stores_of_warps<<<1, warps * kLanes>>>(words, lines, issued);
  std::vector<unsigned> when(warps * kStores);
  check(cudaMemcpy(when.data(), issued, when.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  const unsigned first = *std::min_element(when.begin(), when.end());
  std::printf("%u warps, stores of %u lines\n", warps, lines);
  for (unsigned s = 0; s < kSchedulers && s < warps; ++s) {
    std::vector<std::pair<unsigned, unsigned>> order;  // when, who
    for (unsigned w = s; w < warps; w += kSchedulers)
      for (unsigned k = 0; k < kStores; ++k) order.push_back({when[w * kStores + k] - first, w});
    std::stable_sort(order.begin(), order.end());
    std::printf("  scheduler %u, warp (cycle):", s);
    for (const auto& [cycle, warp] : order) std::printf(" %u (%u)", warp, cycle);
    std::printf("\n");
  }
}

template <unsigned... Groups>
void show_twice(unsigned* words, unsigned lines, std::integer_sequence<unsigned, Groups...>) {
  (
      [&] {
        twice<Groups + 1><<<1, kLanes>>>(words, lines);
        check(cudaDeviceSynchronize());
        std::printf("stores of %u lines, the same again %u lines later\n", lines,
                    lines * (Groups + 1));
      }(),
      ...);
}

}  // namespace

int main() {
  unsigned *words, *issued;
  check(cudaMalloc(&words, std::size_t{1} << 24));
  check(cudaMemset(words, 0, std::size_t{1} << 24));
  check(cudaMalloc(&issued, kMostWarps * kStores * sizeof(unsigned)));
  for (const unsigned warps : {1u, 4u, 8u, 16u, 32u})
    for (const unsigned lines : {4u, 8u, 16u, 32u}) show_order(words, issued, warps, lines);
  for (const unsigned lines : {2u, 4u, 8u, 10u, 12u, 14u, 16u, 24u, 28u, 31u, 32u})
    show_twice(words, lines, std::make_integer_sequence<unsigned, kMostGroups>{});
  check(cudaFree(words));
  check(cudaFree(issued));
}
