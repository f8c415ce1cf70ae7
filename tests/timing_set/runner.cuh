// SPDX-License-Identifier: MIT
// Runs the cases: a kernel at each of its sizes with a cold L2 cache, and at the second with a warm one. Each is checked
// and timed by events (on a GPU the median of many, on the emulator once), or, for a profiler, launched once.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/flushing.cuh"
#include "common/timing.cuh"
#include "set.cuh"

namespace timing_set {

struct Options {
  std::vector<std::string> kernels;  // empty: all
  bool quick = false;                // each kernel's smallest size only, with a cold cache
  bool once = false;                 // each kernel's second size only, with a cold cache
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
      : device_(device), options_(options), flush_(device, course::Flush::Clean) {}

  void run(const Kernel& kernel) {
    for (const unsigned n : kernel.sizes) {
      const bool second = n == kernel.sizes[1];
      if (options_.quick && n != kernel.sizes.front()) break;
      if (options_.once && !second) continue;
      const Problem problem = kernel.make(n);
      // The result is copied to be checked, and what was copied is in the cache: so once, behind the last launch.
      const bool also_warm = second && !options_.once;
      run(kernel, n, problem, false, !also_warm);
      if (also_warm) run(kernel, n, problem, true, true);
    }
  }
  const std::vector<Row>& rows() const { return rows_; }  // of those that were right
  bool all_right() const { return all_right_; }

 private:
  static constexpr int kWarmUp = 3, kSamples = 41;

  void run(const Kernel& kernel, unsigned n, const Problem& problem, bool warm, bool check);
  double sample(const Problem& problem, bool warm);
  void profile(const Problem& problem, bool warm);
  // A warm cache is as the launch before left it. A flush gives the host time to enqueue an event and a
  // launch; without one the GPU has to pause, or those microseconds would be measured.
  void prepare(const Problem& problem, bool warm) {
    if (problem.reset) problem.reset();
    if (!warm)
      flush_();
    else if (!device_.emulated)
      course::launch_pause();
  }

  const course::Device& device_;
  const Options& options_;
  course::L2Flush flush_;
  course::Event start_, stop_;
  std::vector<Row> rows_;
  bool all_right_ = true;
};

}  // namespace timing_set
