// SPDX-License-Identifier: MIT
// The program of a lesson that builds data structures instead of summing an array. Its rungs are
// structures: each checks that nothing is lost, nothing comes out twice, nothing is invented and
// the order is kept, and is then timed. A rung that is wrong on purpose is counted, not judged.
//
// Exit codes: 0 all right, 1 a wrong result or a failed CUDA call, 2 wrong options, 3 no GPU and no
// emulator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/experiment.cuh"
#include "common/options.hpp"
#include "common/timing.cuh"

namespace course::structures {

// What a check of some operations found. `stuck`: operations that gave up waiting.
struct Findings {
  std::uint64_t operations = 0, lost = 0, twice = 0, invented = 0, disordered = 0, stuck = 0;

  bool ok() const { return lost + twice + invented + disordered + stuck == 0; }
  Findings& operator+=(const Findings& other) {
    operations += other.operations;
    lost += other.lost;
    twice += other.twice;
    invented += other.invented;
    disordered += other.disordered;
    stuck += other.stuck;
    return *this;
  }
};

// Each operation has a value of 32 bits of its own, so that none is taken for another.
inline constexpr std::uint64_t kMostOperations = std::uint64_t{1} << 32;

// What a rung is run with.
struct Setup {
  const Device& device;
  std::optional<std::uint64_t> n;  // operations of the timed launch; none: what suits the device
  int block = 256;
  std::uint64_t seed = 1;
  int reps = 0;
};

struct Result {
  Findings findings;      // of every check, the timed launch's own among them
  double operations = 0;  // of the timed launch
  Timing timing;
  bool comparable = true;  // its operations are of the same kind as those of the baseline
  double per_second() const {
    return timing.median_us > 0 ? operations / timing.median_us * 1e6 : 0;
  }
};

struct Rung {
  const char* id;
  const char* idea;    // what changed since the rung before
  const char* family;  // "stack": rungs of one family are compared with the one before
  Result (*run)(const Setup&);
  bool wrong = false;  // on purpose: what it loses is shown and does not fail the program
};

struct Lesson {
  const char* name;      // "06_lock_free"
  const char* question;  // what it answers
  const char* baseline;  // the rung that all are compared with
  std::span<const Rung> rungs;
};

namespace detail {

// The table of people and the tables of --json come from the same rows.
inline void add_row(const Rung& rung, const Result& r, double previous, double baseline,
                    Table& rates, Table& checks) {
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

inline bool run_rungs(const Lesson& lesson, const Options& options, Experiment& experiment) {
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
    const auto& wanted = options.rungs;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), rung.id) == wanted.end())
      continue;
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

}  // namespace detail

inline int run_lesson(const Lesson& lesson, int argc, const char* const* argv) {
  std::vector<std::string> ids;
  for (const auto& rung : lesson.rungs) ids.emplace_back(rung.id);
  Options options;
  if (const auto code =
          parse_options(lesson.name, lesson.question, ids, argc, argv, options, Counts::Operations))
    return *code;
  if (options.list) {
    for (const auto& rung : lesson.rungs) std::printf("%-20s %s\n", rung.id, rung.idea);
    return 0;
  }
  const auto end = [&](const std::string& message, int code) {
    std::fprintf(stderr, "%s: %s\n", lesson.name, message.c_str());
    return code;
  };
  if (options.n.value_or(0) > kMostOperations)
    return end("--n " + format_size(*options.n) + " is more than the 2^32 that can be checked", 2);
  try {
    const auto device = find_device();
    if (!device) return end(kNoDevice, 3);
    if (!options.json.empty() && !std::ofstream(options.json))
      return end("cannot write " + options.json, 2);
    Experiment experiment;
    experiment.device = *device;
    std::printf("%s: %s operations, block %d, %s on %s\n", lesson.name,
                options.n ? format_size(*options.n).c_str() : "as many as it takes", options.block,
                device->time_kind(), device->name.c_str());
    const bool ok = detail::run_rungs(lesson, options, experiment);
    const ExperimentInfo info{lesson.name, "structures", lesson.question};
    if (!options.json.empty() && !write_json(experiment.to_json(info), options.json))
      return end("cannot write " + options.json, 2);
    return ok ? 0 : 1;
  } catch (const TooLarge& error) {
    return end(error.what(), 2);
  } catch (const CudaError& error) {
    return end(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return end("not enough memory for that many operations", 2);
  }
}

}  // namespace course::structures
