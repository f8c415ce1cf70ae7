// SPDX-License-Identifier: MIT
// Does a hash map lose, double or invent anything? Many workers insert, find and erase the same few
// keys at once. Every success is booked: an insert adds one to the balance of its key, an erase
// takes one away. At the end a key is there once if its balance is 1, and not at all if it is 0.
#pragma once

#include <cstdint>
#include <vector>

#include "common/program/structures.cuh"
#include "lessons/06_lock_free/exercise.cuh"
#include "lessons/06_lock_free/map_worker.cuh"

namespace lesson06 {

struct MapExercise {
  std::uint32_t threads = 256;
  std::uint32_t per_worker = 32;  // operations
  std::uint32_t keys = 64;        // fewer than threads: they meet
  std::uint32_t capacity = 128;   // fewer than keys: full, again and again
  std::uint32_t seed = 1;
  std::uint32_t block = 256;
  unsigned blocks() const { return (threads + block - 1) / block; }
};

struct MapAccount {
  unsigned long long inserted, present, full, erased, found, missed, invented;
};

// A value names its key, so a find can tell a value that was never stored there.
__host__ __device__ inline std::uint32_t value_for(std::uint32_t number, std::uint32_t writer) {
  return (number & 0xffff) << 15 | (writer & 0x7fff);
}
__host__ __device__ inline bool value_fits(std::uint32_t number, std::uint32_t value) {
  return value >> 15 == (number & 0xffff);
}

template <class Map>
__global__ void exercise_map(Map map, MapExercise e, int* balance, MapAccount* accounts) {
  const Worker<Map> worker;
  const std::uint32_t me = (blockIdx.x * blockDim.x + threadIdx.x) / Worker<Map>::kLanes;
  MapAccount account{};
  std::uint32_t random = scramble(e.seed * 0x9e3779b9u + me);
  for (std::uint32_t i = 0; i < e.per_worker; ++i) {
    random = scramble(random + 1);
    const std::uint32_t number = static_cast<std::uint32_t>(std::uint64_t{random} * e.keys >> 32);
    const std::uint32_t key = key_number(number);
    const std::uint32_t choice = random % 4;  // one insert, one erase, two finds
    if (choice == 0) {
      const Insert result = worker.insert(map, key, value_for(number, me));
      if (result == Insert::Inserted && worker.leads()) atomicAdd(balance + number, 1);
      account.inserted += result == Insert::Inserted;
      account.present += result == Insert::Present;
      account.full += result == Insert::Full;
      account.invented += result == Insert::Refused;
    } else if (choice == 1) {
      const bool erased = worker.erase(map, key);
      if (erased && worker.leads()) atomicAdd(balance + number, -1);
      account.erased += erased;
      account.missed += !erased;
    } else {
      std::uint32_t value = 0;
      const bool found = worker.find(map, key, value);
      account.found += found;
      account.missed += !found;
      account.invented += found && !value_fits(number, value);
    }
  }
  if (worker.leads()) accounts[me] = account;
}

// state[i]: 1 key i is there with a value of its own, 0 it is not, 2 with another's value.
template <class Map>
__global__ void look_up_all(Map map, std::uint32_t keys, std::uint32_t* state) {
  const Worker<Map> worker;
  const std::uint32_t me = (blockIdx.x * blockDim.x + threadIdx.x) / Worker<Map>::kLanes;
  const std::uint32_t all = gridDim.x * blockDim.x / Worker<Map>::kLanes;
  for (std::uint32_t i = me; i < keys; i += all) {
    std::uint32_t value = 0;
    const bool found = worker.find(map, key_number(i), value);
    if (worker.leads()) state[i] = !found ? 0 : value_fits(i, value) ? 1 : 2;
  }
}

template <class Map>
course::structures::Findings exercise(const MapExercise& e) {
  Owned<Map> map(e.capacity);
  course::DeviceBuffer<int> balance(e.keys);
  course::DeviceBuffer<std::uint32_t> state(e.keys);
  const std::uint32_t workers = e.blocks() * e.block / Worker<Map>::kLanes;
  course::DeviceBuffer<MapAccount> accounts(workers);
  COURSE_CHECK(cudaMemset(balance.data(), 0, balance.bytes()));
  exercise_map<<<e.blocks(), e.block>>>(map.get(), e, balance.data(), accounts.data());
  COURSE_CHECK(cudaGetLastError());
  look_up_all<<<8, 128>>>(map.get(), e.keys, state.data());
  COURSE_CHECK(cudaGetLastError());

  course::structures::Findings f;
  f.operations = std::uint64_t{workers} * e.per_worker;
  unsigned long long full = 0;
  for (const MapAccount& account : accounts.download()) {
    f.invented += account.invented;
    full += account.full;
  }
  if (e.capacity >= e.keys) f.stuck = full;  // every key has its slot: none may be refused
  const std::vector<int> books = balance.download();
  const std::vector<std::uint32_t> there = state.download();
  for (std::uint32_t i = 0; i < e.keys; ++i) {
    if (books[i] != 0 && books[i] != 1) ++f.twice;
    if (books[i] == 1 && there[i] == 0) ++f.lost;
    if (books[i] == 0 && there[i] != 0) ++f.invented;
    if (there[i] == 2) ++f.invented;
  }
  return f;
}

}  // namespace lesson06
