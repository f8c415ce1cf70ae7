// SPDX-License-Identifier: MIT
// Every rung of every family: at the sizes where they go wrong, with every block size, unaligned, with
// every value of every choice. A new rung is tested without a word here.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "common/program/family.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace families = course::families;

namespace family_checks {
const families::Lesson& lesson();  // defined in family_under_test.cpp
}
using family_checks::lesson;

namespace {

course::Chosen fallbacks(const families::Family& family) {
  course::Chosen chosen;
  for (const auto& choice : family.choices) chosen.emplace_back(choice.name, choice.fallback);
  return chosen;
}
std::string named(const families::RungInfo& info, const families::Setup& setup) {
  std::string text =
      info.id + ", n " + std::to_string(setup.n) + ", block " + std::to_string(setup.block);
  for (const auto& [name, value] : setup.chosen) text += ", " + name + " " + value;
  return text;
}
// verify() takes three parts, two of them unaligned or short.
void check_all(const families::Family& family, const families::Setup& setup) {
  const auto bench = family.prepare(setup);
  const auto rungs = family.rungs();
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (support::device().sm < rungs[i].least_sm || !bench->refuses(i).empty()) continue;
    const auto finding = families::verify(*bench, rungs[i], i, setup.n);
    INFO(named(rungs[i], setup) << ": " << finding.where << ": expected "
                                << finding.verdict.expected << ", got " << finding.verdict.actual);
    CHECK(finding.verdict.ok);
  }
}

}  // namespace

TEST_CASE("rungs have ids and ideas, families their choices", "[sizes]") {
  std::set<std::string> ids;
  for (const families::Family* const family : lesson().families) {
    CHECK(ids.insert(family->id).second);
    REQUIRE_FALSE(family->rungs().empty());
    for (const auto& info : family->rungs()) {
      INFO(info.id);
      CHECK(ids.insert(info.id).second);
      CHECK(info.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
            std::string::npos);
      CHECK_FALSE(info.idea.empty());
    }
    for (const auto& choice : family->choices)
      CHECK(std::count(choice.values.begin(), choice.values.end(),
                       std::string_view(choice.fallback)) == 1);
  }
}

TEST_CASE("small sizes, every block size", "[sizes]") {
  for (const families::Family* const family : lesson().families) {
    for (const std::size_t n : {0, 1, 2, 31, 33, 257, 1023, 1025, 2049}) {
      if (n > lesson().test_n) continue;
      for (const int block : {32, 64, 128, 256, 512, 1024})
        check_all(*family, {support::device(), n, block, 11, fallbacks(*family)});
    }
  }
}

TEST_CASE("every value of every choice", "[choices]") {
  for (const families::Family* const family : lesson().families) {
    for (std::size_t i = 0; i < family->choices.size(); ++i) {
      for (const char* const value : family->choices[i].values) {
        course::Chosen chosen = fallbacks(*family);
        chosen[i].second = value;
        for (const std::size_t n : {std::size_t{1}, lesson().test_n})
          check_all(*family, {support::device(), n, 256, 12, chosen});
      }
    }
  }
}

TEST_CASE("many tiles, an odd size", "[large]") {
  for (const families::Family* const family : lesson().families)
    for (const int block : {64, 1024})
      check_all(*family, {support::device(), 200003, block, 13, fallbacks(*family)});
}

namespace {

// Every rung under other orders of the threads, which only the emulator can choose: whoever waits for
// somebody, or counts on who comes first, must not mind.
void check_schedules(int seeds) {
  if (!support::device().emulated) return;
  for (const families::Family* const family : lesson().families) {
    for (int seed = 1; seed <= seeds; ++seed) {
      setenv("WARPLADDER_SCHEDULE", ("random:" + std::to_string(seed)).c_str(), 1);
      INFO("schedule random:" << seed);
      check_all(*family, {support::device(), std::min<std::size_t>(4099, lesson().test_n), 64, 14,
                          fallbacks(*family)});
    }
  }
  unsetenv("WARPLADDER_SCHEDULE");
}

}  // namespace

TEST_CASE("a few schedules", "[choices]") { check_schedules(2); }
TEST_CASE("a thousand schedules", "[.][schedules]") { check_schedules(1000); }
