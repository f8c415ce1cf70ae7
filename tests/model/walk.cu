// SPDX-License-Identifier: MIT
// Reads off a GPU which lines its first-level cache finds again: one thread walks round a number of them, four times, and counts
// how many come within the time that L1 takes. It shows how many have room beside shared memory, and how they are spread over sets.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/walk.cu -o walk && ./walk
//
// A row for each number of lines and way of laying them out: on end, so many lines apart, and drawn, one or 64 on end at a time; with
// nothing in the cache before, or 4096 other lines. Percent of the lines found in the second, third and fourth round; 1 if there
// is nothing to see (the emulator, whose loads all take as long).
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kRounds = 4, kMask = (1u << 20) - 1, kLineWords = 32, kOthers = 4096;
constexpr unsigned kInL1 = 120;  // cycles: L2 takes more than 200

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "walk: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

struct Layout {
  const char* text;
  unsigned apart;     // lines; 0: drawn, ...
  unsigned together;  // ... so many on end at a time
};

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

__device__ unsigned line_of(unsigned i, Layout layout, unsigned seed) {
  if (layout.apart) return (i * layout.apart + seed) & kMask;
  const unsigned chunk = mixed(i / layout.together * 2654435761u + seed) & kMask / layout.together;
  return chunk * layout.together + i % layout.together;
}

__device__ unsigned loaded(const unsigned* at) {
  unsigned value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  if (value) __trap();  // all words are zero; so it waits for them
  return value;
}
__device__ unsigned cycle() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}

__global__ void walk(const unsigned* words, Layout layout, unsigned lines, unsigned others,
                     unsigned* found) {
  for (unsigned i = 0; i < others; ++i)
    loaded(words + std::size_t{line_of(i, layout, 977)} * kLineWords);
  for (unsigned round = 0; round < kRounds; ++round) {
    unsigned hits = 0;
    for (unsigned i = 0; i < lines; ++i) {
      const unsigned* at = words + std::size_t{line_of(i, layout, 1)} * kLineWords;
      const unsigned begin = cycle();
      const unsigned zero = loaded(at);
      hits += cycle() + zero - begin < kInL1;
    }
    found[round] = hits;
  }
}

}  // namespace

int main() {
  constexpr Layout kLayouts[] = {
      {"on end", 1, 1},  {"2 apart", 2, 1},     {"64 apart", 64, 1}, {"512 apart", 512, 1},
      {"3 apart", 3, 1}, {"132 apart", 132, 1}, {"drawn", 0, 1},     {"drawn, 64 on end", 0, 64}};
  unsigned *words, *found;
  check(cudaMalloc(&words, (std::size_t{kMask} + 1) * kLineWords * sizeof(unsigned)));
  check(cudaMemset(words, 0, (std::size_t{kMask} + 1) * kLineWords * sizeof(unsigned)));
  check(cudaMalloc(&found, kRounds * sizeof(unsigned)));
  unsigned ever = 0;
  for (const int kib : {0, 32, 64, 100, 132, 164, 196}) {  // of shared memory, that are asked for
    check(cudaFuncSetAttribute(walk, cudaFuncAttributePreferredSharedMemoryCarveout,
                               (kib * 100 + 227) / 228));
    for (const Layout& layout : kLayouts) {
      std::printf("shared memory of %d KiB, lines %s:", kib, layout.text);
      for (unsigned lines = 256; lines <= 2560; lines += 256)
        for (const unsigned others : {0u, kOthers}) {
          walk<<<1, 1>>>(words, layout, lines, others, found);
          unsigned hits[kRounds];
          check(cudaMemcpy(hits, found, sizeof hits, cudaMemcpyDeviceToHost));
          std::printf("%s %u:", others ? ", behind others" : "\n ", lines);
          for (unsigned round = 1; round < kRounds; ++round) {
            std::printf(" %u", 100 * hits[round] / lines);
            ever |= hits[round] != lines && hits[round] != 0;
          }
        }
      std::printf("\n");
    }
  }
  return ever ? 0 : 1;
}
