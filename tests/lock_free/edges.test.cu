// SPDX-License-Identifier: MIT
// What the structures of lesson 06 promise at their edges: full, empty, one element, sizes that are
// no power of two, versions that wrap, keys and values that a map keeps for itself, and far more
// blocks than the GPU has room for.
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/device_buffer.cuh"
#include "lessons/06_lock_free/hash_map.cuh"
#include "lessons/06_lock_free/linked_queue.cuh"
#include "lessons/06_lock_free/locked.cuh"
#include "lessons/06_lock_free/owned.cuh"
#include "lessons/06_lock_free/ring_queue.cuh"
#include "lessons/06_lock_free/stack.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace lesson06;

namespace {

using LockedStack = Locked<TicketLock<>, SequentialStack>;
using LockedRing = Locked<BackoffLock<>, SequentialRing>;
using LockedMap = Locked<TestAndSetLock<>, SequentialMap>;
using WordRing = RingQueue<RingOrders, WordSlot>;
using WarpWordRing = WarpRingQueue<RingOrders, WordSlot>;

template <class S>
constexpr bool kFifo = false;
template <>
constexpr bool kFifo<LinkedQueue<>> = true;
template <>
constexpr bool kFifo<RingQueue<>> = true;
template <>
constexpr bool kFifo<WarpRingQueue<>> = true;
template <>
constexpr bool kFifo<WordRing> = true;
template <>
constexpr bool kFifo<WarpWordRing> = true;
template <>
constexpr bool kFifo<LockedRing> = true;

// One thread fills the structure, pushes once too often, and takes all out, `rounds` times. `wrong`
// counts the answers that are not what they must be.
template <class S>
__global__ void fill_and_drain(S structure, std::uint32_t capacity, std::uint32_t rounds, bool fifo,
                               unsigned* wrong) {
  unsigned mistakes = 0;
  std::uint32_t value = 12345;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    mistakes += structure.pop(value) || value != 12345;  // empty: the value is left alone
    for (std::uint32_t i = 0; i < capacity; ++i) mistakes += !structure.push(round * capacity + i);
    mistakes += structure.push(99999) + structure.push(99998);
    for (std::uint32_t i = 0; i < capacity; ++i) {
      const std::uint32_t place = fifo ? i : capacity - 1 - i;
      mistakes += !structure.pop(value) || value != round * capacity + place;
    }
    value = 12345;
  }
  mistakes += structure.pop(value);
  *wrong = mistakes;
}

template <class S>
unsigned mistakes_alone(const S& structure, std::uint32_t capacity, std::uint32_t rounds) {
  course::DeviceBuffer<unsigned> wrong(1);
  reset_kernel<<<2, 32>>>(structure);
  fill_and_drain<<<1, 1>>>(structure, capacity, rounds, kFifo<S>, wrong.data());
  COURSE_CHECK(cudaGetLastError());
  return wrong.download()[0];
}

template <class S>
void every_capacity() {
  for (const std::uint32_t capacity : {1u, 2u, 3u, 5u, 7u, 8u, 33u}) {
    INFO("capacity " << capacity);
    const Owned<S> owned(capacity);
    CHECK(mistakes_alone(owned.get(), capacity, 5) == 0);
  }
}

// Each thread pushes a value of its own and pops one: values [0, threads). The dynamic shared memory
// keeps all blocks but one from each multiprocessor.
template <class S>
__global__ void crowd(S structure, unsigned* taken, unsigned* refused) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (!structure.push(id)) atomicAdd(refused, 1u);
  std::uint32_t value = 0;
  if (structure.pop(value)) atomicAdd(taken + value, 1u);
}
template <class S>
__global__ void take_all(S structure, std::uint32_t capacity, unsigned* taken, unsigned* left) {
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i <= capacity && structure.pop(value); ++i) {
    atomicAdd(taken + value, 1u);
    ++*left;
  }
}

template <class S>
void oversubscribed(std::uint32_t capacity) {
  const auto& device = support::device();
  int shared = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  COURSE_CHECK(cudaFuncSetAttribute(crowd<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  int resident = 0;
  constexpr unsigned kBlock = 64;
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, crowd<S>, kBlock, shared));
  REQUIRE(resident == 1);
  const unsigned blocks = 3 * device.multiprocessors, threads = blocks * kBlock;

  const Owned<S> owned(capacity);
  course::DeviceBuffer<unsigned> taken(std::vector<unsigned>(threads, 0)),
      counts(std::vector<unsigned>(2, 0));
  crowd<<<blocks, kBlock, shared>>>(owned.get(), taken.data(), counts.data());
  take_all<<<1, 1>>>(owned.get(), capacity, taken.data(), counts.data() + 1);
  COURSE_CHECK(cudaGetLastError());
  const auto times = taken.download();
  const auto count = counts.download();
  std::size_t twice = 0, out = 0;
  for (const unsigned t : times) {
    twice += t > 1;
    out += t;
  }
  CHECK(twice == 0);
  CHECK(out + count[0] == threads);  // what was not refused came out
  CHECK(count[1] <= capacity);
}

// The maps as a single thread calls them; a tile calls with all its lanes.
template <class M>
struct MapCalls {
  static constexpr unsigned kLanes = 1;
  M map;
  __device__ Insert insert(std::uint32_t key, std::uint32_t value) {
    return map.insert(key, value);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) { return map.find(key, value); }
  __device__ bool erase(std::uint32_t key) { return map.erase(key); }
};
template <>
struct MapCalls<TileHashMap<>> {
  static constexpr unsigned kLanes = 4;
  TileHashMap<> map;
  __device__ static auto tile() {
    return cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
  }
  __device__ Insert insert(std::uint32_t key, std::uint32_t value) {
    return map.insert(tile(), key, value);
  }
  __device__ bool find(std::uint32_t key, std::uint32_t& value) {
    return map.find(tile(), key, value);
  }
  __device__ bool erase(std::uint32_t key) { return map.erase(tile(), key); }
};

template <class M>
__global__ void map_edges(M m, std::uint32_t capacity, unsigned* wrong) {
  constexpr std::uint32_t kNoKey = 0xffffffff, kDead = 0xffffffff;
  unsigned mistakes = 0;
  std::uint32_t value = 7;
  // The sentinels are refused, and change nothing.
  mistakes += m.insert(kNoKey, 1) != Insert::Refused;
  mistakes += m.insert(1, kDead) != Insert::Refused;
  mistakes += m.find(kNoKey, value) || m.find(1, value) || value != 7;
  mistakes += m.erase(kNoKey) || m.erase(1);
  // Full: as many keys as slots; key 0 and the greatest key are keys like others.
  const auto key = [&](std::uint32_t i) { return i == 0 ? 0 : i == 1 ? kNoKey - 1 : 1000 * i; };
  for (std::uint32_t i = 0; i < capacity; ++i) mistakes += m.insert(key(i), i) != Insert::Inserted;
  mistakes += m.insert(5, 5) != Insert::Full;
  for (std::uint32_t i = 0; i < capacity; ++i) {
    mistakes += m.insert(key(i), 77) != Insert::Present;
    mistakes += !m.find(key(i), value) || value != i;
  }
  mistakes += m.find(5, value) || m.erase(5);
  // Erased slots stay with their keys.
  mistakes += !m.erase(key(0)) || m.erase(key(0)) || m.find(key(0), value);
  mistakes += m.insert(5, 5) != Insert::Full;
  mistakes += m.insert(key(0), 42) != Insert::Inserted;
  mistakes += !m.find(key(0), value) || value != 42;
  if (threadIdx.x == 0) *wrong = mistakes;
}

template <class M>
void every_map_capacity() {
  for (const std::uint32_t capacity : {1u, 2u, 3u, 4u, 5u, 7u, 16u, 33u}) {
    INFO("capacity " << capacity);
    const Owned<M> owned(capacity);
    course::DeviceBuffer<unsigned> wrong(1);
    map_edges<<<1, MapCalls<M>::kLanes>>>(MapCalls<M>{owned.get()}, capacity, wrong.data());
    COURSE_CHECK(cudaGetLastError());
    CHECK(wrong.download()[0] == 0);
  }
}

// Every thread inserts its key, finds it, erases it if it is odd.
template <class M>
__global__ void map_crowd(MapCalls<M> m, unsigned* wrong) {
  const unsigned lanes = MapCalls<M>::kLanes;
  const unsigned id = (blockIdx.x * blockDim.x + threadIdx.x) / lanes;
  std::uint32_t value = 0;
  unsigned mistakes = m.insert(id, id + 1) != Insert::Inserted;
  mistakes += !m.find(id, value) || value != id + 1;
  if (id % 2 == 1) mistakes += !m.erase(id) || m.find(id, value);
  if (mistakes != 0) atomicAdd(wrong, mistakes);
}

template <class M>
void oversubscribed_map() {
  const auto& device = support::device();
  int shared = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  COURSE_CHECK(
      cudaFuncSetAttribute(map_crowd<M>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  const unsigned blocks = 3 * device.multiprocessors;
  const Owned<M> owned(blocks * 64 / MapCalls<M>::kLanes);  // every slot is needed
  course::DeviceBuffer<unsigned> wrong(std::vector<unsigned>(1, 0));
  map_crowd<<<blocks, 64, shared>>>(MapCalls<M>{owned.get()}, wrong.data());
  COURSE_CHECK(cudaGetLastError());
  CHECK(wrong.download()[0] == 0);
}

template <class L>
__global__ void lock_crowd(L lock, unsigned* plain) {
  lock.lock();
  ++*plain;
  lock.unlock();
}
template <class L>
void oversubscribed_lock() {
  const unsigned blocks = 2 * support::device().multiprocessors;
  int shared = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  COURSE_CHECK(
      cudaFuncSetAttribute(lock_crowd<L>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  const Owned<L> owned(1);
  course::DeviceBuffer<unsigned> count(std::vector<unsigned>(1, 0));
  lock_crowd<<<blocks, 8, shared>>>(owned.get(), count.data());
  COURSE_CHECK(cudaGetLastError());
  CHECK(count.download()[0] == blocks * 8);
}

}  // namespace

TEST_CASE("full and empty are answers, for every capacity") {
  every_capacity<NaiveStack>();  // one thread alone: right
  every_capacity<Stack<>>();
  every_capacity<WarpStack<>>();
  every_capacity<LinkedQueue<>>();
  every_capacity<RingQueue<>>();
  every_capacity<WarpRingQueue<>>();
  every_capacity<WordRing>();
  every_capacity<WarpWordRing>();
  every_capacity<LockedStack>();
  every_capacity<LockedRing>();
}

namespace {

template <class S, class Start>
void wraps(Start start) {
  for (const std::uint32_t capacity : {1u, 3u, 5u}) {
    INFO("capacity " << capacity << ", start " << start(capacity));
    course::DeviceBuffer<std::byte> memory(S::bytes(capacity));
    CHECK(mistakes_alone(S(memory.data(), capacity, start(capacity)), capacity, 8) == 0);
  }
}

}  // namespace

TEST_CASE("versions and turns run over their ends") {
  const auto version = [](std::uint32_t) { return 0u - 7u; };
  wraps<Stack<>>(version);
  wraps<WarpStack<>>(version);
  wraps<LinkedQueue<>>(version);
  // A ring's turns wrap after 2^31 rounds.
  const auto ticket = [](std::uint32_t capacity) {
    return (std::uint64_t{capacity} << 31) - capacity - 1;
  };
  wraps<RingQueue<>>(ticket);
  wraps<WarpRingQueue<>>(ticket);
  wraps<WordRing>(ticket);
  wraps<WarpWordRing>(ticket);
}

TEST_CASE("a map is full when every slot has had a key, and keeps its sentinels for itself") {
  every_map_capacity<HashMap<>>();
  every_map_capacity<TileHashMap<>>();
  every_map_capacity<LockedMap>();
}

TEST_CASE("three times the blocks that fit: nothing hangs, nothing is lost") {
  for (const std::uint32_t capacity : {1u, 100u}) {
    INFO("capacity " << capacity);
    oversubscribed<Stack<>>(capacity);
    oversubscribed<WarpStack<>>(capacity);
    oversubscribed<LinkedQueue<>>(capacity);
    oversubscribed<RingQueue<>>(capacity);
    oversubscribed<WarpRingQueue<>>(capacity);
    oversubscribed<WordRing>(capacity);
    oversubscribed<WarpWordRing>(capacity);
    oversubscribed<LockedStack>(capacity);
    oversubscribed<LockedRing>(capacity);
  }
  oversubscribed_map<HashMap<>>();
  oversubscribed_map<TileHashMap<>>();
  oversubscribed_map<LockedMap>();
  oversubscribed_lock<TestAndSetLock<>>();
  oversubscribed_lock<BackoffLock<>>();
  oversubscribed_lock<TicketLock<>>();
}
