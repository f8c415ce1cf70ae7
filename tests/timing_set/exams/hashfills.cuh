// SPDX-License-Identifier: MIT
// Hash tables: n different keys, each with its row number as the value, are put into a table by
// compare-and-swap, or n keys are looked up of which half are there. Linear probing, double
// hashing, key and value in one word, chains, and buckets of eight slots.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kHashfillsNone = 0x7fffffffu;  // the result where a key is not there
constexpr unsigned kHashfillsBucket = 8;          // slots

// No key is zero: that marks an empty slot.
inline unsigned hashfills_key(unsigned row) { return mixed(row + 1); }

__host__ __device__ inline unsigned hashfills_hash(unsigned key) {
  key *= 2654435761u;
  return key ^ key >> 15;
}
__host__ __device__ inline unsigned hashfills_step(unsigned key, unsigned slots) {
  return 1 + (key ^ key >> 16) % (slots - 1);
}

__global__ void hashfills_plain(const unsigned* rows, unsigned* keys, unsigned* values, unsigned n,
                                unsigned slots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = rows[i];
  unsigned slot = hashfills_hash(key) % slots;
  while (true) {
    const unsigned old = atomicCAS(&keys[slot], 0u, key);
    if (old == 0 || old == key) {
      values[slot] = i;
      return;
    }
    slot = (slot + 1) % slots;
  }
}

// A table that is nearly full, with a prime number of slots. The key says how far to go on.
__global__ void hashfills_double(const unsigned* __restrict__ rows, unsigned* keys,
                                 unsigned* values, unsigned n, unsigned slots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = rows[i];
  const unsigned step = hashfills_step(key, slots);
  unsigned slot = hashfills_hash(key) % slots;
  while (true) {
    const unsigned old = atomicCAS(&keys[slot], 0u, key);
    if (old == 0 || old == key) break;
    slot += step;
    if (slot >= slots) slot -= slots;
  }
  values[slot] = i;
}

// Key and value are written at once. A slot that was seen full stays full, so that only an empty
// one needs the compare-and-swap.
__global__ void hashfills_packed(const unsigned* __restrict__ rows, unsigned long long* pairs,
                                 unsigned n, unsigned slots) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = rows[i];
    const unsigned long long pair = static_cast<unsigned long long>(key) << 32 | i;
    unsigned slot = __umulhi(hashfills_hash(key), slots);
    while (true) {
      unsigned long long old = *static_cast<volatile unsigned long long*>(&pairs[slot]);
      if (old == 0) old = atomicCAS(&pairs[slot], 0ull, pair);
      if (old == 0) break;
      if (++slot == slots) slot = 0;
    }
  }
}

// Each row becomes the first of its chain; chains end with zero, so rows count from one there.
__global__ void hashfills_chains(const unsigned* __restrict__ rows, unsigned* heads,
                                 unsigned* __restrict__ next, unsigned n, unsigned buckets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) next[i] = atomicExch(&heads[hashfills_hash(rows[i]) % buckets], i + 1);
}

__global__ void hashfills_find(const unsigned* __restrict__ wanted,
                               const unsigned* __restrict__ keys,
                               const unsigned* __restrict__ values, unsigned* __restrict__ found,
                               unsigned n, unsigned slots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = wanted[i];
  unsigned result = kHashfillsNone;
  for (unsigned slot = hashfills_hash(key) % slots; keys[slot] != 0;
       slot = slot + 1 < slots ? slot + 1 : 0) {
    if (keys[slot] == key) {
      result = values[slot];
      break;
    }
  }
  found[i] = result;
}

// Eight lanes look at the eight slots of a bucket at once; a bucket with an empty slot is the last.
__global__ void hashfills_tiles(const unsigned* __restrict__ wanted,
                                const unsigned* __restrict__ keys,
                                const unsigned* __restrict__ values, unsigned* __restrict__ found,
                                unsigned n, unsigned buckets) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / kHashfillsBucket;
  if (i >= n) return;
  const unsigned lane = threadIdx.x % kHashfillsBucket;
  const unsigned mask = 0xffu << (threadIdx.x % 32 - lane);
  const unsigned key = wanted[i];
  unsigned bucket = __umulhi(hashfills_hash(key), buckets);
  while (true) {
    const unsigned slot = bucket * kHashfillsBucket + lane;
    const unsigned there = keys[slot];
    if (there == key) found[i] = values[slot];
    if (__ballot_sync(mask, there == key) != 0) return;
    if (__ballot_sync(mask, there == 0) != 0) break;
    if (++bucket == buckets) bucket = 0;
  }
  if (lane == 0) found[i] = kHashfillsNone;
}

inline unsigned hashfills_prime(unsigned n) {
  const auto prime = [](unsigned x) {
    for (unsigned d = 2; d * d <= x; ++d)
      if (x % d == 0) return false;
    return true;
  };
  while (!prime(n)) ++n;
  return n;
}
inline Shared<unsigned> hashfills_rows(unsigned n) {
  return array<unsigned>(n, [](unsigned i) { return hashfills_key(i); });
}
template <class T = unsigned>
Shared<T> hashfills_zeros(std::size_t n) {
  auto made = room<T>(n);
  clear(made);
  return made;
}

// Each key is in one slot with its row, and some are looked up from their first slots on.
template <class First, class Step>
bool hashfills_right(const Shared<unsigned>& rows, const std::vector<unsigned>& keys,
                     const std::vector<unsigned>& values, First first, Step step) {
  const std::size_t n = rows->host.size(), slots = keys.size();
  std::vector<char> seen(n);
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (keys[slot] == 0) continue;
    const unsigned row = values[slot];
    if (row >= n || seen[row] || rows->host[row] != keys[slot]) return false;
    seen[row] = true;
    ++count;
  }
  if (count != n) return false;
  for (std::size_t i = 0; i < n; i += n / 5000 | 1) {
    const unsigned key = rows->host[i];
    for (std::size_t slot = first(key); keys[slot] != key; slot = (slot + step(key)) % slots)
      if (keys[slot] == 0) return false;
  }
  return true;
}
inline bool hashfills_packed_right(const Shared<unsigned>& rows,
                                   const Shared<unsigned long long>& pairs) {
  const std::vector<unsigned long long> got = pairs->device.download();
  std::vector<unsigned> keys(got.size()), values(got.size());
  for (std::size_t slot = 0; slot < got.size(); ++slot) {
    keys[slot] = static_cast<unsigned>(got[slot] >> 32);
    values[slot] = static_cast<unsigned>(got[slot]);
  }
  const auto first = [&](unsigned key) {
    return static_cast<std::size_t>(hashfills_hash(key)) * got.size() >> 32;
  };
  return hashfills_right(rows, keys, values, first, [](unsigned) { return 1u; });
}
inline bool hashfills_chains_right(const Shared<unsigned>& rows, const Shared<unsigned>& heads,
                                   const Shared<unsigned>& next) {
  const std::vector<unsigned> begins = heads->device.download(), follow = next->device.download();
  std::vector<char> seen(follow.size());
  std::size_t count = 0;
  for (std::size_t bucket = 0; bucket < begins.size(); ++bucket) {
    for (unsigned row = begins[bucket]; row != 0; row = follow[row - 1]) {
      if (row > follow.size() || seen[row - 1]) return false;
      if (hashfills_hash(rows->host[row - 1]) % begins.size() != bucket) return false;
      seen[row - 1] = true;
      ++count;
    }
  }
  return count == follow.size();
}

// Tables for looking up: a key goes into the first free slot from first(key) on.
struct HashfillsTable {
  Shared<unsigned> keys, values;
};
template <class First>
HashfillsTable hashfills_table(unsigned n, std::size_t slots, First first) {
  std::vector<unsigned> keys(slots), values(slots);
  for (unsigned row = 0; row < n; ++row) {
    const unsigned key = hashfills_key(row);
    std::size_t slot = first(key);
    while (keys[slot] != 0) slot = slot + 1 < slots ? slot + 1 : 0;
    keys[slot] = key;
    values[slot] = row;
  }
  return {array(std::move(keys)), array(std::move(values))};
}
// Any of the n rows of the table, or of n that are not in it.
inline unsigned hashfills_row(unsigned i, unsigned n) { return mixed(i ^ 0x5eed0000u) % (2 * n); }
inline Shared<unsigned> hashfills_wanted(unsigned n) {
  return array<unsigned>(n, [n](unsigned i) { return hashfills_key(hashfills_row(i, n)); });
}
inline bool hashfills_found_right(const Shared<unsigned>& found) {
  const std::vector<unsigned> got = found->device.download();
  const unsigned n = static_cast<unsigned>(got.size());
  for (unsigned i = 0; i < n; ++i) {
    const unsigned row = hashfills_row(i, n);
    if (got[i] != (row < n ? row : kHashfillsNone)) return false;
  }
  return true;
}

inline void hashfills_add_rest(Set& set, const std::vector<unsigned>& sizes) {
  set.add("hashfills_chains", sizes, [](unsigned n) {
    auto rows = hashfills_rows(n), next = room<unsigned>(n), heads = hashfills_zeros(n);
    return Problem{[=] {
                     hashfills_chains<<<blocks_of(n, 64), 64>>>(rows->data(), heads->data(),
                                                                next->data(), n, heads->size());
                   },
                   [=] { return hashfills_chains_right(rows, heads, next); },
                   [=] { clear(heads); }};
  });
  set.add("hashfills_find", sizes, [](unsigned n) {
    const unsigned slots = 2 * n + 1;
    const HashfillsTable table =
        hashfills_table(n, slots, [slots](unsigned key) { return hashfills_hash(key) % slots; });
    auto wanted = hashfills_wanted(n), found = room<unsigned>(n);
    return Problem{[=] {
                     hashfills_find<<<blocks_of(n, 512), 512>>>(wanted->data(), table.keys->data(),
                                                                table.values->data(), found->data(),
                                                                n, slots);
                   },
                   [=] { return hashfills_found_right(found); }};
  });
  set.add("hashfills_tiles", sizes, [](unsigned n) {
    const std::size_t buckets = n / 6 + 1;  // about three quarters full
    const HashfillsTable table =
        hashfills_table(n, buckets * kHashfillsBucket, [buckets](unsigned key) {
          return (hashfills_hash(key) * buckets >> 32) * kHashfillsBucket;
        });
    auto wanted = hashfills_wanted(n), found = room<unsigned>(n);
    return Problem{[=] {
                     hashfills_tiles<<<blocks_of(n, 256 / kHashfillsBucket), 256>>>(
                         wanted->data(), table.keys->data(), table.values->data(), found->data(), n,
                         static_cast<unsigned>(buckets));
                   },
                   [=] { return hashfills_found_right(found); }};
  });
}

inline void add_hashfills(Set& set) {
  const std::vector<unsigned> sizes = {10'007, 1'000'000, 5'000'011};
  set.add("hashfills_plain", sizes, [](unsigned n) {
    const unsigned slots = 2 * n + 1;
    auto rows = hashfills_rows(n), keys = hashfills_zeros(slots), values = room<unsigned>(slots);
    return Problem{[=] {
                     hashfills_plain<<<blocks_of(n, 256), 256>>>(rows->data(), keys->data(),
                                                                 values->data(), n, slots);
                   },
                   [=] {
                     return hashfills_right(
                         rows, keys->device.download(), values->device.download(),
                         [=](unsigned key) { return hashfills_hash(key) % slots; },
                         [](unsigned) { return 1u; });
                   },
                   [=] { clear(keys); }};
  });
  set.add("hashfills_double", sizes, [](unsigned n) {
    const unsigned slots = hashfills_prime(n + n / 9);  // nine tenths full
    auto rows = hashfills_rows(n), keys = hashfills_zeros(slots), values = room<unsigned>(slots);
    return Problem{[=] {
                     hashfills_double<<<blocks_of(n, 128), 128>>>(rows->data(), keys->data(),
                                                                  values->data(), n, slots);
                   },
                   [=] {
                     return hashfills_right(
                         rows, keys->device.download(), values->device.download(),
                         [=](unsigned key) { return hashfills_hash(key) % slots; },
                         [=](unsigned key) { return hashfills_step(key, slots); });
                   },
                   [=] { clear(keys); }};
  });
  set.add("hashfills_packed", sizes, [](unsigned n) {
    const unsigned slots = n + n / 3;  // three quarters full
    auto rows = hashfills_rows(n);
    auto pairs = hashfills_zeros<unsigned long long>(slots);
    const unsigned blocks = std::min(blocks_of(n, 1024), 2 * 132u);
    return Problem{
        [=] { hashfills_packed<<<blocks, 1024>>>(rows->data(), pairs->data(), n, slots); },
        [=] { return hashfills_packed_right(rows, pairs); }, [=] { clear(pairs); }};
  });
  hashfills_add_rest(set, sizes);
}

}  // namespace timing_set
