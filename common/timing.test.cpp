// SPDX-License-Identifier: MIT
// Medians and spreads of known samples, and how often a kernel is launched to be timed.
#include "common/timing.cuh"

#include "support/catch.hpp"

using course::Event;
using course::find_device;
using course::Stopwatch;
using course::summarise;
using Samples = std::vector<double>;

TEST_CASE("no samples: no time, no spread") {
  const auto t = summarise({});
  CHECK(t.samples_us.empty());
  CHECK(t.median_us == 0);
  CHECK(t.spread == 0);
  CHECK(t.slow_samples == 0);
}

TEST_CASE("one sample is its own median and has no spread") {
  const auto t = summarise({7});
  CHECK(t.median_us == 7);
  CHECK(t.spread == 0);
  CHECK(t.slow_samples == 0);
}

TEST_CASE("the median of an odd number is the one in the middle, in any order") {
  CHECK(summarise({3, 1, 2}).median_us == 2);
  CHECK(summarise({5, 1, 4, 2, 3}).median_us == 3);
}

TEST_CASE("the median of an even number lies half way between the two in the middle") {
  CHECK(summarise({4, 1, 3, 2}).median_us == 2.5);
  CHECK(summarise({10, 20}).median_us == 15);
}

TEST_CASE("the spread is half the distance of the quartiles, as a share of the median") {
  CHECK(summarise({1, 2, 3, 4, 5}).spread == Approx((4 - 2) / 2.0 / 3));
  CHECK(summarise({10, 20}).spread == Approx((17.5 - 12.5) / 2 / 15));
  CHECK(summarise({6, 6, 6, 6}).spread == 0);
}

TEST_CASE("a sample over 1.5 medians is slow; one of exactly 1.5 is not") {
  CHECK(summarise({10, 10, 10, 15}).slow_samples == 0);
  CHECK(summarise({10, 10, 10, 15.1}).slow_samples == 1);
  CHECK(summarise({10, 10, 10, 10, 10, 16, 99}).slow_samples == 2);
}

TEST_CASE("one slow sample moves neither the median nor the spread much") {
  const auto t = summarise({10, 10, 10, 10, 10, 10, 10, 10, 1000});
  CHECK(t.median_us == 10);
  CHECK(t.spread == 0);
}

TEST_CASE("the samples are kept in the order they were taken in") {
  CHECK(summarise({3, 1, 2}).samples_us == Samples{3, 1, 2});
}

TEST_CASE("time between two events does not run backwards") {
  Event start, stop;
  start.record();
  stop.record();
  stop.wait();
  CHECK(stop.us_since(start) >= 0);
}

TEST_CASE("the emulator is asked once, a GPU as often as wanted after its warm-up") {
  const auto device = find_device();
  REQUIRE(device);
  Stopwatch watch(*device);
  int launches = 0;
  const auto t = watch.measure([&] { ++launches; }, 5);
  CHECK(launches == (device->emulated ? 1 : 3 + 5));
  CHECK(t.samples_us.size() == (device->emulated ? 1u : 5u));
}

TEST_CASE("without a wish a GPU is asked 11 to 201 times") {
  const auto device = find_device();
  REQUIRE(device);
  Stopwatch watch(*device);
  const auto taken = watch.measure([] {}).samples_us.size();
  CHECK(taken >= (device->emulated ? 1u : 11u));
  CHECK(taken <= 201u);
}

TEST_CASE("an error inside the launch comes out") {
  const auto device = find_device();
  REQUIRE(device);
  Stopwatch watch(*device);
  const auto fail = [] { COURSE_CHECK(cudaErrorInvalidValue); };
  CHECK_THROWS_AS(watch.measure(fail, 1), course::CudaError);
}

TEST_CASE("the CPU is timed as often as asked, else three times or more") {
  int calls = 0;
  CHECK(course::time_cpu([&] { ++calls; }, 4).samples_us.size() == 4);
  CHECK(calls == 4);
  CHECK(course::time_cpu([] {}, 0).samples_us.size() >= 3);
}

TEST_CASE("without a flush the emulator warms up too: a launch finds what the one before left") {
  const auto device = find_device();
  REQUIRE(device);
  int launches = 0;
  Stopwatch watch(*device, course::Flush::None);
  watch.measure([&] { ++launches; }, 5);
  CHECK(launches == (device->emulated ? 2 : 3 + 5));
}
