// SPDX-License-Identifier: MIT
// What fits into memory and what does not.
#include "common/fits.hpp"

#include <string>

#include "support/catch.hpp"
#include "support/device.hpp"

using support::device;

TEST_CASE("sizes that fit are let pass, sizes that cannot fit are refused with both numbers") {
  CHECK_NOTHROW(course::check_bytes_fit(0, 0, device()));
  CHECK_NOTHROW(course::check_bytes_fit(4000, 1000, device()));
  try {
    course::check_bytes_fit(0x1p42, std::size_t{1} << 40, device());
    FAIL("2^40 elements fit");
  } catch (const course::TooLarge& error) {
    const std::string text = error.what();
    INFO(text);
    CHECK(text.find("2^40") != std::string::npos);
    CHECK(text.find("GB") != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
  }
}
