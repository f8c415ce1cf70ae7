// SPDX-License-Identifier: MIT
// Operations per second of one hash map that a given number of threads uses at once: insert only,
// find only, or insert, find and erase in turn. Every worker has keys of its own, so each operation
// has one right answer, and every timed launch is checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lessons/06_lock_free/map_worker.cuh"
#include "lessons/06_lock_free/trial.cuh"

namespace lesson06 {

enum class MapMix { Insert, Find, Mixed };

struct MapTally {
  std::uint64_t lost, twice, invented;
};

template <class Map>
__device__ void insert_new(const Worker<Map>& worker, Map& map, std::uint32_t i, MapTally& tally) {
  const Insert result = worker.insert(map, key_number(i), i);
  tally.twice += result == Insert::Present;
  tally.lost += result == Insert::Full || result == Insert::Refused;
}
template <class Map>
__device__ void find_old(const Worker<Map>& worker, Map& map, std::uint32_t i, MapTally& tally) {
  std::uint32_t value = i;
  tally.lost += !worker.find(map, key_number(i), value);
  tally.invented += value != i;
}

// Round r of worker w: key number w, w + workers, ..., from the start again after `keys`.
template <class Map>
__global__ void map_kernel(Map map, MapMix mix, std::uint32_t rounds, std::uint32_t keys,
                           MapTally* tallies) {
  const Worker<Map> worker;
  const std::uint32_t me = (blockIdx.x * blockDim.x + threadIdx.x) / Worker<Map>::kLanes;
  const std::uint32_t all = gridDim.x * blockDim.x / Worker<Map>::kLanes;
  MapTally tally{};
  std::uint32_t i = me;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (mix != MapMix::Find) insert_new(worker, map, i, tally);
    if (mix != MapMix::Insert) find_old(worker, map, i, tally);
    if (mix == MapMix::Mixed) tally.lost += !worker.erase(map, key_number(i));
    i += all;
    if (i >= keys) i = me;
  }
  if (worker.leads()) tallies[me] = tally;
}

// Puts keys 0 .. count-1 in before the clock starts, or looks whether all are there after it
// stopped. Few threads: a lock would make many wait.
template <class Map>
__global__ void all_keys_kernel(Map map, MapMix mix, std::uint32_t count, MapTally* tallies) {
  const Worker<Map> worker;
  const std::uint32_t me = (blockIdx.x * blockDim.x + threadIdx.x) / Worker<Map>::kLanes;
  const std::uint32_t all = gridDim.x * blockDim.x / Worker<Map>::kLanes;
  MapTally tally{};
  for (std::uint32_t i = me; i < count; i += all) {
    if (mix == MapMix::Insert)
      insert_new(worker, map, i, tally);
    else
      find_old(worker, map, i, tally);
  }
  if (worker.leads()) tallies[me] = tally;
}

struct MapLoad {
  std::uint32_t threads;
  MapMix mix;
  std::uint32_t keys = 1u << 20;  // at most so many different ones; half of the slots at most
  std::uint32_t block = 256;
  std::uint64_t operations = 0;  // 0: as many as the time allows
};

template <class Map>
class MapBench {
 public:
  MapBench(const MapLoad& load, const Pace& pace)
      : load_(load),
        pace_(pace),
        block_(std::min(std::max(load.threads, kLanes), load.block)),
        blocks_((load.threads + block_ - 1) / block_),
        most_rounds_(rounds_that_fit()),
        keys_(keys_used()),
        map_(std::max(2 * keys_, 2u)),
        tallies_(workers()) {}

  Trial run() {
    Trial trial;
    std::uint32_t rounds = most_rounds_;
    trial.timing = take_samples(load_.operations > 0, rounds, pace_,
                                [&](std::uint32_t r) { return sample(r); });
    trial.operations = double(rounds) * workers() * (load_.mix == MapMix::Mixed ? 3 : 1);
    trial.findings = found_;
    trial.findings.operations = static_cast<std::uint64_t>(trial.operations);
    return trial;
  }

 private:
  static constexpr std::uint32_t kLanes = Worker<Map>::kLanes;
  std::uint32_t workers() const { return blocks_ * block_ / kLanes; }

  std::uint32_t rounds_that_fit() const {
    const double each = load_.mix == MapMix::Mixed ? 3.0 * workers() : workers();
    if (load_.operations > 0) {
      const double wanted = static_cast<double>(load_.operations) / each;
      return static_cast<std::uint32_t>(std::max(1.0, wanted));
    }
    return load_.mix == MapMix::Insert ? std::max(1u, pace_.most_elements / workers()) : 1u << 20;
  }
  // A whole number for each worker: nobody else has its keys.
  std::uint32_t keys_used() const {
    const std::uint32_t wanted =
        load_.mix == MapMix::Insert ? most_rounds_ : std::max(1u, load_.keys / workers());
    return workers() * wanted;
  }

  double sample(std::uint32_t rounds) {
    map_.reset();
    if (load_.mix == MapMix::Find) all_keys(MapMix::Insert, keys_);
    start_.record();
    map_kernel<<<blocks_, block_>>>(map_.get(), load_.mix, rounds, keys_, tallies_.data());
    COURSE_CHECK(cudaGetLastError());
    stop_.record();
    stop_.wait();
    collect(tallies_);
    if (load_.mix == MapMix::Insert) all_keys(MapMix::Find, rounds * workers());
    return stop_.us_since(start_);
  }
  void all_keys(MapMix mix, std::uint32_t count) {
    constexpr unsigned kBlocks = 8, kBlock = 128;
    course::DeviceBuffer<MapTally> tallies(kBlocks * kBlock / kLanes);
    all_keys_kernel<<<kBlocks, kBlock>>>(map_.get(), mix, count, tallies.data());
    COURSE_CHECK(cudaGetLastError());
    collect(tallies);
  }
  void collect(const course::DeviceBuffer<MapTally>& tallies) {
    for (const MapTally& tally : tallies.download()) {
      found_.lost += tally.lost;
      found_.twice += tally.twice;
      found_.invented += tally.invented;
    }
  }

  MapLoad load_;
  Pace pace_;
  std::uint32_t block_, blocks_, most_rounds_, keys_;
  Owned<Map> map_;
  course::DeviceBuffer<MapTally> tallies_;
  Findings found_;
  course::Event start_, stop_;
};

}  // namespace lesson06
