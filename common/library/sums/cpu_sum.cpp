// SPDX-License-Identifier: MIT
#include "common/sums/cpu_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <thread>
#include <type_traits>
#include <vector>

#include "common/parallel.hpp"

namespace course {

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
template float cpu_sum(std::span<const float>);
template int cpu_sum(std::span<const int>);

template <class T>
T cpu_sum_threads(std::span<const T> x, unsigned threads) {
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
template float cpu_sum_threads(std::span<const float>, unsigned);
template int cpu_sum_threads(std::span<const int>, unsigned);

namespace {

struct Compensated {
  double sum = 0, lost = 0, sum_abs = 0;
  void add(double v) {
    const double next = sum + v;
    lost += std::abs(sum) >= std::abs(v) ? (sum - next) + v : (v - next) + sum;
    sum = next;
    sum_abs += std::abs(v);
  }
};

}  // namespace

ExactSum exact_sum(std::span<const float> x) {
  std::vector<Compensated> parts(pieces_of(x.size()));
  for_each_piece(x.size(), [&](std::size_t piece, std::size_t begin, std::size_t end) {
    Compensated part;
    for (const float f : x.subspan(begin, end - begin)) part.add(f);
    parts[piece] = part;
  });
  Compensated total;
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
