// SPDX-License-Identifier: MIT
// Which multiprocessor a GPU gives which block of a launch to: each block says where it is. What comes out is in
// emulator/counters/caches/block_order.hpp.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/places.cu -o places && ./places
//
// First of launches all of whose blocks find room, and stay until all are there: how far those are apart that share a
// multiprocessor, and how often; and where the first of them are. Then of launches with twelve times as many blocks, which take
// about as long as each other or do not: how often two blocks so far apart are on one multiprocessor, as a multiple of chance.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
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

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// Threads follow a chain of `links` words, or of up to as many.
__global__ void chains(unsigned* place, const unsigned* words, unsigned* out, unsigned n,
                       unsigned links, bool unequal) {
  if (threadIdx.x == 0) asm volatile("mov.u32 %0, %%smid;" : "=r"(place[blockIdx.x]));
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned own = unequal ? mixed(blockIdx.x) % (links + 1) : links;
  unsigned at = i % n;
  for (unsigned k = 0; k < own; ++k) at = mixed(at + words[at]) % n;
  out[i % n] = at;
}

void show_later(unsigned blocks, unsigned threads, unsigned links, bool unequal) {
  constexpr unsigned kWords = 1u << 26;
  unsigned *place, *words, *out;
  check(cudaMalloc(&place, 12 * blocks * sizeof(unsigned)));
  check(cudaMalloc(&words, kWords * sizeof(unsigned)));
  check(cudaMalloc(&out, kWords * sizeof(unsigned)));
  check(cudaMemset(words, 0, kWords * sizeof(unsigned)));
  for (int twice = 0; twice < 2; ++twice)
    chains<<<12 * blocks, threads>>>(place, words, out, kWords, links, unequal);
  std::vector<unsigned> at(12 * blocks);
  check(cudaMemcpy(at.data(), place, at.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned* array : {place, words, out}) check(cudaFree(array));
  std::map<unsigned, unsigned> all;
  for (const unsigned one : at) ++all[one];
  std::printf("%u blocks of %u threads, chains of %s%u:", 12 * blocks, threads,
              unequal ? "up to " : "", links);
  for (const auto [from, to] :
       {std::pair{1u, 8u}, {8u, 16u}, {16u, 32u}, {32u, 64u}, {64u, 128u}, {128u, 256u}}) {
    double same = 0, pairs = 0;
    for (unsigned b = blocks; b < at.size(); ++b)
      for (unsigned d = from; d < to && d <= b; ++d) same += at[b] == at[b - d], ++pairs;
    std::printf(" %u to %u apart %.2f", from, to - 1,
                same / pairs * static_cast<double>(all.size()));
  }
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
  for (const unsigned threads : {128u, 256u, 1024u})
    for (const unsigned links : {1u, 6u, 16u})
      for (const bool unequal : {false, true})
        show_later(all * static_cast<unsigned>(gpu.maxThreadsPerMultiProcessor) / threads, threads,
                   links, unequal);
}
