// SPDX-License-Identifier: MIT
#include "common/program/report.hpp"

#include "common/size.hpp"

namespace course {

std::string format_time(double us) {
  char text[32];
  if (us >= 1e5) {
    std::snprintf(text, sizeof text, "%.1f ms", us / 1e3);
  } else {
    std::snprintf(text, sizeof text, us >= 1000 ? "%.0f us" : "%.2f us", us);
  }
  return text;
}

namespace {

// "sum of 2^20 f32", "histogram of 2^20 elements, bins 256, input uniform".
std::string subject_of(const Report& r) {
  if (r.family.empty()) return "sum of " + format_size(r.n) + " " + r.type;
  std::string text = r.about + ", n " + format_size(r.n);
  for (const auto& [name, value] : r.chosen) text += ", " + name + " " + value;
  return text;
}

// A sum may be off by its error bound; everything else is right or wrong.
void print_verdict(const Row& row, bool sum, std::FILE* out) {
  const Verdict& v = row.verdict;
  if (sum) std::fprintf(out, " %9.2g %10.2g", v.bound, v.ratio());
  std::fprintf(out, " %s\n", v.ok ? "\u2713" : "FAIL");
  if (v.ok) return;
  if (sum) {
    std::fprintf(out, "    FAIL: expected %.10g, got %.10g, allowed error %.3g\n", v.expected,
                 v.actual, v.bound);
  } else if (v.expected == v.actual) {  // it did not come to comparing
    std::fprintf(out, "    FAIL: %s\n", row.where.c_str());
  } else {
    std::fprintf(out, "    FAIL: %s: expected %.10g, got %.10g\n", row.where.c_str(), v.expected,
                 v.actual);
  }
}

}  // namespace

void print_table(const Report& r, std::FILE* out) {
  const bool sum = r.family.empty();
  std::fprintf(out, "%s: %s, block %d, %s on %s\n", r.lesson.c_str(), subject_of(r).c_str(),
               r.block, r.device.time_kind(), r.device.name.c_str());
  if (r.flush != Flush::Clean)
    std::fprintf(out, "the L2 cache before each sample: %s\n",
                 r.flush == Flush::Dirty ? "dirty" : "as the launch before left it");
  std::fprintf(out, "roof: %.0f GB/s read, %.0f GB/s copied (%s); the bus could carry %.0f\n\n",
               r.roof.read_gbps, r.roof.copy_gbps, r.device.time_kind(), r.device.bus_gbps);
  std::fprintf(out, "%-22s %12s %8s %9s %7s %8s %8s", "rung", "time", "spread", "GB/s", "% roof",
               "x prev", "x CPU");
  if (sum) std::fprintf(out, " %9s %10s", "bound", "err/bound");
  std::fprintf(out, "\n");
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
    std::fprintf(out, "%-22s %12s %7.1f%% %9.1f %6.1f%% %8s %8s", row.id.c_str(),
                 format_time(us).c_str(), 100 * row.timing.spread, row.gbps,
                 r.roof.gbps() > 0 ? 100 * row.gbps / r.roof.gbps() : 0,
                 row.kind == Row::Kind::Rung ? factor(previous).c_str() : "-", factor(cpu).c_str());
    print_verdict(row, sum, out);
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

}  // namespace course
