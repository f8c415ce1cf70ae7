// SPDX-License-Identifier: MIT
// lock_free_search: runs every structure of lessons 06 and 11 through small scenarios, one schedule of the
// emulator per seed, and judges each recorded history. Exit code 1 if a structure fails that must
// not, or if one that is wrong on purpose does not fail.
#include "lock_free/search.hpp"

#include <cuda_runtime.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/device.cuh"
#include "lock_free/cases.hpp"

namespace {

using namespace lock_free;

int refuse(const std::string& message) {
  std::fprintf(stderr, "lock_free_search: %s\n", message.c_str());
  return 2;
}

void list(const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    const char* const what = row.expect == Expect::Right    ? "right"
                             : row.expect == Expect::Unseen ? "cannot be seen"
                                                            : "expected to fail";
    std::printf("%-44s %s%s%s\n", row.id.c_str(), what, row.reason.empty() ? "" : ": ",
                row.reason.c_str());
  }
}

// The rows asked for: an id, or the part before the dot for a structure with all its weakened twins
// ("stack_versioned."); none: all.
std::vector<Case> selected(const std::vector<Case>& cases, const std::vector<std::string>& wanted,
                           std::string& unknown) {
  if (wanted.empty()) return cases;
  std::vector<Case> rows;
  for (const std::string& id : wanted) {
    const std::size_t before = rows.size();
    for (const Case& row : cases) {
      const bool whole = !id.empty() && id.back() == '.' && row.id.rfind(id, 0) == 0;
      if (row.id == id || whole) rows.push_back(row);
    }
    if (rows.size() == before) unknown = id;
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Searches the schedules of the emulator for one that breaks a structure of lesson 06, 11 or "
      "12.",
      "lock_free_search");
  app.set_help_flag("-h,--help", "Print this help message and exit");
  std::vector<std::string> wanted;
  std::string policy = "both", memory = "both", lesson;
  bool only_list = false;
  Options options;
  app.add_flag("--list", only_list, "the structures, one line each");
  app.add_option(
         "--structure", wanted,
         "one to run, see --list; \"ID.\" for its weakened twins (repeatable; default: all)")
      ->allow_extra_args(false);
  app.add_option("--lesson", lesson, "only the structures of this lesson, \"06_lock_free\"");
  app.add_option("--seeds", options.seeds, "how many seeds for each")->check(CLI::PositiveNumber);
  app.add_option("--first-seed", options.first, "the first one")->check(CLI::NonNegativeNumber);
  app.add_option("--policy", policy, "random, pct, or both: one after the other")
      ->check(CLI::IsMember({"random", "pct", "both"}));
  app.add_option("--memory", memory, "strong, weak, or both: each seed is run in both")
      ->check(CLI::IsMember({"strong", "weak", "both"}));
  app.add_flag("--trace", options.trace,
               "of each that fails, the shortest failing run of all seeds, step by step");
  app.add_flag("--quiet", options.quiet, "no progress");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + "; see --help");
  }
  options.random = policy != "pct";
  options.pct = policy != "random";
  options.strong = memory != "weak";
  options.weak = memory != "strong";

  std::vector<Case> cases = all_cases();
  if (!lesson.empty()) std::erase_if(cases, [&](const Case& row) { return row.lesson != lesson; });
  if (cases.empty()) return refuse("--lesson " + lesson + " has no structures; see --list");
  if (only_list) {
    list(cases);
    return 0;
  }
  std::string unknown;
  const std::vector<Case> rows = selected(cases, wanted, unknown);
  if (!unknown.empty()) return refuse("there is no structure '" + unknown + "'; see --list");
  const auto device = course::find_device();
  if (!device) {
    std::fprintf(stderr, "lock_free_search: %s\n", course::kNoDevice);
    return 3;
  }
  options.emulated = device->emulated;
  // A kernel here needs some thousand instructions: one that goes on is stuck, and stopped soon.
  setenv("WARPLADDER_INSTRUCTION_LIMIT", "1000000", 0);
  return search(rows, options) ? 0 : 1;
}
