// SPDX-License-Identifier: MIT
// Hash tables: the values of n pairs are summed by key, in a table with linear probing that is at
// most half full. There are up to n / 8 different keys, some far more often than others; 0 is none.
#pragma once
#include "../set.cuh"

namespace timing_set {

struct TablesPair {
  unsigned key, value;
};

// Keys and values apart, in the input and in the table.
__global__ void tables_arrays(const unsigned* keys, const unsigned* values, unsigned* table_keys,
                              unsigned* table_sums, unsigned mask, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned slot = mixed(key) & mask;
  while (true) {
    const unsigned old = atomicCAS(&table_keys[slot], 0u, key);
    if (old == 0 || old == key) break;
    slot = (slot + 1) & mask;
  }
  atomicAdd(&table_sums[slot], values[i]);
}

__device__ inline void tables_add(TablesPair* table, unsigned mask, TablesPair pair) {
  unsigned slot = mixed(pair.key) & mask;
  while (true) {
    const unsigned old = atomicCAS(&table[slot].key, 0u, pair.key);
    if (old == 0 || old == pair.key) break;
    slot = (slot + 1) & mask;
  }
  atomicAdd(&table[slot].value, pair.value);
}

// A key and its value side by side.
__global__ void tables_structs(const TablesPair* pairs, TablesPair* table, unsigned mask,
                               unsigned n) {
  const unsigned i = thread_number();
  if (i < n) tables_add(table, mask, pairs[i]);
}

// Looks at a slot before it tries to take it: most keys are there already.
__global__ void tables_peeks(const TablesPair* __restrict__ pairs, TablesPair* table, unsigned mask,
                             unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = pairs[i].key;
    unsigned slot = mixed(key) & mask;
    while (true) {
      unsigned old = *static_cast<volatile unsigned*>(&table[slot].key);
      if (old == 0) old = atomicCAS(&table[slot].key, 0u, key);
      if (old == 0 || old == key) break;
      slot = (slot + 1) & mask;
    }
    atomicAdd(&table[slot].value, pairs[i].value);
  }
}

// Each block sums its 2048 pairs in a table of its own first, which cannot become full.
constexpr unsigned kTablesPairs = 2048, kTablesSlots = 4096;
__global__ void tables_blocks(const TablesPair* __restrict__ pairs, TablesPair* table,
                              unsigned mask, unsigned n) {
  __shared__ TablesPair own[kTablesSlots];
  for (unsigned s = threadIdx.x; s < kTablesSlots; s += blockDim.x) own[s] = {0, 0};
  __syncthreads();
  const unsigned first = blockIdx.x * kTablesPairs, end = min(first + kTablesPairs, n);
  for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x)
    tables_add(own, kTablesSlots - 1, pairs[i]);
  __syncthreads();
  for (unsigned s = threadIdx.x; s < kTablesSlots; s += blockDim.x)
    if (own[s].key != 0) tables_add(table, mask, own[s]);
}

// From 1, and small ones often: the cube of a random number below 1, times how many there are.
inline unsigned tables_key(unsigned i, unsigned n) {
  const std::uint64_t u = mixed(i + 1);
  const std::uint64_t cube = (u * u >> 32) * u >> 32;
  return 1 + static_cast<unsigned>(cube * (n / 8) >> 32);
}
inline unsigned tables_value(unsigned i) { return mixed(i ^ 0x51000000u) % 100; }
inline unsigned tables_slots(unsigned n) {
  unsigned slots = 64;
  while (slots < n / 4) slots *= 2;
  return slots;
}
inline std::shared_ptr<std::vector<unsigned>> tables_sums(unsigned n) {
  auto sums = std::make_shared<std::vector<unsigned>>(n / 8 + 1);
  for (unsigned i = 0; i < n; ++i) (*sums)[tables_key(i, n)] += tables_value(i);
  return sums;
}
// Each key once at most, and with the sum that is wanted.
inline bool tables_right(const std::vector<TablesPair>& table,
                         const std::vector<unsigned>& wanted) {
  std::vector<unsigned> sums(wanted.size());
  std::vector<char> seen(wanted.size());
  for (const TablesPair& slot : table) {
    if (slot.key == 0 && slot.value == 0) continue;
    if (slot.key == 0 || slot.key >= wanted.size() || seen[slot.key]) return false;
    seen[slot.key] = 1;
    sums[slot.key] = slot.value;
  }
  return sums == wanted;
}

// A problem of which launch(pairs, table, mask) is the kernel's.
template <class Launch>
Problem tables_problem(unsigned n, Launch launch) {
  auto pairs = array<TablesPair>(n, [n](unsigned i) {
    return TablesPair{tables_key(i, n), tables_value(i)};
  });
  auto table = room<TablesPair>(tables_slots(n));
  auto wanted = tables_sums(n);
  return Problem{[=] { launch(pairs->data(), table->data(), tables_slots(n) - 1); },
                 [=] { return tables_right(table->device.download(), *wanted); },
                 [=] { clear(table); }};
}

inline void add_tables(Set& set) {
  const std::vector<unsigned> sizes = {40000, 3000000};
  set.add("tables_arrays", sizes, [](unsigned n) {
    auto keys = array<unsigned>(n, [n](unsigned i) { return tables_key(i, n); });
    auto values = array<unsigned>(n, tables_value);
    const unsigned slots = tables_slots(n);
    auto table_keys = room<unsigned>(slots), table_sums = room<unsigned>(slots);
    auto wanted = tables_sums(n);
    return Problem{[=] {
                     tables_arrays<<<blocks_of(n), kBlock>>>(keys->data(), values->data(),
                                                             table_keys->data(), table_sums->data(),
                                                             slots - 1, n);
                   },
                   [=] {
                     const auto got_keys = table_keys->device.download();
                     const auto got_sums = table_sums->device.download();
                     std::vector<TablesPair> table(slots);
                     for (unsigned s = 0; s < slots; ++s) table[s] = {got_keys[s], got_sums[s]};
                     return tables_right(table, *wanted);
                   },
                   [=] {
                     clear(table_keys);
                     clear(table_sums);
                   }};
  });
  set.add("tables_structs", sizes, [](unsigned n) {
    return tables_problem(n, [n](const TablesPair* pairs, TablesPair* table, unsigned mask) {
      tables_structs<<<blocks_of(n, 128), 128>>>(pairs, table, mask, n);
    });
  });
  set.add("tables_peeks", sizes, [](unsigned n) {
    return tables_problem(n, [n](const TablesPair* pairs, TablesPair* table, unsigned mask) {
      tables_peeks<<<std::min(528u, blocks_of(n, 512)), 512>>>(pairs, table, mask, n);
    });
  });
  set.add("tables_blocks", sizes, [](unsigned n) {
    return tables_problem(n, [n](const TablesPair* pairs, TablesPair* table, unsigned mask) {
      tables_blocks<<<blocks_of(n, kTablesPairs), kBlock>>>(pairs, table, mask, n);
    });
  });
}

}  // namespace timing_set
