// SPDX-License-Identifier: MIT
// A lesson of structures, whole: options, tables, what fails the program and what does not.
#include "common/program/structures.cuh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/captured.hpp"
#include "support/catch.hpp"

namespace structures = course::structures;
using structures::Result;
using structures::Rung;
using structures::Setup;

namespace {

Result took(double operations, double us) {
  Result r;
  r.findings.operations = 100;
  r.operations = operations;
  r.timing = course::summarise({us});
  return r;
}
Result counts(const Setup&) { return took(1000, 1); }
Result slow(const Setup&) { return took(1000, 10); }
Result fast(const Setup&) { return took(1000, 5); }
Result loses(const Setup&) {
  Result r = took(1000, 5);
  r.findings.lost = 3;
  return r;
}
Result sees_options(const Setup& s) {
  return took(static_cast<double>(s.n.value_or(0)) + s.block + static_cast<double>(s.seed), s.reps);
}

struct Ended {
  int code = -1;
  std::string out, err;
};
Ended run(std::span<const Rung> rungs, std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  const structures::Lesson lesson{"09_topic", "Does it hold?", "counter", rungs};
  Ended e;
  e.out = support::captured(stdout, [&] {
    e.err = support::captured(stderr, [&] {
      e.code = structures::run_lesson(lesson, static_cast<int>(words.size()), words.data());
    });
  });
  return e;
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
nlohmann::json document(std::span<const Rung> rungs, std::vector<const char*> words) {
  const std::string path = std::filesystem::temp_directory_path() / "structures.test.json";
  words.push_back("--json");
  words.push_back(path.c_str());
  run(rungs, words);
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

constexpr Rung kGood[] = {{"counter", "keeps nothing", "counter", &counts},
                          {"list_slow", "the first", "list", &slow},
                          {"list_wrong", "a mistake", "list", &loses, true},
                          {"list_fast", "better", "list", &fast}};

}  // namespace

TEST_CASE("rungs of structures are compared with the right one before and with the baseline") {
  const auto doc = document(kGood, {});
  CHECK(doc["kind"] == "experiment");
  CHECK(doc["lesson"] == "09_topic");
  CHECK(doc["name"] == "structures");
  const auto& rows = doc["tables"][0]["rows"];
  REQUIRE(rows.size() == 4);
  CHECK(rows[0][3] == Approx(1000));  // million operations per second
  CHECK(rows[0][4].is_null());        // nothing before it
  CHECK(rows[1][4].is_null());        // another family
  CHECK(rows[1][5] == Approx(0.1));   // of the counter
  CHECK(rows[3][4] == Approx(2.0));   // twice list_slow: what is wrong is no step of the ladder
  CHECK(rows[3][5] == Approx(0.2));
}

TEST_CASE("what a rung loses fails the program, unless it is wrong on purpose") {
  CHECK(run(kGood, {}).code == 0);
  const auto doc = document(kGood, {});
  CHECK(doc["tables"][1]["rows"][2][0] == "list_wrong (wrong on purpose)");
  CHECK(doc["tables"][1]["rows"][2][2] == 3);
  constexpr Rung kBad[] = {{"list_bad", "a mistake nobody meant", "list", &loses}};
  const Ended e = run(kBad, {});
  CHECK(e.code == 1);
  CHECK(has(e.out, "FAIL list_bad"));
}

TEST_CASE("structures: the options reach the rung, and chosen rungs run alone") {
  constexpr Rung kOne[] = {{"a", "idea", "f", &sees_options}, {"b", "idea", "f", &loses}};
  const auto doc =
      document(kOne, {"--rung", "a", "--n", "1e3", "--block", "64", "--seed", "7", "--reps", "2"});
  REQUIRE(doc["tables"][0]["rows"].size() == 1);
  CHECK(doc["tables"][0]["rows"][0][1] == 1071);
  CHECK(doc["tables"][0]["rows"][0][2] == 2);
  CHECK(run(kOne, {"--rung", "c"}).code == 2);
  CHECK(run(kOne, {"--rung", "a", "--n", "2^32"}).code == 0);
  const Ended too_many = run(kOne, {"--n", "2^33"});
  CHECK(too_many.code == 2);
  CHECK(too_many.out.empty());
  CHECK(has(too_many.err, "2^33"));
}

TEST_CASE("structures: nothing is summed, so there is no type") {
  const Ended e = run(kGood, {"--type", "i32"});
  CHECK(e.code == 2);
  CHECK(has(e.err, "--type"));
  CHECK(has(run(kGood, {"--help"}).out, "operations: 1000000"));
}

TEST_CASE("structures: --list needs no work, and a file that cannot be written is told first") {
  const Ended e = run(kGood, {"--list"});
  CHECK(e.code == 0);
  CHECK(std::count(e.out.begin(), e.out.end(), '\n') == 4);
  const Ended refused = run(kGood, {"--json", "/no/such/folder/x.json"});
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
}

TEST_CASE("findings add up, and any of them is a fault") {
  structures::Findings sum{10, 0, 0, 0, 0, 0};
  CHECK(sum.ok());
  sum += {5, 1, 2, 3, 4, 5};
  CHECK(sum.operations == 15);
  CHECK(sum.lost + sum.twice + sum.invented + sum.disordered + sum.stuck == 15);
  CHECK_FALSE(sum.ok());
}
