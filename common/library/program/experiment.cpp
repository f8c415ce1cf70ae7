// SPDX-License-Identifier: MIT
#include "common/program/experiment.cuh"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/program/program.hpp"

namespace course {

std::string format_cell(const std::optional<double>& value, bool count) {
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

void Experiment::print(const Table& table) const {
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

void Experiment::add(Table table) {
  print(table);
  tables_.push_back(std::move(table));
}

int run_experiment(const ExperimentInfo& info, int argc, const char* const* argv,
                   FunctionRef<bool(Experiment&)> body) {
  const std::string program = std::string(info.lesson) + "." + info.name;
  Options options;
  const bool asks = info.flushes == Flushes::AsAsked && info.takes_json;
  const Taken taken{info.takes_n,
                    info.takes_reps,
                    info.takes_json,
                    asks,
                    {info.choices.begin(), info.choices.end()}};
  if (const auto code = parse_few_options(program, info.about, taken, argc, argv, options))
    return *code;
  return run_program(program, options.json, [&](const Device& device) -> Worked {
    Experiment experiment;
    experiment.device = device;
    experiment.n = options.n;
    experiment.reps = options.reps;
    experiment.chosen = options.chosen;
    if (asks) experiment.flush = options.flush;
    std::printf("%s on %s\n", program.c_str(), device.name.c_str());
    const bool ok = body(experiment);
    return {ok, experiment.to_json(info)};
  });
}

}  // namespace course
