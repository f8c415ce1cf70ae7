// SPDX-License-Identifier: MIT
// The words of --flush, what a flush does, and that one that did not read is found out.
#include "common/flushing.cuh"

#include "common/timing.cuh"
#include "support/catch.hpp"

using course::Flush;
using course::parse_flush;

TEST_CASE("every way to flush has a word, and nothing else is one") {
  for (const Flush flush : {Flush::Clean, Flush::Dirty, Flush::None})
    CHECK(parse_flush(word_of(flush)) == flush);
  for (const char* word : {"", "Clean", "clean ", "wet", "no"}) CHECK_FALSE(parse_flush(word));
}

TEST_CASE("a flush holds more than the cache where it reads or writes, and nothing where it does not") {
  const auto device = course::find_device();
  REQUIRE(device);
  const auto l2 = static_cast<std::size_t>(device->l2_bytes);
  const course::L2Flush clean(*device, Flush::Clean), dirty(*device, Flush::Dirty),
      none(*device, Flush::None);
  if (device->emulated) {
    CHECK(clean.bytes() == 0);  // its model is told, and nothing is interpreted
    CHECK(dirty.bytes() == l2);
  } else {
    CHECK(clean.bytes() >= 2 * l2);
    CHECK(dirty.bytes() >= 2 * l2);
  }
  CHECK(none.bytes() == 0);
}

TEST_CASE("every flush that was made has read all of its buffer") {
  const auto device = course::find_device();
  REQUIRE(device);
  for (const Flush how : {Flush::Clean, Flush::Dirty, Flush::None}) {
    course::L2Flush flush(*device, how);
    flush.check();
    for (int i = 0; i < 3; ++i) flush();
    flush.check();
    CHECK(flush.how() == how);
  }
}

TEST_CASE("reading finds one word that is not as it should be, wherever it lies") {
  const auto device = course::find_device();
  REQUIRE(device);
  constexpr std::size_t kBytes = 1 << 20;
  for (const std::size_t at : {std::size_t{0}, kBytes / 2 + 7, kBytes - 1}) {
    course::DeviceBuffer<unsigned char> data(kBytes);
    COURSE_CHECK(cudaMemset(data.data(), course::Reading::kFill, kBytes));
    course::Reading reading(*device);
    reading.launch(data.data(), kBytes);
    reading.check();
    COURSE_CHECK(cudaMemset(data.data() + at, 0, 1));
    reading.launch(data.data(), kBytes);
    CHECK_THROWS_AS(reading.check(), course::CudaError);
  }
}

TEST_CASE("without a flush the emulator warms up too: a launch finds what the one before left") {
  const auto device = course::find_device();
  REQUIRE(device);
  int launches = 0;
  course::Stopwatch watch(*device, Flush::None);
  watch.measure([&] { ++launches; }, 5);
  CHECK(launches == (device->emulated ? 2 : 3 + 5));
}
