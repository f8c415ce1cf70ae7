// SPDX-License-Identifier: MIT
#include "common/irregular/street.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "support/catch.hpp"

namespace {

bool same(const std::vector<float4>& a, const std::vector<float4>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float4 p, float4 q) {
    return p.x == q.x && p.y == q.y && p.z == q.z && p.w == q.w;
  });
}

}  // namespace

TEST_CASE("a scan has as many points as asked for, and the same ones each time") {
  for (const std::size_t n : {0, 1, 2, 1000, 30001})
    for (const int rings : {16, 128}) {
      const auto scan = course::scan_street(n, {rings, 3});
      CHECK(scan.points.size() == n);
      CHECK(scan.objects.size() == n);
      CHECK(same(scan.points, course::scan_street(n, {rings, 3}).points));
    }
  CHECK_FALSE(
      same(course::scan_street(1000, {64, 3}).points, course::scan_street(1000, {64, 4}).points));
}

TEST_CASE("a scan sees the road, walls, cars and people, up to its range") {
  const auto scan = course::scan_street(30000, {});
  std::set<int> objects(scan.objects.begin(), scan.objects.end());
  CHECK(objects.size() > 30);
  CHECK(objects.count(0) == 1);
  const auto ground = std::count(scan.objects.begin(), scan.objects.end(), 0);
  CHECK(ground > 5000);
  CHECK(ground < 25000);
  for (const float4 p : scan.points) {
    CHECK(std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z) < 81);
    CHECK(p.z > -course::kSensorHeight - 0.2f);
  }
}

TEST_CASE("the ground can be left out, and what moves moves") {
  course::Street street;
  street.ground = false;
  const auto scan = course::scan_street(5000, street);
  for (const float4 p : scan.points) CHECK(p.z >= -course::kSensorHeight + 0.2f);
  street.time = 1;
  CHECK_FALSE(same(scan.points, course::scan_street(5000, street).points));
}

TEST_CASE("every kind of cloud has as many points as asked for") {
  for (const char* const kind : course::cloud_kinds())
    for (const std::size_t n : {0, 1, 501})
      CHECK(course::make_cloud(kind, n, 64, 0.5f, 1).size() == n);
  const auto line = course::make_cloud("line", 30000, 64, 0.5f, 1);
  CHECK(line[8].x - line[0].x == 0.5f);
  CHECK(line[20000].y > line[0].y + 1);
  const auto bad = course::make_cloud("bad", 300, 64, 0.5f, 1);
  CHECK(std::any_of(bad.begin(), bad.end(), [](float4 p) { return std::isnan(p.x); }));
  CHECK(std::any_of(bad.begin(), bad.end(), [](float4 p) { return std::isinf(p.z); }));
}

TEST_CASE("shuffled points are the same points") {
  const auto points = course::make_cloud("sparse", 500, 64, 0.5f, 1);
  auto mixed = course::shuffled(points, 2);
  CHECK_FALSE(same(mixed, points));
  const auto by_x = [](float4 a, float4 b) { return a.x < b.x; };
  auto sorted = points;
  std::sort(sorted.begin(), sorted.end(), by_x), std::sort(mixed.begin(), mixed.end(), by_x);
  CHECK(same(mixed, sorted));
}
