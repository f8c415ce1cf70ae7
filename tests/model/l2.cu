// SPDX-License-Identifier: MIT
// Reads off a GPU how its L2 cache holds lines: how many make a set and which of them leaves, how much of what was read is lost
// when it is read again, and what each of the two halves keeps of the other one's. One warp reads or writes at a time, and sees
// by the time from where a line came. What comes out is in emulator/counters/caches/l2_sets.cpp, l2_lines.cpp and footprint.cpp.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/l2.cu -o l2 && ./l2
//
// 1 if there is nothing to see (the emulator, whose loads all take as long).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kBytes = std::size_t{512} << 20;
constexpr unsigned kLineWords = 32, kChunkLines = 32, kChunks = kBytes / 4096;
constexpr unsigned kNear = 390, kFar = 600, kFarFromDram = 640;  // cycles, less than which it takes
enum class Home : unsigned { A, B, Any };
enum class Do : unsigned { Read, ReadToLeaveFirst, Write, WriteFours, Add };

unsigned *words = nullptr, *others = nullptr, *results = nullptr, *far_chunks = nullptr;
std::mt19937 drawn(1);

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "l2: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

__device__ unsigned multiprocessor() {
  unsigned number;
  asm("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}
__device__ unsigned cycle() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}
__device__ unsigned cycles_of(const unsigned* word, bool leaves_first = false) {
  const unsigned before = cycle();
  unsigned value;
  if (leaves_first)
    asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  else
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  if (value) __trap();  // all words are zero; so it waits for them
  return cycle() - before;
}
// Of the blocks of a launch one on this multiprocessor goes on.
__device__ bool chosen(unsigned on, unsigned* begun) {
  if (multiprocessor() != on) return false;
  unsigned first = 0;
  if (threadIdx.x == 0) first = atomicAdd(begun, 1) == 0;
  return __shfl_sync(~0u, first, 0);
}

__global__ void read_all(const unsigned* from, std::size_t n, unsigned* sum) {
  unsigned own = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    own += __ldcg(from + i);
  if (own) *sum = own;
}
// Which chunks of 4 KiB are at home in the other half: from DRAM they take longer.
__global__ void find_homes(unsigned on, const unsigned* words, unsigned chunks, unsigned* far,
                           unsigned* begun) {
  if (!chosen(on, begun) || threadIdx.x) return;
  for (unsigned c = 0; c < chunks; ++c) {
    unsigned least = ~0u;
    for (unsigned k = 0; k < 4; ++k)
      least = min(least, cycles_of(words + (std::size_t{c} * kChunkLines + k * 9) * kLineWords));
    far[c] = least > kFarFromDram - 20;
  }
}
struct Walk {
  unsigned on;
  Home home;
  unsigned from, lines, step;  // chunks; of the lines there, every step-th
  Do what;
};
__global__ void walk(Walk w, unsigned* words, const unsigned* far, unsigned* result) {
  if (!chosen(w.on, result + 4)) return;
  const unsigned lane = threadIdx.x;
  unsigned done = 0, seen = 0;
  for (unsigned c = w.from; done < w.lines && c < kChunks; ++c) {
    if (w.home != Home::Any && (__ldg(far + c) != 0) != (w.home == Home::B)) continue;
    for (unsigned k = 0; k < kChunkLines && done < w.lines; ++k) {
      if (seen++ % w.step) continue;
      unsigned* const line = words + (std::size_t{c} * kChunkLines + k) * kLineWords;
      ++done;
      if (w.what == Do::Write) line[lane] = 0;
      if (w.what == Do::Add) atomicAdd(line + lane, 0u);
      if (w.what == Do::WriteFours && k % 4 == 0)
        reinterpret_cast<uint4*>(line)[lane] = uint4{0, 0, 0, 0};
      if (w.what > Do::ReadToLeaveFirst || lane) continue;
      const unsigned cycles = cycles_of(line, w.what == Do::ReadToLeaveFirst);
      ++result[cycles < kNear ? 0 : cycles < kFar ? 1 : 2];
    }
  }
  if (lane == 0) result[3] = done;
}
// A warp reads many lines, after one thread has read one: is that still there?
__global__ void push_out(const unsigned* words, unsigned line, const unsigned* by, unsigned n,
                         unsigned* result) {
  if (threadIdx.x == 0) cycles_of(words + std::size_t{line} * kLineWords);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
      sum += __ldcg(words + std::size_t{by[i]} * kLineWords);
  if (__syncthreads_or(sum != 0) || threadIdx.x) return;
  cycles_of(words + std::size_t{line ^ 1024} * kLineWords);  // where it lies is known from here on
  result[0] = cycles_of(words + std::size_t{line} * kLineWords) >= kNear;
}
__global__ void read_in_turn(const unsigned* words, const unsigned* lines, unsigned n,
                             unsigned* missed) {
  for (unsigned i = 0; i < n; ++i)
    missed[i] = cycles_of(words + std::size_t{lines[i]} * kLineWords) >= kNear;
}

void flush() {
  read_all<<<528, 256>>>(others, kBytes / 4, results);
  check(cudaDeviceSynchronize());
}
std::vector<unsigned> result_of(std::size_t n) {
  std::vector<unsigned> result(n);
  check(cudaMemcpy(result.data(), results, n * 4, cudaMemcpyDeviceToHost));
  return result;
}
std::vector<unsigned> go(const Walk& w) {
  check(cudaMemset(results, 0, 64));
  walk<<<4 * 132, 32>>>(w, words, far_chunks, results);
  return result_of(4);
}
void show(const char* what, const std::vector<unsigned>& r) {
  const double n = std::max(1u, r[0] + r[1] + r[2]);
  std::printf("%-66s near %.3f, up to %u cycles %.3f, more %.3f\n", what, r[0] / n, kFar, r[1] / n,
              r[2] / n);
}

bool leaves(unsigned line, const std::vector<unsigned>& by) {
  unsigned* list = nullptr;
  check(cudaMalloc(&list, by.size() * 4));
  check(cudaMemcpy(list, by.data(), by.size() * 4, cudaMemcpyHostToDevice));
  int yes = 0;
  for (int i = 0; i < 3; ++i) {
    push_out<<<1, 256>>>(words, line, list, static_cast<unsigned>(by.size()), results);
    yes += result_of(1)[0] != 0;
  }
  check(cudaFree(list));
  return yes >= 2;
}
// Leaves out of a list of lines whatever is not needed to push a line out.
std::vector<unsigned> set_of(unsigned line) {
  std::vector<unsigned> by(kBytes / 128);
  std::iota(by.begin(), by.end(), 0);
  std::erase(by, line);
  std::shuffle(by.begin(), by.end(), drawn);
  by.resize(1200000);
  for (std::size_t parts = 20, failed = 0; failed < by.size();) {
    parts = std::min(parts, by.size());
    const std::size_t part = failed % parts;
    std::vector<unsigned> fewer(by.begin(), by.begin() + by.size() * part / parts);
    fewer.insert(fewer.end(), by.begin() + by.size() * (part + 1) / parts, by.end());
    const bool still = leaves(line, fewer);
    if (still) by = std::move(fewer);
    failed = still ? 0 : failed + 1;
    if (failed == parts && parts < by.size()) parts = 2 * parts, failed = 0;  // smaller ones
  }
  return by;
}
void show_sets() {
  constexpr std::size_t kTooMany = 64;
  for (int round = 0; round < 4; ++round) {
    const unsigned line = drawn() % (kBytes / 128);
    std::vector<unsigned> lines = set_of(line);
    if (lines.size() > kTooMany) {
      std::printf("line %u leaves for another reason\n", line);
      continue;
    }
    std::printf("line %u leaves when %zu others of its set have come", line, lines.size());
    lines.push_back(line);
    const std::size_t ways = lines.size() - 1;
    unsigned right = 0, all = 0, missed = 0;
    for (int sequence = 0; sequence < 4; ++sequence) {
      std::vector<unsigned> order(1500), asked;
      for (unsigned& o : order) o = drawn() % lines.size();
      for (const unsigned o : order) asked.push_back(lines[o]);
      unsigned* list = nullptr;
      check(cudaMalloc(&list, asked.size() * 4));
      check(cudaMemcpy(list, asked.data(), asked.size() * 4, cudaMemcpyHostToDevice));
      read_in_turn<<<1, 1>>>(words, list, static_cast<unsigned>(asked.size()), results);
      const std::vector<unsigned> got = result_of(asked.size());
      check(cudaFree(list));
      std::deque<unsigned> used;  // longest ago first
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto at = std::ranges::find(used, order[i]);
        const bool there = at != used.end();
        if (there)
          used.erase(at);
        else if (used.size() == ways)
          used.pop_front();
        used.push_back(order[i]);
        if (i < 300) continue;
        right += there == !got[i];
        missed += got[i];
        ++all;
      }
    }
    std::printf("; of %u loads (%u missed) %u as if the one used longest ago left\n", all, missed,
                right);
  }
}

void show_what_is_lost(unsigned a) {
  for (const Home home : {Home::A, Home::Any})
    for (const unsigned step : {1u, 3u})
      for (unsigned lines = 140000; lines <= 320000; lines += 12000) {
        flush();
        go({a, home, 0, lines, step, Do::Read});
        const auto again = go({a, home, 0, lines, step, Do::Read});
        std::printf("of %u lines%s, every %u, read again, lost: %.3f\n", lines,
                    home == Home::A ? " at home there" : "", step, 1 - again[0] / double(lines));
      }
}

void show_who_keeps_what(unsigned a, unsigned b) {
  constexpr unsigned kFew = 4096, kSome = 60000, kMany = 260000, kElsewhere = 8192;
  const auto first = [](Walk w) { flush(), go(w); };
  first({b, Home::B, 0, kFew, 1, Do::Read});
  show("B reads; A reads, at home in B", go({a, Home::B, 0, kFew, 1, Do::Read}));
  show("... again", go({a, Home::B, 0, kFew, 1, Do::Read}));
  first({a, Home::B, 0, kFew, 1, Do::Read}), go({b, Home::B, kElsewhere, kMany, 1, Do::Read});
  show("A reads, B reads many others, all at home in B; A reads again",
       go({a, Home::B, 0, kFew, 1, Do::Read}));
  first({a, Home::A, 0, kSome, 1, Do::Read}), go({a, Home::A, kElsewhere, kMany, 1, Do::Read});
  show("A reads, then many others; again", go({a, Home::A, 0, kSome, 1, Do::Read}));
  first({a, Home::A, 0, kSome, 1, Do::Read});
  go({a, Home::A, kElsewhere, kMany, 1, Do::ReadToLeaveFirst});
  show("A reads, then many others that leave first; again",
       go({a, Home::A, 0, kSome, 1, Do::Read}));
  first({a, Home::A, 0, kFew, 1, Do::ReadToLeaveFirst});
  go({a, Home::A, kElsewhere, kSome, 1, Do::Read});
  show("A reads what leaves first, then some others; again",
       go({a, Home::A, 0, kFew, 1, Do::Read}));
  constexpr const char* kNames[] = {"", "", "writes", "writes 16 bytes a lane", "adds"};
  for (const Do what : {Do::Write, Do::WriteFours, Do::Add}) {
    std::printf("%s:\n", kNames[static_cast<int>(what)]);
    first({a, Home::B, 0, kFew, 1, what});
    show("A writes, A reads, at home in B", go({a, Home::B, 0, kFew, 1, Do::Read}));
    first({a, Home::B, 0, kFew, 1, Do::Read}), go({b, Home::B, 0, kFew, 1, what});
    show("A reads, B writes, A reads, at home in B", go({a, Home::B, 0, kFew, 1, Do::Read}));
    first({a, Home::A, 0, kSome, 1, Do::Read}), go({a, Home::B, kElsewhere, kMany, 1, what});
    show("A reads; writes many others, at home in B; reads again",
         go({a, Home::A, 0, kSome, 1, Do::Read}));
    first({a, Home::A, 0, kSome, 1, Do::Read}), go({b, Home::B, kElsewhere, kMany, 1, what});
    show("A reads; B writes many others, at home in B; A reads again",
         go({a, Home::A, 0, kSome, 1, Do::Read}));
  }
}

// Which multiprocessor is the first one that is near to the other half.
unsigned near_the_other_half(unsigned multiprocessors) {
  constexpr unsigned kSeen = 256;
  std::vector<unsigned> of_first(kSeen), far(kSeen);
  for (unsigned on = 0; on < multiprocessors; ++on) {
    flush();
    check(cudaMemset(results, 0, 64));
    find_homes<<<4 * 132, 32>>>(on, words, kSeen, far_chunks, results);
    check(cudaMemcpy(far.data(), far_chunks, kSeen * 4, cudaMemcpyDeviceToHost));
    if (on == 0) of_first = far;
    unsigned differ = 0;
    for (unsigned i = 0; i < kSeen; ++i) differ += far[i] != of_first[i];
    if (differ > kSeen / 2) return on;
  }
  return 0;
}

}  // namespace

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  check(cudaMalloc(&words, kBytes));
  check(cudaMalloc(&others, kBytes));
  check(cudaMalloc(&results, 1 << 16));
  check(cudaMalloc(&far_chunks, kChunks * 4));
  check(cudaMemset(words, 0, kBytes));
  check(cudaMemset(others, 0, kBytes));
  check(cudaMemset(results, 0, 1 << 16));
  read_in_turn<<<1, 1>>>(words, results + 16, 2, results);  // line 0, twice
  const std::vector<unsigned> missed = result_of(2);
  if (!missed[0] || missed[1]) {
    std::fprintf(stderr, "l2: nothing to see: what was read takes as long as what was not\n");
    return 1;
  }
  const unsigned b = near_the_other_half(static_cast<unsigned>(device.multiProcessorCount));
  if (b == 0) {
    std::fprintf(stderr, "l2: all multiprocessors are as far from all memory\n");
    return 1;
  }
  std::printf("%s: A is multiprocessor 0, B is %u\n", device.name, b);
  flush();
  check(cudaMemset(results, 0, 64));
  find_homes<<<4 * 132, 32>>>(0, words, kChunks, far_chunks, results);
  check(cudaDeviceSynchronize());
  show_sets();
  show_who_keeps_what(0, b);
  show_what_is_lost(0);
}
