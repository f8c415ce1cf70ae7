// SPDX-License-Identifier: MIT
// What the tables of lesson 11 promise at their edges: full, one slot, keys that they keep for themselves,
// values of every kind, one key by all threads, slots that come back, growth while others read.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/device_buffer.cuh"
#include "lessons/11_hash_table/bulk.cuh"
#include "lessons/11_hash_table/growing.cuh"
#include "lessons/11_hash_table/reusing_table.cuh"
#include "lessons/11_hash_table/table.cuh"
#include "lessons/11_hash_table/tag_table.cuh"
#include "lessons/11_hash_table/tile_table.cuh"
#include "lessons/11_hash_table/wide_table.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace lesson11;
using course::DeviceBuffer;

namespace {

template <class T>
__global__ void reset(T table) {
  table.reset(blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}
template <class T>
class Owned {
 public:
  explicit Owned(std::uint32_t capacity)
      : memory_(T::bytes(capacity)), table(memory_.data(), capacity) {
    reset<<<2, 64>>>(table);
    COURSE_CHECK(cudaGetLastError());
  }

 private:
  DeviceBuffer<unsigned char> memory_;

 public:
  T table;
};

// The same calls for all: a tile's lanes call together.
template <class T>
struct Calls {
  static constexpr unsigned kLanes = 1;
  T table;
  __device__ Outcome insert(std::uint32_t k, std::uint32_t v) { return table.insert(k, v); }
  __device__ Outcome add(std::uint32_t k, std::uint32_t v) { return table.insert_or_add(k, v); }
  template <class V>
  __device__ bool find(std::uint32_t k, V& v) {
    return table.find(k, v);
  }
};
template <std::uint32_t kTile>
struct Calls<TileTable<kTile>> {
  static constexpr unsigned kLanes = kTile;
  TileTable<kTile> table;
  __device__ static auto tile() {
    return cooperative_groups::tiled_partition<kTile>(cooperative_groups::this_thread_block());
  }
  __device__ Outcome insert(std::uint32_t k, std::uint32_t v) { return table.insert(tile(), k, v); }
  __device__ Outcome add(std::uint32_t k, std::uint32_t v) {
    return table.insert_or_add(tile(), k, v);
  }
  __device__ bool find(std::uint32_t k, std::uint32_t& v) { return table.find(tile(), k, v); }
};

template <class T, class V>
__global__ void edges(Calls<T> t, std::uint32_t capacity, bool keeps_keys, unsigned* wrong) {
  unsigned mistakes = 0;
  V value = 7;
  // Keys that the table needs are refused, and change nothing.
  if (keeps_keys)
    for (const std::uint32_t key : {kNoKey, kErasedKey}) {
      mistakes += t.insert(key, 1) != Outcome::Refused || t.add(key, 1) != Outcome::Refused;
      mistakes += t.find(key, value) || value != 7;
    }
  mistakes += t.find(1, value) || value != 7;  // empty
  // Full: as many keys as slots. Key 0 and the greatest key are keys like others, so is every value.
  const auto key = [](std::uint32_t i) { return i == 0 ? 0 : i == 1 ? kErasedKey - 1 : 1000 * i; };
  const auto held = [](std::uint32_t i) { return i == 0 ? 0xffffffffu : i; };
  for (std::uint32_t i = 0; i < capacity; ++i)
    mistakes += t.insert(key(i), held(i)) != Outcome::Inserted;
  mistakes += t.insert(5, 5) != Outcome::Full || t.add(5, 5) != Outcome::Full || t.find(5, value);
  for (std::uint32_t i = 0; i < capacity; ++i) {
    mistakes += t.insert(key(i), 77) != Outcome::Present;
    mistakes += !t.find(key(i), value) || value != held(i);
    mistakes += t.add(key(i), 3) != Outcome::Present;
    mistakes +=
        !t.find(key(i), value) || value != static_cast<V>(V{held(i)} + 3);  // 32 bits: it wraps
  }
  if (threadIdx.x == 0) *wrong = mistakes;
}
template <class T, class V = std::uint32_t>
void check_edges(bool keeps_keys = true) {
  for (const std::uint32_t capacity : {1u, 2u, 3u, 4u, 5u, 9u, 16u, 17u, 33u}) {
    INFO("capacity " << capacity);
    const Owned<T> owned(capacity);
    DeviceBuffer<unsigned> wrong(1);
    edges<T, V><<<1, Calls<T>::kLanes>>>(Calls<T>{owned.table}, capacity, keeps_keys, wrong.data());
    CHECK(wrong.download()[0] == 0);
  }
}

// All threads bring one of a few keys: nothing is lost, nothing is there twice.
template <class T, class V>
__global__ void crowd(Calls<T> t, std::uint32_t keys, unsigned* inserted) {
  const std::uint32_t id = (blockIdx.x * blockDim.x + threadIdx.x) / Calls<T>::kLanes;
  const Outcome outcome = t.add(1 + id % keys, 1);
  if (outcome == Outcome::Inserted && threadIdx.x % Calls<T>::kLanes == 0) atomicAdd(inserted, 1u);
}
template <class T, class V>
__global__ void counts(Calls<T> t, std::uint32_t keys, unsigned* total) {
  for (std::uint32_t k = 1; k <= keys; ++k) {
    V value = 0;
    t.find(k, value);
    if (threadIdx.x == 0) *total += static_cast<unsigned>(value);
  }
}
template <class T, class V = std::uint32_t>
void check_crowd() {
  const unsigned blocks = 2 * support::device().multiprocessors, lanes = Calls<T>::kLanes;
  for (const std::uint32_t keys : {1u, 40u}) {
    INFO(keys << " keys");
    const Owned<T> owned(keys);  // every slot is needed
    DeviceBuffer<unsigned> numbers(std::vector<unsigned>(2));
    crowd<T, V><<<blocks, 64>>>(Calls<T>{owned.table}, keys, numbers.data());
    counts<T, V><<<1, lanes>>>(Calls<T>{owned.table}, keys, numbers.data() + 1);
    const auto got = numbers.download();
    CHECK(got[0] == keys);
    CHECK(got[1] == blocks * 64 / lanes);
  }
}

// Each thread inserts, finds and erases one key that all share, again and again, in a table of so many slots.
__global__ void come_and_go(ReusingTable<> table, std::uint32_t rounds, int* balance,
                            unsigned* full) {
  for (std::uint32_t r = 0; r < rounds; ++r) {
    const Outcome outcome = table.insert(9, r);
    if (outcome == Outcome::Inserted) atomicAdd(balance, 1);
    if (outcome == Outcome::Full) atomicAdd(full, 1u);
    std::uint32_t value = 0;
    table.find(9, value);
    if (table.erase(9)) atomicAdd(balance, -1);
  }
}
__global__ void how_often(ReusingTable<> table, unsigned* times) {
  while (table.erase(9)) ++*times;
}
__global__ void churn(ReusingTable<> table, std::uint32_t capacity, unsigned* wrong) {
  unsigned mistakes = 0;
  for (std::uint32_t k = 0; k < 5 * capacity;
       ++k) {  // far more keys than slots, one after the other
    mistakes += table.insert(k, k) != Outcome::Inserted;
    if (k + 1 >= capacity) mistakes += table.insert(1u << 30, 0) != Outcome::Full;
    std::uint32_t value = 0;
    mistakes += !table.find(k, value) || value != k;
    if (k + 1 >= capacity)
      mistakes += !table.erase(k + 1 - capacity) || table.erase(k + 1 - capacity);
  }
  mistakes += table.erase(kNoKey) || table.erase(kErasedKey);
  *wrong = mistakes;
}

}  // namespace

TEST_CASE("full, empty and refused are answers, for every capacity") {
  check_edges<Table<1>>();
  check_edges<Table<4>>();
  check_edges<Table<8, SecondChoice>>();
  check_edges<Table<4, OtherHalf>>();
  check_edges<TileTable<4>>();
  check_edges<TileTable<32>>();
  check_edges<TagTable<>>();
  check_edges<ReusingTable<>>();
  check_edges<WideTable<OneExchange>, Word>(false);
  check_edges<WideTable<KeyThenValue>, Word>(false);
}

TEST_CASE("few keys by all threads: none lost, none twice") {
  check_crowd<Table<1>>();
  check_crowd<Table<8, SecondChoice>>();
  check_crowd<Table<4, OtherHalf>>();
  check_crowd<TileTable<8>>();
  check_crowd<TagTable<>>();
  check_crowd<ReusingTable<>>();
  check_crowd<WideTable<OneExchange>, Word>();
  check_crowd<WideTable<KeyThenValue>, Word>();
}

TEST_CASE("one key erased and inserted by all is there once or not at all") {
  for (const std::uint32_t capacity : {1u, 2u, 7u}) {
    INFO("capacity " << capacity);
    const Owned<ReusingTable<>> owned(capacity);
    DeviceBuffer<int> balance(std::vector<int>(1));
    DeviceBuffer<unsigned> numbers(std::vector<unsigned>(2));
    come_and_go<<<8, 64>>>(owned.table, 4, balance.data(), numbers.data());
    how_often<<<1, 1>>>(owned.table, numbers.data() + 1);
    CHECK(numbers.download()[0] == 0);
    CHECK(static_cast<int>(numbers.download()[1]) == balance.download()[0]);
    CHECK(numbers.download()[1] <= 1);
  }
}

TEST_CASE("slots come back") {
  for (const std::uint32_t capacity : {1u, 4u, 6u, 64u}) {
    INFO("capacity " << capacity);
    const Owned<ReusingTable<>> owned(capacity);
    DeviceBuffer<unsigned> wrong(1);
    churn<<<1, 1>>>(owned.table, capacity, wrong.data());
    CHECK(wrong.download()[0] == 0);
  }
}

TEST_CASE("a table grows while others find in it") {
  constexpr std::uint32_t kSmall = 1000, kKeys = 900, kLarge = 4096;
  const Owned<Table<4>> small(kSmall);
  const Owned<Table<8, SecondChoice>> large(kLarge);
  std::vector<std::uint32_t> keys(kKeys), values(kKeys);
  for (std::uint32_t i = 0; i < kKeys; ++i) keys[i] = mix(i) >> 1, values[i] = i;
  DeviceBuffer<std::uint32_t> k(keys), v(values), found(kKeys);
  DeviceBuffer<unsigned> full(std::vector<unsigned>(1));
  put_each<false>
      <<<blocks_for(kKeys, 64), 64>>>(small.table, k.data(), v.data(), kKeys, full.data());
  COURSE_CHECK(cudaDeviceSynchronize());
  cudaStream_t grows, reads;
  COURSE_CHECK(cudaStreamCreate(&grows));
  COURSE_CHECK(cudaStreamCreate(&reads));
  // The table's own slots: what copy_pairs() reads and find_each() reads at the same time.
  const Word* const first = small.table.first_slot();
  copy_pairs<<<blocks_for(small.table.slots(), 64), 64, 0, grows>>>(first, small.table.slots(),
                                                                    large.table, full.data());
  find_each<<<blocks_for(kKeys, 64), 64, 0, reads>>>(small.table.frozen(), k.data(), kKeys,
                                                     found.data());
  COURSE_CHECK(cudaDeviceSynchronize());
  CHECK(found.download() == values);
  find_each<<<blocks_for(kKeys, 64), 64>>>(large.table.frozen(), k.data(), kKeys, found.data());
  CHECK(found.download() == values);
  CHECK(full.download()[0] == 0);
  COURSE_CHECK(cudaStreamDestroy(grows));
  COURSE_CHECK(cudaStreamDestroy(reads));
}

TEST_CASE("bulk: a full table is counted, and no pair is lost on the way") {
  constexpr std::uint32_t kSlots = 4096, kPairs = 5000;
  const Owned<Table<8>> owned(kSlots);
  std::vector<std::uint32_t> keys(kPairs), values(kPairs);
  for (std::uint32_t i = 0; i < kPairs; ++i) keys[i] = i, values[i] = i;
  DeviceBuffer<std::uint32_t> k(keys), v(values), found(kPairs);
  DeviceBuffer<Word> pairs(kPairs);
  DeviceBuffer<unsigned> starts(kParts + 1), full(std::vector<unsigned>(1));
  put_in_bulk<false>(owned.table, k.data(), v.data(), kPairs, pairs.data(), starts.data(),
                     full.data(), 4);
  CHECK(full.download()[0] == kPairs - kSlots);
  std::vector<Word> moved = pairs.download();
  CHECK(std::is_sorted(moved.begin(), moved.end(), [](Word a, Word b) {
    return scaled(mix(key_of(a)), kParts) < scaled(mix(key_of(b)), kParts);
  }));
  std::sort(moved.begin(), moved.end());
  for (std::uint32_t i = 0; i < kPairs; ++i) REQUIRE(moved[i] == pack(i, i));
}
