// SPDX-License-Identifier: MIT
#include <cmath>
#include <thread>
#include <vector>

#include "common/sums/rmsnorm.hpp"

namespace course {

void cpu_rmsnorm(std::span<const float> x, std::span<const float> weight, float epsilon,
                 std::span<float> out, unsigned threads) {
  const std::size_t columns = weight.size(), rows = columns > 0 ? x.size() / columns : 0;
  const auto share = [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const auto from = x.subspan(row * columns, columns);
      float squares = 0;
      for (const float v : from) squares += v * v;
      const float scale = 1 / std::sqrt(squares / static_cast<float>(columns) + epsilon);
      for (std::size_t c = 0; c < columns; ++c)
        out[row * columns + c] = from[c] * scale * weight[c];
    }
  };
  if (threads <= 1) return share(0, rows);
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t)
    workers.emplace_back([&, t] { share(rows * t / threads, rows * (t + 1) / threads); });
}

}  // namespace course
