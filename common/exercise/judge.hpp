// SPDX-License-Identifier: MIT
// What an exercise's judge.cpp is made with: it makes the cases and judges what came back. It is
// compiled without the student's file and runs in a process of its own, so that nothing a student
// writes can see an expected value or print a verdict.
//
//   judge cases --out DIR [--hidden SEED|-]      (-: the seed comes by stdin) DIR/cases.txt and DIR/inputs/ID.in
//   judge cases --out DIR --size N               one case of this size, to be timed: "performance"
//   judge verdicts --cases DIR --outputs DIR     one JSON object with a verdict per case
//
// An author writes three functions and hands them to judge_main (docs/writing-exercises.md).
#pragma once

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/exercise/arrays.hpp"

namespace course::exercise {

// SplitMix64, one number after the other.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // From low to high, both possible.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  std::size_t size(std::size_t low, std::size_t high) { return low + bits() % (high - low + 1); }
  // A seed for a case: short enough to be typed.
  std::uint64_t seed() { return 1 + bits() % 999999; }
  std::vector<int> ints(std::size_t n, int low, int high) {
    std::vector<int> x(n);
    for (int& v : x) v = static_cast<int>(between(low, high));
    return x;
  }
  // In [-1, 1), with all 24 bits in use.
  std::vector<float> floats(std::size_t n) {
    std::vector<float> x(n);
    for (float& v : x)
      v = static_cast<float>(static_cast<std::int64_t>(bits() >> 40) - (1 << 23)) * 0x1p-23f;
    return x;
  }

 private:
  std::uint64_t state_;
};

struct Case {
  std::string id;
  bool visible = true;
  std::size_t n = 0;       // the size a message names
  std::uint64_t seed = 0;  // with n, what the input is made from
  Arrays in;
};

// Collects cases. The input comes from the author's function of a case's n and seed.
class Cases {
 public:
  using MakeInput = Arrays (*)(std::size_t n, std::uint64_t seed);
  explicit Cases(MakeInput make) : make_(make) {}

  // Ids are "n100", then "n100_2" where there are two of this size. Hidden ones: "hidden1_n100".
  void add(std::size_t n, std::uint64_t seed = 1) { add_as(id_of(n), n, seed); }
  void add_as(const std::string& id, std::size_t n, std::uint64_t seed) {
    if (!ids_.insert(id).second) throw std::runtime_error("two cases are called " + id);
    all_.push_back({id, !hidden_, n, seed, make_(n, seed)});
  }
  // A hidden case: n is `unit` times a number from low to high. First the size is drawn, then the
  // seed: as arguments of one call their order would be the compiler's choice.
  void add_random(Random& random, std::size_t low, std::size_t high, std::size_t unit = 1) {
    const std::size_t n = unit * random.size(low, high);
    add(n, random.seed());
  }
  void now_hidden() { hidden_ = true; }
  const std::vector<Case>& all() const { return all_; }

 private:
  std::string id_of(std::size_t n) {
    const std::string plain = "n" + std::to_string(n);
    if (hidden_) return "hidden" + std::to_string(++hidden_count_) + "_" + plain;
    std::string id = plain;
    for (int k = 2; ids_.count(id); ++k) id = plain + "_" + std::to_string(k);
    return id;
  }

  MakeInput make_;
  bool hidden_ = false;
  int hidden_count_ = 0;
  std::set<std::string> ids_;
  std::vector<Case> all_;
};

template <class T>
std::string text_of(T value) {
  std::ostringstream out;
  out.precision(std::numeric_limits<T>::max_digits10);
  out << +value;
  return out.str();
}

// "1 element", "2 elements".
inline std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}
// "the last one is missing", "the last 3 are missing"; `one` and `many` say what became of them.
inline std::string the_last(std::size_t count, const std::string& one = "is missing",
                            const std::string& many = "are missing") {
  return count == 1 ? "the last one " + one : "the last " + std::to_string(count) + " " + many;
}

// What the judge finds out about one case. The first thing that is wrong stays.
class Judgement {
 public:
  bool ok() const { return kind_ == "passed"; }
  const std::string& kind() const { return kind_; }
  bool explained() const { return explained_; }

  // Something is wrong. The kind is one of verdict.py's.
  void fail(const std::string& kind, const std::string& message) {
    if (!ok()) return;
    kind_ = kind;
    message_ = message;
  }
  // For a failed case whose cause can be told from the values: says it in plain words.
  void because(const std::string& kind, const std::string& message) {
    explained_ = true;
    kind_ = kind;
    message_ = message;
  }

  // The output array must be there and be equal, element by element.
  template <class T>
  bool equal(const Arrays& out, const std::string& name, const std::vector<T>& expected) {
    return compare<T>(out, name, expected, [](T e, T a) { return e == a; });
  }
  // Or within a bound, derived from the error of the computation. NaN passes only for NaN.
  template <class T>
  bool near(const Arrays& out, const std::string& name, const std::vector<T>& expected,
            double bound) {
    return compare<T>(out, name, expected, [bound](T e, T a) {
      return e == a || (e != e && a != a) ||
             std::fabs(static_cast<double>(e) - static_cast<double>(a)) <= bound;
    });
  }

  void write(std::ostream& out, const Case& c) const;

 private:
  template <class T, class Same>
  bool compare(const Arrays& out, const std::string& name, const std::vector<T>& expected,
               Same same) {
    if (!ok()) return false;
    if (!out.has<T>(name)) {
      fail("missing", "the output '" + name + "' is not there");
      return false;
    }
    const std::vector<T> actual = out.get<T>(name);
    if (actual.size() != expected.size()) {
      fail("wrong_value", "'" + name + "' has " + count_of(actual.size(), "element") + ", not " +
                              std::to_string(expected.size()));
      return false;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (same(expected[i], actual[i])) continue;
      if (wrong_++ > 0) continue;
      array_ = name;
      size_ = expected.size();
      index_ = i;
      expected_ = text_of(expected[i]);
      actual_ = text_of(actual[i]);
      T poison;
      std::memset(&poison, 0xCD, sizeof poison);
      untouched_ = std::memcmp(&poison, &actual[i], sizeof poison) == 0;
    }
    if (wrong_ > 0) fail("wrong_value", untouched_ ? "nobody wrote this element" : "");
    return wrong_ == 0;
  }

  std::string kind_ = "passed", message_, array_, expected_, actual_;
  std::size_t index_ = 0, size_ = 0, wrong_ = 0;
  bool untouched_ = false, explained_ = false;
};

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out + "\"";
}

inline void Judgement::write(std::ostream& out, const Case& c) const {
  out << "{\"id\": " << quoted(c.id) << ", \"visible\": " << (c.visible ? "true" : "false")
      << ", \"ok\": " << (ok() ? "true" : "false") << ", \"kind\": " << quoted(kind_)
      << ", \"message\": " << quoted(message_) << ", \"n\": " << c.n << ", \"seed\": " << c.seed;
  if (wrong_ > 0) {
    out << ", \"array\": " << quoted(array_) << ", \"size\": " << size_ << ", \"wrong\": " << wrong_
        << ", \"index\": " << index_ << ", \"expected\": " << quoted(expected_)
        << ", \"actual\": " << quoted(actual_)
        << ", \"untouched\": " << (untouched_ ? "true" : "false");
  }
  out << "}";
}

struct Judge {
  Cases::MakeInput input;           // the arrays of a case
  void (*visible)(Cases&);          // adds the cases that everybody sees
  void (*hidden)(Cases&, Random&);  // adds those that a seed decides
  void (*judge)(const Case&, const Arrays& out, Judgement&);
  // Sizes come in multiples of this (a warp, a block): if all of those are right and some of the
  // others wrong, the tail is lost. 0: the question makes no sense.
  std::size_t multiple = 0;
};

namespace detail {

namespace fs = std::filesystem;

inline int make_cases(const Judge& judge, const fs::path& folder, const std::string& hidden,
                      const std::string& size) {
  Cases cases(judge.input);
  if (!size.empty())
    cases.add_as("performance", std::stoull(size), 1);
  else
    judge.visible(cases);
  if (!hidden.empty()) {
    cases.now_hidden();
    std::string seed = hidden;
    if (seed == "-") std::getline(std::cin, seed);  // a command line is seen by everybody
    Random random(std::stoull(seed));
    judge.hidden(cases, random);
  }
  fs::create_directories(folder / "inputs");
  std::ofstream list(folder / "cases.txt");
  for (const Case& c : cases.all()) {
    list << c.id << ' ' << c.visible << ' ' << c.n << ' ' << c.seed << '\n';
    c.in.save(folder / "inputs" / (c.id + ".in"));
  }
  return list.flush() ? 0 : 1;
}

inline Judgement judge_one(const Judge& judge, const Case& c, const fs::path& file) {
  Judgement result;
  if (!fs::is_regular_file(fs::symlink_status(file))) {
    result.fail("missing", "the program ended before it wrote this result");
    return result;
  }
  try {
    const Arrays out = Arrays::load(file);
    for (const std::string& name : out.names())
      if (name.rfind("damage.", 0) == 0)
        result.fail("out_of_bounds", "memory beside the array '" + name.substr(7) +
                                         "' was written: an index is out of bounds");
    judge.judge(c, out, result);
  } catch (const std::exception& error) {
    result.fail("missing", error.what());
  }
  return result;
}

// Right for whole multiples, wrong for some of the others, and nothing else: the tail is lost.
inline void find_lost_tail(const std::vector<Case>& cases, std::vector<Judgement>& results,
                           std::size_t multiple) {
  if (multiple < 2) return;
  bool whole_seen = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool whole = cases[i].n % multiple == 0;
    if (whole && !results[i].ok()) return;
    whole_seen |= whole && cases[i].n > 0;
    // What the author's judge explained otherwise is something else.
    const bool open = results[i].kind() == "wrong_value" && !results[i].explained();
    if (!results[i].ok() && !open && results[i].kind() != "lost_tail") return;
  }
  if (!whole_seen) return;
  for (Judgement& result : results)
    if (!result.ok() && result.kind() == "wrong_value")
      result.because("lost_tail", "every n that is a multiple of " + std::to_string(multiple) +
                                      " is right, others are not");
}

inline int give_verdicts(const Judge& judge, const fs::path& folder, const fs::path& outputs) {
  std::ifstream list(folder / "cases.txt");
  std::vector<Case> cases;
  std::vector<Judgement> results;
  for (Case c; list >> c.id >> c.visible >> c.n >> c.seed;) {
    c.in = Arrays::load(folder / "inputs" / (c.id + ".in"));
    cases.push_back(c);
    results.push_back(judge_one(judge, c, outputs / (c.id + ".out")));
  }
  find_lost_tail(cases, results, judge.multiple);
  std::cout << "{\"cases\": [";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::cout << (i ? ",\n  " : "\n  ");
    results[i].write(std::cout, cases[i]);
  }
  std::cout << "\n]}\n";
  return cases.empty() ? 1 : 0;
}

}  // namespace detail

inline int judge_main(int argc, char** argv, const Judge& judge) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto value = [&](const std::string& name) -> std::string {
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
      if (words[i] == name) return words[i + 1];
    return "";
  };
  try {
    if (!words.empty() && words[0] == "cases" && !value("--out").empty())
      return detail::make_cases(judge, value("--out"), value("--hidden"), value("--size"));
    if (!words.empty() && words[0] == "verdicts" && !value("--cases").empty())
      return detail::give_verdicts(judge, value("--cases"), value("--outputs"));
  } catch (const std::exception& error) {
    std::cerr << "judge: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "usage: judge cases --out DIR [--hidden SEED|-] [--size N]\n"
               "       judge verdicts --cases DIR --outputs DIR\n";
  return 2;
}

}  // namespace course::exercise
