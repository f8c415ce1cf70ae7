// SPDX-License-Identifier: MIT
#include <thread>
#include <vector>

#include "common/arrays/saxpy.hpp"

namespace course {

void cpu_saxpy(float a, std::span<const float> x, std::span<const float> y, std::span<float> out,
               unsigned threads) {
  if (threads <= 1) {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = a * x[i] + y[i];
    return;
  }
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    const std::size_t begin = x.size() * t / threads, end = x.size() * (t + 1) / threads;
    workers.emplace_back([=] {
      const std::size_t share = end - begin;
      cpu_saxpy(a, x.subspan(begin, share), y.subspan(begin, share), out.subspan(begin, share), 1);
    });
  }
}

}  // namespace course
