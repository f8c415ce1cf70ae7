// SPDX-License-Identifier: MIT
// The options every lesson program has. Wrong input gets one line and exit code 2; --help and
// --list end the program too.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
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

// The whole number that a text is; nothing if it is none or does not fit. (CLI11 takes an empty
// text for 0, cuts what is too large, and does not say what is allowed.)
template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

// What a lesson's n counts: elements that it sums, of a type that can be chosen, or operations.
enum class Counts { Elements, Operations };

// `rungs`: the ids that exist. Returns the exit code if the program is to end now (after --help:
// 0).
inline std::optional<int> parse_options(const std::string& name, const std::string& question,
                                        const std::vector<std::string>& rungs, int argc,
                                        const char* const* argv, Options& options,
                                        Counts counts = Counts::Elements) {
  CLI::App app(question, name);
  std::string n_text, type = "f32", reps = "0", block = "256", seed = "1";
  const bool sums = counts == Counts::Elements;
  app.add_option("--n", n_text,
                 std::string(sums ? "elements" : "operations") + ": 1000000, 1e6, 2^20 or 16Mi");
  app.add_option("--rung", options.rungs, "a rung to run, see --list (repeatable; default: all)")
      ->allow_extra_args(false);
  app.add_flag("--list", options.list, "the rungs of this lesson, one line each");
  if (sums) app.add_option("--type", type, "what to time: f32 or i32 (both are always verified)");
  app.add_option("--reps", reps, "samples per rung (default: until the median stands still)");
  app.add_option("--block", block, "threads per block: 32, 64, 128, 256, 512 or 1024");
  app.add_option("--seed", seed, "seed of the input");
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
  if (app.count("--n") > 0) {
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
  options.reps = parse_whole<int>(reps).value_or(-1);
  if (options.reps < 0 || options.reps > 100000)
    return refuse("--reps " + reps + " is not a number of samples from 0 to 100000");
  const int b = options.block = parse_whole<int>(block).value_or(0);
  if (b < 32 || b > 1024 || (b & (b - 1)) != 0)
    return refuse("--block " + block + " is not 32, 64, 128, 256, 512 or 1024");
  const auto number = parse_whole<std::uint64_t>(seed);
  if (!number) return refuse("--seed " + seed + " is not a whole number from 0 to 2^64 - 1");
  options.seed = *number;
  if (app.count("--json") > 0 && options.json.empty()) return refuse("--json needs a file name");
  return std::nullopt;
}

}  // namespace course
