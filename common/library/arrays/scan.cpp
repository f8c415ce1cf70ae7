// SPDX-License-Identifier: MIT
#include "common/arrays/scan.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"

namespace course {

namespace {

constexpr const char* kTypes[] = {"f32", "i32"};
constexpr Choice kScanChoices[] = {{"type", "what is added up", kTypes, "i32"}};

// An element of the result goes through at most so many additions: within its thread's four, over the
// lanes, rows and warps, and one for each tile before it in the longest chain of tiles (256 elements
// and more).
double longest_chain(std::size_t n) { return 64 + static_cast<double>(n) / 256; }

template <class T>
std::vector<T> make_input(std::size_t n, std::uint64_t seed) {
  if constexpr (std::is_same_v<T, int>)
    return random_ints(n, seed);
  else
    return random_floats(n, seed);
}

// Is a whole array right? Goes along with the exact sum, in double for floats.
template <class T>
families::Finding compare(std::span<const T> x, std::span<const T> out) {
  double sum = 0, absolute = 0;
  unsigned wrapped = 0;
  const double depth = longest_chain(x.size());
  Verdict worst{true};
  for (std::size_t i = 0; i < x.size(); ++i) {
    Verdict v;
    if constexpr (std::is_same_v<T, int>) {
      wrapped += static_cast<unsigned>(x[i]);
      v = judge(out[i], static_cast<int>(wrapped));
    } else {
      sum += x[i];
      absolute += std::abs(x[i]);
      v = judge(out[i], sum, sum_error_bound(depth, absolute));
    }
    if (!v.ok) return {v, "element " + std::to_string(i)};
    if (v.ratio() >= worst.ratio()) worst = v;
  }
  return {worst};
}

template <class T>
class ScanProblem final : public families::ProblemOf<Scan> {
 public:
  explicit ScanProblem(const families::Setup& setup)
      : device_(setup.device),
        block_(setup.block),
        x_(make_input<T>(setup.n + kSpare, setup.seed)),
        in_(x_),
        out_(setup.n + kSpare),
        partials_(scan_partials(setup.n)),
        words_(scan_words(setup.n)),
        on_cpu_(setup.n) {
    COURSE_CHECK(cudaMemset(words_.data(), 0, words_.bytes()));
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
  }
  double bytes() const override { return 2.0 * sizeof(T) * static_cast<double>(n_); }
  void solve_on_cpu(unsigned threads) override {
    cpu_scan(part(), std::span(on_cpu_).first(n_), threads);
  }
  families::Finding judge_cpu() override {
    return compare<T>(part(), std::span<const T>(on_cpu_).first(n_));
  }
  void poison() override { COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes())); }
  families::Finding judge(bool) override {
    const auto out = out_.download();
    // What lies around the part asked for must still be poison.
    const T after = out[first_ + n_];
    if (std::bit_cast<std::uint32_t>(after) != 0xcdcdcdcd)
      return {{false, 0, static_cast<double>(after)},
              "the element behind the last one was written"};
    return compare<T>(part(), std::span<const T>(out).subspan(first_, n_));
  }
  Scan task() override {
    return {std::is_same_v<T, float>, in_.data() + first_, n_,      out_.data() + first_, block_,
            partials_.data(),         words_.data(),       &device_};
  }

 private:
  std::span<const T> part() const { return std::span<const T>(x_).subspan(first_, n_); }

  const Device& device_;
  int block_;
  std::vector<T> x_;
  DeviceBuffer<T> in_, out_, partials_;
  DeviceBuffer<std::uint64_t> words_;
  std::vector<T> on_cpu_;
  std::size_t first_ = 0, n_ = 0;
};

}  // namespace

std::span<const Choice> scan_choices() { return kScanChoices; }

std::unique_ptr<families::ProblemOf<Scan>> make_scan(const families::Setup& setup) {
  check_bytes_fit(8.5 * static_cast<double>(setup.n), setup.n, setup.device);
  if (value_of(setup.chosen, "type") == "f32") return std::make_unique<ScanProblem<float>>(setup);
  return std::make_unique<ScanProblem<int>>(setup);
}

}  // namespace course
