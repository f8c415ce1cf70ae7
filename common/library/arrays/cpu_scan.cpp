// SPDX-License-Identifier: MIT
#include <thread>
#include <type_traits>
#include <vector>

#include "common/arrays/scan.hpp"

namespace course {

namespace {

// Unsigned sums wrap; those of int would be undefined.
template <class T>
using Summed = std::conditional_t<std::is_same_v<T, int>, unsigned, float>;

template <class T>
T sum_of(std::span<const T> x) {
  Summed<T> sum = 0;
  for (const T v : x) sum += static_cast<Summed<T>>(v);
  return static_cast<T>(sum);
}

template <class T>
void scan_from(T before, std::span<const T> x, std::span<T> out) {
  auto sum = static_cast<Summed<T>>(before);
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = static_cast<T>(sum += static_cast<Summed<T>>(x[i]));
}

}  // namespace

template <class T>
void cpu_scan(std::span<const T> x, std::span<T> out, unsigned threads) {
  if (threads <= 1) return scan_from(T{0}, x, out);
  const auto on_all = [&](auto&& work) {
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        const std::size_t begin = x.size() * t / threads, end = x.size() * (t + 1) / threads;
        work(t, begin, end - begin);
      });
  };
  std::vector<T> before(threads + 1);
  on_all([&](unsigned t, std::size_t first, std::size_t n) {
    before[t + 1] = sum_of(x.subspan(first, n));
  });
  scan_from(T{0}, std::span<const T>(before), std::span(before));
  on_all([&](unsigned t, std::size_t first, std::size_t n) {
    scan_from(before[t], x.subspan(first, n), out.subspan(first, n));
  });
}

template void cpu_scan(std::span<const float>, std::span<float>, unsigned);
template void cpu_scan(std::span<const int>, std::span<int>, unsigned);

}  // namespace course
