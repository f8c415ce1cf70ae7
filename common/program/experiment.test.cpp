// SPDX-License-Identifier: MIT
// A lesson's second kind of program, whole: tables, JSON, options, exit codes.
#include "common/program/experiment.cuh"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "common/program/document.hpp"
#include "support/captured.hpp"
#include "support/catch.hpp"

using course::Experiment;
using course::ExperimentInfo;
using course::format_cell;
using course::Table;

namespace {

struct Ended {
  int code = -1;
  std::string out, err;
};

template <class Body>
Ended run(ExperimentInfo info, std::vector<const char*> words, Body&& body) {
  words.insert(words.begin(), "program");
  Ended e;
  e.out = support::captured(stdout, [&] {
    e.err = support::captured(stderr, [&] {
      e.code = course::run_experiment(info, static_cast<int>(words.size()), words.data(), body);
    });
  });
  return e;
}

ExperimentInfo info() { return {"09_topic", "latencies", "What does it cost?", true, true}; }
bool nothing(Experiment&) { return true; }

Table sample() {
  Table table{"exchange", "One exchange", "cycles", {"operation", "32", "1024"}};
  table.rows.push_back({"shuffle", {24.0, 32.125}});
  table.rows.push_back({"a longer name", {1932.0, std::nullopt}});
  return table;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_refused(const ExperimentInfo& i, std::vector<const char*> words, const char* part) {
  const Ended e = run(i, words, [](Experiment&) -> bool {
    FAIL("the program went on");
    return true;
  });
  INFO(e.err);
  CHECK(e.code == 2);
  CHECK(std::count(e.err.begin(), e.err.end(), '\n') == 1);
  CHECK(has(e.err, "09_topic.latencies: "));
  CHECK(has(e.err, part));
}

}  // namespace

TEST_CASE("numbers are printed with about four digits, what does not exist as -") {
  CHECK(format_cell(1932.4) == "1932");
  CHECK(format_cell(24) == "24.0");
  CHECK(format_cell(1.234) == "1.23");
  CHECK(format_cell(0.33) == "0.330");
  CHECK(format_cell(0) == "0.000");
  CHECK(format_cell(-24) == "-24.0");
  CHECK(format_cell(std::nullopt) == "-");
  CHECK(format_cell(24, true) == "24");
  CHECK(format_cell(0, true) == "0");
  CHECK(format_cell(std::nullopt, true) == "-");
  CHECK(format_cell(std::numeric_limits<double>::quiet_NaN()) == "-");
}

TEST_CASE("a table says its title, unit, and whether its numbers are measured or modelled") {
  const Ended e = run(info(), {}, [](Experiment& x) {
    x.add(sample());
    return true;
  });
  INFO(e.out);
  const auto device = course::find_device();
  CHECK(e.code == 0);
  CHECK(has(e.out, "09_topic.latencies on " + device->name));
  CHECK(has(e.out, "One exchange"));
  CHECK(has(e.out, "cycles"));
  CHECK(has(e.out, device->time_kind()));
}

TEST_CASE("the rows of a table stand in columns, names to the left, numbers to the right") {
  const Ended e = run(info(), {}, [](Experiment& x) {
    x.add(sample());
    return true;
  });
  INFO(e.out);
  CHECK(has(e.out,
            "  operation        32  1024\n"
            "  shuffle        24.0  32.1\n"
            "  a longer name  1932     -\n"));
}

TEST_CASE("--json writes the tables, null where there is no number") {
  char path[] = "/tmp/warpladder_experiment_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  const Ended e = run(info(), {"--json", path}, [](Experiment& x) {
    x.add(sample());
    return true;
  });
  CHECK(e.code == 0);
  std::ifstream in(path);
  const auto j = nlohmann::json::parse(in);
  std::remove(path);
  CHECK(j["schema"] == course::kSchemaVersion);
  CHECK(j["kind"] == "experiment");
  CHECK(j["lesson"] == "09_topic");
  CHECK(j["name"] == "latencies");
  CHECK(j["backend"] == course::find_device()->backend());
  CHECK_FALSE(j["device"]["name"].get<std::string>().empty());
  const auto& table = j["tables"][0];
  CHECK(table["id"] == "exchange");
  CHECK(table["unit"] == "cycles");
  CHECK(table["columns"].size() == 3);
  CHECK(table["rows"][0] == nlohmann::json::array({"shuffle", 24.0, 32.125}));
  CHECK(table["rows"][1][2].is_null());
}

TEST_CASE("a wrong result ends with 1") {
  CHECK(run(info(), {}, [](Experiment&) { return false; }).code == 1);
}

TEST_CASE("an experiment whose CUDA call fails ends with 1 and one line") {
  const Ended e = run(info(), {}, [](Experiment&) {
    COURSE_CHECK(cudaErrorInvalidValue);
    return true;
  });
  CHECK(e.code == 1);
  CHECK(has(e.err, "cudaErrorInvalidValue"));
  CHECK(std::count(e.err.begin(), e.err.end(), '\n') == 1);
}

TEST_CASE("an option's value that the experiment refuses ends with 2 and its line") {
  const Ended e =
      run(info(), {}, [](Experiment&) -> bool { throw course::UsageError{"--n is too small"}; });
  CHECK(e.code == 2);
  CHECK(e.err == "09_topic.latencies: --n is too small\n");
}

TEST_CASE("--n and --reps arrive where they are taken") {
  const Ended e = run(info(), {"--n", "2^10", "--reps", "7"},
                      [](Experiment& x) { return x.n == 1024u && x.reps == 7; });
  CHECK(e.code == 0);
}

TEST_CASE("wrong options get one line and exit code 2") {
  check_refused(info(), {"--n", "abc"}, "2^20");
  check_refused(info(), {"--n", "-1"}, "2^20");
  check_refused(info(), {"--reps", "-1"}, "0 to 100000");
  check_refused(info(), {"--reps", "abc"}, "0 to 100000");
  check_refused(info(), {"--n", ""}, "2^20");
  check_refused(info(), {"--json", ""}, "--json");
  check_refused(info(), {"--fast"}, "--fast");
  check_refused(info(), {"word"}, "word");
  check_refused(info(), {"--json", "/no/such/folder/x.json"}, "/no/such/folder/x.json");
}

TEST_CASE("an option that is not taken is unknown") {
  ExperimentInfo plain{"09_topic", "latencies", "What does it cost?"};
  check_refused(plain, {"--n", "5"}, "--n");
  check_refused(plain, {"--reps", "5"}, "--reps");
  plain.flushes = course::Flushes::Never;
  check_refused(plain, {"--flush", "clean"}, "--flush");
  plain.flushes = course::Flushes::EachWay;
  check_refused(plain, {"--flush", "clean"}, "--flush");
  plain.flushes = course::Flushes::AsAsked;
  plain.takes_json = false;
  check_refused(plain, {"--flush", "clean"}, "--flush");
}

TEST_CASE("what a launch finds in the cache is as asked, and written down") {
  ExperimentInfo plain{"09_topic", "latencies", "What does it cost?"};
  const auto flush_of = [&](std::vector<const char*> words) {
    std::string document;
    const Ended e = run(plain, words, [&](Experiment& experiment) {
      document = experiment.to_json(plain);
      return true;
    });
    CHECK(e.code == 0);
    return nlohmann::json::parse(document).at("flush").get<std::string>();
  };
  CHECK(flush_of({}) == "clean");
  CHECK(flush_of({"--flush", "dirty"}) == "dirty");
  CHECK(flush_of({"--flush", "none"}) == "none");
  plain.flushes = course::Flushes::Never;
  CHECK(flush_of({}) == "none");
  plain.flushes = course::Flushes::EachWay;
  CHECK(flush_of({}) == "each");
  check_refused(info(), {"--flush", "wet"}, "clean, dirty and none");
}

TEST_CASE("--help says what the experiment is about") {
  const Ended e = run(info(), {"--help"}, nothing);
  CHECK(e.code == 0);
  CHECK(has(e.out, "What does it cost?"));
  CHECK(has(e.out, "--json"));
}
