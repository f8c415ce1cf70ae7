// SPDX-License-Identifier: MIT
// Writes launches as JSON. Numbers are made of integers, so no locale can spoil them.
#include "annotate/counters_json.hpp"

#include "machine/json_file.hpp"

namespace emu::observe {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& d) {
  return "[" + std::to_string(d[0]) + ", " + std::to_string(d[1]) + ", " + std::to_string(d[2]) +
         "]";
}

void add_member(std::string& out, std::string_view name, const std::string& value) {
  if (!out.ends_with('{')) out += ", ";
  out += quoted(name) + ": " + value;
}

void add_member(std::string& out, std::string_view name, std::uint64_t value) {
  add_member(out, name, std::to_string(value));
}

// 4307 hundredths are 43.07, with two decimals as in Nsight Compute.
std::string with_decimals(std::uint64_t hundredths) {
  const std::uint64_t rest = hundredths % kHundredths;
  return std::to_string(hundredths / kHundredths) + (rest < 10 ? ".0" : ".") + std::to_string(rest);
}

std::string counts_object(const Counts& counts, bool zeros) {
  std::string out = "{";
  const auto table = counter_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint64_t value = counts[static_cast<Counter>(i)];
    if (value || zeros) add_member(out, table[i].name, value);
  }
  return out + "}";
}

std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(value + 0.5); }

// What each limit would take alone, and which one decides.
std::string model_object(const Modelled& m) {
  std::string out = "{";
  add_member(out, "modelled_ns", rounded(m.ns));
  out += ", \"limited_by\": " + quoted(id_of(m.limit));
  add_member(out, "percent", rounded(100 * m.share));
  out += ", \"alone_ns\": {";
  for (std::size_t i = 0; i < kLimits; ++i)
    add_member(out, id_of(static_cast<Limit>(i)), rounded(m.alone[i]));
  out += "}, \"because\": " + quoted(m.because) + ", \"what_if\": [";
  for (std::size_t i = 0; i < m.what_if.size(); ++i) {
    const WhatIf& w = m.what_if[i];
    out += std::string(i ? ", " : "") + "{\"without\": " + quoted(w.without);
    add_member(out, "modelled_ns", rounded(w.ns));
    if (w.line) {
      out += ", \"file\": " + quoted(w.file);
      add_member(out, "line", w.line);
    }
    out += "}";
  }
  return out + "]}";
}

}  // namespace

std::string to_json(const LaunchCounts& launch, const Modelled* modelled) {
  std::string out =
      "    {\"kernel\": " + quoted(launch.kernel) + ", \"mangled\": " + quoted(launch.mangled) +
      ",\n     \"grid\": " + triple(launch.grid) + ", \"block\": " + triple(launch.block) +
      ", \"cluster\": " + triple(launch.cluster) +
      ", \"failed\": " + (launch.failed ? "true" : "false") + ",\n     \"launch\": {";
  const auto table = launch_counter_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint64_t value = launch.figures[static_cast<LaunchCounter>(i)];
    add_member(out, table[i].name,
               table[i].unit == kPercent ? with_decimals(value) : std::to_string(value));
  }
  out += "}";
  if (modelled) out += ",\n     \"model\": " + model_object(*modelled);
  out += ",\n     \"counters\": " + counts_object(launch.counts, true) + ",\n     \"lines\": [";
  for (std::size_t i = 0; i < launch.lines.size(); ++i) {
    const LineCounts& line = launch.lines[i];
    out += i ? ",\n      " : "\n      ";
    out += "{\"file\": " + quoted(line.file) + ", \"line\": " + std::to_string(line.line) +
           ", \"counters\": " + counts_object(line.counts, false) + "}";
  }
  return out + "]}";
}

}  // namespace emu::observe
