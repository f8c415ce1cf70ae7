// SPDX-License-Identifier: MIT
// The table for people and the document for scripts.
#include "common/program/report.hpp"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/program/document.hpp"
#include "common/program/options.hpp"
#include "support/captured.hpp"
#include "support/catch.hpp"

using course::Report;
using course::Row;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Row row_of(Row::Kind kind, const char* id, double us) {
  Row row{kind, id, "an idea"};
  row.timing = course::summarise({us});
  row.gbps = 1000 / us;
  row.verdict = course::judge(1.0f, 1.0, 0.5);
  return row;
}

Report sample() {
  Report r;
  r.lesson = "01_topic";
  r.type = "f32";
  r.n = 1 << 20;
  r.seed = 7;
  r.block = 256;
  r.device.name = "Some GPU";
  r.device.sm = 90;
  r.device.bus_gbps = 4000;
  r.roof.read_gbps = 2000;
  r.roof.copy_gbps = 1000;
  r.rows = {row_of(Row::Kind::Cpu, "cpu_1_thread", 100), row_of(Row::Kind::Rung, "first", 50),
            row_of(Row::Kind::Rung, "second", 10), row_of(Row::Kind::Library, "cub", 5)};
  return r;
}

std::string table_of(const Report& r) {
  return support::captured(stdout, [&] { course::print_table(r); });
}

nlohmann::json document_of(const Report& r) { return nlohmann::json::parse(course::to_json(r)); }

// The line of the table that begins with `id`.
std::string line_of(const std::string& table, const std::string& id) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(id + " ", 0) == 0) return line;
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the table says what was added up, where, and whether it was measured or modelled") {
  Report r = sample();
  CHECK(has(table_of(r), "01_topic: sum of 2^20 f32, block 256, measured on Some GPU"));
  CHECK_FALSE(has(table_of(r), "modelled"));
  r.device.emulated = true;
  CHECK(has(table_of(r), "modelled on Some GPU"));
  CHECK(has(table_of(r), "CPU rows are measured"));
}

TEST_CASE("there is one line per row, in order: CPU, rungs, library") {
  const std::string table = table_of(sample());
  std::size_t at = 0;
  for (const char* id : {"cpu_1_thread", "first", "second", "cub"}) {
    INFO(id);
    const std::size_t found = table.find(std::string("\n") + id + " ");
    REQUIRE(found != std::string::npos);
    CHECK(found > at);
    at = found;
  }
}

TEST_CASE("a rung shows its time, its share of the roof, and its factors") {
  const std::string line = line_of(table_of(sample()), "second");
  INFO(line);
  CHECK(has(line, "10.00 us"));
  CHECK(has(line, " 100.0 "));  // GB/s
  CHECK(has(line, "5.0%"));     // of 2000 GB/s
  CHECK(has(line, " 5.00 "));   // x previous rung
  CHECK(has(line, " 10.00 "));  // x CPU
}

TEST_CASE("the first rung has no previous one") {
  const std::string line = line_of(table_of(sample()), "first");
  INFO(line);
  CHECK(has(line, " - "));
  CHECK(has(line, " 2.00 "));  // x CPU
}

TEST_CASE("a wrong sum is printed as FAIL with expected, actual and allowed error") {
  Report r = sample();
  r.rows[1].verdict = course::judge(3.0f, 2.0, 0.25);
  const std::string table = table_of(r);
  INFO(table);
  CHECK(has(line_of(table, "first"), "FAIL"));
  CHECK(has(table, "FAIL: expected 2, got 3, allowed error 0.25"));
  CHECK_FALSE(has(line_of(table, "second"), "FAIL"));
  CHECK_FALSE(r.ok());
}

TEST_CASE(
    "what is wrong in a family is said in words, with numbers only where some were compared") {
  Report r = sample();
  r.family = "all_reduce";
  r.rows[1].where = "rank 0 waited in vain for rank 1";
  r.rows[1].verdict = {false};
  CHECK(has(table_of(r), "FAIL: rank 0 waited in vain for rank 1\n"));
  r.rows[1].where = "number 3 of rank 0";
  r.rows[1].verdict = {false, 2, 5};
  CHECK(has(table_of(r), "FAIL: number 3 of rank 0: expected 2, got 5\n"));
}

TEST_CASE("wrong integers are printed to the last digit") {
  Report r = sample();
  r.rows[1].verdict = course::judge(2147483646, 2147483647);
  CHECK(has(table_of(r), "expected 2147483647, got 2147483646"));
}

TEST_CASE("a skipped rung says why and does not spoil the whole") {
  Report r = sample();
  r.rows[1] = Row{Row::Kind::Rung, "first", "an idea"};
  r.rows[1].skipped = "it needs compute capability 9.0";
  CHECK(has(line_of(table_of(r), "first"), "it needs compute capability 9.0"));
  CHECK(r.ok());
}

TEST_CASE("slow samples are mentioned") {
  Report r = sample();
  r.rows[2].timing = course::summarise({10, 10, 10, 99});
  CHECK(has(table_of(r), "1 of 4 samples took over 1.5 times the median"));
}

TEST_CASE("a time of zero divides nothing") {
  Report r = sample();
  r.rows[1].timing = {};
  r.rows[1].gbps = 0;
  r.roof = {};
  const std::string table = table_of(r);
  CHECK_FALSE(has(table, "nan"));
  CHECK_FALSE(has(table, "inf"));
}

TEST_CASE("times are printed in units that suit them") {
  CHECK(course::format_time(3.1) == "3.10 us");
  CHECK(course::format_time(999) == "999.00 us");
  CHECK(course::format_time(12345) == "12345 us");
  CHECK(course::format_time(250000) == "250.0 ms");
}

TEST_CASE("the document names everything a script needs") {
  const auto j = document_of(sample());
  CHECK(j["schema"] == course::kSchemaVersion);
  CHECK(j["lesson"] == "01_topic");
  CHECK(j["type"] == "f32");
  CHECK(j["n"] == 1 << 20);
  CHECK(j["seed"] == 7);
  CHECK(j["block"] == 256);
  CHECK(j["backend"] == "gpu");
  CHECK(j["times"] == "measured");
  CHECK(j["device"]["name"] == "Some GPU");
  CHECK(j["device"]["sm"] == 90);
  for (const char* field : {"multiprocessors", "l2_bytes", "bus_gbps", "driver", "runtime"})
    CHECK(j["device"].contains(field));
  CHECK(j["roof"]["read_gbps"] == 2000);
  CHECK(j["roof"]["copy_gbps"] == 1000);
  CHECK(j["date"].get<std::string>().size() == std::string("2026-01-31T12:00:00Z").size());
}

TEST_CASE("the revision is that of the run, from the environment") {
  setenv("WARPLADDER_REVISION", "abc123", 1);
  CHECK(document_of(sample())["revision"] == "abc123");
  unsetenv("WARPLADDER_REVISION");
  CHECK(document_of(sample())["revision"] == "unknown");
}

TEST_CASE("each row of the document has its kind, samples, figures and verdict") {
  const auto j = document_of(sample());
  REQUIRE(j["rows"].size() == 4);
  CHECK(j["rows"][0]["kind"] == "cpu");
  CHECK(j["rows"][1]["kind"] == "rung");
  CHECK(j["rows"][3]["kind"] == "library");
  const auto& row = j["rows"][2];
  CHECK(row["id"] == "second");
  CHECK(row["idea"] == "an idea");
  CHECK(row["samples_us"] == std::vector<double>{10});
  CHECK(row["median_us"] == 10);
  CHECK(row["gbps"] == 100);
  CHECK(row["ok"] == true);
  for (const char* field : {"spread", "slow_samples", "expected", "actual", "error", "bound"})
    CHECK(row.contains(field));
}

TEST_CASE("a skipped row has its reason and no figures") {
  Report r = sample();
  r.rows[1].skipped = "too old";
  const auto row = document_of(r)["rows"][1];
  CHECK(row["skipped"] == "too old");
  CHECK_FALSE(row.contains("median_us"));
  CHECK_FALSE(row.contains("ok"));
}

TEST_CASE("JSON has no NaN and no infinity: they become null") {
  Report r = sample();
  r.rows[1].verdict = course::judge(std::numeric_limits<float>::infinity(), kNan, kNan);
  const auto j = document_of(r);
  for (const char* field : {"expected", "actual", "error", "bound"}) {
    INFO(field);
    CHECK(j["rows"][1][field].is_null());
  }
  CHECK_FALSE(has(j.dump(), "nan"));
  CHECK_FALSE(has(j.dump(), "inf"));
  CHECK(nlohmann::json::parse(j.dump()) == j);
}

namespace {

// The path of a file with a text in it; gone at the end.
class TextFile {
 public:
  explicit TextFile(const std::string& text) {
    const int file = mkstemp(path_);
    REQUIRE(file >= 0);
    close(file);
    CHECK(course::write_document(text, path_));
  }
  ~TextFile() { std::remove(path_); }
  std::string path() const { return path_; }

 private:
  char path_[32] = "/tmp/warpladder_report_XXXXXX";
};

void check_refused(const std::string& path, const Report& r, const char* part) {
  try {
    course::cpu_rows_of(path, r);
    FAIL("it was taken");
  } catch (const course::UsageError& error) {
    INFO(error.message);
    CHECK(has(error.message, path));
    CHECK(has(error.message, part));
    CHECK_FALSE(has(error.message, "\n"));
  }
}

}  // namespace

TEST_CASE("the CPU rows of another lesson's document are the rows it had") {
  const Report r = sample();
  const TextFile file(course::to_json(r));
  const auto rows = course::cpu_rows_of(file.path(), r);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].kind == Row::Kind::Cpu);
  CHECK(rows[0].id == "cpu_1_thread");
  CHECK(rows[0].timing.median_us == 100);
  CHECK(rows[0].gbps == 10);
  CHECK(rows[0].verdict.ok);
  CHECK(rows[0].verdict.bound == 0.5);
}

TEST_CASE(
    "CPU rows of another n, type or seed, or of no document, are refused with the file's name") {
  const Report r = sample();
  const TextFile file(course::to_json(r));
  Report other = r;
  other.n = 5;
  check_refused(file.path(), other, "another n");
  other = r;
  other.type = "i32";
  check_refused(file.path(), other, "type");
  other = r;
  other.seed = 8;
  check_refused(file.path(), other, "seed");
  check_refused("/no/such/file.json", r, "cannot be read");
  for (const char* text : {"", "[1, 2]", "{\"n\": 1048576}", "{"})
    check_refused(TextFile(text).path(), r, "no document");
  Report without = r;
  without.rows.erase(without.rows.begin());
  check_refused(TextFile(course::to_json(without)).path(), r, "no CPU rows");
}
