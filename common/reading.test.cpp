// SPDX-License-Identifier: MIT
// A kernel that only reads: one byte that is not as it should be is found.
#include "common/reading.cuh"

#include "support/catch.hpp"

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
