// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "common/parallel.hpp"
#include "common/program/program.hpp"
#include "common/program/report.hpp"
#include "common/roof.cuh"
#include "common/timing.cuh"

namespace course::families {

namespace {

struct Part {
  std::size_t first, n;
};
constexpr std::size_t kFew = 33;

void add_row(Report& report, double bytes, Row row, Finding finding = {}) {
  if (row.skipped.empty()) {
    row.gbps = row.timing.median_us > 0 ? bytes / row.timing.median_us / 1e3 : 0;
    row.verdict = finding.verdict;
    row.where = std::move(finding.where);
  }
  report.rows.push_back(std::move(row));
}

void add_cpu_rows(Problem& problem, int reps, Report& report) {
  const unsigned all = cpu_threads();
  const auto add = [&](std::string id, const char* idea, unsigned threads) {
    Row row{Row::Kind::Cpu, std::move(id), idea};
    row.timing = time_cpu([&] { problem.solve_on_cpu(threads); }, reps);
    add_row(report, problem.bytes(), std::move(row), problem.judge_cpu());
  };
  add("cpu_1_thread", "one CPU core, one loop", 1);
  add("cpu_" + std::to_string(all) + "_threads", "all CPU cores", all);
}

std::string reason_to_skip(Bench& bench, const RungInfo& info, std::size_t rung, int sm) {
  if (sm < info.least_sm)
    return "it needs compute capability " + std::to_string(info.least_sm / 10) + "." +
           std::to_string(info.least_sm % 10);
  return bench.refuses(rung);
}

Row measured_rung(Bench& bench, const RungInfo& info, std::size_t rung, const Report& report,
                  int reps, Stopwatch& watch, Finding& finding) {
  Row row{Row::Kind::Rung, info.id, info.idea};
  row.skipped = reason_to_skip(bench, info, rung, report.device.sm);
  if (!row.skipped.empty()) return row;
  finding = verify(bench, info, rung, report.n);
  if (!finding.verdict.ok) return row;
  bench.problem().poison();
  row.timing = watch.measure([&] { bench.launch(rung); }, reps);
  finding = bench.problem().judge(info.any_order);
  return row;
}

void add_library_row(const Family& family, Bench& bench, int reps, Stopwatch& watch,
                     Report& report) {
  Row row{Row::Kind::Library, family.library_id(), family.library_name()};
  row.skipped = bench.no_library();
  if (!row.skipped.empty()) return add_row(report, 0, std::move(row));
  CubCall library = bench.library();
  bench.problem().poison();
  row.timing = watch.measure(library, reps);
  add_row(report, bench.problem().bytes(), std::move(row), bench.problem().judge(false));
}

// Of all words those that this family knows.
Chosen own_choices(const Family& family, const Chosen& chosen) {
  Chosen own;
  for (const Choice& choice : family.choices)
    own.emplace_back(choice.name, value_of(chosen, choice.name));
  return own;
}

void fill_rows(const Family& family, const Options& options, Stopwatch& watch, Report& report) {
  const auto bench =
      family.prepare({report.device, report.n, report.block, report.seed, report.chosen});
  add_cpu_rows(bench->problem(), options.reps, report);
  const auto rungs = family.rungs();
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (!asked_for(options.rungs, rungs[i].id)) continue;
    Finding finding;
    Row row = measured_rung(*bench, rungs[i], i, report, options.reps, watch, finding);
    add_row(report, bench->problem().bytes(), std::move(row), std::move(finding));
  }
  if (family.library_name() != nullptr)
    add_library_row(family, *bench, options.reps, watch, report);
}

// Those asked for: by name, or because one of their rungs was.
std::vector<const Family*> chosen_families(const Lesson& lesson, const Options& options) {
  std::vector<const Family*> chosen;
  for (const Family* const family : lesson.families) {
    const auto rungs = family->rungs();
    const bool rung = std::any_of(rungs.begin(), rungs.end(), [&](const RungInfo& info) {
      return asked_for(options.rungs, info.id);
    });
    if (rung && asked_for(options.families, family->id)) chosen.push_back(family);
  }
  if (chosen.empty()) throw UsageError{"no --rung asked for is of a --family asked for"};
  return chosen;
}

Offered offered_by(const Lesson& lesson) {
  Offered offered{{}, Counts::Families};
  for (const Family* const family : lesson.families) {
    offered.families.emplace_back(family->id);
    for (const RungInfo& info : family->rungs()) offered.rungs.emplace_back(info.id, info.idea);
    offered.choices.insert(offered.choices.end(), family->choices.begin(), family->choices.end());
  }
  return offered;
}

}  // namespace

Finding verify(Bench& bench, const RungInfo& info, std::size_t rung, std::size_t n) {
  Finding finding;
  for (const auto [first, count] : {Part{1, n}, Part{0, std::min(n, kFew)}, Part{0, n}}) {
    bench.problem().take(first, count);
    bench.problem().poison();
    bench.launch(rung);
    COURSE_CHECK(cudaGetLastError());
    finding = bench.problem().judge(info.any_order);
    if (!finding.verdict.ok) break;
  }
  if (!finding.verdict.ok) bench.problem().take(0, n);
  return finding;
}

int run_lesson(const Lesson& lesson, int argc, const char* const* argv) {
  Options options;
  if (const auto code =
          parse_options(lesson.name, lesson.question, offered_by(lesson), argc, argv, options))
    return *code;
  return run_program(lesson.name, options.json, [&](const Device& device) -> Worked {
    Stopwatch watch(device, options.flush);
    const auto chosen = chosen_families(lesson, options);
    std::vector<Report> reports;
    bool ok = true;
    for (const Family* const family : chosen) {
      Report report;
      report.lesson = lesson.name;
      report.family = family->id;
      report.about = family->about;
      report.chosen = own_choices(*family, options.chosen);
      report.n = options.n.value_or(device.small ? lesson.emulated_n : lesson.default_n);
      report.seed = options.seed;
      report.block = options.block;
      report.device = device;
      report.flush = options.flush;
      report.roof = reports.empty() ? measure_roof(device, watch) : reports[0].roof;
      fill_rows(*family, options, watch, report);
      print_table(report);
      ok = ok && report.ok();
      std::printf("\n");
      reports.push_back(std::move(report));
    }
    return {ok, to_json(reports)};
  });
}

}  // namespace course::families
