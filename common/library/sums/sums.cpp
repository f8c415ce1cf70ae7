// SPDX-License-Identifier: MIT
#include "common/sums/sums.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/sums/cpu_sum.hpp"
#include "common/sums/rounded_sum.hpp"

namespace course {

namespace {

constexpr const char* kSumInputs[] = {"uniform", "positive", "cancelling", "wide"};
constexpr const char* kStored[] = {"f32", "f16", "bf16"};
constexpr Choice kSumsChoices[] = {
    {"input", "which numbers are added up", kSumInputs, "uniform"},
    {"stored", "in which type they are stored", kStored, "f32"},
};
constexpr std::uint32_t kPoison = 0xffffffffu;

class SumsProblem final : public families::ProblemOf<Sums> {
 public:
  explicit SumsProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        stored_(stored_as(value_of(setup.chosen, "stored"))),
        x_(sum_input(value_of(setup.chosen, "input"), stored_, setup.n + kSpare, setup.seed)),
        in_(pack(stored_, x_)),
        out_(1),
        scratch_(std::size_t{kSumBlocks} * kSumBytesPerBlock),
        words_(kSumWords),
        ticket_(1) {
    COURSE_CHECK(cudaMemset(words_.data(), 0, words_.bytes()));
    COURSE_CHECK(cudaMemset(ticket_.data(), 0, ticket_.bytes()));
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    known_ = false;
  }
  double bytes() const override {
    return static_cast<double>(bytes_of(stored_)) * static_cast<double>(n_);
  }
  void solve_on_cpu(unsigned threads) override {
    on_cpu_ = threads <= 1 ? cpu_sum(part()) : cpu_sum_threads(part(), threads);
    cpu_chain_ = static_cast<double>(n_) / threads + threads;
  }
  families::Finding judge_cpu() override { return near(on_cpu_, cpu_chain_); }
  void poison() override { COURSE_CHECK(cudaMemset(out_.data(), 0xff, out_.bytes())); }
  families::Finding judge(bool) override {
    const Promises found = out_.download()[0];
    const auto written = [](float value) { return std::bit_cast<std::uint32_t>(value) != kPoison; };
    if (written(found.near) + written(found.same) + written(found.rounded) != 1)
      return {{false}, "not one of the three places was written"};
    if (written(found.near)) {
      // A thread goes through its share; then trees and the blocks' sums. At least a quarter of the
      // GPU's threads are at work where there are elements for them.
      const double threads = 512.0 * device_.multiprocessors;
      return near(found.near, static_cast<double>(n_) / threads + 256);
    }
    find_truth();
    return written(found.same) ? equal(found.same, same_, "the reproducible sum")
                               : equal(found.rounded, rounded_, "the nearest float");
  }
  Sums task() override {
    return {stored_,
            in_.data() + first_ * bytes_of(stored_),
            n_,
            out_.data(),
            block_,
            scratch_.data(),
            words_.data(),
            ticket_.data(),
            &device_};
  }

 private:
  std::span<const float> part() const { return std::span<const float>(x_).subspan(first_, n_); }
  void find_truth() {
    if (known_) return;
    known_ = true;
    WideSum sum;
    sum.add(part());
    truth_ = sum.to_double();
    magnitudes_ = sum.magnitudes();
    rounded_ = sum.rounded();
    same_ = reproducible_sum(part());
  }
  families::Finding near(float actual, double chain) {
    find_truth();
    return {course::judge(actual, truth_, sum_error_bound(chain, magnitudes_)), "the sum"};
  }
  static families::Finding equal(float actual, float expected, const char* what) {
    const bool ok = std::bit_cast<std::uint32_t>(actual) == std::bit_cast<std::uint32_t>(expected);
    const double error = std::abs(static_cast<double>(actual) - static_cast<double>(expected));
    return {{ok, expected, actual, error, 0}, what};
  }

  const Device& device_;
  int block_;
  Stored stored_;
  std::vector<float> x_;
  DeviceBuffer<unsigned char> in_;
  DeviceBuffer<Promises> out_;
  DeviceBuffer<unsigned char> scratch_;
  DeviceBuffer<std::uint64_t> words_;
  DeviceBuffer<unsigned> ticket_;
  std::size_t first_ = 0, n_ = 0;
  bool known_ = false;
  double truth_ = 0, magnitudes_ = 0;
  float rounded_ = 0, same_ = 0;
  float on_cpu_ = 0;
  double cpu_chain_ = 0;
};

}  // namespace

std::span<const Choice> sums_choices() { return kSumsChoices; }

namespace {

// Of magnitudes up to 2^14, each with its opposite half an array later; but one pair in 64 is small and
// positive: the condition is about two million, whatever n. So are the pairs at the ends, of which a
// part of the array may have only one.
void make_cancelling(std::vector<float>& x, std::uint64_t seed) {
  const std::size_t half = x.size() / 2;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i >= half && i < 2 * half ? i - half : i;
    const std::uint64_t both = random_bits(seed, first);
    if (both % 64 == 0 || first < 4 || first + 4 >= half)
      x[i] = std::ldexp(std::abs(x[i]), -4);
    else
      x[i] = first < i ? -x[first] : std::ldexp(x[i], static_cast<int>(both % 15));
  }
}

}  // namespace

std::vector<float> sum_input(const std::string& input, Stored stored, std::size_t n,
                             std::uint64_t seed) {
  std::vector<float> x = random_floats(n, seed);
  if (input == "positive")
    for (float& v : x) v = std::abs(v);
  if (input == "cancelling") make_cancelling(x, seed + 1);
  if (input == "wide") {
    const int spread = stored == Stored::kF16 ? 10 : 100;
    for (std::size_t i = 0; i < n; ++i) {
      const auto random = static_cast<int>(random_bits(seed + 1, i) % (2u * spread));
      x[i] = std::ldexp(x[i], random - spread);
    }
  }
  if (stored != Stored::kF32)
    for (float& v : x) v = nearest(stored, v);
  return x;
}

std::unique_ptr<families::ProblemOf<Sums>> make_sums(const families::Setup& setup) {
  check_bytes_fit(4.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<SumsProblem>(setup);
}

}  // namespace course
