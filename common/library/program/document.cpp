// SPDX-License-Identifier: MIT
#include "common/program/document.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/program/experiment.cuh"
#include "common/program/options.hpp"
#include "common/program/report.hpp"
#include "common/size.hpp"

namespace course {

namespace {

using nlohmann::json;

// JSON has no NaN: what is not a number becomes null.
json number(double v) { return std::isfinite(v) ? json(v) : json(nullptr); }

// What all documents begin with.
json head_of(const std::string& lesson, const Device& device, const std::string& flush) {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  // Set by `./course run`: a revision compiled in would be that of the build, not of the run.
  const char* const revision = std::getenv("WARPLADDER_REVISION");
  return {{"schema", kSchemaVersion},
          {"lesson", lesson},
          {"date", date},
          {"revision", revision ? revision : "unknown"},
          {"backend", device.backend()},
          {"times", device.time_kind()},
          {"flush", flush},
          {"device",
           {{"name", device.name},
            {"sm", device.sm},
            {"multiprocessors", device.multiprocessors},
            {"l2_bytes", device.l2_bytes},
            {"bus_gbps", device.bus_gbps},
            {"driver", device.driver},
            {"runtime", device.runtime}}}};
}

constexpr const char* kKinds[] = {"cpu", "rung", "library"};

json row_of(const Row& row) {
  json j{{"id", row.id}, {"idea", row.idea}, {"kind", kKinds[static_cast<int>(row.kind)]}};
  if (!row.skipped.empty()) {
    j["skipped"] = row.skipped;
    return j;
  }
  j["samples_us"] = row.timing.samples_us;
  j["median_us"] = row.timing.median_us;
  j["spread"] = row.timing.spread;
  j["slow_samples"] = row.timing.slow_samples;
  j["gbps"] = row.gbps;
  j["ok"] = row.verdict.ok;
  j["expected"] = number(row.verdict.expected);
  j["actual"] = number(row.verdict.actual);
  j["error"] = number(row.verdict.error);
  j["bound"] = number(row.verdict.bound);
  if (!row.where.empty()) j["where"] = row.where;
  return j;
}

json rows_of(const Report& r) {
  json rows = json::array();
  for (const auto& row : r.rows) rows.push_back(row_of(row));
  return rows;
}

json roof_of(const Roof& roof) {
  return {{"read_gbps", roof.read_gbps}, {"copy_gbps", roof.copy_gbps}};
}

// A CPU row as it was written. What is null in the file is no number.
Row cpu_row_of(const json& j) {
  const auto value = [&](const char* key) {
    return j.at(key).is_null() ? std::nan("") : j.at(key).get<double>();
  };
  Row row{Row::Kind::Cpu, j.at("id"), j.at("idea")};
  row.timing = summarise(j.at("samples_us").get<std::vector<double>>());
  row.gbps = value("gbps");
  row.verdict = {j.at("ok"), value("expected"), value("actual"), value("error"), value("bound")};
  return row;
}

std::string text_of(const json& document) { return document.dump(2) + "\n"; }

}  // namespace

bool can_write(const std::string& path) {
  return static_cast<bool>(std::ofstream(path, std::ios::app));
}

bool write_document(const std::string& text, const std::string& path) {
  std::ofstream file(path);
  file << text;
  file.close();
  return !file.fail();
}

std::string to_json(const Report& r) {
  json document = head_of(r.lesson, r.device, word_of(r.flush));
  document["type"] = r.type;
  document["n"] = r.n;
  document["seed"] = r.seed;
  document["block"] = r.block;
  document["roof"] = roof_of(r.roof);
  document["rows"] = rows_of(r);
  return text_of(document);
}

std::string to_json(const std::vector<Report>& families) {
  const Report& first = families.at(0);
  json document = head_of(first.lesson, first.device, word_of(first.flush));
  document["kind"] = "families";
  document["seed"] = first.seed;
  document["block"] = first.block;
  document["roof"] = roof_of(first.roof);
  json& list = document["families"] = json::array();
  for (const Report& r : families) {
    json chosen = json::object();
    for (const auto& [name, value] : r.chosen) chosen[name] = value;
    list.push_back({{"family", r.family},
                    {"about", r.about},
                    {"n", r.n},
                    {"chosen", std::move(chosen)},
                    {"rows", rows_of(r)}});
  }
  return text_of(document);
}

std::vector<Row> cpu_rows_of(const std::string& path, const Report& r) {
  const auto refuse = [&](const std::string& what) -> UsageError {
    return {"--cpu-from " + path + what};
  };
  std::ifstream file(path);
  if (!file) throw refuse(" cannot be read");
  try {
    const json document = json::parse(file);
    if (document.at("n") != r.n || document.at("type") != r.type || document.at("seed") != r.seed)
      throw refuse(" is about another n, type or seed");
    std::vector<Row> rows;
    for (const json& j : document.at("rows"))
      if (j.at("kind") == kKinds[0]) rows.push_back(cpu_row_of(j));
    if (rows.empty()) throw refuse(" has no CPU rows");
    return rows;
  } catch (const json::exception&) {
    throw refuse(" is no document of a lesson that sums");
  }
}

std::string Experiment::to_json(const ExperimentInfo& info) const {
  const bool each = info.flushes == Flushes::EachWay;
  json document = head_of(info.lesson, device, each ? "each" : word_of(flush));
  document["kind"] = "experiment";
  document["name"] = info.name;
  json& tables = document["tables"] = json::array();
  for (const auto& table : tables_) {
    json rows = json::array();
    for (const auto& row : table.rows) {
      json cells = json::array({row.name});
      for (const auto& v : row.values) cells.push_back(v ? number(*v) : json(nullptr));
      rows.push_back(std::move(cells));
    }
    tables.push_back({{"id", table.id},
                      {"title", table.title},
                      {"unit", table.unit},
                      {"columns", table.columns},
                      {"rows", std::move(rows)}});
  }
  return text_of(document);
}

}  // namespace course
