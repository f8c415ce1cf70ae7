// SPDX-License-Identifier: MIT
#include "common/sums/rmsnorm.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"

namespace course {

namespace {

constexpr const char* kRowTypes[] = {"bf16", "f16", "f32"};
constexpr const char* kColumns[] = {"128", "1000", "4096", "5001", "65536"};
constexpr const char* kResidual[] = {"no", "yes"};
constexpr Choice kRmsNormChoices[] = {
    {"type", "in which type rows are stored", kRowTypes, "bf16"},
    {"columns", "elements of a row", kColumns, "4096"},
    {"residual", "whether another matrix is added first", kResidual, "no"},
};

// Rows of different magnitudes, so that another row's mean is seen.
std::vector<float> make_rows(Stored stored, std::size_t n, std::size_t columns,
                             std::uint64_t seed) {
  std::vector<float> x = random_floats(n, seed);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = nearest(stored, std::ldexp(x[i], static_cast<int>(i / columns % 7) - 3));
  return x;
}
std::vector<float> make_weights(Stored stored, std::size_t n, std::uint64_t seed) {
  std::vector<float> w = random_floats(n, seed);
  for (float& v : w) v = nearest(stored, 1 + v / 2);
  return w;
}

class RmsNormProblem final : public families::ProblemOf<RmsNorm> {
 public:
  explicit RmsNormProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        stored_(stored_as(value_of(setup.chosen, "type"))),
        most_columns_(std::stoul(value_of(setup.chosen, "columns"))),
        with_residual_(value_of(setup.chosen, "residual") == "yes"),
        x_(make_rows(stored_, setup.n + kSpare, most_columns_, setup.seed)),
        weight_(make_weights(stored_, most_columns_, setup.seed + 2)),
        in_(pack(stored_, x_)),
        weight_in_(pack(stored_, weight_)),
        out_(in_.size()),
        sum_(with_residual_ ? in_.size() : 0),
        on_cpu_(setup.n) {
    if (with_residual_) {
      const auto residual = make_rows(stored_, x_.size(), most_columns_, setup.seed + 1);
      residual_.emplace(pack(stored_, residual));
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = nearest(stored_, x_[i] + residual[i]);
    }
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    columns_ = std::min(most_columns_, n);
    rows_ = columns_ > 0 ? n / columns_ : 0;
  }
  double bytes() const override {
    const auto streams = with_residual_ ? 4.0 : 2.0;
    return static_cast<double>(bytes_of(stored_)) *
           (streams * static_cast<double>(filled()) + static_cast<double>(columns_));
  }
  void solve_on_cpu(unsigned threads) override {
    cpu_rmsnorm(part(), weights(), kEpsilon, std::span(on_cpu_).first(filled()), threads);
  }
  families::Finding judge_cpu() override {
    return compared(Stored::kF32, std::span<const float>(on_cpu_).first(filled()));
  }
  void poison() override {
    COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes()));
    COURSE_CHECK(cudaMemset(sum_.data(), 0xcd, sum_.bytes()));
  }
  families::Finding judge(bool) override {
    if (const auto finding = judge_sum(); !finding.verdict.ok) return finding;
    const auto bytes = out_.download();
    if (!rest_is_poison(bytes)) return {{false}, "something around the rows was written"};
    return compared(stored_,
                    std::span<const float>(unpack(stored_, bytes)).subspan(first_, filled()));
  }
  RmsNorm task() override {
    const std::size_t from = first_ * bytes_of(stored_);
    return {stored_,
            in_.data() + from,
            with_residual_ ? residual_->data() + from : nullptr,
            weight_in_.data(),
            out_.data() + from,
            with_residual_ ? sum_.data() + from : nullptr,
            rows_,
            static_cast<unsigned>(columns_),
            kEpsilon,
            block_,
            &device_};
  }

 private:
  static constexpr float kEpsilon = 1e-6f;
  std::size_t filled() const { return rows_ * columns_; }
  std::span<const float> part() const {
    return std::span<const float>(x_).subspan(first_, filled());
  }
  std::span<const float> weights() const { return std::span<const float>(weight_).first(columns_); }
  bool rest_is_poison(const std::vector<unsigned char>& bytes) const {
    const std::size_t begin = first_ * bytes_of(stored_);
    const std::size_t end = begin + filled() * bytes_of(stored_);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if ((i < begin || i >= end) && bytes[i] != 0xcd) return false;
    return true;
  }
  // x + residual must be right to the last bit.
  families::Finding judge_sum() const {
    if (!with_residual_) return {{true}};
    const auto sums = unpack(stored_, sum_.download());
    for (std::size_t i = first_; i < first_ + filled(); ++i)
      if (sums[i] != x_[i])
        return {{false, x_[i], sums[i]}, "the sum with the residual, " + place(i - first_)};
    return {{true}};
  }
  std::string place(std::size_t i) const {
    return "row " + std::to_string(i / columns_) + ", column " + std::to_string(i % columns_);
  }
  families::Finding compared(Stored stored, std::span<const float> out) const {
    // Threads may be as few as a warp.
    const double before =
        rmsnorm_error(static_cast<double>(columns_) / (stored == stored_ ? 32 : 1) + 32);
    Verdict worst{true};
    for (std::size_t row = 0; row < rows_; ++row) {
      const auto h = part().subspan(row * columns_, columns_);
      double squares = 0;
      for (const double v : h) squares += v * v;
      const double scale = 1 / std::sqrt(squares / static_cast<double>(columns_) + kEpsilon);
      for (std::size_t c = 0; c < columns_; ++c) {
        const double exact = h[c] * scale * weight_[c];
        const double bound =
            std::abs(exact) * (before + (1 + before) * unit_of(stored)) + least_step_of(stored);
        const Verdict v = course::judge(out[row * columns_ + c], exact, bound);
        if (!v.ok) return {v, place(row * columns_ + c)};
        if (v.ratio() >= worst.ratio()) worst = v;
      }
    }
    return {worst};
  }

  const Device& device_;
  int block_;
  Stored stored_;
  std::size_t most_columns_;
  bool with_residual_;
  std::vector<float> x_, weight_;  // x_ with the residual, where there is one
  DeviceBuffer<unsigned char> in_, weight_in_, out_, sum_;
  std::optional<DeviceBuffer<unsigned char>> residual_;
  std::vector<float> on_cpu_;
  std::size_t first_ = 0, n_ = 0, columns_ = 0, rows_ = 0;
};

}  // namespace

double rmsnorm_error(double chain) {
  constexpr double kUnit = 0x1p-24;
  // All squares are positive, so the sum's error is a share of it: sum_error_bound() of a sum of 1.
  // The square root halves it. Then: a division, an addition, a reciprocal root (two last places, four
  // units), two multiplications.
  return sum_error_bound(chain + 1, 1) / 2 + 8 * kUnit;
}

std::span<const Choice> rmsnorm_choices() { return kRmsNormChoices; }

std::unique_ptr<families::ProblemOf<RmsNorm>> make_rmsnorm(const families::Setup& setup) {
  check_bytes_fit(16.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<RmsNormProblem>(setup);
}

}  // namespace course
