// SPDX-License-Identifier: MIT
#include "common/arrays/cub_scan.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

TEST_CASE("the library's prefix sums are the CPU's") {
  for (const char* const type : {"i32", "f32"}) {
    const auto problem = course::make_scan({support::device(), 3001, 256, 1, {{"type", type}}});
    course::CubCall call = course::cub_scan(problem->task());
    problem->poison();
    call();
    CHECK(problem->judge(false).verdict.ok);
  }
}
