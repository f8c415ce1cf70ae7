// SPDX-License-Identifier: MIT
// Every option, right and wrong. Wrong: exit code 2 and one line that says what is allowed.
#include "common/program/options.hpp"

#include <algorithm>

#include "support/captured.hpp"
#include "support/catch.hpp"

using course::Options;

namespace {

struct Parsed {
  std::optional<int> code;
  Options options;
  std::string out, err;
};

const course::Offered kSums{{{"first", "the simplest"}, {"second", "better"}}};

Parsed parse(std::vector<const char*> words, const course::Offered& offered = kSums) {
  words.insert(words.begin(), "program");
  Parsed p;
  p.out = support::captured(stdout, [&] {
    p.err = support::captured(stderr, [&] {
      p.code = course::parse_options("01_topic", "Why?", offered, static_cast<int>(words.size()),
                                     words.data(), p.options);
    });
  });
  return p;
}

// Exit code 2, nothing on stdout, and exactly one line on stderr that holds each of `parts`.
void check_refused(std::vector<const char*> words, std::vector<std::string> parts,
                   const course::Offered& offered = kSums) {
  const Parsed p = parse(words, offered);
  std::string typed;
  for (const char* word : words) typed += std::string(word) + " ";
  INFO("options: " << typed << "\nstderr: " << p.err);
  CHECK(p.code == 2);
  CHECK(p.out.empty());
  CHECK(std::count(p.err.begin(), p.err.end(), '\n') == 1);
  CHECK(p.err.rfind("01_topic: ", 0) == 0);
  for (const auto& part : parts) {
    INFO("must say: " << part);
    CHECK(p.err.find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("no options: the defaults, and the program goes on") {
  const Parsed p = parse({});
  CHECK(p.code == std::nullopt);
  CHECK(p.options.n == std::nullopt);
  CHECK(p.options.rungs.empty());
  CHECK_FALSE(p.options.list);
  CHECK_FALSE(p.options.integers);
  CHECK(p.options.reps == 0);
  CHECK(p.options.block == 256);
  CHECK(p.options.seed == 1);
  CHECK(p.options.json.empty());
  CHECK(p.options.flush == course::Flush::Clean);
  CHECK((p.out + p.err).empty());
}

TEST_CASE("every option arrives") {
  const Parsed p = parse({"--n", "2^20", "--rung", "second", "--type", "i32", "--reps", "5",
                          "--block", "64", "--seed", "18446744073709551615", "--json", "x.json",
                          "--cpu-from", "y.json", "--flush", "dirty"});
  CHECK(p.options.flush == course::Flush::Dirty);
  CHECK(p.code == std::nullopt);
  CHECK(p.options.n == 1u << 20);
  CHECK(p.options.rungs == std::vector<std::string>{"second"});
  CHECK(p.options.integers);
  CHECK(p.options.reps == 5);
  CHECK(p.options.block == 64);
  CHECK(p.options.seed == UINT64_MAX);
  CHECK(p.options.json == "x.json");
  CHECK(p.options.cpu_from == "y.json");
}

TEST_CASE("n = 0 is a size") { CHECK(parse({"--n", "0"}).options.n == 0u); }

TEST_CASE("--rung may be given more than once") {
  CHECK(parse({"--rung", "first", "--rung", "second"}).options.rungs ==
        std::vector<std::string>{"first", "second"});
}

TEST_CASE("an option and its value may be joined by =") {
  CHECK(parse({"--block=512"}).options.block == 512);
}

TEST_CASE("every allowed block size is accepted") {
  for (const char* block : {"32", "64", "128", "256", "512", "1024"})
    CHECK(parse({"--block", block}).code == std::nullopt);
}

TEST_CASE("--help goes to stdout, names every option and the question, and is a success") {
  const Parsed p = parse({"--help"});
  CHECK(p.code == 0);
  CHECK(p.err.empty());
  for (const char* word : {"Why?", "--n", "--rung", "--list", "--type", "--reps", "--block",
                           "--seed", "--json", "--help", "--flush", "2^20", "1024", "i32"}) {
    INFO(word);
    CHECK(p.out.find(word) != std::string::npos);
  }
}

TEST_CASE("a wrong size is refused, with the spellings that are right") {
  for (const char* n : {"abc", "-5", "1.5", "2^41", "1e99", "", " ", "5x"})
    check_refused({"--n", n}, {"--n", "1e6", "2^20", "16Mi"});
}

TEST_CASE("an unknown rung is refused, with those there are") {
  check_refused({"--rung", "third"}, {"third", "first, second"});
  check_refused({"--rung", "first", "--rung", "First"}, {"First", "first, second"});
  check_refused({"--rung", ""}, {"first, second"});
}

TEST_CASE("an unknown flush is refused, with those there are") {
  for (const char* flush : {"wet", "Clean", "", "0"})
    check_refused({"--flush", flush}, {"--flush", "clean, dirty and none"});
}

TEST_CASE("structures are filled before they are timed: there is no flush to choose") {
  check_refused({"--flush", "clean"}, {"--flush"}, {{}, course::Counts::Operations});
}

TEST_CASE("an unknown type is refused, with those there are") {
  for (const char* type : {"f64", "F32", "int", ""})
    check_refused({"--type", type}, {"--type", "f32", "i32"});
}

TEST_CASE("a wrong number of samples is refused, with the range") {
  for (const char* reps : {"-1", "100001", "abc", "1.5", "99999999999999999999", "5x", ""})
    check_refused({"--reps", reps}, {"--reps", "0 to 100000"});
}

TEST_CASE("a wrong block size is refused, with those there are") {
  for (const char* block : {"0", "-32", "16", "33", "100", "2048", "4294967552", "abc", "64.0", ""})
    check_refused({"--block", block}, {"--block", "32, 64, 128, 256, 512 or 1024"});
}

TEST_CASE("a wrong seed is refused, with the range") {
  for (const char* seed : {"-1", "abc", "1.5", "18446744073709551616", ""})
    check_refused({"--seed", seed}, {"--seed", "0 to 2^64 - 1"});
}

TEST_CASE("an empty file name is refused") {
  check_refused({"--json", ""}, {"--json", "file"});
  check_refused({"--cpu-from", ""}, {"--cpu-from", "file"});
}

TEST_CASE("an option without its value is refused") {
  for (const char* option : {"--n", "--rung", "--type", "--reps", "--block", "--seed", "--json"})
    check_refused({option}, {option});
}

TEST_CASE("an unknown option and a stray word are refused, and --help is named") {
  check_refused({"--fast"}, {"--fast", "--help"});
  check_refused({"-x"}, {"-x", "--help"});
  check_refused({"1000"}, {"1000", "--help"});
  check_refused({"--list=yes=no"}, {"--list"});
}

TEST_CASE("a number given twice is refused") { check_refused({"--n", "1", "--n", "2"}, {"--n"}); }

namespace {

constexpr const char* kColours[] = {"red", "blue"};
constexpr const char* kOthers[] = {"grey"};
const course::Offered kFamilies{
    {{"one", "a"}, {"two", "b"}},
    course::Counts::Families,
    {"table", "array"},
    {{"colour", "of what", kColours, "blue"}, {"colour", "a second time", kOthers, "grey"}}};

}  // namespace

TEST_CASE("choices of families have a fallback, and take their own words only") {
  CHECK(course::value_of(parse({}, kFamilies).options.chosen, "colour") == "blue");
  const Parsed p = parse({"--colour", "red", "--family", "array"}, kFamilies);
  CHECK(p.code == std::nullopt);
  CHECK(course::value_of(p.options.chosen, "colour") == "red");
  CHECK(p.options.families == std::vector<std::string>{"array"});
  check_refused({"--colour", "grey"}, {"--colour grey", "there are red, blue"}, kFamilies);
  check_refused({"--family", "tree"}, {"--family tree", "table, array"}, kFamilies);
  check_refused({"--type", "i32"}, {"--type"}, kFamilies);
  check_refused({"--colour", "red"}, {"--colour"});  // a sum has no such option
}

TEST_CASE("--list says the rungs, and ends the program") {
  const Parsed p = parse({"--list"});
  CHECK(p.code == 0);
  CHECK(p.out.find("first                the simplest\nsecond               better\n") == 0);
}

TEST_CASE("a word that nobody asked about is an error, not a default") {
  CHECK_THROWS_AS(course::value_of({}, "colour"), course::UsageError);
}

TEST_CASE("without a list everything is asked for") {
  CHECK(course::asked_for({}, "one"));
  CHECK(course::asked_for({"one"}, "one"));
  CHECK_FALSE(course::asked_for({"two"}, "one"));
}
