// SPDX-License-Identifier: MIT
// The memory roof: plausible figures, and a kernel that writes nothing.
#include "common/roof.cuh"

#include "support/catch.hpp"

TEST_CASE("the roof is the faster of reading and copying") {
  course::Roof roof;
  CHECK(roof.gbps() == 0);
  roof.copy_gbps = 3;
  roof.read_gbps = 2;
  CHECK(roof.gbps() == 3);
  roof.read_gbps = 4;
  CHECK(roof.gbps() == 4);
}

TEST_CASE("both roofs are found, and none is above what the bus could carry") {
  const auto device = course::find_device();
  REQUIRE(device);
  course::Stopwatch watch(*device);
  const course::Roof roof = course::measure_roof(*device, watch);
  CHECK(roof.read_gbps > 0);
  CHECK(roof.copy_gbps > 0);
  CHECK(roof.gbps() <= device->bus_gbps);
}
