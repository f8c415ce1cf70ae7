// SPDX-License-Identifier: MIT
// Lesson 09: rows of lengths that its families' tests do not reach, by the rungs of the lesson's own program.
#include <algorithm>
#include <string>
#include <string_view>

#include "common/program/family.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace family_checks {
const course::families::Lesson& lesson();  // defined in family_under_test.cpp
}

namespace {

void check_rows(const char* type, const char* columns, const char* residual) {
  const auto& families = family_checks::lesson().families;
  const auto found = std::find_if(families.begin(), families.end(), [](const auto* family) {
    return std::string_view(family->id) == "rmsnorm";
  });
  REQUIRE(found != families.end());
  const std::size_t n = 2 * std::stoul(columns) + 1;
  const auto bench =
      (*found)->prepare({support::device(),
                         n,
                         256,
                         3,
                         {{"type", type}, {"columns", columns}, {"residual", residual}}});
  const auto rungs = (*found)->rungs();
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (support::device().sm < rungs[i].least_sm) continue;
    const auto finding = course::families::verify(*bench, rungs[i], i, n);
    INFO(rungs[i].id << ", " << type << ", " << columns << " columns, residual " << residual << ": "
                     << finding.where);
    CHECK(finding.verdict.ok);
  }
}

}  // namespace

TEST_CASE("rows of every length, aligned and not, with and without a residual", "[rows]") {
  for (const char* const type : {"bf16", "f16", "f32"})
    for (const char* const residual : {"no", "yes"})
      for (const char* const columns : {"128", "1000", "4096", "5001"})
        check_rows(type, columns, residual);
  check_rows("bf16", "65536", "yes");
  check_rows("f32", "65536", "no");
}
