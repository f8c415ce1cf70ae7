// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "common/check.cuh"
#include "lock_free/search.hpp"

namespace lock_free {

namespace {

using Time = std::chrono::steady_clock;

// One run: a plan and the setting it is run in, both from the seed.
struct Run {
  std::uint64_t seed = 0;
  bool pct = false, weak = false;
};

struct Failure {
  Run run;
  std::string reason;
  std::size_t lines = 0;  // of its trace, once counted
};

class RowSearch {
 public:
  RowSearch(const Case& row, const Options& options)
      : row_(row), options_(options), runner_(row.make()) {}

  // Whether the row is as expected.
  bool all() {
    const auto start = Time::now();
    for (std::uint64_t i = 0; i < seeds() && !enough(); ++i) {
      for (const bool weak : {false, true}) {
        if (weak ? this->weak() : strong()) one({options_.first + i, pct(i), weak});
      }
      progress(i);
    }
    if (progress_shown_) std::fprintf(stderr, "\r\033[K");
    seconds_ = std::chrono::duration<double>(Time::now() - start).count();
    return report();
  }

 private:
  // What is wrong is run where it must show: a twin in weak memory, others in strong memory.
  bool wrong() const { return row_.expect != Expect::Right; }
  bool strong() const { return options_.strong && !(wrong() && row_.weak_only && options_.weak); }
  bool weak() const { return options_.weak && !(wrong() && !row_.weak_only && options_.strong); }
  bool pct(std::uint64_t i) const {
    return options_.pct && (!options_.random || (options_.first + i) % 2 == 1);
  }
  // A single failure is rare for some: where one must come, the search is more patient.
  std::uint64_t seeds() const {
    constexpr std::uint64_t kPatience = 20;
    const bool wait = row_.expect == Expect::Wrong && options_.seeds > 1 && failures_ == 0;
    return options_.seeds * (wait ? kPatience : 1);
  }
  bool enough() const { return failures_ > 0 && row_.expect == Expect::Wrong && !options_.trace; }

  Setting setting(const Run& run) const {
    Setting setting;
    if (!options_.emulated) return setting;
    setting.schedule = (run.pct ? "pct:" : "random:") + std::to_string(run.seed);
    setting.weak = run.weak;
    return setting;
  }

  // A GPU's memory is weak.
  Rules rules(const Plan& plan, const Run& run) const {
    const bool weak = run.weak || !options_.emulated;
    return {row_.shape, plan.capacity, weak ? Order::ProgramOrder : Order::RealTime, row_.pool};
  }

  // What is wrong with one run; empty: nothing.
  std::string verdict(const Run& run, const std::string& trace = "", History* history = nullptr) {
    const Plan plan = make_plan(row_.shape, run.seed);
    Setting how = setting(run);
    how.trace = trace;
    try {
      const History found = runner_->run(plan, how);
      if (history != nullptr) *history = found;
      return what_is_wrong(found, rules(plan, run));
    } catch (const course::CudaError& error) {
      restart();
      return std::string("the kernel was stopped: ") + cudaGetErrorString(error.code);
    }
  }

  void restart();

  void one(const Run& run) {
    ++runs_;
    const std::string reason = verdict(run);
    if (reason.empty()) return;
    ++failures_;
    if (!first_) first_ = Failure{run, reason};
    if (options_.trace && options_.emulated) keep_if_shorter(run, reason);
  }

  std::vector<std::string> traced(const Run& run, History* history);
  void keep_if_shorter(const Run& run, const std::string& reason);
  void progress(std::uint64_t i);
  bool report();
  void replay(const Failure& failure);

  const Case& row_;
  const Options& options_;
  std::unique_ptr<Runner> runner_;
  std::uint64_t runs_ = 0, failures_ = 0;
  std::optional<Failure> first_, shortest_;
  double seconds_ = 0;
  bool progress_shown_ = false;
  Time::time_point shown_ = Time::now();
};

// After a failed launch (a loop that does not end, memory out of bounds) the device is not usable, and all its memory is gone.
void RowSearch::restart() {
  runner_.reset();
  cudaDeviceReset();
  runner_ = row_.make();
}

// Runs it once more, with the emulator's trace; the lines that are about the structure.
std::vector<std::string> RowSearch::traced(const Run& run, History* history) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("lock_free_search." + std::to_string(getpid()) + ".trace");
  verdict(run, file.string(), history);
  std::ostringstream trace;
  trace << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return readable(trace.str(), row_.name_of);
}

void RowSearch::keep_if_shorter(const Run& run, const std::string& reason) {
  const std::size_t lines = traced(run, nullptr).size();
  if (!shortest_ || lines < shortest_->lines) shortest_ = Failure{run, reason, lines};
}

void RowSearch::progress(std::uint64_t i) {
  const auto now = Time::now();
  if (options_.quiet || now - shown_ < std::chrono::seconds(isatty(2) != 0 ? 1 : 20)) return;
  shown_ = now;
  progress_shown_ = isatty(2) != 0;
  std::fprintf(stderr, "%s%s: %llu of %llu seeds, %llu failures%s",
               progress_shown_ ? "\r\033[K" : "", row_.id.c_str(),
               static_cast<unsigned long long>(i + 1), static_cast<unsigned long long>(seeds()),
               static_cast<unsigned long long>(failures_), progress_shown_ ? "" : "\n");
}

std::string command(const Case& row, const Run& run) {
  return "lock_free_search --structure " + row.id + " --first-seed " + std::to_string(run.seed) +
         " --seeds 1 --policy " + (run.pct ? "pct" : "random") + " --memory " +
         (run.weak ? "weak" : "strong") + " --trace";
}

bool RowSearch::report() {
  const bool right =
      row_.expect == Expect::Unseen || (failures_ > 0) == (row_.expect == Expect::Wrong);
  const char* const what = !right                          ? "FAIL"
                           : row_.expect == Expect::Right  ? "ok"
                           : row_.expect == Expect::Unseen ? "cannot be seen"
                                                           : "fails, as expected";
  std::printf("%-44s %7llu runs %6llu failures %6.1f s  %s\n", row_.id.c_str(),
              static_cast<unsigned long long>(runs_), static_cast<unsigned long long>(failures_),
              seconds_, what);
  if (!right && row_.expect == Expect::Wrong) {
    std::printf("  no run failed, though one must: %s\n", row_.reason.c_str());
  }
  if (first_) {
    const Failure& failure = shortest_ ? *shortest_ : *first_;
    std::printf("  %s\n", failure.reason.c_str());
    if (options_.emulated) std::printf("  again: %s\n", command(row_, failure.run).c_str());
    if (options_.trace) replay(failure);
  }
  std::fflush(stdout);
  return right;
}

// Threads as the trace calls them.
std::vector<std::string> names_of(const Plan& plan, std::uint32_t width) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < plan.threads(); ++i) {
    const std::uint32_t warp = i / plan.lanes, lane = i % plan.lanes * width;
    names.push_back("b" + std::to_string(warp / plan.warps) + " t" +
                    std::to_string(warp % plan.warps * 32 + lane));
  }
  return names;
}

void RowSearch::replay(const Failure& failure) {
  if (!options_.emulated) return;
  const Plan plan = make_plan(row_.shape, failure.run.seed);
  History history;
  for (const std::string& line : traced(failure.run, &history)) std::printf("%s\n", line.c_str());
  std::printf("what the threads were told:\n%s", text(history, names_of(plan, row_.width)).c_str());
}

}  // namespace

bool search(const std::vector<Case>& rows, const Options& options) {
  if (!options.emulated) {
    std::printf(
        "On a GPU there are no seeds for the schedule: each scenario is run as it comes.\n");
  }
  bool right = true;
  for (const Case& row : rows) {
    // The right structures run on both; what only weak memory shows, a GPU need not show.
    if (!options.emulated && row.expect != Expect::Right) continue;
    if (row.weak_only && !options.weak) continue;
    right = RowSearch(row, options).all() && right;
  }
  return right;
}

}  // namespace lock_free
