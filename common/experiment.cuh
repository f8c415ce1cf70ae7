// SPDX-License-Identifier: MIT
// A lesson's second kind of program: not a rung of the ladder but an experiment, build/<preset>/
// lessons/NN_topic.<name>. It measures something, prints tables and can write them as JSON.
//
//   int main(int argc, char** argv) {
//     return course::run_experiment({"04_warp_shuffle", "latencies", "What does it cost?"},
//                                   argc, argv, [](course::Experiment& e) {
//       course::Table table{"exchange", "One exchange", "cycles", {"operation", "cycles"}};
//       table.rows.push_back({"shuffle", {measure(e.device)}});
//       e.add(table);  // prints it, and keeps it for --json
//       return true;   // false: a result was wrong
//     });
//   }
//
// Exit codes: 0 all right, 1 a wrong result or a failed CUDA call, 2 wrong options, 3 no GPU and no
// emulator.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "common/options.hpp"
#include "common/report.hpp"
#include "common/workspace.cuh"

namespace course {

// columns[0] is the heading of the rows' names, the others those of the numbers. A number that does
// not exist (the device cannot do it) is empty: "-" in print, null in JSON.
struct TableRow {
  std::string name;
  std::vector<std::optional<double>> values;
};
struct Table {
  std::string id;     // "exchange": scripts and chapters find it by this
  std::string title;  // one line for people
  std::string unit;   // of all numbers, "cycles"; empty: the columns say it themselves
  std::vector<std::string> columns;
  std::vector<TableRow> rows = {};
  bool counts = false;  // its numbers are whole: "1000", not "1000.0"
};

struct ExperimentInfo {
  const char* lesson;  // "04_warp_shuffle"
  const char* name;    // "latencies"
  const char* about;   // what --help says first
  // Options besides --help. One that a program does not take is refused like any unknown one.
  bool takes_n = false, takes_reps = false, takes_json = true;
};

class Experiment {
 public:
  Device device;
  std::optional<std::uint64_t> n;  // --n
  int reps = 0;                    // --reps; 0: the program chooses

  // Prints the table, with whether its times are measured or modelled, and keeps it for --json.
  void add(Table table) {
    print(table);
    tables_.push_back(std::move(table));
  }
  nlohmann::json to_json(const ExperimentInfo& info) const;

 private:
  void print(const Table& table) const;
  std::vector<Table> tables_;
};

// "24.0", "1932", "0.330": four digits say enough.
inline std::string format_cell(const std::optional<double>& value, bool count = false) {
  if (!value || !std::isfinite(*value)) return "-";
  const double size = std::abs(*value);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f",
                count || size >= 1000 ? 0
                : size >= 10          ? 1
                : size >= 1           ? 2
                                      : 3,
                *value);
  return text;
}

inline void Experiment::print(const Table& table) const {
  std::vector<std::size_t> width;
  for (const auto& column : table.columns) width.push_back(column.size());
  for (const auto& row : table.rows) {
    width[0] = std::max(width[0], row.name.size());
    for (std::size_t i = 0; i < row.values.size(); ++i)
      width[i + 1] = std::max(width[i + 1], format_cell(row.values[i], table.counts).size());
  }
  std::printf("\n%s [%s%s%s]\n", table.title.c_str(), table.unit.c_str(),
              table.unit.empty() ? "" : ", ", device.time_kind());
  std::printf("  %-*s", static_cast<int>(width[0]), table.columns[0].c_str());
  for (std::size_t i = 1; i < width.size(); ++i)
    std::printf("  %*s", static_cast<int>(width[i]), table.columns[i].c_str());
  for (const auto& row : table.rows) {
    std::printf("\n  %-*s", static_cast<int>(width[0]), row.name.c_str());
    for (std::size_t i = 0; i < row.values.size(); ++i)
      std::printf("  %*s", static_cast<int>(width[i + 1]),
                  format_cell(row.values[i], table.counts).c_str());
  }
  std::printf("\n");
}

inline nlohmann::json Experiment::to_json(const ExperimentInfo& info) const {
  using nlohmann::json;
  json tables = json::array();
  for (const auto& table : tables_) {
    json rows = json::array();
    for (const auto& row : table.rows) {
      json cells = json::array({row.name});
      for (const auto& v : row.values)
        cells.push_back(v && std::isfinite(*v) ? json(*v) : json(nullptr));
      rows.push_back(std::move(cells));
    }
    tables.push_back({{"id", table.id},
                      {"title", table.title},
                      {"unit", table.unit},
                      {"columns", table.columns},
                      {"rows", std::move(rows)}});
  }
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  const char* const revision = std::getenv("WARPLADDER_REVISION");  // set by `./course run`
  return {{"schema", kSchemaVersion},
          {"kind", "experiment"},
          {"lesson", info.lesson},
          {"name", info.name},
          {"date", date},
          {"revision", revision ? revision : "unknown"},
          {"backend", device.backend()},
          {"times", device.time_kind()},
          {"device",
           {{"name", device.name},
            {"sm", device.sm},
            {"multiprocessors", device.multiprocessors},
            {"l2_bytes", device.l2_bytes},
            {"bus_gbps", device.bus_gbps},
            {"driver", device.driver},
            {"runtime", device.runtime}}},
          {"tables", std::move(tables)}};
}

// The whole program around `body(Experiment&) -> bool`. The body throws UsageError where an option
// has a value that it cannot work with.
template <class Body>
int run_experiment(const ExperimentInfo& info, int argc, const char* const* argv, Body&& body) {
  const std::string program = std::string(info.lesson) + "." + info.name;
  const auto fail = [&](const std::string& message, int code) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), message.c_str());
    return code;
  };
  Experiment experiment;
  std::string n_text, json_path, reps = "0";
  CLI::App app(info.about, program);
  if (info.takes_n) app.add_option("--n", n_text, "elements: 1000000, 1e6, 2^20 or 16Mi");
  if (info.takes_reps) app.add_option("--reps", reps, "samples per measurement");
  if (info.takes_json) app.add_option("--json", json_path, "write the tables to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(std::string(error.what()) + "; see --help", 2);
  }
  if (info.takes_n && app.count("--n") > 0 && !(experiment.n = parse_size(n_text)))
    return fail("--n " + n_text + " is not a size; write 1000000, 1e6, 2^20 or 16Mi, at most 2^40",
                2);
  experiment.reps = parse_whole<int>(reps).value_or(-1);
  if (experiment.reps < 0 || experiment.reps > 100000)
    return fail("--reps " + reps + " is not a number of samples from 0 to 100000", 2);
  if (info.takes_json && app.count("--json") > 0 && json_path.empty())
    return fail("--json needs a file name", 2);
  try {
    const auto device = find_device();
    if (!device) return fail(kNoDevice, 3);
    experiment.device = *device;
    // Tried before the work, not after it.
    if (!json_path.empty() && !std::ofstream(json_path))
      return fail("cannot write " + json_path, 2);
    std::printf("%s on %s\n", program.c_str(), device->name.c_str());
    const bool ok = body(experiment);
    if (!json_path.empty() && !write_json(experiment.to_json(info), json_path))
      return fail("cannot write " + json_path, 2);
    return ok ? 0 : 1;
  } catch (const UsageError& error) {
    return fail(error.message, 2);
  } catch (const TooLarge& error) {  // from check_fits
    return fail(error.what(), 2);
  } catch (const CudaError& error) {
    return fail(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for that many elements", 2);
  }
}

}  // namespace course
