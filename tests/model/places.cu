// SPDX-License-Identifier: MIT
// Which multiprocessor a GPU gives which block of a launch to, as long as there is room: each block says where it is, and stays until
// all of them are there. What comes out is in emulator/counters/caches/block_order.hpp.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/places.cu -o places && ./places
//
// For each launch: how far the blocks are apart that share a multiprocessor, and how often; and where the first of them are.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "places: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

__global__ void where(unsigned* place) {
  constexpr long long kLong = 100'000;  // cycles
  if (threadIdx.x == 0) asm volatile("mov.u32 %0, %%smid;" : "=r"(place[blockIdx.x]));
  for (const long long begin = clock64(); clock64() - begin < kLong;) continue;
}

void show(unsigned blocks, unsigned threads) {
  unsigned* place;
  check(cudaMalloc(&place, blocks * sizeof(unsigned)));
  where<<<blocks, threads>>>(place);
  std::vector<unsigned> at(blocks);
  check(cudaMemcpy(at.data(), place, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
  check(cudaFree(place));
  std::map<unsigned, unsigned> last;       // of each multiprocessor
  std::map<unsigned, unsigned> how_often;  // by distance
  for (unsigned b = 0; b < blocks; ++b) {
    if (const auto before = last.find(at[b]); before != last.end()) ++how_often[b - before->second];
    last[at[b]] = b;
  }
  std::printf("%u blocks of %u threads on %zu multiprocessors; apart:", blocks, threads,
              last.size());
  for (const auto& [apart, times] : how_often) std::printf(" %u (%u times)", apart, times);
  std::printf("\n  in the order of the blocks:");
  for (unsigned b = 0; b < blocks && b < 264; ++b) std::printf(" %u", at[b]);
  std::printf("\n");
}

}  // namespace

int main() {
  cudaDeviceProp gpu{};
  check(cudaGetDeviceProperties(&gpu, 0));
  const auto all = static_cast<unsigned>(gpu.multiProcessorCount);
  for (const unsigned threads : {64u, 256u, 512u})
    for (const unsigned blocks : {all, all + all / 2, 2 * all, 4 * all, 8 * all})
      if (blocks * threads <= all * static_cast<unsigned>(gpu.maxThreadsPerMultiProcessor))
        show(blocks, threads);
}
