// SPDX-License-Identifier: MIT
// A lesson of families, whole, with rungs that run on the CPU: what is verified, timed, printed,
// written and refused.
#include "common/program/family.cuh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "support/captured.hpp"
#include "support/catch.hpp"

namespace families = course::families;
using families::Finding;
using families::Rung;
using families::Setup;

namespace {

// The problem: how many elements are there?
struct Count {
  std::size_t first, n;
  std::size_t* result;
};
class CountProblem final : public families::ProblemOf<Count> {
 public:
  explicit CountProblem(std::size_t n) { take(0, n); }
  void take(std::size_t first, std::size_t n) override { first_ = first, n_ = n; }
  double bytes() const override { return 8; }
  void solve_on_cpu(unsigned) override { on_cpu_ = n_; }
  Finding judge_cpu() override { return judged(on_cpu_); }
  void poison() override { result_ = ~std::size_t{0}; }
  Finding judge(bool any_order) override {
    return any_order && result_ == n_ + 1 ? Finding{{true}} : judged(result_);
  }
  Count task() override { return {first_, n_, &result_}; }

 private:
  Finding judged(std::size_t result) const {
    return {{result == n_, static_cast<double>(n_), static_cast<double>(result)}, "the count"};
  }
  std::size_t first_ = 0, n_ = 0, on_cpu_ = 0, result_ = 0;
};
std::unique_ptr<families::ProblemOf<Count>> make(const Setup& setup) {
  if (course::value_of(setup.chosen, "colour") == "none") throw course::UsageError{"no colour"};
  return std::make_unique<CountProblem>(setup.n);
}

int launches = 0;
void right(const Count& c) { *c.result = c.n, ++launches; }
void silent(const Count&) {}
void aligned_only(const Count& c) { *c.result = c.first == 0 ? c.n : 0; }
void one_more(const Count& c) { *c.result = c.n + 1; }
void right_at_first(const Count& c) {
  if (++launches <= 3) *c.result = c.n;
}
const char* refuses_all(const Count&) { return "it refuses all"; }

constexpr const char* kColours[] = {"red", "none"};
constexpr course::Choice kChoices[] = {{"colour", "of it", kColours, "red"}};

struct Ended {
  int code = -1;
  std::string out, err;
};
Ended run(std::span<const Rung<Count>> rungs, std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  const families::FamilyOf<Count> family("count", "counting", kChoices, &make, rungs);
  const families::Family* const list[] = {&family};
  const families::Lesson lesson{"09_topic", "Does it hold?", list};
  Ended e;
  launches = 0;
  e.out = support::captured(stdout, [&] {
    e.err = support::captured(stderr, [&] {
      e.code = families::run_lesson(lesson, static_cast<int>(words.size()), words.data());
    });
  });
  return e;
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr Rung<Count> kGood[] = {{"first", "counts", &right},
                                 {"any", "counts in any order", &one_more, nullptr, true},
                                 {"picky", "counts little", &right, &refuses_all},
                                 {"newer", "for a later GPU", &right, nullptr, false, 999}};

}  // namespace

TEST_CASE("rungs of a family are verified, timed and listed in order") {
  const Ended e = run(kGood, {"--n", "100", "--reps", "1"});
  CHECK(e.code == 0);
  CHECK(e.err.empty());
  CHECK(has(e.out, "09_topic: counting, n 100, colour red, block 256,"));
  CHECK(e.out.find("cpu_1_thread") < e.out.find("first"));
  CHECK(has(e.out, "picky                  skipped: it refuses all"));
  CHECK(has(e.out, "newer                  skipped: it needs compute capability 99.9"));
  CHECK_FALSE(has(e.out, "cub"));  // there is none
  CHECK_FALSE(has(e.out, "FAIL"));
}

TEST_CASE("the document has a part for each family") {
  const std::string path = std::filesystem::temp_directory_path() / "family.test.json";
  run(kGood, {"--n", "7", "--seed", "3", "--json", path.c_str()});
  std::ifstream file(path);
  const auto doc = nlohmann::json::parse(file);
  CHECK(doc["kind"] == "families");
  CHECK(doc["lesson"] == "09_topic");
  CHECK(doc["seed"] == 3);
  CHECK(doc["roof"]["read_gbps"] > 0);
  REQUIRE(doc["families"].size() == 1);
  const auto& family = doc["families"][0];
  CHECK(family["family"] == "count");
  CHECK(family["n"] == 7);
  CHECK(family["chosen"]["colour"] == "red");
  CHECK(family["rows"].size() == 6);
  CHECK(family["rows"][0]["kind"] == "cpu");
  CHECK(family["rows"][2]["ok"] == true);
  CHECK(family["rows"][4]["skipped"] == "it refuses all");
}

TEST_CASE("wrong rungs fail the program, and it says where") {
  for (const auto launch : {&silent, &aligned_only, &one_more, &right_at_first}) {
    const Rung<Count> rungs[] = {{"wrong", "is wrong", launch}};
    const Ended e = run(rungs, {"--n", "50", "--reps", "5"});
    CHECK(e.code == 1);
    CHECK(has(e.out, "FAIL: the count: expected 50, got"));
  }
}

TEST_CASE("a chosen rung runs alone, and a bad choice is one line") {
  const Ended e = run(kGood, {"--n", "9", "--rung", "any"});
  CHECK(e.code == 0);
  CHECK_FALSE(has(e.out, "\nfirst"));
  for (const auto& [word, value] : {std::pair{"--colour", "none"},
                                    {"--colour", "green"},
                                    {"--rung", "last"},
                                    {"--family", "tree"}}) {
    const Ended bad = run(kGood, {word, value});
    CHECK(bad.code == 2);
    CHECK(std::count(bad.err.begin(), bad.err.end(), '\n') == 1);
  }
}
