// SPDX-License-Identifier: MIT
#include "common/program/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "common/size.hpp"

namespace course {

namespace {

// The whole number that a text is; nothing if it is none or does not fit. (CLI11 takes an empty
// text for 0, cuts what is too large, and does not say what is allowed.)
template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

// A command line on its way: each take_... adds an option and, after parse, reads it or throws
// UsageError with what is allowed.
class CommandLine {
 public:
  // Help by name: one CLI11 that is about, which comes with another package, has none by itself.
  CommandLine(const std::string& name, const std::string& about) : app_(about, name) {
    app_.set_help_flag("-h,--help", "Print this help message and exit");
  }

  CLI::App& app() { return app_; }
  void add(const char* option, std::string& text, const std::string& help) {
    app_.add_option(option, text, help);
  }
  void add_n(const char* what) {
    add("--n", n_, std::string(what) + ": 1000000, 1e6, 2^20 or 16Mi");
  }
  void add_reps(const char* help) { add("--reps", reps_, help); }
  void add_flush() {
    add("--flush", flush_, "the L2 cache before each sample: clean, dirty or none (clean)");
  }

  // The exit code if the program is to end now.
  std::optional<int> parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
      return app_.exit(help);
    } catch (const CLI::ParseError& error) {
      throw UsageError{std::string(error.what()) + "; see --help"};
    }
    return std::nullopt;
  }

  bool given(const char* option) const {
    return app_.get_option_no_throw(option) != nullptr && app_.count(option) > 0;
  }
  std::optional<std::uint64_t> n() const {
    if (!given("--n")) return std::nullopt;
    if (const auto size = parse_size(n_)) return size;
    throw UsageError{"--n " + n_ +
                     " is not a size; write 1000000, 1e6, 2^20 or 16Mi, at most 2^40"};
  }
  int reps() const {
    const int number = parse_whole<int>(reps_).value_or(-1);
    if (number >= 0 && number <= 100000) return number;
    throw UsageError{"--reps " + reps_ + " is not a number of samples from 0 to 100000"};
  }
  Flush flush() const {
    if (const auto known = parse_flush(flush_)) return *known;
    throw UsageError{"--flush " + flush_ + " is not known; there are clean, dirty and none"};
  }
  void check_file(const char* option, const std::string& file) const {
    if (given(option) && file.empty()) throw UsageError{std::string(option) + " needs a file name"};
  }

 private:
  CLI::App app_;
  std::string n_, reps_ = "0", flush_ = word_of(Flush::Clean);
};

void check_known(const std::string& option, const std::vector<std::string>& wanted,
                 const std::vector<std::string>& known) {
  for (const auto& word : wanted) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    std::string all;
    for (const auto& k : known) all += (all.empty() ? "" : ", ") + k;
    throw UsageError{option + " " + word + " does not exist; there are " + all};
  }
}

// The families' own options. Their texts must stay where they are until the line is parsed.
class Choices {
 public:
  explicit Choices(const std::vector<Choice>& choices) {
    for (const Choice& c : choices)
      if (!std::any_of(chosen_.begin(), chosen_.end(),
                       [&](const auto& other) { return other.first == c.name; })) {
        chosen_.emplace_back(c.name, c.fallback);
        choices_.push_back(c);
      }
  }
  void add_to(CommandLine& line) {
    for (std::size_t i = 0; i < choices_.size(); ++i)
      line.add(("--" + chosen_[i].first).c_str(), chosen_[i].second,
               std::string(choices_[i].about) +
                   (choices_[i].values.empty() ? "" : ": " + words(choices_[i])) +
                   (*choices_[i].fallback ? " (" + std::string(choices_[i].fallback) + ")" : ""));
  }
  Chosen checked() const {
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const auto& values = choices_[i].values;
      const auto& [name, value] = chosen_[i];
      if (values.empty()) continue;
      if (std::find(values.begin(), values.end(), value) == values.end())
        throw UsageError{"--" + name + " " + value + " is not known; there are " +
                         words(choices_[i])};
    }
    return chosen_;
  }

 private:
  static std::string words(const Choice& choice) {
    std::string all;
    for (const char* const v : choice.values) all += (all.empty() ? "" : ", ") + std::string(v);
    return all;
  }
  std::vector<Choice> choices_;
  Chosen chosen_;
};

int block_of(const std::string& text) {
  const int block = parse_whole<int>(text).value_or(0);
  if (block >= 32 && block <= 1024 && (block & (block - 1)) == 0) return block;
  throw UsageError{"--block " + text + " is not 32, 64, 128, 256, 512 or 1024"};
}

std::uint64_t seed_of(const std::string& text) {
  if (const auto number = parse_whole<std::uint64_t>(text)) return *number;
  throw UsageError{"--seed " + text + " is not a whole number from 0 to 2^64 - 1"};
}

int refused(const std::string& name, const UsageError& error) {
  std::fprintf(stderr, "%s: %s\n", name.c_str(), error.message.c_str());
  return 2;
}

}  // namespace

const std::string& value_of(const Chosen& chosen, const std::string& name) {
  const auto found = std::find_if(chosen.begin(), chosen.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (found == chosen.end()) throw UsageError{"--" + name + " is not an option of this family"};
  return found->second;
}

bool asked_for(const std::vector<std::string>& wanted, const std::string& id) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), id) != wanted.end();
}

std::optional<int> parse_options(const std::string& name, const std::string& question,
                                 const Offered& offered, int argc, const char* const* argv,
                                 Options& options) {
  const bool sums = offered.counts == Counts::Elements;
  std::string type = "f32", block = "256", seed = "1";
  std::vector<std::string> ids;
  for (const auto& rung : offered.rungs) ids.push_back(rung.first);
  Choices choices(offered.choices);
  CommandLine line(name, question);
  line.add_n(offered.counts == Counts::Operations ? "operations" : "elements");
  const auto add_list = [&](const char* option, std::vector<std::string>& list, const char* help) {
    line.app().add_option(option, list, help)->allow_extra_args(false);
  };
  add_list("--rung", options.rungs, "a rung to run, see --list (repeatable; default: all)");
  if (!offered.families.empty())
    add_list("--family", options.families, "a family of rungs to run (repeatable; default: all)");
  line.app().add_flag("--list", options.list, "the rungs of this lesson, one line each");
  if (sums) line.add("--type", type, "what to time: f32 or i32 (both are always verified)");
  choices.add_to(line);
  line.add_reps("samples per rung (default: until the median stands still)");
  if (offered.counts != Counts::Operations) line.add_flush();
  line.add("--block", block, "threads per block: 32, 64, 128, 256, 512 or 1024");
  line.add("--seed", seed, "seed of the input");
  line.add("--json", options.json, "write the results to this file");
  if (sums)
    line.add("--cpu-from", options.cpu_from,
             "take the CPU rows from this file of another lesson: same n, type and seed");
  try {
    if (const auto code = line.parse(argc, argv)) return code;
    options.n = line.n();
    check_known("--rung", options.rungs, ids);
    check_known("--family", options.families, offered.families);
    options.chosen = choices.checked();
    if (type != "f32" && type != "i32")
      throw UsageError{"--type " + type + " is not known; there are f32 and i32"};
    options.integers = type == "i32";
    options.reps = line.reps();
    options.flush = line.flush();
    options.block = block_of(block);
    options.seed = seed_of(seed);
    line.check_file("--json", options.json);
    line.check_file("--cpu-from", options.cpu_from);
  } catch (const UsageError& error) {
    return refused(name, error);
  }
  if (!options.list) return std::nullopt;
  for (const auto& [id, idea] : offered.rungs) std::printf("%-20s %s\n", id.c_str(), idea.c_str());
  return 0;
}

std::optional<int> parse_few_options(const std::string& name, const std::string& about, Taken taken,
                                     int argc, const char* const* argv, Options& options) {
  CommandLine line(name, about);
  if (taken.n) line.add_n("elements");
  if (taken.reps) line.add_reps("samples per measurement");
  if (taken.json) line.add("--json", options.json, "write the tables to this file");
  if (taken.flush) line.add_flush();
  Choices choices(taken.choices);
  choices.add_to(line);
  try {
    if (const auto code = line.parse(argc, argv)) return code;
    options.chosen = choices.checked();
    options.n = line.n();
    options.reps = line.reps();
    options.flush = line.flush();
    line.check_file("--json", options.json);
  } catch (const UsageError& error) {
    return refused(name, error);
  }
  return std::nullopt;
}

}  // namespace course
