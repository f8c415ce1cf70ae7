// SPDX-License-Identifier: MIT
// How long does a kernel take? Events around the launch, after warm-up, with the L2 cache flushed
// before each sample, until the median stands still. On the emulator one sample is enough: its
// times are modelled and always the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/device_buffer.cuh"

namespace course {

struct Timing {
  std::vector<double> samples_us;
  double median_us = 0;
  double spread = 0;     // half the distance between the quartiles, as a share of the median
  int slow_samples = 0;  // over 1.5 medians: the GPU throttled, or somebody else used it
};

inline Timing summarise(std::vector<double> samples) {
  Timing t;
  t.samples_us = samples;
  if (samples.empty()) return t;
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double q) {
    const double at = q * static_cast<double>(samples.size() - 1);
    const auto i = static_cast<std::size_t>(at);
    const double next = samples[std::min(i + 1, samples.size() - 1)];
    return samples[i] + (at - static_cast<double>(i)) * (next - samples[i]);
  };
  t.median_us = quantile(0.5);
  t.spread = t.median_us > 0 ? (quantile(0.75) - quantile(0.25)) / 2 / t.median_us : 0;
  t.slow_samples = static_cast<int>(std::count_if(samples.begin(), samples.end(),
                                                  [&](double s) { return s > 1.5 * t.median_us; }));
  return t;
}

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
  explicit Stopwatch(const Device& device)
      : device_(device),
        flush_(device.emulated ? 0 : 4 * static_cast<std::size_t>(device.l2_bytes)) {}

  // `reps` samples; 0: as many as it takes, 11 to 201, about half a second in all. On the emulator
  // one, always: they would all be the same.
  template <class Launch>
  Timing measure(Launch&& launch, int reps = 0) {
    constexpr int kWarmUp = 3, kFewest = 11, kMost = 201;
    constexpr double kEnoughUs = 0.5e6;
    std::vector<double> samples;
    if (!device_.emulated) {
      for (int i = 0; i < kWarmUp; ++i) launch();
    } else {
      reps = 1;
    }
    double total = 0;
    for (int i = 0; reps > 0 ? i < reps : i < kFewest || (i < kMost && total < kEnoughUs); ++i) {
      samples.push_back(sample(launch));
      total += samples.back();
    }
    return summarise(std::move(samples));
  }

 private:
  template <class Launch>
  double sample(Launch&& launch) {
    if (flush_.size() > 0) COURSE_CHECK(cudaMemset(flush_.data(), 0, flush_.bytes()));
    start_.record();
    launch();
    stop_.record();
    stop_.wait();
    return stop_.us_since(start_);
  }

  const Device& device_;
  DeviceBuffer<unsigned char> flush_;
  Event start_, stop_;
};

}  // namespace course
