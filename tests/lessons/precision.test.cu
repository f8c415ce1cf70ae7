// SPDX-License-Identifier: MIT
// Lesson 09: what its sums promise, bit by bit, where its families' tests do not reach: arrays that are
// made to be hard, every shape of a launch, what is no ordinary number. Without the lesson's tables of
// rungs, which would have all their kernels compiled again.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/sums/rmsnorm.hpp"
#include "common/sums/rounded_sum.hpp"
#include "lessons/09_precision/exact.cuh"
#include "lessons/09_precision/long_rows.cuh"
#include "lessons/09_precision/plain_ways.cuh"
#include "lessons/09_precision/reproducible.cuh"
#include "lessons/09_precision/weights_beside.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::DeviceBuffer;
using namespace lesson09;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
// One NaN is as good as another.
bool same(float a, float b) { return bits(a) == bits(b) || (std::isnan(a) && std::isnan(b)); }

// What a launch needs besides its input and its result.
struct Room {
  DeviceBuffer<unsigned char> scratch{std::size_t{4096} * course::kSumBytesPerBlock};
  DeviceBuffer<unsigned long long> words{course::kSumWords};
  DeviceBuffer<unsigned> ticket{1};
  Room() {
    COURSE_CHECK(cudaMemset(words.data(), 0, words.bytes()));
    COURSE_CHECK(cudaMemset(ticket.data(), 0, ticket.bytes()));
  }
  template <class Way>
  void add(const float* in, std::size_t n, unsigned grid, unsigned block, float* out) {
    add_up<Way><<<grid, block>>>(
        Packs(in, n), reinterpret_cast<typename Way::Value*>(scratch.data()), ticket.data(), out);
    COURSE_CHECK(cudaGetLastError());
  }
  template <int kThreads>
  void add_exactly(const float* in, std::size_t n, unsigned grid, float* out) {
    exact<kThreads><<<grid, kThreads>>>(Packs(in, n), words.data(), ticket.data(), out);
    COURSE_CHECK(cudaGetLastError());
  }
};

template <class Way>
float sum_by(const std::vector<float>& x, unsigned grid = 3, unsigned block = 64) {
  Room room;
  DeviceBuffer<float> in(x), out(1);
  room.add<Way>(in.data(), x.size(), grid, block, out.data());
  return out.download()[0];
}
float exactly(const std::vector<float>& x, unsigned grid = 3) {
  Room room;
  DeviceBuffer<float> in(x), out(1);
  room.add_exactly<64>(in.data(), x.size(), grid, out.data());
  return out.download()[0];
}

float any_float(std::uint64_t random) {
  float x;
  do {
    x = std::bit_cast<float>(static_cast<std::uint32_t>(random));
    random = random * 6364136223846793005u + 1442695040888963407u;
    random ^= random >> 29;
  } while (!std::isfinite(x));
  return x;
}

// An array that is hard to add. Ten kinds, by number.
std::vector<float> hard_array(std::uint64_t number) {
  const auto random = [&](std::uint64_t i) { return course::random_bits(77 + number, i); };
  const std::size_t n = 1 + random(0) % 24;
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random(i + 1);
    const auto small = static_cast<int>(r % 7) - 3;
    switch (number % 10) {
      case 0:  // all magnitudes
        x[i] = any_float(r);
        break;
      case 1:  // cancels to almost nothing
        x[i] = i % 2 == 1 ? -x[i - 1] : any_float(r);
        if (i + 1 == n) x[i] = std::ldexp(1.0f, static_cast<int>(r % 270) - 149);
        break;
      case 2:  // subnormal
        x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(r & 0x807fffff));
        break;
      case 3:  // at the border of what a float holds
        x[i] = (r & 1 ? kLargest : -kLargest) * (r & 2 ? 1.0f : 0x1p-24f);
        break;
      case 4:  // ties: one, and halves of its last place, with and without a little more
        x[i] = i == 0 ? 1.0f : i == 1 ? 0x1p-24f : static_cast<float>(small) * 0x1p-60f * (r & 8);
        break;
      case 5:  // zeros of both signs
        x[i] = r & 1 ? 0.0f : -0.0f;
        break;
      case 6:  // two numbers that are no ordinary ones, or one, or none
        x[i] = r % 16 == 0 ? kInf : r % 16 == 1 ? -kInf : r % 64 == 2 ? NAN : any_float(r);
        break;
      case 7:  // the borders of classes and bins
        x[i] =
            std::ldexp(static_cast<float>(small), static_cast<int>(random(i / 3 + 99) % 250) - 130);
        break;
      case 8:  // one large number and many that are nothing beside it
        x[i] = i == n / 2 ? std::ldexp(1.0f, static_cast<int>(r % 250) - 125)
                          : std::ldexp(1.5f, static_cast<int>(r % 60) - 149);
        break;
      default:  // ordinary
        x[i] = static_cast<float>(static_cast<std::int64_t>(r)) * 0x1p-63f;
    }
  }
  return x;
}

}  // namespace

TEST_CASE("10,000 hard arrays: exact is the nearest float, reproducible what the CPU says") {
  constexpr std::size_t kArrays = 10000;
  std::vector<float> all;
  std::vector<std::size_t> first{0};
  for (std::size_t a = 0; a < kArrays; ++a) {
    const auto x = hard_array(a);
    all.insert(all.end(), x.begin(), x.end());
    first.push_back(all.size());
  }
  Room room;
  DeviceBuffer<float> in(all), rounded(kArrays), reproduced(kArrays);
  for (std::size_t a = 0; a < kArrays; ++a) {
    const std::size_t n = first[a + 1] - first[a];
    room.add_exactly<32>(in.data() + first[a], n, 1, rounded.data() + a);
    room.add<Reproducible>(in.data() + first[a], n, 1, 32, reproduced.data() + a);
  }
  const auto exact_sums = rounded.download(), same_sums = reproduced.download();
  std::size_t wrong = 0;
  for (std::size_t a = 0; a < kArrays; ++a) {
    const auto x = std::span<const float>(all).subspan(first[a], first[a + 1] - first[a]);
    if (same(exact_sums[a], course::rounded_sum(x)) &&
        same(same_sums[a], course::reproducible_sum(x)))
      continue;
    if (++wrong > 5) break;
    FAIL_CHECK("array " << a << ": exact " << exact_sums[a] << ", expected "
                        << course::rounded_sum(x) << "; reproducible " << same_sums[a]
                        << ", expected " << course::reproducible_sum(x));
  }
  CHECK(wrong == 0);
}

TEST_CASE("the same bits for every grid, block size, order and place in memory") {
  constexpr std::size_t kN = 2500;
  const auto x = course::sum_input("wide", course::Stored::kF32, kN, 5);
  const float expected = course::reproducible_sum(x), nearest = course::rounded_sum(x);
  Room room;
  int shapes = 0;
  for (int order = 0; order < 3; ++order) {
    std::vector<float> moved = x;
    if (order == 1) std::reverse(moved.begin(), moved.end());
    if (order == 2) std::sort(moved.begin(), moved.end());
    for (unsigned shift = 0; shift < 2; ++shift) {
      moved.insert(moved.begin(), shift, 1e30f);
      DeviceBuffer<float> in(moved), out(1);
      for (const unsigned block : {32u, 64u, 96u, 256u, 1024u}) {
        for (const unsigned grid : {1u, 2u, 7u}) {
          room.add<Reproducible>(in.data() + shift, kN, grid, block, out.data());
          INFO("order " << order << ", shift " << shift << ", grid " << grid << ", block "
                        << block);
          CHECK(bits(out.download()[0]) == bits(expected));
          ++shapes;
        }
      }
      room.add_exactly<128>(in.data() + shift, kN, 2 + 3 * order, out.data());
      CHECK(bits(out.download()[0]) == bits(nearest));
      moved.erase(moved.begin(), moved.begin() + shift);
    }
  }
  CHECK(shapes >= 50);
}

TEST_CASE("what is no ordinary number, by the stated rule") {
  struct Example {
    std::vector<float> x;
    float sum;
  };
  for (const auto& [x, sum] :
       std::vector<Example>{{{}, 0.0f},
                            {{-0.0f}, 0.0f},
                            {{-0.0f, -0.0f, 0.0f}, 0.0f},
                            {{1.0f, -1.0f}, 0.0f},
                            {{kInf, 1.0f, kInf}, kInf},
                            {{3.0f, -kInf}, -kInf},
                            {{kInf, -kInf}, NAN},
                            {{NAN, kInf}, NAN},
                            {{kLargest, kLargest}, kInf},
                            {{-kLargest, -kLargest, -1.0f}, -kInf},
                            {{kSmallest, kSmallest, kSmallest}, 3 * kSmallest}}) {
    INFO(x.size() << " elements, sum " << sum);
    CHECK(same(exactly(x), sum));
    CHECK(same(sum_by<Reproducible>(x), sum));
    CHECK(same(sum_by<TwoSum>(x), sum));
    CHECK(same(sum_by<Kahan>(x), sum));
    CHECK(same(sum_by<Pairwise>(x), sum));
    CHECK(same(sum_by<InDouble>(x), sum));
  }
  // Only the exact ones know that a sum is finite whose partial sums are not.
  const std::vector<float> back = {kLargest, kLargest, -kLargest};
  CHECK(exactly(back, 1) == kLargest);
  CHECK(sum_by<Reproducible>(back, 1, 32) == kLargest);
  CHECK(sum_by<Running>(std::vector<float>{kLargest, kLargest}) == kInf);
}

TEST_CASE("an error that is kept survives the merge; Kahan's does not") {
  constexpr int kArrays = 40;
  int two_sum = 0, kahan = 0, running = 0;  // how often the sum is the nearest float
  for (int seed = 1; seed <= kArrays; ++seed) {
    const auto x = course::sum_input("positive", course::Stored::kF32, 5000, seed);
    const float nearest = course::rounded_sum(x);
    two_sum += sum_by<TwoSum>(x, 2, 128) == nearest;
    kahan += sum_by<Kahan>(x, 2, 128) == nearest;
    running += sum_by<Running>(x, 2, 128) == nearest;
  }
  CHECK(two_sum == kArrays);
  CHECK(kahan < 0.8 * kArrays);
  CHECK(running < 0.8 * kArrays);
}

TEST_CASE("a row for a whole multiprocessor, with its weights beside") {
  for (const char* const columns : {"128", "4096", "65536"}) {
    const auto problem =
        course::make_rmsnorm({support::device(),
                              3 * std::stoul(columns),
                              256,
                              3,
                              {{"type", "bf16"}, {"columns", columns}, {"residual", "no"}}});
    problem->poison();
    if (!launch_weights_beside(Rows<__nv_bfloat16>(problem->task()))) continue;
    COURSE_CHECK(cudaDeviceSynchronize());
    INFO(columns << " columns");
    CHECK(problem->judge(true).verdict.ok);
  }
}
