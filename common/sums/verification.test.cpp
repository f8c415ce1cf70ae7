// SPDX-License-Identifier: MIT
// Verification with rungs that run on the CPU: what passes, what is refused, and by which array.
// Wrong kernels are in tests/lessons/wrong_kernels.cu.
#include "common/sums/verification.cuh"

#include "common/sums/cpu_sum.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Rung;
using course::Sum;
using course::Verdict;
using support::device;

namespace {

template <class T>
std::vector<T> input_of(const Sum<T>& s) {
  std::vector<T> x(s.n);
  if (s.n > 0) COURSE_CHECK(cudaMemcpy(x.data(), s.in, s.n * sizeof(T), cudaMemcpyDeviceToHost));
  return x;
}
template <class T>
void answer(const Sum<T>& s, T value) {
  COURSE_CHECK(cudaMemcpy(s.out, &value, sizeof value, cudaMemcpyHostToDevice));
}

template <class T>
void right(const Sum<T>& s) {
  const auto x = input_of(s);
  answer(s, course::cpu_sum(std::span<const T>(x)));
}
template <class T>
void without_last(const Sum<T>& s) {
  auto x = input_of(s);
  if (!x.empty()) x.pop_back();
  answer(s, course::cpu_sum(std::span<const T>(x)));
}
template <class T>
void silent(const Sum<T>&) {}
// One percent too much, except where the sum is a whole number.
void coarse(const Sum<float>& s) {
  const auto x = input_of(s);
  const float sum = course::cpu_sum(std::span<const float>(x));
  answer(s, sum == std::floor(sum) ? sum : sum * (1 + 1e-2f));
}
// Right only where the input begins at a multiple of 16 bytes.
template <class T>
void aligned_only(const Sum<T>& s) {
  reinterpret_cast<std::uintptr_t>(s.in) % 16 == 0 ? right(s) : answer(s, T{0});
}

double depth(std::size_t n, int, const course::Device&) { return static_cast<double>(n); }

constexpr Rung kRight{"right", "", &right<float>, &right<int>, &depth};
constexpr Rung kIntegersOnly{"integers_only", "", nullptr, &right<int>, &depth};
constexpr Rung kWithoutLast{"without_last", "", &without_last<float>, &without_last<int>, &depth};
constexpr Rung kSilent{"silent", "", &silent<float>, &silent<int>, &depth};
constexpr Rung kCoarse{"coarse", "", &coarse, &right<int>, &depth};
constexpr Rung kAlignedOnly{"aligned_only", "", &aligned_only<float>, &aligned_only<int>, &depth};

Verdict verdict_of(const Rung& rung, std::size_t n = 1001) {
  return course::verify(rung, device(), n, 32, 1);
}

}  // namespace

TEST_CASE("a right sum passes at every size, none included") {
  for (const std::size_t n : {0, 1, 2, 31, 1001}) {
    INFO(n);
    CHECK(verdict_of(kRight, n).ok);
  }
}

TEST_CASE("the verdict of a right sum is that of the random floats, with its bound") {
  const Verdict v = verdict_of(kRight);
  CHECK(v.bound > 0);
  CHECK(v.ratio() < 1);
  CHECK(v.expected != 0);
}

TEST_CASE("a rung for integers only is verified on integers only") {
  CHECK(verdict_of(kIntegersOnly).ok);
}

TEST_CASE("one lost element is refused, exactly") {
  const Verdict v = verdict_of(kWithoutLast);
  CHECK_FALSE(v.ok);
  CHECK(v.bound == 0);
}

TEST_CASE("a result that was never written is refused, also that of no elements") {
  CHECK_FALSE(verdict_of(kSilent).ok);
  CHECK_FALSE(verdict_of(kSilent, 0).ok);
}

TEST_CASE("an error beyond the bound is refused where whole numbers hide it") {
  const Verdict v = verdict_of(kCoarse);
  CHECK_FALSE(v.ok);
  CHECK(v.bound > 0);
  CHECK(v.ratio() > 1);
}

TEST_CASE("a sum that relies on alignment is refused") { CHECK_FALSE(verdict_of(kAlignedOnly).ok); }

TEST_CASE("every rung gets its own verdict, whatever the ones before it got") {
  const Rung* const rungs[] = {&kSilent, &kRight, &kWithoutLast, &kIntegersOnly};
  const auto verdicts = course::verify(rungs, device(), 100, 32, 1);
  REQUIRE(verdicts.size() == 4);
  CHECK_FALSE(verdicts[0].ok);
  CHECK(verdicts[1].ok);
  CHECK_FALSE(verdicts[2].ok);
  CHECK(verdicts[3].ok);
}

TEST_CASE("no rungs: no verdicts") {
  CHECK(course::verify(std::span<const Rung* const>{}, device(), 100, 32, 1).empty());
}
