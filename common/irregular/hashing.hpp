// SPDX-License-Identifier: MIT
// Pairs of a key and a value that are put into a table with so many slots, and keys that are looked up in
// it. Two families share the task: one times the filling of an empty table, the other the looking up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/program/family.cuh"

namespace course {

// Pointers are device memory. Equal keys have equal values; no key is 0xfffffffe or more, no value is
// kNoHashValue.
struct Hashing {
  const std::uint32_t* keys = nullptr;
  const std::uint32_t* values = nullptr;
  std::size_t n = 0;  // pairs, below 2^32
  // Room for one table: a slot is value << 32 | key, an empty one is all ones. Any slot may hold any key.
  unsigned long long* slots = nullptr;
  std::uint32_t capacity = 0;  // slots, a multiple of 32
  // Besides: a byte for each slot, a word for each pair, kHashWords words.
  unsigned long long* tags = nullptr;
  unsigned long long* pairs = nullptr;
  unsigned* words = nullptr;
  unsigned* full = nullptr;  // counts the pairs that found no slot
  // Looked up: found[i] is the value of queries[i], or kNoHashValue.
  const std::uint32_t* queries = nullptr;
  std::uint32_t* found = nullptr;
  int block = 256;
  const Device* device = nullptr;
  // Who filled the table that lies in `slots`; null: nobody. A rung that looks up fills it once.
  const void** filled_by = nullptr;
};
inline constexpr std::uint32_t kNoHashValue = 0xffffffff;
inline constexpr std::size_t kHashWords = 512;

// --load, --keys; and --there for the second.
std::span<const Choice> filling_choices();
std::span<const Choice> finding_choices();

std::unique_ptr<families::ProblemOf<Hashing>> make_filling(const families::Setup& setup);
std::unique_ptr<families::ProblemOf<Hashing>> make_finding(const families::Setup& setup);

// Bytes that must move at least. A pair is read; its slot lies anywhere, and the memory moves no less
// than a sector of 32 bytes, which is read and written back.
inline constexpr double kFillBytes = 4 + 4 + 2 * 32, kFindBytes = 4 + 4 + 32;

}  // namespace course
