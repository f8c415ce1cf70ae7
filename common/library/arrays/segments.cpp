// SPDX-License-Identifier: MIT
#include "common/arrays/segments.hpp"

#include <algorithm>
#include <cmath>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"

namespace course {

namespace {

constexpr const char* kSegments[] = {"1", "64", "4096", "16384"};
constexpr const char* kLengths[] = {"equal", "random", "skewed"};
constexpr Choice kSegmentChoices[] = {
    {"segments", "into how many segments the array is divided", kSegments, "4096"},
    {"lengths", "how long they are", kLengths, "equal"},
};

class SegmentsProblem final : public families::ProblemOf<Segments> {
 public:
  explicit SegmentsProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        seed_(setup.seed),
        segments_(static_cast<std::uint32_t>(std::stoul(value_of(setup.chosen, "segments")))),
        lengths_(value_of(setup.chosen, "lengths")),
        x_(random_floats(setup.n + kSpare, setup.seed)),
        in_(x_),
        out_(segments_),
        offsets_on_device_(segments_ + 1),
        words_(kSegmentWords),
        on_cpu_(segments_) {
    COURSE_CHECK(cudaMemset(words_.data(), 0, words_.bytes()));
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    offsets_ = segment_offsets(lengths_, segments_, n, seed_);
    offsets_on_device_.upload(offsets_);
  }
  double bytes() const override {
    return 4.0 * static_cast<double>(n_) + 8.0 * static_cast<double>(segments_);
  }
  void solve_on_cpu(unsigned threads) override {
    cpu_segments(part(), offsets_, std::span(on_cpu_), threads);
  }
  families::Finding judge_cpu() override { return compared(on_cpu_); }
  void poison() override { COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes())); }
  families::Finding judge(bool) override { return compared(out_.download()); }
  Segments task() override {
    return {in_.data() + first_, n_,      offsets_on_device_.data(), segments_, out_.data(), block_,
            words_.data(),       &device_};
  }

 private:
  std::span<const float> part() const { return std::span<const float>(x_).subspan(first_, n_); }
  families::Finding compared(std::span<const float> sums) const {
    Verdict worst{true};
    for (std::size_t s = 0; s < segments_; ++s) {
      double sum = 0, absolute = 0;
      for (std::size_t i = offsets_[s]; i < offsets_[s + 1]; ++i) {
        sum += part()[i];
        absolute += std::abs(part()[i]);
      }
      // In the worst order of all, one loop, every element of a segment is added to the sum.
      const double length = static_cast<double>(offsets_[s + 1] - offsets_[s]);
      const Verdict v = course::judge(sums[s], sum, sum_error_bound(length + 64, absolute));
      if (!v.ok) return {v, "segment " + std::to_string(s)};
      if (v.ratio() >= worst.ratio()) worst = v;
    }
    return {worst};
  }

  const Device& device_;
  int block_;
  std::uint64_t seed_;
  std::uint32_t segments_;
  std::string lengths_;
  std::vector<float> x_;
  DeviceBuffer<float> in_, out_;
  std::vector<std::uint32_t> offsets_;
  DeviceBuffer<std::uint32_t> offsets_on_device_;
  DeviceBuffer<std::uint64_t> words_;
  std::vector<float> on_cpu_;
  std::size_t first_ = 0, n_ = 0;
};

}  // namespace

std::vector<std::uint32_t> segment_offsets(const std::string& lengths, std::uint32_t segments,
                                           std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> offsets(std::size_t{segments} + 1);
  for (std::uint64_t s = 0; s < segments; ++s) {
    if (lengths == "equal") offsets[s] = static_cast<std::uint32_t>(n * s / segments);
    if (lengths == "random" && s > 0)
      offsets[s] = static_cast<std::uint32_t>(random_bits(seed, s) % (n + 1));
    if (lengths == "skewed") offsets[s] = static_cast<std::uint32_t>(s < 64 ? n - (n >> s) : n);
  }
  offsets[segments] = static_cast<std::uint32_t>(n);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

std::span<const Choice> segments_choices() { return kSegmentChoices; }

std::unique_ptr<families::ProblemOf<Segments>> make_segments(const families::Setup& setup) {
  if (setup.n >= std::size_t{1} << 32)
    throw UsageError{"--n is more than the 2^32 - 1 that an offset of 32 bits can hold"};
  check_bytes_fit(4.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<SegmentsProblem>(setup);
}

}  // namespace course
