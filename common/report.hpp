// SPDX-License-Identifier: MIT
// What a lesson program prints and writes: one table for people, one JSON document for scripts.
// Both come from the same rows.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/roof.cuh"
#include "common/timing.cuh"
#include "common/verify.hpp"

namespace course {

struct Row {
  enum class Kind { Cpu, Rung, Library } kind = Kind::Rung;
  std::string id;
  std::string idea;
  Timing timing = {};
  double gbps = 0;  // bytes of the input / median time
  Verdict verdict = {};
  std::string skipped = {};  // why it did not run; empty: it did
};

struct Report {
  std::string lesson, type;  // "f32" or "i32"
  std::uint64_t n = 0, seed = 0;
  int block = 0;
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

// rung, time, spread, GB/s, % of the roof, x previous rung, x CPU, error / bound, verdict.
void print_table(const Report& r, std::FILE* out = stdout);

// The document as text.
std::string to_json(const Report& r);

// The CPU rows of a document that another lesson wrote: the loop and the input are the same, so one
// careful measurement serves all lessons. Throws UsageError where the file is none of ours, or is
// about another n, type or seed than `r`.
std::vector<Row> cpu_rows_of(const std::string& path, const Report& r);

}  // namespace course
