// SPDX-License-Identifier: MIT
// Reads off a GPU what the timing model knows of its caches and no counter says: which multiprocessors are near which half of
// L2, where blocks that follow each other go, and with which bits of an address its home changes.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/halves.cu -o halves && ./halves
//
// An atomic goes to where its address is at home, so it takes longer from the other half. Prints what it finds; 1 if the GPU
// does not show two halves (the emulator, whose clock knows nothing of them).
//
//   ncu -k together --metrics lts__t_sectors_srcunit_tex.sum ./halves BLOCKS FIRST COUNT
//
// COUNT of BLOCKS blocks, from the first of them on, read the same 1024 sectors in step: a request for each of those that ask L2
// as one. (Any two of a GPC do, and four; five make two requests, sixteen four. Of 16 blocks alone ten are counted: eight run
// in one GPC, and one in each behind them.)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr unsigned kLineWords = 32, kTries = 3;
constexpr std::size_t kSpan = std::size_t{4} << 20;  // bytes: of the bits up to here

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "halves: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

template <class T>
std::vector<T> fetched(const T* from, std::size_t count) {
  std::vector<T> to(count);
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

__device__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// One block for each multiprocessor (its shared memory leaves no room for another): the cycles of an atomic to each line.
__global__ void time_atomics(unsigned* words, unsigned lines, unsigned step, unsigned* cycles,
                             unsigned* ids) {
  if (threadIdx.x != 0) return;
  ids[blockIdx.x] = multiprocessor();
  for (unsigned line = 0; line < lines; ++line) {
    unsigned least = ~0u;
    for (unsigned i = 0; i < kTries; ++i) {
      const long long begin = clock64();
      if (atomicAdd(words + std::size_t{line} * step, 0u)) __trap();  // waits for it
      least = min(least, static_cast<unsigned>(clock64() - begin));
    }
    cycles[std::size_t{blockIdx.x} * lines + line] = least;
  }
}

__global__ void note_places(unsigned* ids) {
  if (threadIdx.x == 0) ids[blockIdx.x] = multiprocessor();
  for (const long long begin = clock64(); clock64() - begin < 20000;) {
  }
}

struct Gpu {
  unsigned count = 0;
  std::vector<int> half;  // of each multiprocessor, by its number
  std::vector<unsigned> ids;
};

std::vector<unsigned> timed(unsigned* words, unsigned lines, unsigned step, Gpu& gpu) {
  unsigned *cycles, *ids;
  check(cudaMalloc(&cycles, std::size_t{gpu.count} * lines * sizeof(unsigned)));
  check(cudaMalloc(&ids, gpu.count * sizeof(unsigned)));
  int most = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  check(cudaFuncSetAttribute(time_atomics, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  time_atomics<<<gpu.count, 32, static_cast<std::size_t>(most)>>>(words, lines, step, cycles, ids);
  check(cudaGetLastError());
  gpu.ids = fetched(ids, gpu.count);
  std::vector<unsigned> all = fetched(cycles, std::size_t{gpu.count} * lines);
  check(cudaFree(cycles));
  check(cudaFree(ids));
  return all;
}

// Multiprocessors for which the same lines are far are near the same half.
bool find_halves(unsigned* words, Gpu& gpu) {
  constexpr unsigned kLines = 96, kStep = 3 * 1024;  // words: from 12 KiB to the next
  timed(words, kLines, kStep, gpu);
  const std::vector<unsigned> cycles = timed(words, kLines, kStep, gpu);
  std::vector<double> line(kLines), own(gpu.count);
  for (unsigned i = 0; i < gpu.count * kLines; ++i) {
    line[i % kLines] += 1.0 * cycles[i] / gpu.count;
    own[i / kLines] += 1.0 * cycles[i] / kLines;
  }
  gpu.half.assign(gpu.count, 0);
  unsigned sure = 0;
  for (unsigned b = 0; b < gpu.count; ++b) {
    double both = 0, first = 0, second = 0, mean = 0;
    for (const double x : line) mean += x / kLines;
    for (unsigned l = 0; l < kLines; ++l) {
      const double x = cycles[l] - own[0] - line[l] + mean;
      const double y = cycles[b * kLines + l] - own[b] - line[l] + mean;
      both += x * y, first += x * x, second += y * y;
    }
    gpu.half[gpu.ids[b]] = both < 0;
    sure += both * both > 0.5 * first * second;
  }
  const auto near = std::count(gpu.half.begin(), gpu.half.end(), 0);
  std::printf("multiprocessors near one half of L2: %ld, near the other: %ld; %u of %u for sure\n",
              static_cast<long>(near), static_cast<long>(gpu.count - near), sure, gpu.count);
  return sure > gpu.count * 9 / 10;
}

void find_places(const Gpu& gpu) {
  const unsigned blocks = 2 * gpu.count;
  unsigned* ids;
  check(cudaMalloc(&ids, blocks * sizeof(unsigned)));
  note_places<<<blocks, 256>>>(ids);
  check(cudaGetLastError());
  const std::vector<unsigned> places = fetched(ids, blocks);
  std::printf("blocks that follow each other near the same half:");
  unsigned run = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    ++run;
    if (b + 1 < blocks && gpu.half[places[b]] == gpu.half[places[b + 1]]) continue;
    std::printf(" %u", run);
    run = 0;
  }
  std::printf("\n");
  check(cudaFree(ids));
}

void find_homes(unsigned* words, Gpu& gpu) {
  const unsigned lines = kSpan / sizeof(unsigned) / kLineWords;
  const std::vector<unsigned> cycles = timed(words, lines, kLineWords, gpu);
  const auto of = [&](int half) {
    unsigned b = 0;
    while (gpu.half[gpu.ids[b]] != half) ++b;
    return &cycles[std::size_t{b} * lines];
  };
  const unsigned *near = of(0), *far = of(1);
  std::printf("an address is at home in the other half if one of these bits changes:");
  for (unsigned bit = 0; 1u << bit < lines; ++bit) {
    unsigned changes = 0;
    for (unsigned l = 0; l < lines; ++l) {
      const unsigned other = l ^ 1u << bit;
      changes += (near[l] < far[l]) != (near[other] < far[other]);
    }
    if (changes > lines * 9 / 10) std::printf(" %u", bit + 7);
  }
  std::printf("\n");
}

// The lines one after the other, each when the one before is there.
__global__ void together(const float* lines, unsigned count, unsigned first, unsigned blocks,
                         float* sums) {
  if (blockIdx.x < first || blockIdx.x >= first + blocks) return;
  float sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    sum += lines[i * kLineWords + threadIdx.x];
    if (sum < 0) break;  // it has to know
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int read_together(const char* const* numbers) {
  constexpr unsigned kLines = 256, kMost = 1u << 16;
  unsigned given[3] = {};
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    given[i] = static_cast<unsigned>(std::strtoul(numbers[i], &end, 10));
    if (*end || given[i] > kMost || (i != 1 && given[i] == 0)) {
      std::fprintf(stderr, "halves: '%s'; allowed: BLOCKS FIRST COUNT, up to %u\n", numbers[i],
                   kMost);
      return 2;
    }
  }
  float *lines, *sums;
  check(cudaMalloc(&lines, kLines * kLineWords * sizeof(float)));
  check(cudaMemset(lines, 0, kLines * kLineWords * sizeof(float)));
  check(cudaMalloc(&sums, given[0] * sizeof(float)));
  together<<<given[0], kLineWords>>>(lines, kLines, given[1], given[2], sums);
  check(cudaDeviceSynchronize());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) return read_together(argv + 1);
  if (argc != 1) {
    std::fprintf(stderr, "halves: nothing, or BLOCKS FIRST COUNT\n");
    return 2;
  }
  Gpu gpu;
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  gpu.count = static_cast<unsigned>(count);
  unsigned* memory;  // from a multiple of the span on: only its low bits are to count
  check(cudaMalloc(&memory, 2 * kSpan));
  check(cudaMemset(memory, 0, 2 * kSpan));
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  unsigned* words = memory + (kSpan - address % kSpan) % kSpan / sizeof(unsigned);
  if (!find_halves(words, gpu)) {
    std::printf("this GPU does not show two halves\n");
    return 1;
  }
  find_places(gpu);
  find_homes(words, gpu);
  return 0;
}
