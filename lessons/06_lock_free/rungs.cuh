// SPDX-License-Identifier: MIT
// How the rungs of lesson 06 are run: each kind of structure has shapes in which it is checked and
// one in which it is timed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/launch.cuh"
#include "common/program/structures.cuh"
#include "lessons/06_lock_free/exercise.cuh"
#include "lessons/06_lock_free/linked_queue.cuh"
#include "lessons/06_lock_free/locked.cuh"
#include "lessons/06_lock_free/map_exercise.cuh"
#include "lessons/06_lock_free/map_trial.cuh"
#include "lessons/06_lock_free/message.cuh"
#include "lessons/06_lock_free/ring_queue.cuh"
#include "lessons/06_lock_free/stack.cuh"
#include "lessons/06_lock_free/trial.cuh"

namespace lesson06 {

using course::structures::Result;
using course::structures::Setup;

// One structure for thousands of threads: a block for every fourth multiprocessor. With more, the
// structures at which all exchange one word take seconds; contention.cu shows how that grows. Fewer
// threads where there are few operations.
inline std::uint32_t threads_for(const Setup& s, double operations_each) {
  const int blocks = std::max(1, s.device.multiprocessors / 4);
  const auto all = static_cast<std::uint32_t>(blocks) * static_cast<std::uint32_t>(s.block);
  if (!s.n) return all;
  const double few = static_cast<double>(*s.n) / operations_each;
  return static_cast<std::uint32_t>(std::clamp(few, 1.0, static_cast<double>(all)));
}
inline Pace pace_of(const Setup& s) {
  Pace pace = pace_for(s.device);
  if (s.reps > 0 && !s.device.small) pace.samples = s.reps;
  return pace;
}

inline void add_trial(const Trial& trial, Result& result) {
  result.findings += trial.findings;
  result.operations = trial.operations;
  result.timing = trial.timing;
}
// The timed launch of a stack or a queue: every thread pushes and pops in turn.
template <class S>
void time_container(const Setup& s, Result& result) {
  if (s.n == 0u) return;
  Load load{threads_for(s, kHalf.operations()), kHalf};
  load.block = static_cast<std::uint32_t>(s.block);
  load.operations = s.n.value_or(s.device.small ? 1u << 14 : 0);
  add_trial(Bench<S>(load, pace_of(s)).run(), result);
}

// Small shapes, each with something of its own: one thread, one slot, a capacity that is no power of
// two, more threads than slots, more blocks than one.
template <class S>
void check_container(const Setup& s, bool fifo, Result& result) {
  const auto block = static_cast<std::uint32_t>(s.block);
  const std::uint32_t more = s.device.small ? 1 : 16;
  const Exercise shapes[] = {
      // instances, threads, values of each, capacity, burst
      {1, 1, 40, 1, 3},
      {1, 32, 8 * more, 7, 4},
      {3, block, 4 * more, 1000, 2},
      {1, 2 * block, 4 * more, block, 5},
      {1, 4 * block, 2 * more, 1, 1},
  };
  for (Exercise e : shapes) {
    e.seed = static_cast<std::uint32_t>(s.seed);
    e.block = block;
    result.findings += exercise<S>(e, fifo).findings;
  }
}

template <class S>
Result run_container(const Setup& s, bool fifo) {
  Result result;
  check_container<S>(s, fifo, result);
  time_container<S>(s, result);
  return result;
}
template <class S>
Result run_stack(const Setup& s) {
  return run_container<S>(s, false);
}
template <class S>
Result run_queue(const Setup& s) {
  return run_container<S>(s, true);
}

// What does not keep values is checked by the number of its elements alone.
template <class S>
Result run_number(const Setup& s) {
  Result result;
  const auto block = static_cast<std::uint32_t>(s.block);
  for (const std::uint32_t threads : {1u, 32u, block, 4 * block}) {
    Load load{threads, kBursts};
    load.block = block;
    load.operations = std::uint64_t{threads} * 64;
    result.findings += Bench<S>(load, kOneSample).run().findings;
  }
  time_container<S>(s, result);
  return result;
}
inline Result run_counter(const Setup& s) { return run_number<Counter>(s); }

// The least that a lock can protect: a number that is no atomic. If two threads are ever inside at
// once, it is wrong in the end.
class SequentialNumber {
 public:
  static std::size_t bytes(std::uint32_t) { return 128; }
  SequentialNumber(void* memory, std::uint32_t) : number_(static_cast<std::uint32_t*>(memory)) {}
  __device__ void reset(std::uint32_t i, std::uint32_t) {
    if (i == 0) *number_ = 0;
  }
  __device__ bool push(std::uint32_t) {
    *number_ = *number_ + 1;
    return true;
  }
  __device__ bool pop(std::uint32_t& value) {
    const std::uint32_t before = *number_;
    if (before == 0) return false;
    *number_ = value = before - 1;
    return true;
  }

 private:
  std::uint32_t* number_;
};
template <class Lock, class How>
inline constexpr bool kKeepsValues<Locked<Lock, SequentialNumber, How>> = false;

template <class Lock, class How>
Result run_lock(const Setup& s) {
  return run_number<Locked<Lock, SequentialNumber, How>>(s);
}

// n messages from one block to another; an operation is a message.
template <class Flag>
Result run_messages(const Setup& s) {
  Result result;
  result.comparable = false;  // a message is no push and no pop
  const std::uint32_t most = s.device.small ? 1u << 9 : 1u << 22;
  const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.n.value_or(most), most));
  const auto pass = [&](std::uint32_t messages, unsigned threads) {
    Owned<Messages> owned(messages);
    course::DeviceBuffer<unsigned> wrong(1);
    COURSE_CHECK(cudaMemset(wrong.data(), 0, wrong.bytes()));
    course::Event start, stop;
    start.record();
    pass_messages<Flag><<<2, threads>>>(owned.get(), wrong.data());
    COURSE_CHECK(cudaGetLastError());
    stop.record();
    stop.wait();
    result.findings.operations += messages;
    result.findings.lost += wrong.download()[0];
    return stop.us_since(start);
  };
  for (const unsigned threads : {1u, 32u, 256u}) pass(s.device.small ? 100 : 1000, threads);
  if (count == 0) return result;
  std::vector<double> samples;
  for (int i = 0; i < pace_of(s).samples; ++i) samples.push_back(pass(count, s.block));
  result.operations = count;
  result.timing = course::summarise(std::move(samples));
  return result;
}

// Few keys that many workers fight for; room for all of them, and room for half of them.
template <class Map>
Result run_map(const Setup& s) {
  Result result;
  const auto block = static_cast<std::uint32_t>(s.block);
  const std::uint32_t more = s.device.small ? 1 : 16;
  const MapExercise shapes[] = {
      // threads, operations of each, keys, capacity
      {32, 40, 1, 1},
      {block, 16 * more, 16, 33},
      {2 * block, 16 * more, 200, 100},
      {4 * block, 8 * more, 1000, 1777},
  };
  for (MapExercise e : shapes) {
    e.seed = static_cast<std::uint32_t>(s.seed);
    e.block = std::min(block, e.threads);
    result.findings += exercise<Map>(e);
  }
  if (s.n == 0u) return result;
  MapLoad load{threads_for(s, 3), MapMix::Mixed};
  load.block = block;
  load.keys = 1u << 20;
  load.operations = s.n.value_or(s.device.small ? 1u << 14 : 0);
  add_trial(MapBench<Map>(load, pace_of(s)).run(), result);
  return result;
}

}  // namespace lesson06
