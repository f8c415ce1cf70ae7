// SPDX-License-Identifier: MIT
// A rung of the ladder: one way to add up an array on the GPU. Each lesson has a table of them;
// --list, the result table, the JSON document, the charts and the tests all come from it.
#pragma once

#include <cstddef>
#include <span>

#include "common/device.cuh"
#include "common/fits.hpp"

namespace course {

// One sum to be computed: in[0] + ... + in[n-1] to *out. All pointers are device memory.
template <class T>
struct Sum {
  const T* in = nullptr;
  std::size_t n = 0;
  T* out = nullptr;
  int block = 256;              // threads per block, a power of two from 32 to 1024
  T* partials = nullptr;        // room for partial sums: scratch_elements(n)
  unsigned* tickets = nullptr;  // kTickets words, zero before and after each launch
  const Device* device = nullptr;
};

// Enough for one partial sum per 32 elements, twice: a second pass may read one half and write the
// other.
inline std::size_t scratch_elements(std::size_t n) { return 2 * (n / 32 + 1024); }
inline constexpr std::size_t kTickets = 16384;
// Throws TooLarge where n elements, and what a rung needs beside them, do not fit into memory.
inline void check_fits(std::size_t n, const Device& device) {
  check_bytes_fit(4.0 * static_cast<double>(n + scratch_elements(n)), n, device);
}

struct Rung {
  const char* id;
  const char* idea;                // what changed since the rung before
  void (*f32)(const Sum<float>&);  // null: this rung adds integers only
  void (*i32)(const Sum<int>&);
  // Additions the longest chain of one element takes part in: what the error bound is derived from.
  double (*depth)(std::size_t n, int block, const Device& device);
  int least_sm = 75;  // older GPUs skip it
};

struct Lesson {
  const char* name;      // "02_shared_memory_tree"
  const char* question;  // what it answers
  std::span<const Rung> rungs;
};

}  // namespace course
