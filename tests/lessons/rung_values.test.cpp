// SPDX-License-Identifier: MIT
// Every rung with values that are hard on a sum, and what the lessons promise for each: a sum of
// floats is what IEEE 754 gives for some order of the additions.
#include <cmath>
#include <limits>
#include <utility>

#include "lessons/rung_checks.hpp"

using namespace rung_checks;
using Floats = std::vector<float>;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();
constexpr std::size_t kSizes[] = {1, 2, 33, 1000, 4099};

// Where a single odd element is put: every place of a small array, and the seams of a larger one.
std::vector<std::size_t> places(std::size_t n) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < n; ++i)
    if (n < 200 || i % 256 == 0 || i % 256 == 255 || i % 97 == 5 || i + 8 >= n) all.push_back(i);
  return all;
}

// Each rung on x; `check(rung, sum)` says what must have come out.
template <class Check>
void for_each_rung(const Floats& x, Check&& check) {
  for (const int block : kBlocks) {
    Trial<float> trial(x, block);
    for (const course::Rung* rung : rungs<float>()) {
      INFO(named(*rung, x.size(), block));
      check(*rung, trial.run(*rung));
    }
  }
}

}  // namespace

TEST_CASE("all negative") {
  for (const std::size_t n : kSizes) {
    Floats whole = course::exact_floats(n, 21), any = course::random_floats(n, 21);
    for (float& v : whole) v = -std::abs(v);
    for (float& v : any) v = -std::abs(v);
    for (const int block : kBlocks) {
      check_floats(whole, block, true);
      check_floats(any, block, false);
      check_ints(std::vector<int>(n, -3), block);
    }
  }
}

TEST_CASE("integers wrap") {
  for (const std::size_t n : kSizes) {
    for (const int block : kBlocks) {
      check_ints(std::vector<int>(n, INT32_MAX), block);
      check_ints(std::vector<int>(n, INT32_MIN), block);
    }
  }
}

TEST_CASE("huge values whose every partial sum is finite keep to the bound") {
  for (const std::size_t n : kSizes) {
    Floats x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = i % 2 ? -1e34f : 1e34f;
    for (const int block : kBlocks) check_floats(x, block, false);
  }
  Floats few(1000, 0.0f);  // three of each sign: 3e38 at most
  for (std::size_t i = 0; i < 6; ++i) few[i * 167] = i % 2 ? -1e38f : 1e38f;
  for (const int block : kBlocks) check_floats(few, block, false);
}

TEST_CASE("a sum above the largest float is +inf, below the lowest -inf") {
  for (const std::size_t n : {4, 33, 1000, 4099}) {
    for_each_rung(Floats(n, 1e38f), [](const auto&, float sum) { CHECK(sum == kInf); });
    for_each_rung(Floats(n, -1e38f), [](const auto&, float sum) { CHECK(sum == -kInf); });
  }
}

// +1e38 and -1e38 by turns: whether a partial sum overflows on the way depends on the order of the
// additions. It may be infinite or NaN then; a finite sum must be right.
TEST_CASE("where partial sums may overflow, a sum is right or not finite") {
  for (const std::size_t n : {2, 33, 1000, 4099}) {
    Floats x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = i % 2 ? -1e38f : 1e38f;
    const course::ExactSum truth = course::exact_sum(x);
    for_each_rung(x, [&](const course::Rung& rung, float sum) {
      const double depth = rung.depth(n, 32, device()) + rung.depth(n, 1024, device());
      const double bound = course::sum_error_bound(depth, truth.sum_abs);
      CHECK((!std::isfinite(sum) || course::judge(sum, truth.sum, bound).ok));
    });
  }
}

// nvcc keeps denormal numbers unless it is told -ftz=true. An atomicAdd of floats in global memory
// is the exception: PTX says that it takes and leaves them as 0.
TEST_CASE("denormal numbers are added, not taken for 0, but by global atomics") {
  for (const std::size_t n : kSizes) {
    const float truth = static_cast<float>(n) * kTiny;
    for_each_rung(Floats(n, kTiny), [&](const course::Rung& rung, float sum) {
      CHECK((sum == truth || (ends_in_atomic(rung) && sum == 0)));
    });
  }
}

TEST_CASE("tiny values beside large ones keep to the bound") {
  Floats x = course::random_floats(4099, 22);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] *= 1e-30f;
  for (const int block : kBlocks) check_floats(x, block, false);
}

TEST_CASE("one NaN anywhere makes the sum NaN") {
  for (const std::size_t n : {1, 131, 2051}) {
    Floats x = course::random_floats(n, 23);
    for (const std::size_t at : places(n)) {
      const float kept = std::exchange(x[at], kNan);
      INFO("NaN at " << at);
      for (const int block : kBlocks) check_floats(x, block, true);
      x[at] = kept;
    }
  }
}

TEST_CASE("one infinity anywhere is the sum") {
  for (const std::size_t n : {1, 131, 2051}) {
    Floats x = course::random_floats(n, 24);
    for (const std::size_t at : places(n)) {
      const float kept = std::exchange(x[at], at % 2 ? kInf : -kInf);
      INFO("infinity at " << at);
      for (const int block : kBlocks) check_floats(x, block, true);
      x[at] = kept;
    }
  }
}

TEST_CASE("infinities of both signs make the sum NaN") {
  for (const std::size_t n : {2, 33, 1000, 4099}) {
    Floats x = course::random_floats(n, 25);
    x.front() = kInf;
    x.back() = -kInf;
    for_each_rung(x, [](const auto&, float sum) { CHECK(std::isnan(sum)); });
  }
}

TEST_CASE("zeros of either sign add up to zero") {
  for (const std::size_t n : kSizes) {
    for_each_rung(Floats(n, 0.0f), [](const auto&, float sum) { CHECK(sum == 0); });
    for_each_rung(Floats(n, -0.0f), [](const auto&, float sum) { CHECK(sum == 0); });
  }
}

TEST_CASE("each element counts once, wherever it is") {
  for (const std::size_t n : {131, 2051}) {
    std::vector<int> x(n, 0);
    for (const std::size_t at : places(n)) {
      x[at] = 1 << 20;
      INFO("one element at " << at);
      for (const int block : kBlocks) check_ints(x, block);
      x[at] = 0;
    }
  }
}
