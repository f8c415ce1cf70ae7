// SPDX-License-Identifier: MIT
// What the tests of the kernels share. The tests are compiled once; each lesson's executable adds
// its own table of rungs (lesson_under_test.cpp), so a new rung is tested without a word here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/sums/cpu_sum.hpp"
#include "common/sums/rung.cuh"
#include "common/sums/verification.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace rung_checks {

const course::Lesson& lesson();  // defined in lesson_under_test.cpp
using support::device;

inline constexpr int kBlocks[] = {32, 64, 128, 256, 512, 1024};

// The rungs that add elements of type T and run on this device.
template <class T>
std::vector<const course::Rung*> rungs() {
  std::vector<const course::Rung*> usable;
  for (const course::Rung& rung : lesson().rungs)
    if (course::launcher<T>(rung) != nullptr && device().sm >= rung.least_sm)
      usable.push_back(&rung);
  return usable;
}

// Rungs whose float sums end in an atomicAdd in global memory. The order of the additions is then
// the GPU's, and denormal numbers are 0 (PTX ISA, atom.add.f32).
inline bool ends_in_atomic(const course::Rung& rung) {
  const std::string id = rung.id;
  return id == "global_atomic" || id == "shared_atomic" || id == "coalesced" || id == "one_atomic";
}

// The memory of one sum. Nothing is larger than promised, so that the emulator and
// compute-sanitizer see every access beyond it; `shift` elements lie before the input, so that it
// begins at any multiple of 4 bytes, and are poisoned like the rest of what a kernel must not use.
template <class T>
class Trial {
 public:
  Trial(const std::vector<T>& x, int block, std::size_t shift = 0)
      : n_(x.size()),
        shift_(shift),
        block_(block),
        in_(n_ + shift),
        out_(1),
        partials_(course::scratch_elements(n_)),
        tickets_(course::kTickets) {
    COURSE_CHECK(cudaMemset(tickets_.data(), 0, tickets_.bytes()));
    if (in_.size() > 0) COURSE_CHECK(cudaMemset(in_.data(), 0xff, in_.bytes()));
    if (n_ > 0)
      COURSE_CHECK(
          cudaMemcpy(in_.data() + shift, x.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }

  // `poison` fills the result and the partial sums beforehand; 0xff is NaN, or -1.
  T run(const course::Rung& rung, int poison = 0xff) {
    COURSE_CHECK(cudaMemset(out_.data(), poison, out_.bytes()));
    COURSE_CHECK(cudaMemset(partials_.data(), poison, partials_.bytes()));
    course::Sum<T> s;
    s.in = in_.data() + shift_;
    s.n = n_;
    s.out = out_.data();
    s.block = block_;
    s.partials = partials_.data();
    s.tickets = tickets_.data();
    s.device = &device();
    course::launcher<T>(rung)(s);
    COURSE_CHECK(cudaGetLastError());
    return out_.download()[0];
  }

  std::vector<T> input() const {
    auto all = in_.download();
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shift_));
    return all;
  }
  std::vector<unsigned> tickets() const { return tickets_.download(); }

 private:
  std::size_t n_, shift_;
  int block_;
  course::DeviceBuffer<T> in_, out_, partials_;
  course::DeviceBuffer<unsigned> tickets_;
};

inline std::string named(const course::Rung& rung, std::size_t n, int block,
                         std::size_t shift = 0) {
  return std::string(rung.id) + ", n " + std::to_string(n) + ", block " + std::to_string(block) +
         ", shift " + std::to_string(shift);
}

// All rungs on one array of integers: exact.
inline void check_ints(const std::vector<int>& x, int block, std::size_t shift = 0) {
  const int truth = course::cpu_sum(std::span<const int>(x));
  Trial<int> trial(x, block, shift);
  for (const course::Rung* rung : rungs<int>()) {
    INFO(named(*rung, x.size(), block, shift) << ", integers");
    CHECK(trial.run(*rung) == truth);
  }
}

// All rungs on one array of floats; `exact`: no rounding is allowed, else the rung's error bound.
// Infinite and NaN sums must come out as such.
inline void check_floats(const std::vector<float>& x, int block, bool exact,
                         std::size_t shift = 0) {
  const course::ExactSum truth = course::exact_sum(x);
  Trial<float> trial(x, block, shift);
  for (const course::Rung* rung : rungs<float>()) {
    const double depth = rung->depth(x.size(), block, device());
    const double bound = exact ? 0 : course::sum_error_bound(depth, truth.sum_abs);
    const course::Verdict v = course::judge(trial.run(*rung), truth.sum, bound);
    INFO(named(*rung, x.size(), block, shift)
         << ": expected " << v.expected << ", got " << v.actual << ", bound " << v.bound);
    CHECK(v.ok);
  }
}

}  // namespace rung_checks
