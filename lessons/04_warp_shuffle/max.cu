// SPDX-License-Identifier: MIT
// The largest element of an array and its index, beside CUB's DeviceReduce::Max and ArgMax. Program
// 04_warp_shuffle.max: verifies every rule of extremes.cuh, then times. Exit code 1 if one fails.
#include <limits>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "common/sums/cub_max.hpp"
#include "common/sums/rung.cuh"
#include "common/timing.cuh"
#include "lessons/04_warp_shuffle/extremes.cuh"

namespace {

using course::DeviceBuffer;
using lesson04::kNoIndex;

template <class T>
struct Answer {
  T value;
  std::uint32_t index;
};

// The truth: one loop on the CPU, written from the rules and not from the keys.
template <class T>
Answer<T> cpu_arg_max(const std::vector<T>& x) {
  using Limits = std::numeric_limits<T>;
  Answer<T> best{Limits::has_infinity ? -Limits::infinity() : Limits::lowest(), kNoIndex};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (best.value != best.value) break;  // the first NaN has won
    const bool nan = x[i] != x[i];
    if (best.index == kNoIndex || nan || x[i] > best.value)
      best = {x[i], static_cast<std::uint32_t>(i)};
  }
  return best;
}

// Device memory for arrays of up to n elements, and both of the lesson's answers for one.
template <class T>
class Finder {
 public:
  Finder(const course::Device& device, std::size_t n)
      : device_(device),
        in_(n + 3),
        value_(1),
        index_(1),
        long_index_(1),
        short_keys_(lesson04::extreme_blocks(device, n)),
        keys_(lesson04::extreme_blocks(device, n)) {}

  // The array begins `shift` elements after an address that is a multiple of 256.
  void load(const std::vector<T>& x, std::size_t shift = 0) {
    n_ = x.size();
    shift_ = shift;
    if (n_ > 0)
      COURSE_CHECK(cudaMemcpy(in_.data() + shift, x.data(), n_ * sizeof(T), cudaMemcpyDefault));
  }
  void max() { lesson04::launch_max(device_, in(), n_, short_keys_.data(), value_.data()); }
  void arg_max() {
    lesson04::launch_arg_max(device_, in(), n_, keys_.data(), value_.data(), index_.data());
  }
  course::CubCall cub_max() { return course::cub_max(in(), n_, value_.data()); }
  course::CubCall cub_arg_max() {
    return course::cub_arg_max(in(), n_, value_.data(), long_index_.data());
  }

  // So that a kernel that writes nothing does not pass on the last one's answer.
  void poison() {
    COURSE_CHECK(cudaMemset(value_.data(), 0xcd, value_.bytes()));
    COURSE_CHECK(cudaMemset(index_.data(), 0xcd, index_.bytes()));
    COURSE_CHECK(cudaMemset(long_index_.data(), 0xcd, long_index_.bytes()));
  }
  T value() const { return value_.download()[0]; }
  std::uint32_t index() const { return index_.download()[0]; }
  std::int64_t cub_index() const { return long_index_.download()[0]; }

 private:
  const T* in() const { return in_.data() + shift_; }
  const course::Device& device_;
  DeviceBuffer<T> in_, value_;
  DeviceBuffer<std::uint32_t> index_;
  DeviceBuffer<std::int64_t> long_index_;  // what CUB writes
  DeviceBuffer<std::uint32_t> short_keys_;
  DeviceBuffer<std::uint64_t> keys_;
  std::size_t n_ = 0, shift_ = 0;
};

// NaN for NaN is right; +0 for -0 too.
template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}

template <class T>
bool check(const char* what, const std::vector<T>& x, T value, std::int64_t index) {
  const Answer<T> right = cpu_arg_max(x);
  const bool index_ok = index < 0 || index == right.index;  // below 0: no index was asked for
  if (same(value, right.value) && index_ok) return true;
  std::printf("FAIL: %s of %zu elements: expected %.9g at %u, got %.9g", what, x.size(),
              static_cast<double>(right.value), right.index, static_cast<double>(value));
  if (index >= 0) std::printf(" at %lld", static_cast<long long>(index));
  std::printf("\n");
  return false;
}

template <class T>
bool verify(const course::Device& device, const char* what, const std::vector<T>& x) {
  Finder<T> finder(device, x.size());
  bool ok = true;
  for (std::size_t shift = 0; shift < 4 && ok; ++shift) {  // every alignment a 4-byte type can have
    finder.load(x, shift);
    finder.poison();
    finder.max();
    ok = ok && check((std::string("max, ") + what).c_str(), x, finder.value(), -1);
    finder.poison();
    finder.arg_max();
    ok = ok && check((std::string("argmax, ") + what).c_str(), x, finder.value(), finder.index());
  }
  return ok;
}

std::vector<float> make(std::size_t n, float) { return course::random_floats(n, 1); }
std::vector<int> make(std::size_t n, int) { return course::random_ints(n, 1); }

template <class T>
bool verify_all(const course::Device& device) {
  using Limits = std::numeric_limits<T>;
  bool ok = true;
  for (const std::size_t n : {0, 1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 1023, 1025, 4097, 9999})
    ok &= verify(device, "random data", make(n, T{}));
  std::vector<T> x = make(1000, T{});
  for (auto& v : x) v = v > 0 ? -v : v;
  ok &= verify(device, "negative data", x);
  ok &= verify(device, "equal elements", std::vector<T>(777, T{-3}));
  ok &= verify(device, "the lowest number only", std::vector<T>(600, Limits::lowest()));
  x.assign(5000, T{1});
  x[1234] = x[1235] = x[4999] = T{2};
  ok &= verify(device, "ties", x);
  return ok;
}

bool verify_floats(const course::Device& device) {
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = NAN;
  bool ok = verify(device, "minus infinity only", std::vector<float>(70, -kInf));
  ok &= verify(device, "the two zeros", std::vector<float>{-0.0f, 0.0f, -0.0f});
  ok &= verify(device, "the smallest numbers", std::vector<float>{-1e-45f, -1e-38f, -1e-45f});
  std::vector<float> x = make(3000, 0.0f);
  x[100] = -kInf;
  x[2000] = x[2900] = kInf;
  ok &= verify(device, "infinities", x);
  x[2950] = -kNan;  // the sign of a NaN means nothing
  ok &= verify(device, "one NaN", x);
  x[11] = kNan;
  ok &= verify(device, "two NaNs", x);
  return ok;
}

// The four rows of one type: ours and CUB's, maximum and argmax.
template <class T>
bool time_rows(course::Experiment& e, course::Stopwatch& watch, std::size_t n, const char* type,
               course::Table& table) {
  const std::vector<T> x = make(n, T{});
  Finder<T> finder(e.device, n);
  finder.load(x);
  course::CubCall cub_max = finder.cub_max(), cub_arg_max = finder.cub_arg_max();
  bool ok = true;
  double library_us = 0;
  const auto row = [&](const char* name, bool library, course::FunctionRef<void()> launch,
                       course::FunctionRef<std::int64_t()> index) {
    finder.poison();
    const course::Timing t = watch.measure(launch, e.reps);
    // CUB has its own answers for the empty array.
    if (n > 0 || !library) ok &= check(name, x, finder.value(), index());
    if (library) library_us = t.median_us;
    const double gbps = static_cast<double>(n * sizeof(T)) / t.median_us / 1e3;
    table.rows.push_back({std::string(name) + ", " + type,
                          {t.median_us, 100 * t.spread, gbps, library_us / t.median_us}});
  };
  const auto none = [] { return std::int64_t{-1}; };
  row("cub Max", true, cub_max, none);
  row(
      "max", false, [&] { finder.max(); }, none);
  row("cub ArgMax", true, cub_arg_max, [&] { return finder.cub_index(); });
  row(
      "argmax", false, [&] { finder.arg_max(); },
      [&] { return static_cast<std::int64_t>(finder.index()); });
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"04_warp_shuffle", "max",
                              "The largest element of an array and its index, beside CUB."};
  info.takes_n = info.takes_reps = true;
  return course::run_experiment(info, argc, argv, [](course::Experiment& e) {
    const std::size_t n = e.n.value_or(std::uint64_t{1} << (e.device.small ? 16 : 26));
    if (n > lesson04::kMostElements)
      throw course::UsageError{"--n is at most " + std::to_string(lesson04::kMostElements) +
                               ": an index has 32 bits"};
    course::check_fits(n, e.device);
    const bool right =
        verify_all<float>(e.device) & verify_floats(e.device) & verify_all<int>(e.device);
    std::printf("Rules (negative data, ties, infinities, NaN, odd sizes, unaligned input): %s\n",
                right ? "ok" : "FAIL");
    if (!right) return false;
    course::Stopwatch watch(e.device, e.flush);
    course::Table table{"max",
                        "Maximum and argmax of " + course::format_size(n) + " elements, beside CUB",
                        "",
                        {"what", "us", "spread %", "GB/s", "x CUB"}};
    const bool f32 = time_rows<float>(e, watch, n, "f32", table);
    const bool i32 = time_rows<int>(e, watch, n, "i32", table);
    e.add(std::move(table));
    return f32 && i32;
  });
}
