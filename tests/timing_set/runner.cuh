// SPDX-License-Identifier: MIT
// Runs the cases: a kernel at each of its sizes with a cold L2 cache, and at the second with a warm one. Each is checked
// and timed by events (on a GPU the median of many, on the emulator once), or, for a profiler, launched once.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cache.cuh"
#include "common/timing.cuh"
#include "set.cuh"

namespace timing_set {

struct Options {
  std::vector<std::string> kernels;  // empty: all
  bool quick = false;                // each kernel's smallest size only, with a cold cache
  bool once = false;                 // each kernel's largest size only, with a cold cache
  bool profile = false;  // one launch of each case, between cudaProfilerStart and cudaProfilerStop
  const char* json = nullptr;
};

struct Row {
  const Kernel* kernel;
  unsigned n;
  bool warm;
  double us, spread;
};

class Runner {
 public:
  Runner(const course::Device& device, const Options& options)
      : device_(device), options_(options), cache_(device) {}

  void run(const Kernel& kernel) {
    for (const unsigned n : kernel.sizes) {
      const bool largest = n == kernel.sizes.back();
      if (options_.quick && n != kernel.sizes.front()) break;
      if (options_.once && !largest) continue;
      const Problem problem = kernel.make(n);
      run(kernel, n, problem, false);
      if (n == kernel.sizes[1] && !options_.once) run(kernel, n, problem, true);
    }
  }
  const std::vector<Row>& rows() const { return rows_; }  // of those that were right
  bool all_right() const { return all_right_; }

 private:
  static constexpr int kWarmUp = 3, kSamples = 41;

  void run(const Kernel& kernel, unsigned n, const Problem& problem, bool warm);
  double sample(const Problem& problem, bool warm);
  void profile(const Problem& problem, bool warm);
  void prepare(const Problem& problem, bool warm) {
    if (problem.reset) problem.reset();
    if (warm)
      cache_.keep_warm();
    else
      cache_.make_cold();
  }

  const course::Device& device_;
  const Options& options_;
  Cache cache_;
  course::Event start_, stop_;
  std::vector<Row> rows_;
  bool all_right_ = true;
};

}  // namespace timing_set
