// SPDX-License-Identifier: MIT
// Minimisers of a genome: for each window of ten 19-letter words the least of their hashes. A
// thread a window that starts from the letters each time; letters and hashes of a block in shared
// memory; a thread for 96 windows in a row with a queue of candidates in local memory (its stores
// are far from its neighbours'); and letters packed in two bits, four windows a thread that share
// most of their work in registers.
#pragma once

#include "../set.cuh"

namespace timing_set {

using MinimiserHash = unsigned long long;
constexpr unsigned kMinimiserWord = 19, kMinimiserWindow = 10;
constexpr unsigned kMinimiserSpan = kMinimiserWord + kMinimiserWindow - 1;  // letters of a window
constexpr MinimiserHash kMinimiserMask = (1ull << 2 * kMinimiserWord) - 1;

__host__ __device__ inline MinimiserHash minimiser_hash(MinimiserHash word) {
  word *= 0x9e3779b97f4a7c15ull;
  return word ^ word >> 32;
}
// A, C, T, G differ in these two bits.
__host__ __device__ inline unsigned minimiser_code(char letter) { return letter >> 1 & 3; }

__global__ void minimiser_naive(const char* genome, MinimiserHash* out, unsigned windows) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= windows) return;
  MinimiserHash word = 0, best = ~0ull;
  for (unsigned j = 0; j < kMinimiserSpan; ++j) {
    word = (word << 2 | minimiser_code(genome[i + j])) & kMinimiserMask;
    if (j + 1 >= kMinimiserWord) best = min(best, minimiser_hash(word));
  }
  out[i] = best;
}

constexpr unsigned kMinimiserBlock = 384;

__global__ void __launch_bounds__(kMinimiserBlock)
    minimiser_shared(const char* __restrict__ genome, MinimiserHash* __restrict__ out,
                     unsigned windows) {
  constexpr unsigned words = kMinimiserBlock + kMinimiserWindow - 1;
  constexpr unsigned letters = kMinimiserBlock + kMinimiserSpan - 1;
  __shared__ unsigned char codes[letters];
  __shared__ MinimiserHash hashes[words];
  const unsigned first = blockIdx.x * kMinimiserBlock;
  const unsigned end = windows + kMinimiserSpan - 1;
  for (unsigned i = threadIdx.x; i < letters; i += kMinimiserBlock)
    codes[i] = first + i < end ? minimiser_code(genome[first + i]) : 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < words; i += kMinimiserBlock) {
    MinimiserHash word = 0;
#pragma unroll
    for (unsigned j = 0; j < kMinimiserWord; ++j) word = word << 2 | codes[i + j];
    hashes[i] = minimiser_hash(word);
  }
  __syncthreads();
  if (first + threadIdx.x >= windows) return;
  MinimiserHash best = hashes[threadIdx.x];
#pragma unroll
  for (unsigned j = 1; j < kMinimiserWindow; ++j) best = min(best, hashes[threadIdx.x + j]);
  out[first + threadIdx.x] = best;
}

constexpr unsigned kMinimiserPiece = 96;

__global__ void minimiser_queue(const char* genome, MinimiserHash* out, unsigned windows) {
  const unsigned first = thread_number() * kMinimiserPiece;
  if (first >= windows) return;
  const unsigned end = min(first + kMinimiserPiece, windows) + kMinimiserSpan - 1;
  MinimiserHash hashes[16];  // a ring; hashes grow from head to tail
  unsigned places[16];
  unsigned head = 0, tail = 0;
  MinimiserHash word = 0;
  for (unsigned i = first; i < end; ++i) {
    word = (word << 2 | minimiser_code(genome[i])) & kMinimiserMask;
    if (i + 1 < first + kMinimiserWord) continue;
    const MinimiserHash hash = minimiser_hash(word);
    while (tail != head && hashes[(tail - 1) % 16] >= hash) --tail;
    hashes[tail % 16] = hash;
    places[tail % 16] = i;
    ++tail;
    if (places[head % 16] + kMinimiserWindow <= i) ++head;
    if (i + 1 >= first + kMinimiserSpan) out[i + 1 - kMinimiserSpan] = hashes[head % 16];
  }
}

__global__ void minimiser_packed(const unsigned* __restrict__ genome, ulonglong2* __restrict__ out,
                                 unsigned quarter) {
  const unsigned i = thread_number();
  if (i >= quarter) return;
  const unsigned* from = genome + i / 4;
  MinimiserHash high = static_cast<MinimiserHash>(from[0]) << 32 | from[1];
  MinimiserHash low = static_cast<MinimiserHash>(from[2]) << 32;
  const unsigned shift = i % 4 * 8;
  if (shift) {
    high = high << shift | low >> (64 - shift);
    low <<= shift;
  }
  constexpr unsigned count = kMinimiserWindow + 3;
  MinimiserHash hash[count];
#pragma unroll
  for (unsigned j = 0; j < count; ++j) {
    hash[j] = minimiser_hash(high >> (64 - 2 * kMinimiserWord));
    high = high << 2 | low >> 62;
    low <<= 2;
  }
  MinimiserHash common = hash[3];
#pragma unroll
  for (unsigned j = 4; j < kMinimiserWindow; ++j) common = min(common, hash[j]);
  const MinimiserHash left = min(common, hash[2]), right = min(common, hash[10]);
  out[2 * i] = make_ulonglong2(min(left, min(hash[0], hash[1])), min(min(left, hash[1]), hash[10]));
  out[2 * i + 1] =
      make_ulonglong2(min(min(left, right), hash[11]), min(min(right, hash[11]), hash[12]));
}

inline char minimiser_letter(unsigned i) { return "ACTG"[mixed(i / 12 + 5) >> (i % 12 * 2) & 3]; }

inline Shared<char> minimiser_genome(unsigned windows) {
  return array<char>(windows + kMinimiserSpan - 1, minimiser_letter);
}

// From the letters' definition, word by word.
inline MinimiserHash minimiser_wanted(unsigned window) {
  MinimiserHash best = ~0ull;
  for (unsigned j = 0; j < kMinimiserWindow; ++j) {
    MinimiserHash word = 0;
    for (unsigned k = 0; k < kMinimiserWord; ++k)
      word = word * 4 + minimiser_code(minimiser_letter(window + j + k));
    best = std::min(best, minimiser_hash(word));
  }
  return best;
}

inline std::function<bool()> minimiser_right(const Shared<MinimiserHash>& out) {
  return [out] {
    const std::vector<MinimiserHash> got = out->device.download();
    // All of the first ones: every place among the windows of a thread.
    for (std::size_t i = 0; i < got.size(); i += i < 500 ? 1 : got.size() / 3000 | 1)
      if (got[i] != minimiser_wanted(static_cast<unsigned>(i))) return false;
    return got.back() == minimiser_wanted(static_cast<unsigned>(got.size() - 1));
  };
}

inline Problem minimiser_letters_problem(
    unsigned windows, const std::function<void(const char*, MinimiserHash*)>& start) {
  auto genome = minimiser_genome(windows);
  auto out = room<MinimiserHash>(windows);
  return Problem{[=] { start(genome->data(), out->data()); }, minimiser_right(out)};
}

inline Problem minimiser_packed_problem(unsigned windows) {
  // A thread reads three words, so the last one needs words after the end.
  auto genome = array<unsigned>(windows / 16 + 4, [](unsigned word) {
    unsigned packed = 0;
    for (unsigned j = 0; j < 16; ++j)
      packed = packed << 2 | minimiser_code(minimiser_letter(16 * word + j));
    return packed;
  });
  auto out = room<MinimiserHash>(windows);
  return Problem{[=] {
                   minimiser_packed<<<blocks_of(windows / 4, 128), 128>>>(
                       genome->data(), reinterpret_cast<ulonglong2*>(out->data()), windows / 4);
                 },
                 minimiser_right(out)};
}

inline void add_minimiser(Set& set) {
  const std::vector<unsigned> sizes = {4000, 600000, 9000004};  // windows, multiples of four
  set.add("minimiser_naive", sizes, [](unsigned n) {
    return minimiser_letters_problem(n, [=](const char* genome, MinimiserHash* out) {
      minimiser_naive<<<blocks_of(n), kBlock>>>(genome, out, n);
    });
  });
  set.add("minimiser_shared", sizes, [](unsigned n) {
    return minimiser_letters_problem(n, [=](const char* genome, MinimiserHash* out) {
      minimiser_shared<<<blocks_of(n, kMinimiserBlock), kMinimiserBlock>>>(genome, out, n);
    });
  });
  set.add("minimiser_queue", sizes, [](unsigned n) {
    return minimiser_letters_problem(n, [=](const char* genome, MinimiserHash* out) {
      minimiser_queue<<<blocks_of(blocks_of(n, kMinimiserPiece), 64), 64>>>(genome, out, n);
    });
  });
  set.add("minimiser_packed", sizes, minimiser_packed_problem);
}

}  // namespace timing_set
