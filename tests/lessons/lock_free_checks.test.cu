// SPDX-License-Identifier: MIT
// The checks of lesson 06 see what they are there for: structures that lose, double, invent or
// reorder elements on purpose, or that never get anything done.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "lessons/06_lock_free/exercise.cuh"
#include "lessons/06_lock_free/locked.cuh"
#include "lessons/06_lock_free/map_exercise.cuh"
#include "lessons/06_lock_free/map_trial.cuh"
#include "lessons/06_lock_free/trial.cuh"
#include "support/catch.hpp"

using namespace lesson06;

namespace {

using LockedRing = WarpLocked<BackoffLock<>, SequentialRing>;
using Map = WarpLocked<BackoffLock<>, SequentialMap>;
constexpr std::uint32_t kEvery = 5;

struct LosingRing : LockedRing {
  using LockedRing::LockedRing;
  __device__ bool push(std::uint32_t value) {
    return value % kEvery == 0 || LockedRing::push(value);
  }
};
struct DoublingRing : LockedRing {
  using LockedRing::LockedRing;
  __device__ bool push(std::uint32_t value) {
    const bool done = LockedRing::push(value);
    if (done && value % kEvery == 0) LockedRing::push(value);
    return done;
  }
};
struct InventingRing : LockedRing {
  using LockedRing::LockedRing;
  __device__ bool pop(std::uint32_t& value) {
    const bool done = LockedRing::pop(value);
    if (done && value % kEvery == 0) value += 1u << 30;
    return done;
  }
};
struct DeafRing : LockedRing {
  using LockedRing::LockedRing;
  __device__ bool push(std::uint32_t) { return false; }
};

struct LosingMap : Map {
  using Map::Map;
  __device__ Insert insert(std::uint32_t key, std::uint32_t value) {
    return key % kEvery == 0 ? Insert::Inserted : Map::insert(key, value);
  }
};
struct ForgettingMap : Map {  // says that it erased, and did not
  using Map::Map;
  __device__ bool erase(std::uint32_t key) {
    std::uint32_t value = 0;
    return Map::find(key, value);
  }
};
struct MixingMap : Map {  // gives the value of another key
  using Map::Map;
  __device__ bool find(std::uint32_t key, std::uint32_t& value) {
    const bool found = Map::find(key, value);
    if (found && key % kEvery == 0) value ^= 1u << 20;
    return found;
  }
};

Exercise shape() {
  Exercise e{2, 33, 20, 40, 4};
  e.block = 64;
  return e;
}
template <class S>
Exercised exercised(bool fifo = true) {
  return exercise<S>(shape(), fifo);
}
template <class S>
Findings tried(const Mix& mix) {
  Load load{33, mix};
  load.operations = 33 * 64;
  return Bench<S>(load, kOneSample).run().findings;
}
template <class S>
Findings tried(MapMix mix) {
  MapLoad load{32, mix, 64};
  load.operations = 32 * 9;
  return MapBench<S>(load, kOneSample).run().findings;
}

}  // namespace

TEST_CASE("a structure that is right has nothing to hide") {
  const Exercised e = exercised<LockedRing>();
  CHECK(e.findings.ok());
  CHECK(e.account.pushed == 2 * 33 * 20);
  CHECK(e.account.popped == e.account.pushed);
  CHECK(e.findings.operations == 2 * e.account.pushed);
  CHECK(e.account.empty > 0);
  for (const Mix& mix : {kPushOnly, kHalf, kBursts}) CHECK(tried<LockedRing>(mix).ok());
}

TEST_CASE("one slot: full again and again, and still nothing is lost") {
  Exercise e = shape();
  e.capacity = 1;
  const Exercised found = exercise<LockedRing>(e, true);
  CHECK(found.findings.ok());
  CHECK(found.account.full > 0);
}

TEST_CASE("lost elements are counted") {
  const Exercised e = exercised<LosingRing>();
  CHECK(e.findings.lost == 2 * 33 * 20 / kEvery);
  CHECK(e.findings.twice + e.findings.invented == 0);
  CHECK(tried<LosingRing>(kPushOnly).lost > 0);
  CHECK_FALSE(tried<LosingRing>(kBursts).ok());
}

TEST_CASE("elements that come out twice are counted") {
  Exercise e = shape();
  e.capacity = 4096;  // room for the doubles
  const Findings found = exercise<DoublingRing>(e, false).findings;
  CHECK(found.twice == 2 * 33 * 20 / kEvery);
  CHECK(found.lost + found.invented == 0);
  CHECK_FALSE(tried<DoublingRing>(kHalf).ok());
}

TEST_CASE("invented elements are counted, and those that they replace are lost") {
  const Findings found = exercised<InventingRing>().findings;
  CHECK(found.invented == 2 * 33 * 20 / kEvery);
  CHECK(found.lost == found.invented);
  CHECK(tried<InventingRing>(kHalf).invented > 0);
}

TEST_CASE("a stack is no queue: the order of a producer is not kept") {
  using Stack = WarpLocked<BackoffLock<>, SequentialStack>;
  CHECK(exercised<Stack>(false).findings.ok());
  const Findings found = exercised<Stack>(true).findings;
  CHECK(found.disordered > 0);
  CHECK(found.lost + found.twice + found.invented == 0);
}

TEST_CASE("threads that get nothing done give up and say so") {
  Exercise e{1, 2, 3, 4, 1};
  e.block = 32;
  const Findings found = exercise<DeafRing>(e, true).findings;
  CHECK(found.stuck == 2);
  CHECK(found.lost == 0);
  CHECK(tried<DeafRing>(kPushOnly).stuck > 0);
}

TEST_CASE("maps: what is right, and what loses, forgets or mixes up") {
  const MapExercise shapes[] = {{64, 40, 1, 1}, {64, 40, 20, 50}, {64, 40, 20, 10}};
  for (MapExercise e : shapes) {
    e.block = 64;
    CHECK(exercise<Map>(e).ok());
    CHECK(exercise<HashMap<>>(e).ok());
    CHECK(exercise<TileHashMap<>>(e).ok());
  }
  MapExercise e = shapes[1];
  e.block = 64;
  CHECK_FALSE(exercise<LosingMap>(e).ok());
  CHECK(exercise<ForgettingMap>(e).twice + exercise<ForgettingMap>(e).invented > 0);
  CHECK(exercise<MixingMap>(e).invented > 0);
  for (const MapMix mix : {MapMix::Insert, MapMix::Find, MapMix::Mixed}) {
    CHECK(tried<Map>(mix).ok());
    CHECK(tried<TileHashMap<>>(mix).ok());
    CHECK(tried<LosingMap>(mix).lost > 0);
    CHECK(tried<MixingMap>(mix).invented > 0);
  }
  CHECK(tried<ForgettingMap>(MapMix::Mixed).twice > 0);
  MapLoad odd{10, MapMix::Mixed, 64};  // no whole number of tiles
  CHECK(MapBench<TileHashMap<>>(odd, kOneSample).run().findings.ok());
}

TEST_CASE("keys are all different, and no map refuses one") {
  std::vector<std::uint32_t> keys(1u << 20);
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = key_number(i);
  std::sort(keys.begin(), keys.end());
  CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
  CHECK(keys.back() < HashMap<>::kNoKey);
}
