// SPDX-License-Identifier: MIT
// The options every lesson program has. Wrong input gets one line and exit code 2; --help and
// --list end the program too.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "common/size.hpp"

namespace course {

struct Options {
  std::optional<std::uint64_t> n;  // elements; none: a default that suits the device
  std::vector<std::string> rungs;  // empty: all
  bool list = false;
  bool integers = false;  // time int32 instead of fp32 (both are verified always)
  int reps = 0;           // samples; 0: as many as it takes
  int block = 256;        // threads per block
  std::uint64_t seed = 1;
  std::string json;  // file to write; empty: none
};

// What went wrong with the command line, in one line.
struct UsageError {
  std::string message;
};

// `rungs`: the ids that exist. Returns the exit code if the program is to end now (after --help:
// 0).
inline std::optional<int> parse_options(const std::string& name, const std::string& question,
                                        const std::vector<std::string>& rungs, int argc,
                                        const char* const* argv, Options& options) {
  CLI::App app(question, name);
  std::string n_text, type = "f32";
  app.add_option("--n", n_text, "elements: 1000000, 1e6, 2^20 or 16Mi");
  app.add_option("--rung", options.rungs, "a rung to run, see --list (repeatable; default: all)")
      ->allow_extra_args(false);
  app.add_flag("--list", options.list, "the rungs of this lesson, one line each");
  app.add_option("--type", type, "what to time: f32 or i32 (both are always verified)");
  app.add_option("--reps", options.reps,
                 "samples per rung (default: until the median stands still)");
  app.add_option("--block", options.block, "threads per block: 32, 64, 128, 256, 512 or 1024");
  app.add_option("--seed", options.seed, "seed of the input");
  app.add_option("--json", options.json, "write the results to this file");
  const auto refuse = [&](const std::string& message) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), message.c_str());
    return 2;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + "; see --help");
  }
  if (!n_text.empty()) {
    options.n = parse_size(n_text);
    if (!options.n)
      return refuse("--n " + n_text +
                    " is not a size; write 1000000, 1e6, 2^20 or 16Mi, at most 2^40");
  }
  for (const auto& rung : options.rungs) {
    if (std::find(rungs.begin(), rungs.end(), rung) != rungs.end()) continue;
    std::string known;
    for (const auto& r : rungs) known += (known.empty() ? "" : ", ") + r;
    return refuse("--rung " + rung + " does not exist; there are " + known);
  }
  if (type != "f32" && type != "i32")
    return refuse("--type " + type + " is not known; there are f32 and i32");
  options.integers = type == "i32";
  if (options.reps < 0 || options.reps > 100000) return refuse("--reps must be 0 to 100000");
  const int b = options.block;
  if (b < 32 || b > 1024 || (b & (b - 1)) != 0)
    return refuse("--block " + std::to_string(b) + " is not 32, 64, 128, 256, 512 or 1024");
  return std::nullopt;
}

}  // namespace course
