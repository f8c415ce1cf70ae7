// SPDX-License-Identifier: MIT
// A hash table with open addressing, half full: keys put in, keys found, keys that are not there.
#pragma once
#include <unordered_set>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kEmpty = 0;

__global__ void hash_insert(const unsigned* keys, unsigned* slots, unsigned n, unsigned mask) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned key = keys[i];
  for (unsigned at = mixed(key) & mask;; at = (at + 1) & mask) {
    const unsigned before = atomicCAS(&slots[at], kEmpty, key);
    if (before == kEmpty || before == key) return;
  }
}
__global__ void hash_find(const unsigned* keys, const unsigned* slots, unsigned* found, unsigned n,
                          unsigned mask) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned at = mixed(key) & mask;
  while (slots[at] != kEmpty && slots[at] != key) at = (at + 1) & mask;
  found[i] = slots[at] == key;
}

// Different keys, none of them 0: odd ones are put in, even ones are not.
inline unsigned key_of(unsigned i, bool in_table) {
  return (mixed(i) & 0xfffff000u) + (i & 1023) * 2 + 2 + in_table;
}

inline Problem insert_problem(unsigned n) {
  auto keys = array<unsigned>(n, [](unsigned i) { return key_of(i, true); });
  auto slots = room<unsigned>(2 * n);
  return {[=] { hash_insert<<<blocks_of(n), kBlock>>>(keys->data(), slots->data(), n, 2 * n - 1); },
          [=] {
            std::unordered_set<unsigned> wanted(keys->host.begin(), keys->host.end()), got;
            for (const unsigned slot : slots->device.download())
              if (slot != kEmpty && !got.insert(slot).second) return false;
            return got == wanted;
          },
          [=] { clear(slots); }};
}
inline std::function<Problem(unsigned)> find_problem(bool there) {
  return [=](unsigned n) {
    const unsigned mask = 2 * n - 1;
    std::vector<unsigned> table(2 * n, kEmpty);
    for (unsigned i = 0; i < n; ++i) {
      unsigned at = mixed(key_of(i, true)) & mask;
      while (table[at] != kEmpty && table[at] != key_of(i, true)) at = (at + 1) & mask;
      table[at] = key_of(i, true);
    }
    auto keys = array<unsigned>(n, [=](unsigned i) { return key_of(i, there); });
    auto slots = array(std::move(table)), found = room<unsigned>(n);
    return Problem{[=] {
                     hash_find<<<blocks_of(n), kBlock>>>(keys->data(), slots->data(), found->data(),
                                                         n, mask);
                   },
                   [=] {
                     return agrees(
                         found, [=](unsigned) { return there; }, 0);
                   }};
  };
}

inline void add_hash(Set& set) {
  const std::vector<unsigned> sizes = {1 << 13, 1 << 17, 1 << 21};
  set.add("hash_insert", sizes, insert_problem);
  set.add("hash_find", sizes, find_problem(true));
  set.add("hash_miss", sizes, find_problem(false));
}

}  // namespace timing_set
