// SPDX-License-Identifier: MIT
#include "common/arrays/cub_select.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

TEST_CASE("the library's compaction gives the CPU's elements") {
  for (const char* const keep : {"0", "10", "100"}) {
    const auto problem = course::make_select({support::device(), 3001, 256, 1, {{"keep", keep}}});
    course::CubCall call = course::cub_select(problem->task());
    problem->poison();
    call();
    CHECK(problem->judge(false).verdict.ok);
  }
}
