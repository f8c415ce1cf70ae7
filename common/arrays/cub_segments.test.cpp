// SPDX-License-Identifier: MIT
#include "common/arrays/cub_segments.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

TEST_CASE("the library's sums of segments are the CPU's") {
  for (const char* const lengths : {"equal", "random", "skewed"}) {
    const auto problem = course::make_segments(
        {support::device(), 3001, 256, 1, {{"segments", "64"}, {"lengths", lengths}}});
    course::CubCall call = course::cub_segments(problem->task());
    problem->poison();
    call();
    CHECK(problem->judge(false).verdict.ok);
  }
}
