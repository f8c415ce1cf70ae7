// SPDX-License-Identifier: MIT
// Verification is tested on kernels that are wrong: it must refuse each, and let a right one pass.
#include "lessons/wrong_kernels.hpp"

#include <algorithm>
#include <climits>

#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/sums/cpu_sum.hpp"
#include "common/sums/rung.cuh"
#include "common/sums/verification.cuh"
#include "common/sums/workspace.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::Verdict;
using support::device;

namespace {

constexpr std::size_t kN = 4097;
constexpr int kBlock = 256;

Verdict verdict_of(const course::Rung& rung, std::size_t n = kN, std::uint64_t seed = 1) {
  return course::verify(rung, device(), n, kBlock, seed);
}
const course::Rung& refused(const std::string& id) {
  for (const course::Rung& rung : wrong_kernels::refused())
    if (rung.id == id) return rung;
  FAIL("there is no wrong kernel " << id);
  std::abort();
}

}  // namespace

TEST_CASE("the right kernel passes at the same sizes") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{300}, kN})
    CHECK(verdict_of(wrong_kernels::right(), n).ok);
}

TEST_CASE("every wrong kernel is refused, whatever the seed") {
  for (const course::Rung& rung : wrong_kernels::refused()) {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      INFO(rung.id << ", seed " << seed);
      CHECK_FALSE(verdict_of(rung, kN, seed).ok);
    }
  }
}

TEST_CASE("a lost tail is refused, also where n is a whole number of blocks") {
  CHECK_FALSE(verdict_of(refused("lost_tail"), 4096).ok);  // the few elements have one
  CHECK_FALSE(verdict_of(refused("lost_tail"), 4095).ok);
  CHECK_FALSE(verdict_of(refused("lost_tail"), 1).ok);
}

TEST_CASE("lost precision is refused by the error bound, where whole numbers pass") {
  for (const char* id : {"small_dropped", "half_precision"}) {
    const Verdict v = verdict_of(refused(id));
    INFO(id << ": error / bound " << v.ratio());
    CHECK(v.bound > 0);  // the verdict is that of the random floats
    CHECK(v.ratio() > 1);
  }
}

TEST_CASE("elements that were rounded to half precision are refused at every size") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    for (const std::size_t n : {33, 257, 4097, 65536})
      CHECK_FALSE(verdict_of(wrong_kernels::through_half(), n, seed).ok);
  }
}

TEST_CASE("integers that went through a float are refused") {
  const Verdict v = verdict_of(refused("through_float"));
  CHECK_FALSE(v.ok);
  CHECK(v.bound == 0);
}

TEST_CASE("a result that was never written is refused, also for no elements") {
  CHECK_FALSE(verdict_of(refused("never_written"), 0).ok);
}

TEST_CASE(
    "a ticket that is not reset shows at the second launch only: verification launches twice") {
  course::Workspace<int> work(kN, kBlock, device());
  const auto x = course::random_ints(kN, 1);
  const int truth = course::cpu_sum(std::span<const int>(x));
  work.load(x);
  const auto launch = refused("ticket_kept").i32;
  CHECK(work.run(launch) == truth);
  CHECK(work.run(launch) != truth);
}

// The emulator runs the warps of a block in a fixed order. On a GPU the first warp may happen to
// come late; it does not do so in all of many blocks and all of many tries.
TEST_CASE("a missing barrier is refused") {
  bool seen = false;
  for (std::uint64_t seed = 1; seed <= 20 && !seen; ++seed) {
    const std::size_t n = device().emulated ? 4097 : (1 << 22) + 1;
    seen = !course::verify(wrong_kernels::missing_barrier(), device(), n, 1024, seed).ok;
  }
  CHECK(seen);
}

TEST_CASE("0 is no identity for the largest: all-negative data shows it") {
  std::vector<int> x = course::random_ints(1000, 1);
  for (int& v : x) v = v < 0 ? v : -1 - v;
  const int truth = *std::max_element(x.begin(), x.end());
  course::DeviceBuffer<int> in(x);
  CHECK(wrong_kernels::largest(in.data(), x.size(), INT_MIN) == truth);
  CHECK(wrong_kernels::largest(in.data(), x.size(), 0) != truth);
}

TEST_CASE("0 as identity of the largest stays unseen where one element is positive") {
  course::DeviceBuffer<int> in(std::vector<int>{-5, 7, -3});
  CHECK(wrong_kernels::largest(in.data(), 3, 0) == 7);
}

TEST_CASE("an int index is refused above 2^31 elements") {
  constexpr std::size_t kAbove = (std::size_t{1} << 31) + 1025;
  if (device().emulated) {
    WARN("skipped: 2^31 elements take hours and 16 GB on the emulator; the gpu preset runs this");
    return;
  }
  try {
    course::check_fits(2 * kAbove, device());
  } catch (const course::TooLarge& error) {
    WARN("skipped: " << error.what());
    return;
  }
  CHECK(verdict_of(wrong_kernels::int_index()).ok);
  const course::Rung* const rungs[] = {&wrong_kernels::right(), &wrong_kernels::int_index()};
  const auto verdicts = course::verify(rungs, device(), kAbove, kBlock, 1);
  CHECK(verdicts[0].ok);
  CHECK_FALSE(verdicts[1].ok);
}

// Last, and hidden from an ordinary run: the device is lost afterwards. CTest runs it alone.
TEST_CASE("16-byte loads from input that begins elsewhere are a CUDA error", "[.][fault]") {
  CHECK_THROWS_AS(verdict_of(wrong_kernels::unaligned_vector()), course::CudaError);
}
