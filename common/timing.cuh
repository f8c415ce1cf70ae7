// SPDX-License-Identifier: MIT
// How long does a kernel take? Events around the launch, after warm-up, with the L2 cache in the same
// state before each sample, until the median stands still. On the emulator one sample is enough: its
// times are modelled and always the same.
#pragma once

#include <cstddef>
#include <vector>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/flushing.cuh"
#include "common/function_ref.hpp"

namespace course {

struct Timing {
  std::vector<double> samples_us;
  double median_us = 0;
  double spread = 0;     // half the distance between the quartiles, as a share of the median
  int slow_samples = 0;  // over 1.5 medians: the GPU throttled, or somebody else used it
};

Timing summarise(std::vector<double> samples);

// How long a piece of work takes on the CPU: `reps` samples; 0: three or more, for about half a
// second.
Timing time_cpu(FunctionRef<void()> work, int reps);

class Event {
 public:
  Event() { COURSE_CHECK(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() { COURSE_CHECK(cudaEventRecord(event_)); }
  void wait() { COURSE_CHECK(cudaEventSynchronize(event_)); }
  double us_since(const Event& start) const {
    float ms = 0;
    COURSE_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return ms * 1e3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class Stopwatch {
 public:
  explicit Stopwatch(const Device& device, Flush flush = Flush::Clean);

  // `reps` samples; 0: as many as it takes, 11 to 201, about half a second in all. On the emulator
  // one, always: they would all be the same. It warms up too where nothing is flushed: what a launch
  // finds in the cache then is what the one before left.
  Timing measure(FunctionRef<void()> launch, int reps = 0);
  // One sample without warming up, in us: for what takes so long that starting it does not count.
  double sample(FunctionRef<void()> launch);

 private:
  const Device& device_;
  L2Flush flush_;
  Event start_, stop_;
};

}  // namespace course
