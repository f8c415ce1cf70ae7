// SPDX-License-Identifier: MIT
// A lesson's second kind of program: not a rung of the ladder but an experiment, build/<preset>/
// lessons/NN_topic.<name>. It measures something, prints tables and can write them as JSON.
//
//   int main(int argc, char** argv) {
//     return course::run_experiment({"04_warp_shuffle", "latencies", "What does it cost?"},
//                                   argc, argv, [](course::Experiment& e) {
//       course::Table table{"exchange", "One exchange", "cycles", {"operation", "cycles"}};
//       course::Stopwatch watch(e.device, e.flush);
//       table.rows.push_back({"shuffle", {measure(watch)}});
//       e.add(table);  // prints it, and keeps it for --json
//       return true;   // false: a result was wrong
//     });
//   }
//
// Exit codes: 0 all right, 1 a wrong result or a failed CUDA call, 2 wrong options, 3 no GPU and no
// emulator.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/fits.hpp"
#include "common/function_ref.hpp"
#include "common/program/options.hpp"
#include "common/size.hpp"

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

// Whether a program prepares the L2 cache before what it times: as --flush says, which it hands to its
// Stopwatch; not at all; or in every way there is, side by side.
enum class Flushes { AsAsked, Never, EachWay };

struct ExperimentInfo {
  const char* lesson;  // "04_warp_shuffle"
  const char* name;    // "latencies"
  const char* about;   // what --help says first
  // Options besides --help. One that a program does not take is refused like any unknown one.
  bool takes_n = false, takes_reps = false, takes_json = true;
  Flushes flushes = Flushes::AsAsked;
  std::span<const Choice> choices = {};  // options of its own
};

class Experiment {
 public:
  Device device;
  std::optional<std::uint64_t> n;  // --n
  int reps = 0;                    // --reps; 0: the program chooses
  Flush flush = Flush::None;       // --flush: for the Stopwatch
  Chosen chosen;                   // a value for each of its own options

  // Prints the table, with whether its times are measured or modelled, and keeps it for --json.
  void add(Table table);
  // The document of --json, as text.
  std::string to_json(const ExperimentInfo& info) const;

 private:
  void print(const Table& table) const;
  std::vector<Table> tables_;
};

// "24.0", "1932", "0.330": four digits say enough.
std::string format_cell(const std::optional<double>& value, bool count = false);

// The whole program around the body, which returns whether all was right. It throws UsageError where
// an option has a value that it cannot work with.
int run_experiment(const ExperimentInfo& info, int argc, const char* const* argv,
                   FunctionRef<bool(Experiment&)> body);

}  // namespace course
