// SPDX-License-Identifier: MIT
// What blocks tell each other: one 64-bit word per tile, and a counter that hands out the tiles.
//
// A word holds a value, what it means, and the number of the launch that wrote it. All three travel in
// one store, so whoever sees the meaning has the value: no fence, no order (lesson 05). Words of
// earlier launches have another number and count as empty, so nobody has to clear them.
#pragma once

#include <cstddef>
#include <cuda/atomic>
#include <cuda/std/bit>
#include <cuda/std/cstdint>

#include "lessons/08_scan/operators.cuh"

namespace lesson08 {

using Word = unsigned long long;
using WordRef = cuda::atomic_ref<Word, cuda::thread_scope_device>;

enum class Meaning : unsigned { kNothing = 0, kSum = 1, kPrefix = 2 };

// Zero when it is allocated; afterwards it belongs to the kernels.
//   word 0: the launch's number above, the next tile below. Tile t has word 16 + t.
constexpr std::size_t kFirstWord = 16;
inline std::size_t words_for(std::size_t tiles) { return kFirstWord + tiles; }

// Launch numbers come round after 2^29 launches on the same memory.
constexpr unsigned kLaunchMask = (1u << 29) - 1;

struct Ticket {
  unsigned tile, launch;
};

// The launch's number,
__device__ inline unsigned launch_number(Word* words) {
  return static_cast<unsigned>(WordRef(words[0]).load(cuda::memory_order_relaxed) >> 32);
}
// which the last block to know it takes on for the next launch: one that has heard of all others,
__device__ inline void begin_next_launch(Word* words, unsigned launch) {
  WordRef(words[0]).store(Word{(launch + 1) & kLaunchMask} << 32, cuda::memory_order_relaxed);
}
// or, where nobody has, the last to say that it knows.
__device__ inline void check_out(Word* words, unsigned launch) {
  const Word seen = WordRef(words[0]).fetch_add(1, cuda::memory_order_relaxed);
  if (static_cast<unsigned>(seen) == gridDim.x - 1) begin_next_launch(words, launch);
}

// One thread of a block calls. Tiles are handed out in the order in which blocks begin: whoever has
// tile t knows that all earlier tiles are with blocks that have begun, too.
__device__ inline Ticket take_ticket(Word* words, unsigned tiles) {
  const Word seen = WordRef(words[0]).fetch_add(1, cuda::memory_order_relaxed);
  const Ticket ticket{static_cast<unsigned>(seen), static_cast<unsigned>(seen >> 32)};
  if (ticket.tile == tiles - 1)  // the last one: the next launch begins at tile 0
    begin_next_launch(words, ticket.launch);
  return ticket;
}

template <class Value>
struct Message {
  Meaning meaning;
  Value value;
};

// Four bytes above; below the launch's number, one bit that says that a segment begins in what the
// value sums up (plain scans leave it 0), and the meaning.
template <class T>
__device__ Word packed(T value, unsigned below) {
  static_assert(sizeof(T) == 4);
  return Word{cuda::std::bit_cast<cuda::std::uint32_t>(value)} << 32 | below;
}
template <class T>
__device__ Word packed(Piece<T> piece, unsigned below) {
  return packed(piece.value, below | (piece.head ? 4u : 0u));
}
template <class T>
struct Unpack {
  __device__ static T from(Word word) {
    return cuda::std::bit_cast<T>(static_cast<cuda::std::uint32_t>(word >> 32));
  }
};
template <class T>
struct Unpack<Piece<T>> {
  __device__ static Piece<T> from(Word word) { return {Unpack<T>::from(word), (word & 4) != 0}; }
};

template <class Value>
__device__ void publish(Word* words, Ticket ticket, Message<Value> message) {
  const unsigned below = ticket.launch << 3 | static_cast<unsigned>(message.meaning);
  WordRef(words[kFirstWord + ticket.tile])
      .store(packed(message.value, below), cuda::memory_order_relaxed);
}

// A word as it was seen, and what it means in this launch.
__device__ inline Word peek(Word* words, unsigned tile) {
  return WordRef(words[kFirstWord + tile]).load(cuda::memory_order_relaxed);
}
template <class Value>
__device__ Message<Value> meaning_of(Word seen, unsigned launch) {
  const auto below = static_cast<unsigned>(seen);
  const bool ours = below >> 3 == launch;
  return {ours ? static_cast<Meaning>(below & 3) : Meaning::kNothing, Unpack<Value>::from(seen)};
}
template <class Value>
__device__ Message<Value> look_at(Word* words, unsigned tile, unsigned launch) {
  return meaning_of<Value>(peek(words, tile), launch);
}

}  // namespace lesson08
