// SPDX-License-Identifier: MIT
// What an exercise's judge.cpp is made with: it makes the cases and judges what came back. It is
// compiled without the student's file and runs in a process of its own, so that nothing a student
// writes can see an expected value or print a verdict.
//
//   judge cases --out DIR [--hidden SEED|-]      (-: the seed comes by stdin) DIR/cases.txt and DIR/inputs/ID.in
//   judge cases --out DIR --size N               one case of this size, to be timed: "performance"
//   judge verdicts --cases DIR --outputs DIR     one JSON object with a verdict per case
//
// An author writes some functions and hands them to judge_main (docs/writing-exercises.md). What is the
// same for all of them is in judge.cpp, which is compiled once.
//
// Long because it is all that the author of an exercise has to know, in one place.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <limits>
#include <string>
#include <type_traits>
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
  void add(std::size_t n, std::uint64_t seed = 1);
  void add_as(const std::string& id, std::size_t n, std::uint64_t seed);
  // A hidden case: n is `unit` times a number from low to high.
  void add_random(Random& random, std::size_t low, std::size_t high, std::size_t unit = 1);
  void now_hidden() { hidden_ = true; }
  const std::vector<Case>& all() const { return all_; }

 private:
  bool known(const std::string& id) const;
  std::string id_of(std::size_t n);

  MakeInput make_;
  bool hidden_ = false;
  int hidden_count_ = 0;
  std::vector<Case> all_;
};

std::string text_of_real(double value, int digits);

// A number as it is told: a float with all the digits that tell it from its neighbours.
template <class T>
std::string text_of(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return text_of_real(value, std::numeric_limits<T>::max_digits10);
  else
    return std::to_string(+value);
}

// "1 element", "2 elements".
std::string count_of(std::size_t count, const std::string& what);
// "the last one is missing", "the last 3 are missing"; `one` and `many` say what became of them.
std::string the_last(std::size_t count, const std::string& one = "is missing",
                     const std::string& many = "are missing");

// What the judge finds out about one case. The first thing that is wrong stays.
class Judgement {
 public:
  bool ok() const { return kind_ == "passed"; }
  const std::string& kind() const { return kind_; }
  bool explained() const { return explained_; }

  // Something is wrong. The kind is one of verdict.py's.
  void fail(const std::string& kind, const std::string& message);
  // For a failed case whose cause can be told from the values: says it in plain words.
  void because(const std::string& kind, const std::string& message);

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
    if (!comparable(out.has<T>(name), name)) return false;
    const std::vector<T> actual = out.get<T>(name);
    if (!same_size(name, actual.size(), expected.size())) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (same(expected[i], actual[i]) || wrong_++ > 0) continue;
      first_ = {name, expected.size(), i, text_of(expected[i]), text_of(actual[i]), false};
      T poison;
      std::memset(&poison, 0xCD, sizeof poison);
      first_.untouched = std::memcmp(&poison, &actual[i], sizeof poison) == 0;
    }
    return all_same();
  }
  bool comparable(bool is_there, const std::string& name);
  bool same_size(const std::string& name, std::size_t actual, std::size_t expected);
  bool all_same();

  struct Difference {
    std::string array;
    std::size_t size = 0, index = 0;
    std::string expected, actual;
    bool untouched = false;  // the fill of fresh memory
  };

  std::string kind_ = "passed", message_;
  Difference first_;
  std::size_t wrong_ = 0;
  bool explained_ = false;
};

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

// Right for whole multiples, wrong for some of the others, and nothing else: the tail is lost.
void find_lost_tail(const std::vector<Case>& cases, std::vector<Judgement>& results,
                    std::size_t multiple);

}  // namespace detail

int judge_main(int argc, char** argv, const Judge& judge);

}  // namespace course::exercise
