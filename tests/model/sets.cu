// SPDX-License-Identifier: MIT
// Reads off a GPU in which set of its first-level cache a line is, and which line leaves a full set: one thread reads lines in some
// order and sees by the time which of them were there. What comes out is in emulator/counters/caches/level1_set.hpp.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/sets.cu -o sets && ./sets
//
// Prints whether a load finds what was stored, what takes a line away, which bits of a line's number flip which bits of its set's, and in how many of 748
// sequences drawn from five to eight lines of a set the thread found just those that it should find. 1 if there is nothing to see
// (the emulator, whose loads all take as long).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr unsigned kLineWords = 32, kInL1 = 120;  // cycles: L2 takes more than 200
constexpr unsigned kSetBits = 9, kLineBits = 24, kWays = 4;
using Lines = std::vector<unsigned>;
using Hits = std::vector<std::uint8_t>;
unsigned* words = nullptr;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "sets: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

unsigned drawn(unsigned most) {
  static std::uint64_t state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return static_cast<unsigned>(state >> 24) % most;
}

__device__ unsigned cycle() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}
__device__ bool in_l1(const unsigned* words, unsigned line) {
  if (line == ~0u) __trap();  // so its number is there before the clock is read
  const unsigned before = cycle();
  unsigned value;
  asm volatile("ld.global.ca.u32 %0, [%1];"
               : "=r"(value)
               : "l"(words + std::size_t{line} * kLineWords)
               : "memory");
  if (value) __trap();  // all words are zero; so it waits for them
  return cycle() - before < kInL1;
}

// Each list of lines is read so many times by one block; which of them are found the last time.
__global__ void read_lists(const unsigned* words, const unsigned* lines, const unsigned* first,
                           unsigned lists, unsigned rounds, std::uint8_t* hits) {
  for (unsigned l = blockIdx.x; l < lists; l += gridDim.x)
    for (unsigned round = 0; round < rounds; ++round)
      for (unsigned i = __ldcg(first + l); i < __ldcg(first + l + 1); ++i)
        hits[i] = in_l1(words, __ldcg(lines + i));
}

// Whether a word is found that was stored and never read, and the one beside it.
__global__ void read_stored(unsigned* words, std::uint8_t* hits) {
  unsigned* const line = words + 4096 * kLineWords;
  asm volatile("st.global.u32 [%0], %1;" ::"l"(line), "r"(0) : "memory");
  for (const unsigned begin = cycle(); cycle() - begin < 3000;) {
  }
  hits[0] = in_l1(line, 0);
  hits[1] = in_l1(line + 1, 0);
}

enum Does : unsigned { Stores, Adds, ReadsPast, ReadsVolatile, Fences, kDoes };
constexpr const char* kDone[] = {"a store", "an atomic", "ld.cg", "a volatile load", "a fence"};
// Reads all sectors of a line and a word of another one, does something with the first word, and looks whether the last
// sector is still there, and the other line.
__global__ void read_afterwards(unsigned* words, unsigned does, std::uint8_t* hits) {
  unsigned *const line = words + (8192 + 64 * does) * kLineWords, *const other = line + kLineWords;
  for (unsigned sector = 0; sector < 4; ++sector) in_l1(line + 8 * sector, 0);
  in_l1(other, 0);
  unsigned value = 0;
  if (does == Stores) asm volatile("st.global.u32 [%0], %1;" ::"l"(line), "r"(0) : "memory");
  if (does == Adds) value = atomicAdd(line, 0u);
  if (does == ReadsPast) value = __ldcg(line);
  if (does == ReadsVolatile) value = *static_cast<volatile unsigned*>(line);
  if (does == Fences) __threadfence();
  if (value) __trap();
  for (const unsigned begin = cycle(); cycle() - begin < 3000;) {
  }
  hits[0] = in_l1(line + 24, 0);
  hits[1] = in_l1(other, 0);
}

std::vector<Hits> found_in(const std::vector<Lines>& lists, unsigned rounds, unsigned blocks) {
  std::vector<unsigned> all, first{0};
  for (const Lines& list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    first.push_back(static_cast<unsigned>(all.size()));
  }
  unsigned *lines, *begins;
  std::uint8_t* hits;
  check(cudaMallocManaged(&lines, all.size() * 4 + 4));
  check(cudaMallocManaged(&begins, first.size() * 4));
  check(cudaMallocManaged(&hits, all.size() + 1));
  std::copy(all.begin(), all.end(), lines);
  std::copy(first.begin(), first.end(), begins);
  read_lists<<<blocks, 1>>>(words, lines, begins, static_cast<unsigned>(lists.size()), rounds,
                            hits);
  check(cudaDeviceSynchronize());
  std::vector<Hits> out;
  for (std::size_t l = 0; l < lists.size(); ++l)
    out.emplace_back(hits + first[l], hits + first[l + 1]);
  check(cudaFree(lines)), check(cudaFree(begins)), check(cudaFree(hits));
  return out;
}
Hits found(const Lines& list, unsigned rounds) { return found_in({list}, rounds, 1)[0]; }
std::size_t misses(const Hits& hits) { return std::count(hits.begin(), hits.end(), 0); }

// Five lines of one set: of many drawn ones those that are never found share a set with four others; who leaves five of them
// one out finds the other four.
Lines some_set() {
  for (int attempt = 0; attempt < 50; ++attempt) {
    Lines pool, lost;
    for (int i = 0; i < 700; ++i) pool.push_back(drawn(1u << 17));
    std::sort(pool.begin(), pool.end());
    pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
    const Hits hits = found(pool, 4);
    for (std::size_t i = 0; i < pool.size(); ++i)
      if (!hits[i]) lost.push_back(pool[i]);
    for (std::size_t out = 0; out < lost.size(); ++out) {
      Lines rest = lost, set{lost[out]};
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
      const Hits back = found(rest, 4);
      for (std::size_t i = 0; i < rest.size(); ++i)
        if (back[i]) set.push_back(rest[i]);
      if (set.size() == kWays + 1) return set;
    }
  }
  return {};
}

// Further lines of the set: the first of each 512 on end, and drawn ones.
Lines members_of(const Lines& set) {
  Lines tried, members;
  std::vector<Lines> lists;
  for (unsigned i = 0; i < 1u << 19; ++i)
    tried.push_back(i < 1u << 15 ? i : drawn(1u << kLineBits));
  for (const unsigned line : tried) lists.push_back({set[0], set[1], set[2], set[3], line});
  const std::vector<Hits> hits = found_in(lists, 4, 132);
  for (std::size_t i = 0; i < tried.size(); ++i)  // again alone, with an empty cache
    if (misses(hits[i]) > 1 &&
        std::find(set.begin(), set.begin() + kWays, tried[i]) == set.begin() + kWays &&
        misses(found(lists[i], 3)) == kWays + 1)
      members.push_back(tried[i]);
  return members;
}

// Numbers whose bits flip nothing together, as a basis by their highest bits; then what each bit above the set's flips.
void print_flips(const Lines& set, const Lines& members) {
  const std::uint64_t base = reinterpret_cast<std::uint64_t>(words) / (4 * kLineWords);
  std::map<int, std::uint64_t> basis;
  const auto reduced = [&](std::uint64_t x) {
    for (auto it = basis.rbegin(); it != basis.rend(); ++it)
      if (x >> it->first & 1) x ^= it->second;
    return x;
  };
  for (const unsigned line : members) {
    const std::uint64_t x = reduced((base + line) ^ (base + set[0]));
    if (x) basis[63 - __builtin_clzll(x)] = x;
  }
  std::printf("bit of the line: bits of the set that it flips\n");
  for (unsigned bit = kSetBits; bit < kLineBits; ++bit)
    std::printf("%2u: 0x%03llx\n", bit,
                static_cast<unsigned long long>(reduced(std::uint64_t{1} << bit)));
}

// What level1_set.hpp says of such a sequence.
Hits expected(const std::string& letters) {
  std::vector<char> queue, last, now;
  Hits hits;
  for (const char letter : letters) {
    const auto in = [&](const std::vector<char>& list) {
      return std::find(list.begin(), list.end(), letter) != list.end();
    };
    hits.push_back(in(queue) || in(last));
    if (!hits.back()) {
      now = last;
      std::sort(now.begin(), now.end());
      const auto held = queue.size() +
                        static_cast<std::size_t>(std::unique(now.begin(), now.end()) - now.begin());
      if (held == kWays) queue.erase(queue.begin());
      queue.push_back(letter);
      continue;
    }
    queue.erase(std::remove(queue.begin(), queue.end(), letter), queue.end());
    last.push_back(letter);
    if (last.size() <= 2) continue;
    const char oldest = last.front();
    last.erase(last.begin());
    if (oldest != last[0] && oldest != last[1]) queue.push_back(oldest);
  }
  return hits;
}

}  // namespace

int main() {
  check(cudaMalloc(&words, std::size_t{4} * kLineWords << kLineBits));
  check(cudaMemset(words, 0, std::size_t{4} * kLineWords << kLineBits));
  if (!found({1}, 2)[0] || found({1}, 1)[0]) {
    std::fprintf(stderr, "sets: loads take as long whether they find their line or not\n");
    return 1;
  }
  Lines set = some_set();
  if (set.empty()) {
    std::fprintf(stderr, "sets: no five lines found that push each other out\n");
    return 1;
  }
  std::uint8_t* stored;
  check(cudaMallocManaged(&stored, 2));
  read_stored<<<1, 1>>>(words, stored);
  check(cudaDeviceSynchronize());
  std::printf("a word that was stored: %s; the word beside it: %s\n",
              stored[0] ? "found" : "not found", stored[1] ? "found" : "not found");
  for (unsigned does = 0; does < kDoes; ++does) {
    read_afterwards<<<1, 1>>>(words, does, stored);
    check(cudaDeviceSynchronize());
    std::printf("behind %s the rest of the line: %s; another line: %s\n", kDone[does],
                stored[0] ? "found" : "not found", stored[1] ? "found" : "not found");
  }
  const Lines members = members_of(set);
  print_flips(set, members);
  for (const unsigned line : members)
    if (std::find(set.begin(), set.end(), line) == set.end()) set.push_back(line);
  unsigned right = 0, all = 0;
  for (unsigned letters = 5; letters <= 8; ++letters)
    for (int i = 0; i < 187; ++i, ++all) {
      std::string text;
      Lines lines;
      for (int k = 0; k < 60; ++k) {
        text += static_cast<char>('a' + drawn(letters));
        lines.push_back(set[static_cast<std::size_t>(text.back() - 'a')]);
      }
      right += found(lines, 1) == expected(text);
    }
  std::printf("%zu lines of a set; %u of %u sequences found what they should\n", set.size(), right,
              all);
}
