// SPDX-License-Identifier: MIT
// Both sides are timed and judged by the same problem, and a wrong one is told.
#include "common/program/beside.cuh"

#include <nlohmann/json.hpp>

#include "support/captured.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace families = course::families;

namespace {

// The problem: leave a 7.
class Seven final : public families::Problem {
 public:
  void take(std::size_t, std::size_t) override {}
  double bytes() const override { return 4; }
  void solve_on_cpu(unsigned) override {}
  families::Finding judge_cpu() override { return {{true}}; }
  void poison() override { result = -1; }
  families::Finding judge(bool) override { return {{result == 7}}; }
  int result = 0;
};

families::Beside beside(int ours, int theirs) {
  Seven problem;
  course::Stopwatch watch(support::device());
  return families::measure_beside(
      problem, watch, [&] { problem.result = ours; }, [&] { problem.result = theirs; }, 1);
}

}  // namespace

TEST_CASE("a rung and the library are judged, each by itself") {
  CHECK(beside(7, 7).ok);
  CHECK_FALSE(beside(7, 6).ok);
  CHECK_FALSE(beside(6, 7).ok);
}

TEST_CASE("the tables have a time and a factor in each cell") {
  families::BesideTables tables({"time", "ours", "us", {"n"}}, {"cub", "factor", "", {"n"}});
  tables.column("uniform");
  tables.row("2^4");
  tables.add({2, 5, true});
  course::Experiment e;
  e.device = support::device();
  bool right = false;
  support::captured(stdout, [&] { right = tables.finish(e); });
  CHECK(right);
  const auto document = nlohmann::json::parse(e.to_json({"01_test", "beside", "about"}));
  const auto& both = document.at("tables");
  CHECK(both[0].at("rows")[0][1] == 2.0);
  CHECK(both[1].at("rows")[0][1] == 2.5);
  families::BesideTables wrong({"time", "ours", "us", {"n"}}, {"cub", "factor", "", {"n"}});
  wrong.row("2^4");
  wrong.add({2, 5, false});
  support::captured(stdout, [&] { right = wrong.finish(e); });
  CHECK_FALSE(right);
}
