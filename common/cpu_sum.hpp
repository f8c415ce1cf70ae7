// SPDX-License-Identifier: MIT
// Sums on the CPU: what a student's kernel is compared with, for speed and for truth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "common/parallel.hpp"

namespace course {

// One thread, in order, in the type itself: the loop everybody writes first. Integers wrap as they
// do on the GPU.
template <class T>
T cpu_sum(std::span<const T> x) {
  if constexpr (std::is_integral_v<T>) {
    std::make_unsigned_t<T> total = 0;
    for (const T v : x) total += static_cast<std::make_unsigned_t<T>>(v);
    return static_cast<T>(total);
  } else {
    T total = 0;
    for (const T v : x) total += v;
    return total;
  }
}

// All threads of the machine, each its own part; the parts are added in order.
template <class T>
T cpu_sum_threads(std::span<const T> x, unsigned threads = std::thread::hardware_concurrency()) {
  threads = std::max(1u, threads);
  std::vector<T> parts(threads, T{});
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    const std::size_t begin = x.size() * t / threads, end = x.size() * (t + 1) / threads;
    workers.emplace_back(
        [&parts, t, part = x.subspan(begin, end - begin)] { parts[t] = cpu_sum(part); });
  }
  workers.clear();  // joins
  return cpu_sum(std::span<const T>(parts));
}

// The truth for floats: double with Neumaier's compensation, and the sum of |x| that error bounds
// need.
struct ExactSum {
  double sum = 0, sum_abs = 0;
};

namespace detail {

struct Compensated {
  double sum = 0, lost = 0, sum_abs = 0;
  void add(double v) {
    const double next = sum + v;
    lost += std::abs(sum) >= std::abs(v) ? (sum - next) + v : (v - next) + sum;
    sum = next;
    sum_abs += std::abs(v);
  }
};

}  // namespace detail

inline ExactSum exact_sum(std::span<const float> x) {
  std::vector<detail::Compensated> parts(pieces_of(x.size()));
  for_each_piece(x.size(), [&](std::size_t piece, std::size_t begin, std::size_t end) {
    detail::Compensated part;
    for (const float f : x.subspan(begin, end - begin)) part.add(f);
    parts[piece] = part;
  });
  detail::Compensated total;
  double lost = 0, sum_abs = 0;
  for (const auto& part : parts) {
    total.add(part.sum);
    lost += part.lost;
    sum_abs += part.sum_abs;
  }
  lost += total.lost;
  // With an infinity or a NaN in the data the compensation is NaN, and the plain sum is the answer.
  return {std::isfinite(lost) ? total.sum + lost : total.sum, sum_abs};
}

}  // namespace course
