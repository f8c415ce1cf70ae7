// SPDX-License-Identifier: MIT
#include "common/irregular/scene_picture.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "common/irregular/clusters.hpp"
#include "common/program/options.hpp"
#include "support/catch.hpp"

namespace {

std::array<int, 3> pixel(const course::Picture& p, int x, int y) {
  const auto* const at = p.pixels.data() + 3 * (static_cast<std::size_t>(y) * p.width + x);
  return {at[0], at[1], at[2]};
}
constexpr std::array<int, 3> kWhite{255, 255, 255}, kGrey{170, 170, 170};

}  // namespace

TEST_CASE("from above: ahead is right, left is up, noise is grey, what is higher is seen") {
  const std::vector<float4> points{
      {10, 5, 0, 0}, {10, 5, 2, 0}, {-20, -5, 0, 0}, {NAN, 0, 0, 0}, {1e9f, 0, 0, 0}};
  const std::vector<std::uint32_t> labels{0, course::kNoise, 7, 0, 0};
  const auto picture = course::picture_from_above(points, labels);
  REQUIRE(picture.pixels.size() == std::size_t{3} * picture.width * picture.height);
  CHECK(pixel(picture, 700, 250) == kGrey);
  CHECK(pixel(picture, 400, 350) != kWhite);
  CHECK(pixel(picture, 400, 350) != kGrey);
  CHECK(pixel(picture, 600, 100) == kWhite);
}

TEST_CASE("in perspective: what lies behind the eye is not seen, what is nearer hides") {
  const std::vector<float4> points{{20, 0, 0, 0}, {-30, 0, 0, 0}};
  const std::vector<std::uint32_t> labels{0, 0};
  const auto picture = course::picture_in_perspective(points, labels);
  int dots = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) dots += pixel(picture, x, y) != kWhite;
  CHECK(dots == 4);  // one point is two pixels wide and high
}

TEST_CASE("a picture that cannot be written is told") {
  CHECK_THROWS_AS(course::write_png("/no/such/folder/a.png", {1, 1, {0, 0, 0}}),
                  course::UsageError);
}
