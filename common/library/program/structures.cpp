// SPDX-License-Identifier: MIT
#include "common/program/structures.cuh"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/program/experiment.cuh"
#include "common/program/program.hpp"

namespace course::structures {

namespace {

// The table of people and the tables of --json come from the same rows.
void add_row(const Rung& rung, const Result& r, double previous, double baseline, Table& rates,
             Table& checks) {
  const double rate = r.per_second();
  const auto factor = [&](double other) {
    return other > 0 && rate > 0 ? std::optional(rate / other) : std::nullopt;
  };
  const auto some = [](double v) { return v > 0 ? std::optional(v) : std::nullopt; };
  rates.rows.push_back({rung.id,
                        {some(r.operations), some(r.timing.median_us), some(rate / 1e6),
                         factor(previous), r.comparable ? factor(baseline) : std::nullopt}});
  const auto count = [](std::uint64_t v) { return static_cast<double>(v); };
  const Findings& f = r.findings;
  checks.rows.push_back({std::string(rung.id) + (rung.wrong ? " (wrong on purpose)" : ""),
                         {count(f.operations), count(f.lost), count(f.twice), count(f.invented),
                          count(f.disordered), count(f.stuck)}});
}

bool run_rungs(const Lesson& lesson, const Options& options, Experiment& experiment) {
  Table rates{"rates",
              "Operations per second, many threads at one structure",
              "",
              {"rung", "operations", "us", "million/s", "x previous", "x counter"}};
  Table checks{"checks",
               "Every operation checked",
               "",
               {"rung", "operations", "lost", "twice", "invented", "out of order", "stuck"}};
  checks.counts = true;
  const Setup setup{experiment.device, options.n, options.block, options.seed, options.reps};
  double previous = 0, baseline = 0;
  std::string family;
  bool ok = true;
  for (const Rung& rung : lesson.rungs) {
    if (!asked_for(options.rungs, rung.id)) continue;
    const Result result = rung.run(setup);
    if (rung.id == std::string(lesson.baseline)) baseline = result.per_second();
    if (family != rung.family) previous = 0;
    add_row(rung, result, previous, baseline, rates, checks);
    family = rung.family;
    if (!rung.wrong) previous = result.per_second();
    if (rung.wrong || result.findings.ok()) continue;
    ok = false;
    std::printf("FAIL %s: see below\n", rung.id);
  }
  experiment.add(std::move(rates));
  experiment.add(std::move(checks));
  return ok;
}

}  // namespace

int run_lesson(const Lesson& lesson, int argc, const char* const* argv) {
  Offered offered{{}, Counts::Operations};
  for (const auto& rung : lesson.rungs) offered.rungs.emplace_back(rung.id, rung.idea);
  Options options;
  if (const auto code = parse_options(lesson.name, lesson.question, offered, argc, argv, options))
    return *code;
  return run_program(lesson.name, options.json, [&](const Device& device) -> Worked {
    if (options.n.value_or(0) > kMostOperations)
      throw UsageError{"--n " + format_size(*options.n) +
                       " is more than the 2^32 that can be checked"};
    Experiment experiment;
    experiment.device = device;
    std::printf("%s: %s operations, block %d, %s on %s\n", lesson.name,
                options.n ? format_size(*options.n).c_str() : "as many as it takes", options.block,
                device.time_kind(), device.name.c_str());
    const bool ok = run_rungs(lesson, options, experiment);
    return {ok, experiment.to_json({lesson.name, "structures", lesson.question})};
  });
}

}  // namespace course::structures
