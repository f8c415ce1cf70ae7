// SPDX-License-Identifier: MIT
// Hash tables: insertion with linear probing, where a key and its value are swapped in together; look-ups, half of them
// in vain, in a fuller table of structs by linear probing and in a table of buckets of eight keys with two choices; and
// counting how often each key occurs.
#pragma once
#include <stdexcept>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kHashesEmpty = ~0u;  // no key, and the value of a key that is not there
constexpr unsigned long long kHashesFree = ~0ull;

__host__ __device__ inline unsigned hashes_of(unsigned key, unsigned salt = 0) {
  unsigned h = (key ^ salt) * 0x9e3779b1u;
  h ^= h >> 15;
  return h * 0x85ebca77u >> 3;
}

__global__ void hashes_insert(const unsigned* keys, const unsigned* values,
                              unsigned long long* table, unsigned mask, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  const unsigned long long entry = static_cast<unsigned long long>(key) << 32 | values[i];
  unsigned slot = hashes_of(key) & mask;
  while (atomicCAS(&table[slot], kHashesFree, entry) != kHashesFree) slot = (slot + 1) & mask;
}

struct HashesEntry {
  unsigned key, value;
};

__global__ void hashes_find(const HashesEntry* table, unsigned slots, const unsigned* queries,
                            unsigned* answers, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = queries[i];
    unsigned slot = hashes_of(key) % slots;
    unsigned answer = kHashesEmpty;
    while (table[slot].key != kHashesEmpty) {
      if (table[slot].key == key) {
        answer = table[slot].value;
        break;
      }
      if (++slot == slots) slot = 0;
    }
    answers[i] = answer;
  }
}

constexpr unsigned kHashesBucket = 8;  // keys, 32 bytes

__host__ __device__ inline unsigned hashes_bucket(unsigned key, unsigned choice, unsigned buckets) {
  return hashes_of(key, choice * 0x3c6ef372u) % buckets;
}

__device__ inline int hashes_position(uint4 keys, unsigned key) {
  return keys.x == key ? 0 : keys.y == key ? 1 : keys.z == key ? 2 : keys.w == key ? 3 : -1;
}

__global__ void __launch_bounds__(512)
    hashes_buckets(const uint4* __restrict__ keys, const unsigned* __restrict__ values,
                   unsigned buckets, const unsigned* __restrict__ queries,
                   unsigned* __restrict__ answers, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned key = queries[i];
  unsigned answer = kHashesEmpty;
  for (unsigned choice = 0; choice < 2; ++choice) {
    const unsigned bucket = hashes_bucket(key, choice, buckets);
    const int low = hashes_position(keys[2 * bucket], key);
    const int high = hashes_position(keys[2 * bucket + 1], key);
    if (low >= 0 || high >= 0) {
      answer = values[bucket * kHashesBucket + (low >= 0 ? low : 4 + high)];
      break;
    }
  }
  answers[i] = answer;
}

__device__ inline void hashes_count_one(unsigned* keys, unsigned* counts, unsigned mask,
                                        unsigned key) {
  unsigned slot = hashes_of(key) & mask;
  while (true) {
    const unsigned there = atomicCAS(&keys[slot], kHashesEmpty, key);
    if (there == kHashesEmpty || there == key) {
      atomicAdd(&counts[slot], 1u);
      return;
    }
    slot = (slot + 1) & mask;
  }
}

__global__ void hashes_counts(const uint4* words, unsigned* keys, unsigned* counts, unsigned mask,
                              unsigned quarter) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quarter) {
    const uint4 word = words[i];
    hashes_count_one(keys, counts, mask, word.x);
    hashes_count_one(keys, counts, mask, word.y);
    hashes_count_one(keys, counts, mask, word.z);
    hashes_count_one(keys, counts, mask, word.w);
  }
}

inline unsigned hashes_power(unsigned at_least) {
  unsigned slots = 1;
  while (slots < at_least) slots *= 2;
  return slots;
}

// The keys, all different, have the numbers 0 to n - 1; those of larger number are not in the table.
inline unsigned hashes_key(unsigned number) { return mixed(number + 1); }
inline unsigned hashes_value(unsigned number) { return number * 3 + 1; }

// Of n keys in the table, the small numbers are asked for more often.
inline unsigned hashes_asked(unsigned i, unsigned n) {
  const unsigned r = mixed(i + 700);
  const double u = (mixed(r) >> 8) / 16777216.0;
  return r % 2 == 0 ? n + i : static_cast<unsigned>(u * u * n);
}

inline Problem hashes_insert_problem(unsigned n) {
  const unsigned slots = hashes_power(3 * (n / 2));
  auto keys = array<unsigned>(n, hashes_key), values = array<unsigned>(n, hashes_value);
  auto table = room<unsigned long long>(slots);
  return Problem{[=] {
                   hashes_insert<<<blocks_of(n), kBlock>>>(keys->data(), values->data(),
                                                           table->data(), slots - 1, n);
                 },
                 [=] {
                   const std::vector<unsigned long long> got = table->device.download();
                   const auto free = std::count(got.begin(), got.end(), kHashesFree);
                   if (static_cast<unsigned>(free) != slots - n) return false;
                   for (unsigned i = 0; i < n; i += n / 2000 | 1) {
                     unsigned slot = hashes_of(keys->host[i]) & (slots - 1);
                     while (got[slot] != kHashesFree && got[slot] >> 32 != keys->host[i])
                       slot = (slot + 1) & (slots - 1);
                     if (static_cast<unsigned>(got[slot]) != values->host[i]) return false;
                   }
                   return true;
                 },
                 [=] { COURSE_CHECK(cudaMemset(table->data(), 0xff, table->device.bytes())); }};
}

inline bool hashes_answered(const Shared<unsigned>& answers, unsigned n) {
  return agrees(
      answers,
      [&](unsigned i) {
        const unsigned number = hashes_asked(i, n);
        return number < n ? hashes_value(number) : kHashesEmpty;
      },
      0);
}

inline Problem hashes_find_problem(unsigned n) {
  const unsigned slots = n / 3 * 4 + 7;
  std::vector<HashesEntry> entries(slots, {kHashesEmpty, 0});
  for (unsigned number = 0; number < n; ++number) {
    unsigned slot = hashes_of(hashes_key(number)) % slots;
    while (entries[slot].key != kHashesEmpty) slot = slot + 1 == slots ? 0 : slot + 1;
    entries[slot] = {hashes_key(number), hashes_value(number)};
  }
  auto table = array(std::move(entries));
  auto queries = array<unsigned>(n, [=](unsigned i) { return hashes_key(hashes_asked(i, n)); });
  // Not the value of what is not found.
  auto answers = array<unsigned>(n, [](unsigned) { return 0; });
  return Problem{[=] {
                   hashes_find<<<std::min(blocks_of(n, 128), 1056u), 128>>>(
                       table->data(), slots, queries->data(), answers->data(), n);
                 },
                 [=] { return hashes_answered(answers, n); }};
}

inline Problem hashes_buckets_problem(unsigned n) {
  const unsigned buckets = n / 4;
  std::vector<unsigned> key_of(buckets * kHashesBucket, kHashesEmpty), value_of(key_of.size());
  std::vector<unsigned> used(buckets);
  for (unsigned number = 0; number < n; ++number) {
    const unsigned key = hashes_key(number);
    unsigned bucket = hashes_bucket(key, 0, buckets);
    const unsigned other = hashes_bucket(key, 1, buckets);
    if (used[other] < used[bucket]) bucket = other;
    if (used[bucket] == kHashesBucket) throw std::length_error("a bucket is full");
    const unsigned place = bucket * kHashesBucket + used[bucket]++;
    key_of[place] = key;
    value_of[place] = hashes_value(number);
  }
  auto keys = array(std::move(key_of)), values = array(std::move(value_of));
  auto queries = array<unsigned>(n, [=](unsigned i) { return hashes_key(hashes_asked(i, n)); });
  auto answers = array<unsigned>(n, [](unsigned) { return 0; });
  return Problem{[=] {
                   hashes_buckets<<<blocks_of(n, 512), 512>>>(
                       reinterpret_cast<const uint4*>(keys->data()), values->data(), buckets,
                       queries->data(), answers->data(), n);
                 },
                 [=] { return hashes_answered(answers, n); }};
}

inline Problem hashes_counts_problem(unsigned n) {
  const unsigned slots = hashes_power(n / 2), different = n / 4;
  const auto number = [=](unsigned i) {
    const double u = (mixed(i + 31) >> 8) / 16777216.0;
    return static_cast<unsigned>(u * u * u * different);
  };
  auto words = array<unsigned>(n, [=](unsigned i) { return hashes_key(number(i)); });
  auto keys = room<unsigned>(slots), counts = array(std::vector<unsigned>(slots));
  return Problem{[=] {
                   hashes_counts<<<blocks_of(n / 4, 64), 64>>>(
                       reinterpret_cast<const uint4*>(words->data()), keys->data(), counts->data(),
                       slots - 1, n / 4);
                 },
                 [=] {
                   std::vector<unsigned> wanted(different);
                   for (unsigned i = 0; i < n; ++i) ++wanted[number(i)];
                   const std::vector<unsigned> got_keys = keys->device.download();
                   const std::vector<unsigned> got = counts->device.download();
                   std::size_t all = 0;
                   for (unsigned count : got) all += count;
                   for (unsigned w = 0; w < different; w += different / 2000 | 1) {
                     unsigned slot = hashes_of(hashes_key(w)) & (slots - 1);
                     while (got_keys[slot] != kHashesEmpty && got_keys[slot] != hashes_key(w))
                       slot = (slot + 1) & (slots - 1);
                     if (got[slot] != wanted[w]) return false;
                   }
                   return all == n;
                 },
                 [=] {
                   COURSE_CHECK(cudaMemset(keys->data(), 0xff, keys->device.bytes()));
                   clear(counts);
                 }};
}

inline void add_hashes(Set& set) {
  const std::vector<unsigned> sizes = {4000, 500000, 4000000};  // multiples of four
  set.add("hashes_insert", sizes, hashes_insert_problem);
  set.add("hashes_find", sizes, hashes_find_problem);
  set.add("hashes_buckets", sizes, hashes_buckets_problem);
  set.add("hashes_counts", sizes, hashes_counts_problem);
}

}  // namespace timing_set
