// SPDX-License-Identifier: MIT
// Grouping the rows of a table by a key, and what is asked of each group: count and sum by atomics in global memory; by a
// table of each block in shared memory; largest and sum in a hash table, where the keys are any numbers; and sums of rows
// that are sorted already, where a thread adds up some rows of the same key before it tells anybody.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kGroupingsGroups = 1000;

__global__ void groupings_global(const unsigned* key, const float* value, float* sum,
                                 unsigned* count, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) {
    atomicAdd(&sum[key[i]], value[i]);
    atomicAdd(&count[key[i]], 1u);
  }
}

__global__ void __launch_bounds__(1024)
    groupings_shared(const unsigned* __restrict__ key, const float* __restrict__ value, float* sum,
                     unsigned* count, unsigned n) {
  __shared__ float sums[kGroupingsGroups];
  __shared__ unsigned counts[kGroupingsGroups];
  for (unsigned g = threadIdx.x; g < kGroupingsGroups; g += blockDim.x) {
    sums[g] = 0;
    counts[g] = 0;
  }
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned group = key[i];
    atomicAdd(&sums[group], value[i]);
    atomicAdd(&counts[group], 1u);
  }
  __syncthreads();
  for (unsigned g = threadIdx.x; g < kGroupingsGroups; g += blockDim.x) {
    if (counts[g] == 0) continue;
    atomicAdd(&sum[g], sums[g]);
    atomicAdd(&count[g], counts[g]);
  }
}

using GroupingsKey = unsigned long long;
constexpr GroupingsKey kGroupingsEmpty = ~0ull;

// Open addressing: a slot belongs to the key that is the first to be written there.
__global__ void groupings_hash(const GroupingsKey* key, const unsigned* value, GroupingsKey* slots,
                               unsigned long long* sum, unsigned* largest, unsigned mask,
                               unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const GroupingsKey mine = key[i];
  unsigned slot = mixed(static_cast<unsigned>(mine) ^ static_cast<unsigned>(mine >> 32)) & mask;
  while (true) {
    const GroupingsKey found = atomicCAS(&slots[slot], kGroupingsEmpty, mine);
    if (found == kGroupingsEmpty || found == mine) break;
    slot = (slot + 1) & mask;
  }
  atomicAdd(&sum[slot], static_cast<unsigned long long>(value[i]));
  atomicMax(&largest[slot], value[i]);
}

constexpr unsigned kGroupingsRows = 16;  // of a thread

__global__ void groupings_sorted(const unsigned* key, const float* value, double* sum, unsigned n) {
  const unsigned begin = thread_number() * kGroupingsRows;
  if (begin >= n) return;
  const unsigned end = min(begin + kGroupingsRows, n);
  unsigned group = key[begin];
  double total = 0;
  for (unsigned i = begin; i < end; ++i) {
    if (key[i] != group) {
      atomicAdd(&sum[group], total);
      group = key[i];
      total = 0;
    }
    total += value[i];
  }
  atomicAdd(&sum[group], total);
}

// Small keys are more frequent than large ones.
inline Shared<unsigned> groupings_keys(unsigned n) {
  return array<unsigned>(n, [](unsigned i) {
    return mixed(i) % kGroupingsGroups * (mixed(i + 0x40000000u) % kGroupingsGroups) /
           kGroupingsGroups;
  });
}

inline std::vector<double> groupings_sums(const std::vector<unsigned>& key,
                                          const std::vector<float>& value, unsigned groups) {
  std::vector<double> sums(groups);
  for (std::size_t i = 0; i < key.size(); ++i) sums[key[i]] += value[i];
  return sums;
}

struct GroupingsTable {
  Shared<unsigned> key;
  Shared<float> value, sum;
  Shared<unsigned> count;
  explicit GroupingsTable(unsigned n)
      : key(groupings_keys(n)),
        value(uniform(n, 21)),
        sum(room<float>(kGroupingsGroups)),
        count(room<unsigned>(kGroupingsGroups)) {}
  void restart() const {
    clear(sum);
    clear(count);
  }
  bool right() const {
    const std::vector<double> sums = groupings_sums(key->host, value->host, kGroupingsGroups);
    std::vector<unsigned> counts(kGroupingsGroups);
    for (const unsigned k : key->host) ++counts[k];
    return agrees(
               sum, [&](unsigned g) { return sums[g]; }, 1e-3) &&
           agrees(
               count, [&](unsigned g) { return counts[g]; }, 0);
  }
};

inline Problem groupings_global_problem(unsigned n) {
  const GroupingsTable table(n);
  return Problem{[=] {
                   groupings_global<<<blocks_of(n), kBlock>>>(
                       table.key->data(), table.value->data(), table.sum->data(),
                       table.count->data(), n);
                 },
                 [=] { return table.right(); }, [=] { table.restart(); }};
}

inline Problem groupings_shared_problem(unsigned n) {
  const GroupingsTable table(n);
  const unsigned blocks = std::min(blocks_of(n, 1024), 264u);
  return Problem{[=] {
                   groupings_shared<<<blocks, 1024>>>(table.key->data(), table.value->data(),
                                                      table.sum->data(), table.count->data(), n);
                 },
                 [=] { return table.right(); }, [=] { table.restart(); }};
}

inline Problem groupings_hash_problem(unsigned n) {
  const unsigned groups = n / 16;
  unsigned slots = 1;
  while (slots < 2 * groups) slots *= 2;
  auto key = array<GroupingsKey>(n, [=](unsigned i) {
    const unsigned group = mixed(i) % groups;
    return static_cast<GroupingsKey>(mixed(group + 77) >> 1) << 32 | group;
  });
  auto value = array<unsigned>(n, [](unsigned i) { return mixed(i + 123456789u) % 100000 + 1; });
  auto table = room<GroupingsKey>(slots);
  auto sum = room<unsigned long long>(slots);
  auto largest = room<unsigned>(slots);
  return Problem{
      [=] {
        groupings_hash<<<blocks_of(n, 128), 128>>>(key->data(), value->data(), table->data(),
                                                   sum->data(), largest->data(), slots - 1, n);
      },
      [=] {
        std::vector<unsigned long long> sums(groups);
        std::vector<unsigned> most(groups);
        for (unsigned i = 0; i < n; ++i) {
          const auto group = static_cast<unsigned>(key->host[i]);
          sums[group] += value->host[i];
          most[group] = std::max(most[group], value->host[i]);
        }
        const auto keys = table->device.download();
        const auto got_sums = sum->device.download();
        const auto got_most = largest->device.download();
        for (unsigned s = 0; s < slots; ++s) {
          if (keys[s] == kGroupingsEmpty) continue;
          const auto group = static_cast<unsigned>(keys[s]);
          if (group >= groups || keys[s] >> 32 != mixed(group + 77) >> 1 || most[group] == 0 ||
              got_sums[s] != sums[group] || got_most[s] != most[group])
            return false;
          most[group] = 0;  // has been found
        }
        return std::all_of(most.begin(), most.end(), [](unsigned m) { return m == 0; });
      },
      [=] {
        COURSE_CHECK(cudaMemset(table->data(), 0xff, table->device.bytes()));
        clear(sum);
        clear(largest);
      }};
}

inline Problem groupings_sorted_problem(unsigned n) {
  std::vector<unsigned> keys(n);
  for (unsigned i = 1; i < n; ++i) keys[i] = keys[i - 1] + (mixed(i) % 40 == 0);
  const unsigned groups = keys.back() + 1;
  auto key = array(std::move(keys));
  auto value = uniform(n, 22);
  auto sum = room<double>(groups);
  const unsigned blocks = blocks_of(blocks_of(n, kGroupingsRows), 128);
  return Problem{
      [=] { groupings_sorted<<<blocks, 128>>>(key->data(), value->data(), sum->data(), n); },
      [=] {
        const std::vector<double> sums = groupings_sums(key->host, value->host, groups);
        return agrees(
            sum, [&](unsigned g) { return sums[g]; }, 1e-9);
      },
      [=] { clear(sum); }};
}

inline void add_groupings(Set& set) {
  const std::vector<unsigned> sizes = {9001, 1300000, 7000003};
  set.add("groupings_global", sizes, groupings_global_problem);
  set.add("groupings_shared", sizes, groupings_shared_problem);
  set.add("groupings_hash", {9001, 600000, 4000003}, groupings_hash_problem);
  set.add("groupings_sorted", sizes, groupings_sorted_problem);
}

}  // namespace timing_set
