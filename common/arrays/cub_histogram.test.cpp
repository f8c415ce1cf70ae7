// SPDX-License-Identifier: MIT
#include "common/arrays/cub_histogram.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

TEST_CASE("the library's histogram gives the CPU's counts") {
  for (const char* const sample : {"u8", "u32"}) {
    for (const char* const input : {"zipf", "stray"}) {
      const auto problem =
          course::make_histogram({support::device(),
                                  3001,
                                  256,
                                  1,
                                  {{"sample", sample}, {"bins", "64"}, {"input", input}}});
      course::CubCall call = course::cub_histogram(problem->task());
      problem->poison();
      call();
      CHECK(problem->judge(false).verdict.ok);
    }
  }
}
