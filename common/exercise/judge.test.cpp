// SPDX-License-Identifier: MIT
// What a judge says about outputs: equal, near, missing, damaged, and the lost tail.
#include "common/exercise/judge.hpp"

#include <initializer_list>
#include <limits>
#include <sstream>

#include "support/catch.hpp"

using namespace course::exercise;

namespace {

Arrays with(const std::vector<int>& values) {
  Arrays out;
  out.set("x", values);
  return out;
}

std::string told(const Judgement& verdict) {
  std::ostringstream out;
  Case c;
  c.id = "n3";
  c.n = 3;
  c.seed = 7;
  verdict.write(out, c);
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One verdict per size, right where `right` says so.
std::vector<Judgement> verdicts_for(const std::vector<Case>& cases, bool (*right)(std::size_t n)) {
  std::vector<Judgement> results(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    results[i].equal<int>(with({right(cases[i].n) ? 1 : 2}), "x", {1});
  return results;
}

std::vector<Case> cases_of(std::initializer_list<std::size_t> sizes) {
  std::vector<Case> cases;
  for (const std::size_t n : sizes) {
    cases.emplace_back();
    cases.back().n = n;
  }
  return cases;
}

}  // namespace

TEST_CASE("the first difference is told, with what was expected") {
  Judgement verdict;
  CHECK_FALSE(verdict.equal<int>(with({1, 5, 6}), "x", {1, 2, 3}));
  const std::string text = told(verdict);
  CHECK(has(text, "\"kind\": \"wrong_value\""));
  CHECK(has(text, "\"n\": 3, \"seed\": 7"));
  CHECK(has(text, "\"wrong\": 2, \"index\": 1, \"expected\": \"2\", \"actual\": \"5\""));
}

TEST_CASE("poison is told apart from a wrong value") {
  Judgement verdict;
  CHECK_FALSE(verdict.equal<int>(with({static_cast<int>(0xCDCDCDCD)}), "x", {1}));
  CHECK(has(told(verdict), "\"untouched\": true"));
}

TEST_CASE("an output that is not there, or has another size or type, never passes") {
  Judgement absent, size, type;
  CHECK_FALSE(absent.equal<int>(Arrays(), "x", {}));
  CHECK(absent.kind() == "missing");
  CHECK_FALSE(size.equal<int>(with({1, 2}), "x", {1}));
  CHECK_FALSE(type.equal<float>(with({1}), "x", {1}));
}

TEST_CASE("near takes the bound, and NaN only for NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const auto passes = [](float actual, float expected) {
    Arrays out;
    out.set<float>("x", {actual});
    Judgement verdict;
    return verdict.near<float>(out, "x", {expected}, 0.25);
  };
  CHECK(passes(1.25f, 1.0f));
  CHECK_FALSE(passes(1.26f, 1.0f));
  CHECK_FALSE(passes(nan, 1.0f));
  CHECK_FALSE(passes(1.0f, nan));
  CHECK(passes(nan, nan));
  CHECK(passes(inf, inf));
  CHECK_FALSE(passes(-inf, inf));
  CHECK_FALSE(passes(1.0f, inf));
}

TEST_CASE("the tail is lost if all multiples are right and some others wrong") {
  const auto cases = cases_of({0, 1, 4, 5, 8});
  auto results = verdicts_for(cases, [](std::size_t n) { return n % 4 == 0; });
  detail::find_lost_tail(cases, results, 4);
  CHECK(results[1].kind() == "lost_tail");
  CHECK(results[2].ok());
}

TEST_CASE("it is not lost if a multiple is wrong, if none was tried, or if the cause is known") {
  const auto cases = cases_of({1, 4, 8});
  auto wrong = verdicts_for(cases, [](std::size_t n) { return n == 4; });
  detail::find_lost_tail(cases, wrong, 4);
  CHECK(wrong[0].kind() == "wrong_value");

  const auto no_multiple = cases_of({0, 1, 5});
  auto unknown = verdicts_for(no_multiple, [](std::size_t n) { return n == 0; });
  detail::find_lost_tail(no_multiple, unknown, 4);
  CHECK(unknown[1].kind() == "wrong_value");

  auto known = verdicts_for(cases, [](std::size_t n) { return n != 1; });
  known[0].because("wrong_value", "the first element was added twice");
  detail::find_lost_tail(cases, known, 4);
  CHECK(known[0].kind() == "wrong_value");
}

TEST_CASE("the same seed gives the same hidden cases, another one others") {
  const auto sizes = [](std::uint64_t seed) {
    Random random(seed);
    std::vector<std::int64_t> all;
    for (int i = 0; i < 8; ++i) all.push_back(random.between(0, 1000));
    return all;
  };
  CHECK(sizes(1) == sizes(1));
  CHECK(sizes(1) != sizes(2));
}

TEST_CASE("one is said otherwise than many") {
  CHECK(count_of(1, "element") == "1 element");
  CHECK(count_of(0, "element") == "0 elements");
  CHECK(the_last(1) == "the last one is missing");
  CHECK(the_last(3, "was lost", "were lost") == "the last 3 were lost");
}

TEST_CASE("a seed gives the same hidden cases with every compiler") {
  Cases cases([](std::size_t, std::uint64_t) { return Arrays(); });
  cases.now_hidden();
  Random random(5), again(5);
  cases.add_random(random, 2, 3000);
  cases.add_random(random, 2, 40, 32);
  const std::size_t first = again.size(2, 3000);
  const std::uint64_t seed = again.seed();
  const std::size_t second = 32 * again.size(2, 40);
  REQUIRE(cases.all().size() == 2);
  CHECK(cases.all()[0].n == first);
  CHECK(cases.all()[0].seed == seed);
  CHECK(cases.all()[1].n == second);
  CHECK(cases.all()[1].id == "hidden2_n" + std::to_string(second));
}
