// SPDX-License-Identifier: MIT
// Operations per second of one stack or queue that a given number of threads uses at once, in a
// given mix of pushes and pops. The number of operations is raised until a launch takes long enough
// to be timed; what came out of the last timed launch is checked against what went in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/program/structures.cuh"
#include "lessons/06_lock_free/owned.cuh"

namespace lesson06 {

using course::structures::Findings;

// Each thread pushes so many, then pops so many, again and again. Never more pops than pushes: so a
// pop always finds something.
struct Mix {
  const char* name;
  std::uint32_t pushes, pops;
  double operations() const { return pushes + pops; }  // of one round
};
constexpr Mix kPushOnly{"push only", 1, 0}, kHalf{"half and half", 1, 1},
    kBursts{"bursts of 8", 8, 8};

// What one thread did; the sums tell whether the values that came out are those that went in.
struct Tally {
  std::uint64_t pushed = 0, popped = 0, refused = 0;
  std::uint64_t sum_in = 0, sum_out = 0;
  std::uint64_t xor_in = 0, xor_out = 0;

  __host__ __device__ void in(std::uint32_t v) { ++pushed, sum_in += v, xor_in ^= mixed(v); }
  __host__ __device__ void out(std::uint32_t v) { ++popped, sum_out += v, xor_out ^= mixed(v); }
  __host__ __device__ static std::uint64_t mixed(std::uint32_t v) {
    return (v + 1) * 0x9e3779b97f4a7c15ull;
  }
  void add(const Tally& t) {
    pushed += t.pushed, popped += t.popped, refused += t.refused;
    sum_in += t.sum_in, sum_out += t.sum_out, xor_in ^= t.xor_in, xor_out ^= t.xor_out;
  }
};

template <class S>
__global__ void work_kernel(S structure, Mix mix, std::uint32_t rounds, Tally* tallies) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t value = thread * rounds * mix.pushes;  // all values differ, as long as 32 bits do
  Tally tally;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < mix.pushes; ++i, ++value) {
      if (structure.push(value))
        tally.in(value);
      else
        ++tally.refused;
    }
    for (std::uint32_t i = 0; i < mix.pops; ++i) {
      std::uint32_t got = 0;
      if (structure.pop(got))
        tally.out(got);
      else
        ++tally.refused;
    }
  }
  tallies[thread] = tally;
}

// Puts `count` elements in before the clock starts, or takes out all there are after it stopped.
template <class S>
__global__ void fill_kernel(S structure, std::uint32_t count, Tally* tallies) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  Tally tally;
  for (std::uint32_t i = thread; i < count; i += gridDim.x * blockDim.x) {
    if (structure.push(i))
      tally.in(i);
    else
      ++tally.refused;
  }
  tallies[thread] = tally;
}
template <class S>
__global__ void empty_kernel(S structure, std::uint32_t at_most, Tally* tallies) {
  Tally tally;
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i <= at_most && structure.pop(value); ++i) tally.out(value);
  tallies[blockIdx.x * blockDim.x + threadIdx.x] = tally;
}

// Structures that do not keep values (a counter) are checked by their number alone.
template <class S>
constexpr bool kKeepsValues = true;
class Counter;
template <>
inline constexpr bool kKeepsValues<Counter> = false;

struct Load {
  std::uint32_t threads;  // that use the one structure
  Mix mix;
  std::uint32_t elements = 0;  // in it before the clock starts
  std::uint32_t block = 256;
  std::uint64_t operations = 0;  // 0: as many as the time allows
};

struct Pace {
  double target_us = 10e3;     // of a launch
  double too_long_us = 250e3;  // one such launch is enough
  int samples = 3;
  std::uint32_t most_elements = 1u << 22;  // that a launch may leave in the structure
  std::uint32_t first_rounds = 1;          // with how many rounds to begin
};
constexpr Pace kOneSample{0, 0, 1, 1u << 16, 32};  // the emulator: all samples would be the same
inline Pace pace_for(const course::Device& device) {
  if (device.small) return kOneSample;
  return {};
}

// Times sample(rounds). Unless `fixed`, `rounds` is at first the most there may be, and then as many
// as take about the time that is wanted. A launch that takes too long is its own only sample.
template <class Sample>
course::Timing take_samples(bool fixed, std::uint32_t& rounds, const Pace& pace, Sample&& sample) {
  std::vector<double> samples;
  if (!fixed) {
    const std::uint32_t most = rounds;
    rounds = std::min(most, pace.first_rounds);
    double us = sample(rounds);
    if (us < pace.too_long_us) us = sample(rounds);  // the first one also loads the kernel
    while (us < pace.target_us / 2 && rounds < most) {
      const double factor = std::clamp(pace.target_us / std::max(us, 1.0), 2.0, 32.0);
      rounds = static_cast<std::uint32_t>(std::min<double>(most, rounds * factor));
      us = sample(rounds);
    }
    samples.push_back(us);
  }
  while (samples.empty() ||
         (static_cast<int>(samples.size()) < pace.samples && samples[0] < pace.too_long_us))
    samples.push_back(sample(rounds));
  return course::summarise(std::move(samples));
}

struct Trial {
  double operations = 0;
  course::Timing timing;
  Findings findings;
  double per_second() const {
    return timing.median_us > 0 ? operations / timing.median_us * 1e6 : 0;
  }
};

template <class S>
class Bench {
 public:
  Bench(const Load& load, const Pace& pace)
      : load_(load),
        pace_(pace),
        block_(std::min(load.threads, load.block)),
        blocks_((load.threads + block_ - 1) / block_),
        most_rounds_(rounds_that_fit()),
        structure_(capacity()),
        tallies_(threads()) {}

  Trial run() {
    Trial trial;
    std::uint32_t rounds = most_rounds_;
    trial.timing = take_samples(load_.operations > 0, rounds, pace_,
                                [&](std::uint32_t r) { return sample(r); });
    trial.operations = rounds * load_.mix.operations() * threads();
    trial.findings = check(trial.operations);
    return trial;
  }

 private:
  std::uint32_t threads() const { return blocks_ * block_; }

  std::uint32_t rounds_that_fit() const {
    const double each = load_.mix.operations() * threads();
    if (load_.operations > 0)
      return static_cast<std::uint32_t>(
          std::max(1.0, static_cast<double>(load_.operations) / each));
    const std::uint32_t kept = load_.mix.pushes - load_.mix.pops;
    const std::uint32_t room = kept > 0 ? pace_.most_elements / threads() / kept : 1u << 20;
    // Values stay below 2^32: they are all different.
    const std::uint32_t values = 0xffffffffu / threads() / load_.mix.pushes;
    return std::clamp(room, 1u, std::max(values, 1u));
  }
  // What is left at the end, and what each thread may hold in the middle of a round.
  std::uint32_t capacity() const {
    const std::uint64_t kept = std::uint64_t{most_rounds_} * (load_.mix.pushes - load_.mix.pops);
    return static_cast<std::uint32_t>(load_.elements + threads() * (kept + load_.mix.pushes));
  }

  double sample(std::uint32_t rounds) {
    structure_.reset();
    total_ = {};
    if (load_.elements > 0) {
      fill_kernel<<<helpers(), 128>>>(structure_.get(), load_.elements, tallies_other());
      COURSE_CHECK(cudaGetLastError());
      collect(*other_);
    }
    start_.record();
    work_kernel<<<blocks_, block_>>>(structure_.get(), load_.mix, rounds, tallies_.data());
    COURSE_CHECK(cudaGetLastError());
    stop_.record();
    stop_.wait();
    return stop_.us_since(start_);
  }

  Findings check(double operations) {
    collect(tallies_);
    const std::uint64_t refused = total_.refused;
    empty_kernel<<<helpers(), 128>>>(structure_.get(), capacity(), tallies_other());
    COURSE_CHECK(cudaGetLastError());
    collect(*other_);
    Findings f;
    f.operations = static_cast<std::uint64_t>(operations);
    f.stuck = refused;  // there was room, and there was something: none may be refused
    if (total_.pushed > total_.popped) f.lost = total_.pushed - total_.popped;
    if (total_.pushed < total_.popped) f.twice = total_.popped - total_.pushed;
    if (kKeepsValues<S> && total_.pushed == total_.popped &&
        (total_.sum_in != total_.sum_out || total_.xor_in != total_.xor_out))
      f.invented = 1;  // as many came out as went in, but not the same
    return f;
  }

  // Few threads fill and empty: enough for any structure, not too many for a lock.
  unsigned helpers() const { return 4; }
  Tally* tallies_other() {
    if (!other_) other_.emplace(helpers() * 128);
    return other_->data();
  }
  void collect(const course::DeviceBuffer<Tally>& tallies) {
    for (const Tally& tally : tallies.download()) total_.add(tally);
  }

  Load load_;
  Pace pace_;
  std::uint32_t block_, blocks_, most_rounds_;
  Owned<S> structure_;
  course::DeviceBuffer<Tally> tallies_;
  std::optional<course::DeviceBuffer<Tally>> other_;
  Tally total_;
  course::Event start_, stop_;
};

}  // namespace lesson06
