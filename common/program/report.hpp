// SPDX-License-Identifier: MIT
// What a lesson program prints and writes: one table for people, one JSON document for scripts.
// Both come from the same rows.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/program/options.hpp"
#include "common/program/verify.hpp"
#include "common/roof.cuh"
#include "common/timing.cuh"

namespace course {

struct Row {
  enum class Kind { Cpu, Rung, Library } kind = Kind::Rung;
  std::string id;
  std::string idea;
  Timing timing = {};
  double gbps = 0;  // bytes that must move / median time
  Verdict verdict = {};
  std::string skipped = {};  // why it did not run; empty: it did
  std::string where = {};    // what is wrong first, of an array or a table: "bin 17"
};

struct Report {
  std::string lesson, type;             // "f32" or "i32"
  std::string family = {}, about = {};  // of a lesson of families: what is computed, and from what
  Chosen chosen = {};
  std::uint64_t n = 0, seed = 0;
  int block = 0;
  Flush flush = Flush::Clean;
  Device device;
  Roof roof;
  std::vector<Row> rows;

  bool ok() const {
    for (const auto& row : rows)
      if (row.skipped.empty() && !row.verdict.ok) return false;
    return true;
  }
};

// "12.34 us", "1234 us", "123.4 ms".
std::string format_time(double us);

// rung, time, spread, GB/s, % of the roof, x previous rung, x CPU, error / bound of a sum, verdict.
void print_table(const Report& r, std::FILE* out = stdout);

// The document as text: of a sum, and of families, one or more.
std::string to_json(const Report& r);
std::string to_json(const std::vector<Report>& families);

// The CPU rows of a document that another lesson wrote: the loop and the input are the same, so one
// careful measurement serves all lessons. Throws UsageError where the file is none of ours, or is
// about another n, type or seed than `r`.
std::vector<Row> cpu_rows_of(const std::string& path, const Report& r);

}  // namespace course
