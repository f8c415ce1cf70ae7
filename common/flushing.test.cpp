// SPDX-License-Identifier: MIT
// What a flush takes, and that it has read all of it.
#include "common/flushing.cuh"

#include "support/catch.hpp"

using course::Flush;

TEST_CASE(
    "a flush holds more than the cache where it reads or writes, and nothing where it does not") {
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
