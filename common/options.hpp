// SPDX-License-Identifier: MIT
// The options that the programs of the course have. Wrong input gets one line and exit code 2; --help
// and --list end the program too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course {

struct Options {
  std::optional<std::uint64_t> n;  // elements; none: a default that suits the device
  std::vector<std::string> rungs;  // empty: all
  bool list = false;
  bool integers = false;  // time int32 instead of fp32 (both are verified always)
  int reps = 0;           // samples; 0: as many as it takes
  int block = 256;        // threads per block
  std::uint64_t seed = 1;
  std::string json;      // file to write; empty: none
  std::string cpu_from;  // an earlier lesson's file whose CPU rows hold here too; empty: measure
};

// What went wrong with the command line, in one line.
struct UsageError {
  std::string message;
};

// What a lesson's n counts: elements that it sums, of a type that can be chosen, or operations.
enum class Counts { Elements, Operations };

// `rungs`: the ids that exist. Returns the exit code if the program is to end now (after --help:
// 0).
std::optional<int> parse_options(const std::string& name, const std::string& question,
                                 const std::vector<std::string>& rungs, int argc,
                                 const char* const* argv, Options& options,
                                 Counts counts = Counts::Elements);

// Which of n, reps and json a program without rungs takes. One that it does not take is refused like
// any unknown one.
struct Taken {
  bool n = false, reps = false, json = true;
};
std::optional<int> parse_few_options(const std::string& name, const std::string& about, Taken taken,
                                     int argc, const char* const* argv, Options& options);

}  // namespace course
