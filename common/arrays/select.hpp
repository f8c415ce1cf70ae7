// SPDX-License-Identifier: MIT
// Which elements are wanted? They move together, in their order; how many they are is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// Those of in[0] ... in[n-1] that are wanted, one after the other, to out; how many, to *kept. Pointers
// are device memory.
struct Select {
  const std::uint32_t* in = nullptr;
  std::size_t n = 0;
  std::uint32_t threshold = 0;   // wanted: below it when halved; 0: none, 2^31: all
  std::uint32_t* out = nullptr;  // room for n
  std::uint64_t* kept = nullptr;
  int block = 256;
  std::uint64_t* words = nullptr;  // select_words(n), zero before and after each launch
  const Device* device = nullptr;
};
// One for each 1024 elements, and a few.
inline std::size_t select_words(std::size_t n) { return n / 1024 + 8; }

// --keep: how many of a hundred.
std::span<const Choice> select_choices();

std::unique_ptr<families::ProblemOf<Select>> make_select(const families::Setup& setup);

// The CPU's: one loop; or each thread counts its share, and then moves it to where it belongs. Returns
// how many were wanted.
std::size_t cpu_select(std::span<const std::uint32_t> x, std::uint32_t threshold,
                       std::span<std::uint32_t> out, unsigned threads);

}  // namespace course
