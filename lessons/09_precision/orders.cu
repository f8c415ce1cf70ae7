// SPDX-License-Identifier: MIT
// The same numbers, added in ten orders; and added up in types that are too short for it. Program
// 09_precision.orders.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "common/sums/rounded_sum.hpp"
#include "lessons/09_precision/stored.cuh"

namespace {

using Order = std::vector<unsigned>;
constexpr unsigned kN = 1 << 14;

// Thread t adds up everything, one after the other, in its order.
__global__ void add_in_order(const float* x, const unsigned* order, unsigned n, float* sums) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) sum = __fadd_rn(sum, x[order[threadIdx.x * n + i]]);
  sums[threadIdx.x] = sum;
}

Order order_by(const std::function<double(unsigned)>& key) {
  Order order(kN);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return key(a) < key(b); });
  return order;
}

struct Named {
  const char* name;
  Order order;
};
std::vector<Named> ten_orders(const std::vector<float>& x) {
  const auto number = [](unsigned i) { return static_cast<double>(i); };
  const auto shuffled = [](std::uint64_t seed) {
    return order_by([=](unsigned i) { return static_cast<double>(course::random_bits(seed, i)); });
  };
  return {{"as they lie", order_by(number)},
          {"backwards", order_by([](unsigned i) { return -static_cast<double>(i); })},
          {"ascending", order_by([&](unsigned i) { return x[i]; })},
          {"descending", order_by([&](unsigned i) { return -x[i]; })},
          {"small magnitudes first", order_by([&](unsigned i) { return std::abs(x[i]); })},
          {"large magnitudes first", order_by([&](unsigned i) { return -std::abs(x[i]); })},
          {"every 32nd", order_by([](unsigned i) { return i % 32 * 1e6 + i; })},
          {"every 1024th", order_by([](unsigned i) { return i % 1024 * 1e6 + i; })},
          {"shuffled", shuffled(11)},
          {"shuffled again", shuffled(12)}};
}

double last_place(double value) { return std::ldexp(1.0, std::ilogb(value) - 23); }

bool orders(course::Experiment& e) {
  const auto x = course::random_floats(kN, 1);
  course::WideSum wide;
  wide.add(x);
  const double truth = wide.to_double();
  const auto named = ten_orders(x);
  std::vector<unsigned> all;
  for (const Named& n : named) all.insert(all.end(), n.order.begin(), n.order.end());
  course::DeviceBuffer<float> in(x), out(named.size());
  course::DeviceBuffer<unsigned> order(all);
  add_in_order<<<1, static_cast<unsigned>(named.size())>>>(in.data(), order.data(), kN, out.data());
  COURSE_CHECK(cudaGetLastError());
  const auto sums = out.download();
  course::Table table{"orders",
                      "The same 16,384 numbers in ten orders, in fp32",
                      "",
                      {"order", "sum", "error in last places"}};
  bool ok = true;
  for (std::size_t k = 0; k < named.size(); ++k) {
    const double error = sums[k] - truth;
    table.rows.push_back({named[k].name, {sums[k], error / last_place(truth)}});
    // Every element goes through n additions at most.
    ok = ok && std::abs(error) <= kN * 0x1p-24 * wide.magnitudes();
  }
  e.add(std::move(table));
  return ok;
}

// n ones and n tenths, one after the other, in each type.
template <class S>
__global__ void add_equal(float value, unsigned n, float* sums) {
  const S x = lesson09::narrowed<S>(value);
  S sum = lesson09::narrowed<S>(0);
  for (unsigned i = 0; i < n; ++i)
    sum = lesson09::narrowed<S>(lesson09::widened(sum) + lesson09::widened(x));
  *sums = lesson09::widened(sum);
}

bool accumulators(course::Experiment& e) {
  constexpr unsigned kMany = 5000;
  course::Table table{"accumulators",
                      "5,000 equal numbers, added one after the other",
                      "",
                      {"what is added", "true sum", "in fp32", "in fp16", "in bf16"}};
  for (const float value : {1.0f, 0.1f}) {
    course::DeviceBuffer<float> out(3);
    add_equal<float><<<1, 1>>>(value, kMany, out.data());
    add_equal<__half><<<1, 1>>>(value, kMany, out.data() + 1);
    add_equal<__nv_bfloat16><<<1, 1>>>(value, kMany, out.data() + 2);
    COURSE_CHECK(cudaGetLastError());
    const auto found = out.download();
    table.rows.push_back({value == 1 ? "1" : "0.1", {value * kMany, found[0], found[1], found[2]}});
  }
  // Beyond 2^11 a half no longer knows odd numbers, and 2048 + 1 is 2048 again; a bf16 stops at 256.
  const bool ok = table.rows[0].values[2] == 2048.0 && table.rows[0].values[3] == 256.0;
  e.add(std::move(table));
  return ok;
}

bool both(course::Experiment& e) {
  const bool ok = orders(e);
  if (accumulators(e) && ok) return true;
  std::printf("FAIL: a sum is not what its order or its type allows\n");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"09_precision", "orders",
       "The same numbers in ten orders, and in types that are too short."},
      argc, argv, both);
}
