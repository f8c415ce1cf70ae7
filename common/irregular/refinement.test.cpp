// SPDX-License-Identifier: MIT
// Refinement: the squares say what trying every point says, and the judge sees both numbers.
#include "common/irregular/refinement.hpp"

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::RefinementTotals;

namespace {

course::families::Finding judged(std::size_t n, const RefinementTotals& totals) {
  const auto problem = course::make_refinement({support::device(), n, 256, 1, {}});
  COURSE_CHECK(cudaMemcpy(problem->task().totals, &totals, sizeof totals, cudaMemcpyHostToDevice));
  return problem->judge(false);
}

}  // namespace

TEST_CASE("squares count the points that lie in circles") {
  for (const std::uint32_t side : {0u, 1u, 7u, 8u, 9u, 100u, 257u}) {
    INFO("side " << side);
    const auto circles = course::circles_for(side, 3);
    std::uint64_t points = 0;
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t x = 0; x < side; ++x) points += course::point_inside(circles, x, y);
    const RefinementTotals one = course::cpu_refinement(circles, side, 1);
    const RefinementTotals many = course::cpu_refinement(circles, side, 3);
    CHECK(one.points == points);
    CHECK((many.points == one.points && many.squares == one.squares));
    CHECK(one.squares <= (std::uint64_t{side} / 8 + 1) * (side / 8 + 1) * 2);
  }
}

TEST_CASE("a square is one word and back") {
  const course::Square s = course::as_square(course::as_word({0xabcdef, 0x123456, 24}));
  CHECK((s.x == 0xabcdef && s.y == 0x123456 && s.log == 24));
  const course::Square q = course::as_square(course::quarter_of({8, 16, 4}, 3));
  CHECK((q.x == 16 && q.y == 24 && q.log == 3));
}

TEST_CASE("the judge of a refinement sees points and squares") {
  const RefinementTotals truth = course::cpu_refinement(course::circles_for(100, 1), 100, 1);
  CHECK(judged(6400, truth).verdict.ok);
  CHECK(judged(6400, {truth.points, truth.squares + 4}).where == "squares");
  CHECK(judged(6400, {truth.points - 1, truth.squares}).where == "points inside");
  CHECK_THROWS_AS(course::make_refinement({support::device(), std::size_t{1} << 31, 256, 1, {}}),
                  course::UsageError);
}
