// SPDX-License-Identifier: MIT
// Prefix sums: out[i] = in[0] + ... + in[i].
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// Pointers are device memory. Elements are float or int, whose sums wrap.
struct Scan {
  bool floats = false;
  const void* in = nullptr;
  std::size_t n = 0;
  void* out = nullptr;
  int block = 256;
  void* partials = nullptr;        // scan_partials(n) elements, for sums of parts
  std::uint64_t* words = nullptr;  // scan_words(n), zero at first; kept from launch to launch
  const Device* device = nullptr;
};
// One for each 32 elements, one for each 32 of those, and so on.
inline std::size_t scan_partials(std::size_t n) { return n / 16 + 4096; }
// One for each 512 elements, and a few.
inline std::size_t scan_words(std::size_t n) { return n / 512 + 2048; }

// --type.
std::span<const Choice> scan_choices();

std::unique_ptr<families::ProblemOf<Scan>> make_scan(const families::Setup& setup);

// The CPU's: one loop; or each thread adds up its share, and then scans it from there. T is float or int.
template <class T>
void cpu_scan(std::span<const T> x, std::span<T> out, unsigned threads);

}  // namespace course
