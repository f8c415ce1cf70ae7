// SPDX-License-Identifier: MIT
// What a lesson program prints and writes: one table for people, one JSON document for scripts.
// Both come from the same rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/roof.cuh"
#include "common/size.hpp"
#include "common/verify.hpp"

namespace course {

inline constexpr int kSchemaVersion = 1;

struct Row {
  enum class Kind { Cpu, Rung, Library } kind = Kind::Rung;
  std::string id;
  std::string idea;
  Timing timing;
  double gbps = 0;  // bytes of the input / median time
  Verdict verdict;
  std::string skipped;  // why it did not run; empty: it did
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

inline std::string format_time(double us) {
  char text[32];
  if (us >= 1e5) {
    std::snprintf(text, sizeof text, "%.1f ms", us / 1e3);
  } else {
    std::snprintf(text, sizeof text, us >= 1000 ? "%.0f us" : "%.2f us", us);
  }
  return text;
}

// rung, time, spread, GB/s, % of the roof, x previous rung, x CPU, error / bound, verdict.
inline void print_table(const Report& r, std::FILE* out = stdout) {
  std::fprintf(out, "%s: sum of %s %s, block %d, %s on %s\n", r.lesson.c_str(),
               format_size(r.n).c_str(), r.type.c_str(), r.block, r.device.time_kind(),
               r.device.name.c_str());
  std::fprintf(out, "roof: %.0f GB/s read, %.0f GB/s copied (%s); the bus could carry %.0f\n\n",
               r.roof.read_gbps, r.roof.copy_gbps, r.device.time_kind(), r.device.bus_gbps);
  std::fprintf(out, "%-22s %12s %8s %9s %7s %8s %8s %9s %10s\n", "rung", "time", "spread", "GB/s",
               "% roof", "x prev", "x CPU", "bound", "err/bound");
  double previous = 0, cpu = 0;
  for (const auto& row : r.rows) {
    if (!row.skipped.empty()) {
      std::fprintf(out, "%-22s skipped: %s\n", row.id.c_str(), row.skipped.c_str());
      continue;
    }
    const double us = row.timing.median_us;
    if (row.kind == Row::Kind::Cpu && cpu == 0) cpu = us;
    const auto factor = [&](double other) {
      char text[16] = "-";
      if (other > 0 && us > 0) std::snprintf(text, sizeof text, "%.2f", other / us);
      return std::string(text);
    };
    std::fprintf(out, "%-22s %12s %7.1f%% %9.1f %6.1f%% %8s %8s %9.2g %10.2g %s\n", row.id.c_str(),
                 format_time(us).c_str(), 100 * row.timing.spread, row.gbps,
                 r.roof.gbps() > 0 ? 100 * row.gbps / r.roof.gbps() : 0,
                 row.kind == Row::Kind::Rung ? factor(previous).c_str() : "-", factor(cpu).c_str(),
                 row.verdict.bound, row.verdict.ratio(), row.verdict.ok ? "\u2713" : "FAIL");
    if (!row.verdict.ok) {
      std::fprintf(out, "    FAIL: expected %.10g, got %.10g, allowed error %.3g\n",
                   row.verdict.expected, row.verdict.actual, row.verdict.bound);
    }
    if (row.timing.slow_samples > 0) {
      std::fprintf(out, "    %d of %zu samples took over 1.5 times the median\n",
                   row.timing.slow_samples, row.timing.samples_us.size());
    }
    if (row.kind == Row::Kind::Rung) previous = us;
  }
  if (r.device.emulated)
    std::fprintf(out,
                 "\nThe CPU rows are measured on this machine; all other times are modelled.\n");
}

inline nlohmann::json to_json(const Report& r) {
  using nlohmann::json;
  // JSON has no NaN: what is not a number becomes null.
  const auto number = [](double v) { return std::isfinite(v) ? json(v) : json(nullptr); };
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  json rows = json::array();
  for (const auto& row : r.rows) {
    static constexpr const char* kKinds[] = {"cpu", "rung", "library"};
    json j{{"id", row.id}, {"idea", row.idea}, {"kind", kKinds[static_cast<int>(row.kind)]}};
    if (!row.skipped.empty()) {
      j["skipped"] = row.skipped;
    } else {
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
    }
    rows.push_back(std::move(j));
  }
  // Set by `./course run`: a revision compiled in would be that of the build, not of the run.
  const char* const revision = std::getenv("WARPLADDER_REVISION");
  return {{"schema", kSchemaVersion},
          {"lesson", r.lesson},
          {"type", r.type},
          {"n", r.n},
          {"seed", r.seed},
          {"block", r.block},
          {"date", date},
          {"revision", revision ? revision : "unknown"},
          {"backend", r.device.backend()},
          {"times", r.device.time_kind()},
          {"device",
           {{"name", r.device.name},
            {"sm", r.device.sm},
            {"multiprocessors", r.device.multiprocessors},
            {"l2_bytes", r.device.l2_bytes},
            {"bus_gbps", r.device.bus_gbps},
            {"driver", r.device.driver},
            {"runtime", r.device.runtime}}},
          {"roof", {{"read_gbps", r.roof.read_gbps}, {"copy_gbps", r.roof.copy_gbps}}},
          {"rows", std::move(rows)}};
}

// False if the file could not be written whole.
inline bool write_json(const nlohmann::json& document, const std::string& path) {
  std::ofstream file(path);
  file << document.dump(2) << "\n";
  file.close();
  return !file.fail();
}

}  // namespace course
