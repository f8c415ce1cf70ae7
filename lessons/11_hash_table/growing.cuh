// SPDX-License-Identifier: MIT
// A table that has become too full, or a reusing one with too many erased slots, is copied into another.
//
// Between launches, not within one: a table that moves while others change it would need two places for
// every key, and every operation would have to look at both. Here the old table stays as it is, so kernels
// on other streams may go on finding in it; what must not run is whatever changes it. When the copy is
// done the host hands out the new table.
#pragma once

#include <cstddef>

#include "lessons/11_hash_table/many.cuh"

namespace lesson11 {

// Every pair of `count` slots goes into the table. The keys differ, so the order does not matter.
template <class Table>
__global__ void copy_pairs(const Word* slots, std::size_t count, Table table, unsigned* full) {
  const std::size_t i = thread_number();
  if (i >= count) return;
  const Word word = slots[i];
  if (refused(key_of(word))) return;  // empty, erased, wall
  if (table.insert(key_of(word), value_of(word)) == Outcome::Full) atomicAdd(full, 1u);
}

}  // namespace lesson11
