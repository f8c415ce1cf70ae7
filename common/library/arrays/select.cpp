// SPDX-License-Identifier: MIT
#include "common/arrays/select.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/parallel.hpp"

namespace course {

namespace {

constexpr const char* kKeep[] = {"0", "1", "10", "50", "90", "100"};
constexpr Choice kSelectChoices[] = {
    {"keep", "how many of a hundred elements are wanted", kKeep, "50"}};

std::vector<std::uint32_t> words_to_select(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> x(n);
  for_each_piece(n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      x[i] = static_cast<std::uint32_t>(random_bits(seed, i) >> 20);
  });
  return x;
}

// The same for every order of the elements; another order of bits for each element makes it unlikely
// that two mistakes hide each other.
std::uint64_t fingerprint(std::span<const std::uint32_t> x) {
  std::vector<std::uint64_t> parts(pieces_of(x.size()));
  for_each_piece(x.size(), [&](std::size_t piece, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parts[piece] += random_bits(x[i], x[i]);
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

class SelectProblem final : public families::ProblemOf<Select> {
 public:
  explicit SelectProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        threshold_(
            static_cast<std::uint32_t>((std::stoull(value_of(setup.chosen, "keep")) << 31) / 100)),
        x_(words_to_select(setup.n + kSpare, setup.seed)),
        in_(x_),
        out_(setup.n + kSpare),
        kept_(1),
        words_(select_words(setup.n)),
        on_cpu_(setup.n) {
    COURSE_CHECK(cudaMemset(words_.data(), 0, words_.bytes()));
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    if (truths_.count({first, n}) > 0) return;
    std::vector<std::uint32_t> truth(n);
    truth.resize(cpu_select(part(), threshold_, std::span(truth), cpu_threads()));
    truths_[{first, n}] = std::move(truth);
  }
  double bytes() const override { return 4.0 * static_cast<double>(n_ + truth().size()) + 8; }
  void solve_on_cpu(unsigned threads) override {
    kept_on_cpu_ = cpu_select(part(), threshold_, std::span(on_cpu_), threads);
  }
  families::Finding judge_cpu() override {
    return compared(kept_on_cpu_, std::span(on_cpu_).first(std::min(kept_on_cpu_, n_)), false);
  }
  void poison() override {
    if (out_.size() > 0) COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes()));
    COURSE_CHECK(cudaMemset(kept_.data(), 0xcd, kept_.bytes()));
  }
  families::Finding judge(bool any_order) override {
    const auto words = words_.download();
    const auto used = std::find_if(words.begin(), words.end(), [](auto w) { return w != 0; });
    if (used != words.end())
      return {{false, 0, static_cast<double>(*used)},
              "word " + std::to_string(used - words.begin()) +
                  " of the scratch memory, which must be left as it was found"};
    const std::uint64_t kept = kept_.download()[0];
    std::vector<std::uint32_t> out(std::min<std::size_t>(kept, n_));
    if (!out.empty())
      COURSE_CHECK(
          cudaMemcpy(out.data(), out_.data() + first_, 4 * out.size(), cudaMemcpyDeviceToHost));
    return compared(kept, out, any_order);
  }
  Select task() override {
    return {in_.data() + first_, n_,     threshold_,    out_.data() + first_,
            kept_.data(),        block_, words_.data(), &device_};
  }

 private:
  std::span<const std::uint32_t> part() const {
    return std::span<const std::uint32_t>(x_).subspan(first_, n_);
  }
  const std::vector<std::uint32_t>& truth() const { return truths_.at({first_, n_}); }
  families::Finding compared(std::uint64_t kept, std::span<const std::uint32_t> out,
                             bool any_order) const {
    const auto wrong = [](double expected, double actual, std::string where) {
      return families::Finding{{false, expected, actual, std::abs(expected - actual)},
                               std::move(where)};
    };
    const auto& right = truth();
    if (kept != right.size())
      return wrong(static_cast<double>(right.size()), static_cast<double>(kept), "elements kept");
    if (any_order) {
      if (fingerprint(out) == fingerprint(right)) return {{true}};
      return wrong(static_cast<double>(fingerprint(right)), static_cast<double>(fingerprint(out)),
                   "fingerprint of all elements, in any order");
    }
    const auto at = std::mismatch(right.begin(), right.end(), out.begin());
    if (at.first == right.end()) return {{true}};
    return wrong(*at.first, *at.second, "element " + std::to_string(at.first - right.begin()));
  }

  const Device& device_;
  int block_;
  std::uint32_t threshold_;
  std::vector<std::uint32_t> x_;
  DeviceBuffer<std::uint32_t> in_, out_;
  DeviceBuffer<std::uint64_t> kept_, words_;
  std::vector<std::uint32_t> on_cpu_;
  std::size_t first_ = 0, n_ = 0, kept_on_cpu_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> truths_;
};

}  // namespace

std::span<const Choice> select_choices() { return kSelectChoices; }

std::unique_ptr<families::ProblemOf<Select>> make_select(const families::Setup& setup) {
  check_bytes_fit(12.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<SelectProblem>(setup);
}

}  // namespace course
