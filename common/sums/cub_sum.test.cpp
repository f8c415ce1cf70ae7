// SPDX-License-Identifier: MIT
// The library's sum, as the table's last row calls it.
#include "common/sums/cub_sum.hpp"

#include "common/input.hpp"
#include "common/sums/cpu_sum.hpp"
#include "support/catch.hpp"

TEST_CASE("CUB adds integers exactly, nothing and unaligned input included") {
  const auto x = course::random_ints(4099, 1);
  course::DeviceBuffer<int> in(x), out(1);
  for (const std::size_t n : {0, 1, 31, 4098}) {
    for (const std::size_t first : {0, 1}) {
      INFO("n " << n << " from " << first);
      course::CubCall sum = course::cub_sum(in.data() + first, n, out.data());
      sum();
      CHECK(out.download()[0] == course::cpu_sum(std::span<const int>(x).subspan(first, n)));
    }
  }
}

TEST_CASE("CUB's sum may be launched again and gives the same") {
  course::DeviceBuffer<float> in(course::exact_floats(10'000, 1)), out(1);
  course::CubCall sum = course::cub_sum(in.data(), in.size(), out.data());
  sum();
  const float once = out.download()[0];
  CHECK(once == course::exact_sum(in.download()).sum);
  sum();
  CHECK(out.download()[0] == once);
}
