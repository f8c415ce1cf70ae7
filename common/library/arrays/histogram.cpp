// SPDX-License-Identifier: MIT
#include "common/arrays/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/parallel.hpp"
#include "common/size.hpp"

namespace course {

namespace {

constexpr const char* kSamples[] = {"u8", "u32"};
constexpr const char* kBins[] = {"64", "256", "4096", "65536"};
constexpr const char* kInputs[] = {"uniform", "zipf", "constant", "sorted", "stray"};
constexpr Choice kHistogramChoices[] = {
    {"sample", "type of the samples", kSamples, "u32"},
    {"bins", "number of bins", kBins, "256"},
    {"input", "how the samples are spread", kInputs, "uniform"}};

// Element i of an input of n: the bin it belongs to.
class Maker {
 public:
  Maker(const std::string& input, std::uint32_t bins, std::size_t n, std::uint64_t seed)
      : kind_(input[0] == 's' ? input[1] : input[0]), bins_(bins), n_(n), seed_(seed) {}

  std::uint32_t operator()(std::size_t i) const {
    const std::uint64_t bits = random_bits(seed_, i);
    switch (kind_) {
      case 'c':
        return bins_ / 3 * 2;
      case 'o':  // sorted: each bin as often as the next
        return static_cast<std::uint32_t>(static_cast<double>(i) * bins_ / static_cast<double>(n_));
      case 'z':
        return zipf(bits);
      case 't':  // stray: every eighth is no bin
        return (bits & 7) == 0 ? bins_ + (bits >> 40) % (3 * bins_) : bits % bins_;
      default:
        return static_cast<std::uint32_t>((bits >> 32) * bins_ >> 32);
    }
  }

 private:
  // Bin k of the order of frequency comes about 1/k as often as the first. Their places are mixed, so
  // that the frequent ones are not neighbours.
  std::uint32_t zipf(std::uint64_t bits) const {
    const double u = static_cast<double>(bits >> 11) * 0x1p-53;
    const auto rank = static_cast<std::uint32_t>(std::exp(u * std::log(bins_ + 1.0))) - 1;
    return rank * 0x9e3779b1u % bins_;
  }
  char kind_;
  std::uint32_t bins_;
  std::size_t n_;
  std::uint64_t seed_;
};

template <class T>
std::vector<T> make_samples(const std::string& input, std::uint32_t bins, std::size_t n,
                            std::uint64_t seed) {
  const Maker make(input, bins, n, seed);
  std::vector<T> x(n);
  for_each_piece(n, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) x[i] = static_cast<T>(make(i));
  });
  return x;
}

template <class T>
class HistogramProblem final : public families::ProblemOf<Histogram> {
 public:
  explicit HistogramProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        bins_(static_cast<std::uint32_t>(std::stoul(value_of(setup.chosen, "bins")))),
        x_(make_samples<T>(value_of(setup.chosen, "input"), bins_, setup.n + kSpare, setup.seed)),
        in_(x_),
        counts_(bins_),
        words_(kHistogramWords),
        tables_(histogram_tables(bins_, device_.multiprocessors)),
        on_cpu_(bins_) {
    COURSE_CHECK(cudaMemset(words_.data(), 0, words_.bytes()));
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    auto& truth = truths_[{first, n}];
    if (truth.empty()) {
      truth.resize(bins_);
      cpu_histogram(part(), std::span(truth), cpu_threads());
    }
  }
  double bytes() const override {
    return static_cast<double>(n_ * sizeof(T)) + 4.0 * static_cast<double>(bins_);
  }
  void solve_on_cpu(unsigned threads) override {
    cpu_histogram(part(), std::span(on_cpu_), threads);
  }
  families::Finding judge_cpu() override { return compared(on_cpu_); }
  void poison() override { COURSE_CHECK(cudaMemset(counts_.data(), 0xcd, counts_.bytes())); }
  families::Finding judge(bool) override {
    const auto words = words_.download();
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] != 0)
        return {{false, 0, static_cast<double>(words[i])},
                "word " + std::to_string(i) +
                    " of the scratch memory, which must be left as it was found"};
    return compared(counts_.download());
  }
  Histogram task() override {
    return {in_.data() + first_,
            static_cast<int>(sizeof(T)),
            n_,
            bins_,
            counts_.data(),
            block_,
            words_.data(),
            &device_,
            tables_.data()};
  }

 private:
  std::span<const T> part() const { return std::span<const T>(x_).subspan(first_, n_); }
  families::Finding compared(const std::vector<std::uint32_t>& counts) const {
    const auto& truth = truths_.at({first_, n_});
    const auto wrong = std::mismatch(truth.begin(), truth.end(), counts.begin());
    if (wrong.first == truth.end()) return {{true}};
    const double expected = *wrong.first, actual = *wrong.second;
    return {{false, expected, actual, std::abs(expected - actual)},
            "bin " + std::to_string(wrong.first - truth.begin())};
  }

  const Device& device_;
  int block_;
  std::uint32_t bins_;
  std::vector<T> x_;
  DeviceBuffer<T> in_;
  DeviceBuffer<std::uint32_t> counts_;
  DeviceBuffer<unsigned> words_;
  DeviceBuffer<std::uint32_t> tables_;
  std::vector<std::uint32_t> on_cpu_;
  std::size_t first_ = 0, n_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> truths_;
};

}  // namespace

std::span<const Choice> histogram_choices() { return kHistogramChoices; }

std::unique_ptr<families::ProblemOf<Histogram>> make_histogram(const families::Setup& setup) {
  const bool bytes = value_of(setup.chosen, "sample") == "u8";
  const std::string& bins = value_of(setup.chosen, "bins");
  if (bytes && std::stoul(bins) > 256)
    throw UsageError{"--bins " + bins + " needs --sample u32: u8 has 256 values"};
  if (setup.n >= std::size_t{1} << 32)
    throw UsageError{"--n " + format_size(setup.n) +
                     " is more than the 2^32 - 1 that a count can hold"};
  check_bytes_fit((bytes ? 1.0 : 4.0) * static_cast<double>(setup.n), setup.n, setup.device);
  if (bytes) return std::make_unique<HistogramProblem<std::uint8_t>>(setup);
  return std::make_unique<HistogramProblem<std::uint32_t>>(setup);
}

}  // namespace course
