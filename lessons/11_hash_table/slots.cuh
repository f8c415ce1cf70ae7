// SPDX-License-Identifier: MIT
// A slot of a table: a key and its value in one word of 64 bits, so that one compare-and-swap changes
// both. What the tables of this lesson share.
#pragma once

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>

namespace lesson11 {

enum class Outcome : std::uint32_t {
  Inserted,  // the key was not there, and is now
  Present,   // it was there: insert() left its value alone, insert_or_add() added to it
  Full,      // no slot was left
  Refused,   // the key is one of the two that the table needs itself
};

using Word = unsigned long long;                     // value in the upper half, key in the lower
inline constexpr std::uint32_t kNoKey = 0xffffffff;  // a slot that never had a key
inline constexpr std::uint32_t kErasedKey = 0xfffffffe;  // a slot whose key was erased
inline constexpr Word kEmpty = ~Word{0};                 // what memset(..., 0xff, ...) leaves
inline constexpr Word kErased = ~Word{0} - 1;
// Fills up the last bucket where the capacity is no multiple: no key, and not empty either.
inline constexpr Word kWall = kNoKey;

__host__ __device__ constexpr bool refused(std::uint32_t key) { return key >= kErasedKey; }
__host__ __device__ constexpr Word pack(std::uint32_t key, std::uint32_t value) {
  return Word{value} << 32 | key;
}
__host__ __device__ constexpr std::uint32_t key_of(Word word) {
  return static_cast<std::uint32_t>(word);
}
__host__ __device__ constexpr std::uint32_t value_of(Word word) {
  return static_cast<std::uint32_t>(word >> 32);
}

// For kernels in which some change the table and others read it. Key and value are one word, a word has
// one order of changes that all threads agree on, and nothing else belongs to it: relaxed is enough.
struct TableOrders {
  // All threads of the GPU: an exchange of a narrower scope is none for the threads of other blocks.
  static constexpr auto kScope = cuda::thread_scope_device;
  static constexpr auto kWrite = cuda::memory_order_relaxed;
  static constexpr auto kRead = cuda::memory_order_relaxed;
};
// For a kernel in which nobody changes the table: ordinary loads, which may come from the L1 cache.
struct FrozenOrders : TableOrders {
  static constexpr auto kScope = cuda::thread_scope_thread;
};

template <class Orders>
using WordRef = cuda::atomic_ref<Word, Orders::kScope>;

template <std::size_t kCount>
using Words = cuda::std::array<Word, kCount>;

// kCount words in a row, 16 bytes at a time where there are two. Each word is a load of its own: the
// words of one access need not be of one moment.
template <class Orders, std::size_t kCount>
__device__ Words<kCount> read_words(Word* at) {
  constexpr bool kPairs = kCount % 2 == 0;
  Words<kCount> words;
  if constexpr (kPairs && Orders::kScope == cuda::thread_scope_thread) {
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; i += 2) {
      const ulonglong2 pair = *reinterpret_cast<const ulonglong2*>(at + i);
      words[i] = pair.x, words[i + 1] = pair.y;
    }
  } else if constexpr (kPairs && Orders::kScope == cuda::thread_scope_device &&
                       Orders::kRead == cuda::memory_order_relaxed) {
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; i += 2)  // libcu++ has no load of two words
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(words[i]), "=l"(words[i + 1])
                   : "l"(__cvta_generic_to_global(at + i))
                   : "memory");
  } else {
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; ++i)
      words[i] = WordRef<Orders>(at[i]).load(Orders::kRead);
  }
  return words;
}

// The first of these words that belongs to the key or is empty; kCount: none, and a search goes on.
template <std::size_t kCount>
__device__ std::uint32_t end_of_search(const Words<kCount>& words, std::uint32_t key) {
  std::uint32_t at = kCount;
#pragma unroll
  for (std::uint32_t i = kCount; i-- > 0;)
    if (key_of(words[i]) == key || words[i] == kEmpty) at = i;
  return at;
}
// words[at], and words[at] = word, without an address: the words stay in registers.
template <std::size_t kCount>
__device__ Word selected(const Words<kCount>& words, std::uint32_t at) {
  Word word = kWall;
#pragma unroll
  for (std::uint32_t i = 0; i < kCount; ++i)
    if (i == at) word = words[i];
  return word;
}
template <std::size_t kCount>
__device__ void update(Words<kCount>& words, std::uint32_t at, Word word) {
#pragma unroll
  for (std::uint32_t i = 0; i < kCount; ++i)
    if (i == at) words[i] = word;
}

}  // namespace lesson11
