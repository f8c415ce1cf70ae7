// SPDX-License-Identifier: MIT
// The options that the programs of the course have. Wrong input gets one line and exit code 2; --help
// and --list end the program too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/flush.hpp"

namespace course {

// An option that takes one of a few words: --bins 64, 256, 4096 or 65536. No words: any text.
struct Choice {
  const char* name;   // "bins"
  const char* about;  // for --help
  std::span<const char* const> values;
  const char* fallback;
};
// The words that were chosen, or their fallbacks: name, value.
using Chosen = std::vector<std::pair<std::string, std::string>>;
// The value of a name that is there.
const std::string& value_of(const Chosen& chosen, const std::string& name);

struct Options {
  std::optional<std::uint64_t> n;  // elements; none: a default that suits the device
  std::vector<std::string> rungs;  // empty: all
  bool list = false;
  bool integers = false;  // time int32 instead of fp32 (both are verified always)
  int reps = 0;           // samples; 0: as many as it takes
  int block = 256;        // threads per block
  std::uint64_t seed = 1;
  Flush flush = Flush::Clean;  // what a timed launch finds in the L2 cache
  std::string json;            // file to write; empty: none
  std::string cpu_from;  // an earlier lesson's file whose CPU rows hold here too; empty: measure
  std::vector<std::string> families;  // empty: all
  Chosen chosen;
};

// What went wrong with the command line, in one line.
struct UsageError {
  std::string message;
};

// What a lesson's n counts: elements that it sums, of a type that can be chosen; operations; or
// elements of what its families compute.
enum class Counts { Elements, Operations, Families };

// What there is to choose from: a rung's id and its idea, and the families' ids and choices.
struct Offered {
  std::vector<std::pair<std::string, std::string>> rungs;
  Counts counts = Counts::Elements;
  std::vector<std::string> families = {};
  std::vector<Choice> choices = {};  // of one name only the first counts
};

// Returns the exit code if the program is to end now (after --help and --list: 0).
std::optional<int> parse_options(const std::string& name, const std::string& question,
                                 const Offered& offered, int argc, const char* const* argv,
                                 Options& options);

// Whether an id was asked for: it is in the list, or the list is empty.
bool asked_for(const std::vector<std::string>& wanted, const std::string& id);

// Which of n, reps, json and flush a program without rungs takes. One that it does not take is refused like
// any unknown one.
struct Taken {
  bool n = false, reps = false, json = true, flush = false;
  std::vector<Choice> choices = {};
};
std::optional<int> parse_few_options(const std::string& name, const std::string& about, Taken taken,
                                     int argc, const char* const* argv, Options& options);

}  // namespace course
