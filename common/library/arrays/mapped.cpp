// SPDX-License-Identifier: MIT
// The problems whose result is an array of words, one for each element: ways and stencil.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/arrays/stencil.hpp"
#include "common/arrays/ways.hpp"
#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"

namespace course {

namespace {

std::vector<std::uint32_t> random_words(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<std::uint32_t>(random_bits(seed, i));
  return x;
}

// A Task has in, n, out, block and device, and the CPU's answer is solve(x, out, threads).
template <class Task>
class MappedProblem : public families::ProblemOf<Task> {
 public:
  explicit MappedProblem(const families::Setup& setup);
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
  }
  double bytes() const override { return 8.0 * static_cast<double>(n_); }
  void solve_on_cpu(unsigned threads) override {
    solve(part(), std::span(on_cpu_).first(n_), threads);
  }
  families::Finding judge_cpu() override;
  void poison() override { COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes())); }
  families::Finding judge(bool any_order) override;
  Task task() override {
    Task task;
    task.in = in_.data() + first_;
    task.n = n_;
    task.out = out_.data() + first_;
    task.block = block_;
    task.device = &device_;
    complete(task);
    return task;
  }

 protected:
  virtual void complete(Task& task) const = 0;
  virtual void solve(std::span<const std::uint32_t> x, std::span<std::uint32_t> out,
                     unsigned threads) const = 0;

 private:
  std::span<const std::uint32_t> part() const {
    return std::span<const std::uint32_t>(x_).subspan(first_, n_);
  }
  families::Finding compare(std::span<const std::uint32_t> out);

  const Device& device_;
  int block_;
  std::vector<std::uint32_t> x_;
  DeviceBuffer<std::uint32_t> in_, out_;
  std::vector<std::uint32_t> on_cpu_;
  std::size_t first_ = 0, n_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> truths_;
};

template <class Task>
MappedProblem<Task>::MappedProblem(const families::Setup& setup)
    : device_(setup.device),
      block_(setup.block),
      x_(random_words(setup.n + this->kSpare, setup.seed)),
      in_(x_),
      out_(setup.n + this->kSpare),
      on_cpu_(setup.n) {
  take(0, setup.n);
}

template <class Task>
families::Finding MappedProblem<Task>::compare(std::span<const std::uint32_t> out) {
  auto& right = truths_[{first_, n_}];
  if (right.size() != n_) {
    right.resize(n_);
    solve(part(), right, std::thread::hardware_concurrency());
  }
  const auto at = std::mismatch(right.begin(), right.end(), out.begin());
  if (at.first == right.end()) return {{true}};
  const double expected = *at.first, actual = *at.second;
  return {{false, expected, actual, std::abs(expected - actual)},
          "element " + std::to_string(at.first - right.begin())};
}

template <class Task>
families::Finding MappedProblem<Task>::judge_cpu() {
  return compare(std::span<const std::uint32_t>(on_cpu_).first(n_));
}

template <class Task>
families::Finding MappedProblem<Task>::judge(bool) {
  const auto out = out_.download();
  for (const std::size_t around : {first_ - 1, first_ + n_}) {
    if (around < out.size() && out[around] != 0xcdcdcdcdu)
      return {{false, 0, static_cast<double>(out[around])}, "an element beside them was written"};
  }
  return compare(std::span<const std::uint32_t>(out).subspan(first_, n_));
}

// ---- ways

constexpr const char* kWays[] = {"1", "2", "4", "8", "16", "32"};
constexpr const char* kSteps[] = {"2", "32"};
constexpr Choice kWaysChoices[] = {
    {"ways", "how many different ways there are", kWays, "8"},
    {"steps", "how long each is", kSteps, "32"},
};

class WaysProblem final : public MappedProblem<Ways> {
 public:
  explicit WaysProblem(const families::Setup& setup)
      : MappedProblem(setup),
        ways_(static_cast<unsigned>(std::stoi(value_of(setup.chosen, "ways")))),
        steps_(std::stoi(value_of(setup.chosen, "steps"))) {}

 private:
  void complete(Ways& task) const override {
    task.ways = ways_;
    task.steps = steps_;
  }
  void solve(std::span<const std::uint32_t> x, std::span<std::uint32_t> out,
             unsigned threads) const override {
    cpu_ways(x, out, ways_, steps_, threads);
  }
  unsigned ways_;
  int steps_;
};

}  // namespace

std::span<const Choice> ways_choices() { return kWaysChoices; }

std::unique_ptr<families::ProblemOf<Ways>> make_ways(const families::Setup& setup) {
  check_bytes_fit(8.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<WaysProblem>(setup);
}

// ---- stencil

namespace {

constexpr const char* kReaches[] = {"1", "8", "24"};
constexpr Choice kStencilChoices[] = {{"reach", "how far neighbours are added", kReaches, "8"}};

class StencilProblem final : public MappedProblem<Stencil> {
 public:
  explicit StencilProblem(const families::Setup& setup)
      : MappedProblem(setup), reach_(std::stoi(value_of(setup.chosen, "reach"))) {}

 private:
  void complete(Stencil& task) const override { task.reach = reach_; }
  void solve(std::span<const std::uint32_t> x, std::span<std::uint32_t> out,
             unsigned threads) const override {
    cpu_stencil(x, out, reach_, threads);
  }
  int reach_;
};

}  // namespace

std::span<const Choice> stencil_choices() { return kStencilChoices; }

std::unique_ptr<families::ProblemOf<Stencil>> make_stencil(const families::Setup& setup) {
  check_bytes_fit(8.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<StencilProblem>(setup);
}

}  // namespace course
