// SPDX-License-Identifier: MIT
// Atomics on one word, on a few, on many; whole numbers, floats, 64 bits; with what was there before, and by
// compare-and-swap.
#pragma once
#include "../set.cuh"

namespace timing_set {

using Long = unsigned long long;

template <class T>
__global__ void add_to(T* words, unsigned count, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) atomicAdd(&words[mixed(i) % count], T(1));
}
__global__ void add_to_one(unsigned* word, unsigned, unsigned n) {
  if (thread_number() < n) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
}
__global__ void draw_tickets(unsigned* words, unsigned count, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned ticket = atomicAdd(&words[mixed(i) % count], 1u);
  if (ticket == ~0u) words[0] = 0;  // never: but the ticket must be there
}
__global__ void add_by_swaps(unsigned* words, unsigned count, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  unsigned* const word = &words[mixed(i) % count];
  unsigned seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, before + 1);
  } while (seen != before);
}

template <class T, class Function>
std::function<Problem(unsigned)> atomic_problem(Function kernel, unsigned count) {
  return [=](unsigned n) {
    auto words = room<T>(count);
    std::vector<T> wanted(count);
    for (unsigned i = 0; i < n; ++i) wanted[mixed(i) % count] += 1;
    return Problem{[=] { kernel<<<blocks_of(n), kBlock>>>(words->data(), count, n); },
                   [=] { return words->device.download() == wanted; }, [=] { clear(words); }};
  };
}

inline void add_atomics(Set& set) {
  const std::vector<unsigned> sizes = {1 << 13, 1 << 16, 1 << 20};
  set.add("add_one_word", sizes, atomic_problem<unsigned>(add_to_one, 1));
  set.add("add_one_float", sizes, atomic_problem<float>(add_to<float>, 1));
  set.add("add_few_words", sizes, atomic_problem<unsigned>(add_to<unsigned>, 32));
  set.add("add_many_floats", sizes, atomic_problem<float>(add_to<float>, 1 << 16));
  set.add("add_many_longs", sizes, atomic_problem<Long>(add_to<Long>, 1 << 16));
  set.add("draw_tickets", sizes, atomic_problem<unsigned>(draw_tickets, 1 << 10));
  set.add("add_by_swaps", sizes, atomic_problem<unsigned>(add_by_swaps, 1 << 14));
}

}  // namespace timing_set
