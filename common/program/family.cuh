// SPDX-License-Identifier: MIT
// Lessons whose rungs compute a table, an array or a count. Their rungs come in families: those of one
// family solve the same problem, each in its own way, and are compared with each other, with the CPU
// and with the library.
//
//   Task       what a rung is launched with: pointers to device memory, sizes ("Histogram")
//   ProblemOf  the memory behind it: the input, the CPU's answer, room for results, the judge
//   Rung       one way to solve it: an id, an idea, a launcher
//   FamilyOf   rungs, options of their own (--bins 256), and how a problem is made for them
//
// --list, the tables, the JSON document and the tests come from the lesson's list of families.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/program/cub_call.hpp"
#include "common/program/options.hpp"
#include "common/program/verify.hpp"

namespace course::families {

// What a problem is made from.
struct Setup {
  const Device& device;
  std::size_t n = 0;
  int block = 256;
  std::uint64_t seed = 1;
  Chosen chosen = {};  // a value for each of the family's choices
};

// What the judge found; `where` says in words what is wrong first ("bin 17").
struct Finding {
  Verdict verdict;
  std::string where = {};
};

class Problem {
 public:
  // A problem of size n has this many elements more, so that it can be taken from a later one on.
  static constexpr std::size_t kSpare = 3;

  virtual ~Problem() = default;
  // What follows is about the `n` elements from `first` on, at first about all n from 0 on.
  virtual void take(std::size_t first, std::size_t n) = 0;
  virtual double bytes() const = 0;                 // every byte that must move, once
  virtual void solve_on_cpu(unsigned threads) = 0;  // what the CPU rows time
  virtual Finding judge_cpu() = 0;
  virtual void poison() = 0;  // the results: a kernel that writes nothing must not pass
  // The results on the device. any_order: an array that is right in every order of its elements.
  virtual Finding judge(bool any_order) = 0;
};
template <class Task>
class ProblemOf : public Problem {
 public:
  virtual Task task() = 0;
};

template <class Task>
struct Rung {
  const char* id;
  const char* idea;  // what changed since the rung before
  void (*launch)(const Task&);
  const char* (*refuses)(const Task&) = nullptr;  // why this task is not for it; null: it is
  bool any_order = false;
  int least_sm = 75;  // older GPUs skip it
};

template <class Task>
struct Library {
  const char* name = nullptr;  // "cub::DeviceHistogram::HistogramEven"; null: there is none
  CubCall (*call)(const Task&) = nullptr;
  const char* (*absent)(const Task&) = nullptr;  // why it is not here; null: it is
  const char* id = "cub";
};

// A rung whose task nobody here needs to know.
struct RungInfo {
  std::string id, idea;
  int least_sm = 75;
  bool any_order = false;
};

// A family with a problem made for it.
class Bench {
 public:
  virtual ~Bench() = default;
  virtual Problem& problem() = 0;
  virtual std::string refuses(std::size_t rung) = 0;  // empty: it takes this problem
  virtual void launch(std::size_t rung) = 0;
  virtual std::string no_library() = 0;  // why there is none here; empty: there is
  virtual CubCall library() = 0;
};

class Family {
 public:
  constexpr Family(const char* id, const char* about, std::span<const Choice> choices)
      : id(id), about(about), choices(choices) {}
  virtual ~Family() = default;
  virtual std::vector<RungInfo> rungs() const = 0;
  virtual const char* library_name() const = 0;
  virtual const char* library_id() const = 0;
  virtual std::unique_ptr<Bench> prepare(const Setup& setup) const = 0;

  const char* id;     // "histogram"
  const char* about;  // what is computed, for the table's first line
  std::span<const Choice> choices;
};

template <class Task>
class FamilyOf final : public Family {
 public:
  using Make = std::unique_ptr<ProblemOf<Task>> (*)(const Setup&);
  constexpr FamilyOf(const char* id, const char* about, std::span<const Choice> choices, Make make,
                     std::span<const Rung<Task>> rungs, Library<Task> library = {})
      : Family(id, about, choices), make_(make), rungs_(rungs), library_(library) {}

  std::vector<RungInfo> rungs() const override {
    std::vector<RungInfo> all;
    for (const auto& r : rungs_) all.push_back({r.id, r.idea, r.least_sm, r.any_order});
    return all;
  }
  const char* library_name() const override { return library_.name; }
  const char* library_id() const override { return library_.id; }
  std::unique_ptr<Bench> prepare(const Setup& setup) const override {
    return std::make_unique<Prepared>(*this, make_(setup));
  }

 private:
  struct Prepared final : Bench {
    Prepared(const FamilyOf& f, std::unique_ptr<ProblemOf<Task>> p)
        : family(f), made(std::move(p)) {}
    Problem& problem() override { return *made; }
    std::string refuses(std::size_t rung) override {
      const auto& r = family.rungs_[rung];
      const char* const why = r.refuses ? r.refuses(made->task()) : nullptr;
      return why ? why : "";
    }
    void launch(std::size_t rung) override { family.rungs_[rung].launch(made->task()); }
    std::string no_library() override {
      const auto& l = family.library_;
      const char* const why = l.absent ? l.absent(made->task()) : nullptr;
      return why ? why : "";
    }
    CubCall library() override { return family.library_.call(made->task()); }
    const FamilyOf& family;
    std::unique_ptr<ProblemOf<Task>> made;
  };
  Make make_;
  std::span<const Rung<Task>> rungs_;
  Library<Task> library_;
};

struct Lesson {
  const char* name;      // "07_vote_and_match"
  const char* question;  // what it answers
  std::span<const Family* const> families;
  // Elements where --n does not say: on the emulator few enough that all rungs take seconds.
  std::uint64_t default_n = std::uint64_t{1} << 26, emulated_n = std::uint64_t{1} << 20;
  // Elements for a test of all choices; fewer where an element is much work.
  std::size_t test_n = 3001;
};

// Launches a rung on three parts of the problem, the last of them all of it: from the second element
// on, so that nobody relies on alignment; the first few; all. The first that is wrong, else the last.
Finding verify(Bench& bench, const RungInfo& info, std::size_t rung, std::size_t n);

// The whole program; program.hpp says what its exit codes mean.
int run_lesson(const Lesson& lesson, int argc, const char* const* argv);

}  // namespace course::families
