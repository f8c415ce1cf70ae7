// SPDX-License-Identifier: MIT
#include "common/arrays/saxpy.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/parallel.hpp"

namespace course {

namespace {

constexpr float kFactor = 3;
constexpr std::uint32_t kUnwritten = 0xcdcdcdcd;

// 1 to 1000: no element is 0, so that a lost one is seen.
std::vector<float> small_numbers(std::size_t n, std::uint64_t seed) {
  std::vector<float> x(n);
  for_each_piece(n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      x[i] = static_cast<float>(1 + random_bits(seed, i) % 1000);
  });
  return x;
}

class SaxpyProblem final : public families::ProblemOf<Saxpy> {
 public:
  explicit SaxpyProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        x_(small_numbers(setup.n + kSpare, setup.seed)),
        y_(small_numbers(setup.n + kSpare, setup.seed + 1)),
        in_x_(x_),
        in_y_(y_),
        out_(setup.n + kSpare),
        on_cpu_(setup.n) {
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
  }
  double bytes() const override { return 12.0 * static_cast<double>(n_); }
  void solve_on_cpu(unsigned threads) override {
    cpu_saxpy(kFactor, std::span(x_).subspan(first_, n_), std::span(y_).subspan(first_, n_),
              std::span(on_cpu_).first(n_), threads);
  }
  families::Finding judge_cpu() override {
    for (std::size_t i = 0; i < n_; ++i)
      if (on_cpu_[i] != right(first_ + i)) return wrong(i, right(first_ + i), on_cpu_[i]);
    return {{true}};
  }
  void poison() override {
    if (out_.size() > 0) COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes()));
  }
  // Also what lies before and behind the part: it must be as it was.
  families::Finding judge(bool) override {
    const auto out = out_.download();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool mine = i >= first_ && i < first_ + n_;
      if (mine && out[i] != right(i)) return wrong(i - first_, right(i), out[i]);
      if (!mine && std::bit_cast<std::uint32_t>(out[i]) != kUnwritten)
        return {{false, NAN, out[i]}, "memory outside of the array, which must be left alone"};
    }
    return {{true}};
  }
  Saxpy task() override {
    return {kFactor, in_x_.data() + first_, in_y_.data() + first_, out_.data() + first_, n_, block_,
            &device_};
  }

 private:
  float right(std::size_t i) const { return kFactor * x_[i] + y_[i]; }
  static families::Finding wrong(std::size_t i, float expected, float actual) {
    return {{false, expected, actual, std::abs(expected - actual)}, "element " + std::to_string(i)};
  }

  const Device& device_;
  int block_;
  std::vector<float> x_, y_;
  DeviceBuffer<float> in_x_, in_y_, out_;
  std::vector<float> on_cpu_;
  std::size_t first_ = 0, n_ = 0;
};

}  // namespace

std::unique_ptr<families::ProblemOf<Saxpy>> make_saxpy(const families::Setup& setup) {
  check_bytes_fit(12.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<SaxpyProblem>(setup);
}

}  // namespace course
