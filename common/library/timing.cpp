// SPDX-License-Identifier: MIT
#include "common/timing.cuh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace course {

Timing summarise(std::vector<double> samples) {
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

Timing time_cpu(FunctionRef<void()> work, int reps) {
  constexpr double kEnoughUs = 0.5e6, kLongUs = 4e6;  // what takes seconds is not done three times
  std::vector<double> samples;
  double total = 0;
  const auto enough = [&](int done) {
    if (reps > 0) return done >= reps;
    return done >= 11 || total > kLongUs || (done >= 3 && total > kEnoughUs);
  };
  for (int i = 0; !enough(i); ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    samples.push_back(took.count());
    total += samples.back();
  }
  return summarise(std::move(samples));
}

Stopwatch::Stopwatch(const Device& device, Flush flush) : device_(device), flush_(device, flush) {}

Timing Stopwatch::measure(FunctionRef<void()> launch, int reps) {
  constexpr int kWarmUp = 3, kFewest = 11, kMost = 201;
  constexpr double kEnoughUs = 0.5e6;
  std::vector<double> samples;
  const int warm_up = !device_.small ? kWarmUp : flush_.how() == Flush::None ? 1 : 0;
  for (int i = 0; i < warm_up; ++i) launch();
  if (device_.small) reps = 1;
  double total = 0;
  for (int i = 0; reps > 0 ? i < reps : i < kFewest || (i < kMost && total < kEnoughUs); ++i) {
    samples.push_back(sample(launch));
    total += samples.back();
  }
  flush_.check();
  return summarise(std::move(samples));
}

double Stopwatch::sample(FunctionRef<void()> launch) {
  flush_();
  start_.record();
  launch();
  stop_.record();
  stop_.wait();
  return stop_.us_since(start_);
}

}  // namespace course
