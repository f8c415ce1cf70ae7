// SPDX-License-Identifier: MIT
// Lesson 04's maximum and its index, rule by rule.
#include "lessons/04_warp_shuffle/extremes.cuh"

#include <limits>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using lesson04::kNoIndex;
using support::device;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kSizes[] = {
    1, 2, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, (1 << 20) - 1, (1 << 20) + 7};

template <class T>
struct Answer {
  T value, value_without_index;
  std::uint32_t index;
};

// Both kernels on x, which begins `shift` elements after a multiple of 256 bytes.
template <class T>
Answer<T> largest(const std::vector<T>& x, std::size_t shift = 0) {
  std::vector<T> shifted(shift, std::numeric_limits<T>::max());
  shifted.insert(shifted.end(), x.begin(), x.end());
  const unsigned blocks = lesson04::extreme_blocks(device(), x.size());
  course::DeviceBuffer<T> in(shifted), values(2);
  course::DeviceBuffer<std::uint32_t> short_keys(blocks), index(1);
  course::DeviceBuffer<std::uint64_t> keys(blocks);
  COURSE_CHECK(cudaMemset(short_keys.data(), 0xff, short_keys.bytes()));
  COURSE_CHECK(cudaMemset(keys.data(), 0xff, keys.bytes()));
  const T* const first = in.data() + shift;
  lesson04::launch_arg_max(device(), first, x.size(), keys.data(), values.data(), index.data());
  lesson04::launch_max(device(), first, x.size(), short_keys.data(), values.data() + 1);
  const auto found = values.download();
  return {found[0], found[1], index.download()[0]};
}

template <class T>
void check(const std::vector<T>& x, T value, std::uint32_t index, std::size_t shift = 0) {
  const Answer<T> found = largest(x, shift);
  INFO("n " << x.size() << ", shift " << shift);
  CHECK(found.value == value);
  CHECK(found.value_without_index == value);
  CHECK(found.index == index);
}

}  // namespace

TEST_CASE("the largest of nothing is the identity, and there is no index") {
  check(std::vector<int>{}, INT_MIN, kNoIndex);
  check(std::vector<float>{}, -kInf, kNoIndex);
}

TEST_CASE("the largest is found wherever it is, at every size and alignment") {
  for (const std::size_t n : kSizes) {
    auto ints = course::random_ints(n, 41);
    auto floats = course::random_floats(n, 41);
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      const int kept = std::exchange(ints[at], INT_MAX);
      const float kept_float = std::exchange(floats[at], 2.0f);
      for (const std::size_t shift : {0, 1, 2, 3}) {
        if (kept != INT_MAX) check(ints, INT_MAX, static_cast<std::uint32_t>(at), shift);
        check(floats, 2.0f, static_cast<std::uint32_t>(at), shift);
      }
      ints[at] = kept;
      floats[at] = kept_float;
    }
  }
}

TEST_CASE("of equal values the first one wins") {
  for (const std::size_t n : kSizes) {
    check(std::vector<int>(n, -7), -7, 0);
    check(std::vector<float>(n, -7.5f), -7.5f, 0);
  }
  std::vector<int> x(1000, 1);
  x[700] = x[333] = x[999] = 5;
  check(x, 5, 333);
}

TEST_CASE("all-negative data has a negative maximum") {
  for (const std::size_t n : {1, 33, 1025}) {
    std::vector<int> ints(n, INT_MIN + 1);
    std::vector<float> floats(n, -2e38f);
    ints.back() = INT_MIN + 2;
    floats.back() = -1e38f;
    check(ints, INT_MIN + 2, static_cast<std::uint32_t>(n - 1));
    check(floats, -1e38f, static_cast<std::uint32_t>(n - 1));
  }
}

TEST_CASE("the lowest value is an element like any other") {
  check(std::vector<int>(33, INT_MIN), INT_MIN, 0);
  check(std::vector<float>(33, -kInf), -kInf, 0);
}

TEST_CASE("infinities and denormal numbers are in order") {
  check(std::vector<float>{1, kInf, 3e38f, kInf}, kInf, 1);
  check(std::vector<float>{-kInf, -1e-45f, -1}, -1e-45f, 1);
  check(std::vector<float>{0, 1e-45f, -1}, 1e-45f, 1);
}

TEST_CASE("-0 and +0 are equal, and the maximum is given as +0") {
  const auto found = largest(std::vector<float>{-1, -0.0f, 0.0f});
  CHECK(found.value == 0);
  CHECK_FALSE(std::signbit(found.value));
  CHECK(found.index == 1);
}

TEST_CASE("a NaN anywhere wins, and the first one gives the index") {
  for (const std::size_t n : {1, 33, 1025, 5000}) {
    auto x = course::random_floats(n, 42);
    x[0] = kInf;
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      auto y = x;
      y[at] = at % 2 ? kNan : -kNan;
      y.back() = kNan;
      const auto found = largest(y);
      INFO("n " << n << ", NaN at " << at);
      CHECK(std::isnan(found.value));
      CHECK(std::isnan(found.value_without_index));
      CHECK(found.index == at);
    }
  }
}
