// SPDX-License-Identifier: MIT
// The library's maximum and its index, as lesson 04 calls them.
#include "common/sums/cub_max.hpp"

#include <algorithm>

#include "common/input.hpp"
#include "support/catch.hpp"

namespace {

template <class T>
void check_extremes(const std::vector<T>& x) {
  course::DeviceBuffer<T> in(x), value(1);
  course::DeviceBuffer<std::int64_t> index(1);
  const auto largest = std::max_element(x.begin(), x.end());
  course::CubCall max = course::cub_max(in.data(), in.size(), value.data());
  max();
  CHECK(value.download()[0] == *largest);
  COURSE_CHECK(cudaMemset(value.data(), 0xcd, value.bytes()));
  course::CubCall arg_max = course::cub_arg_max(in.data(), in.size(), value.data(), index.data());
  arg_max();
  CHECK(value.download()[0] == *largest);
  CHECK(index.download()[0] == largest - x.begin());
}

}  // namespace

TEST_CASE("CUB finds the largest number and where it is, in both types") {
  check_extremes(course::random_floats(4099, 1));
  check_extremes(course::random_ints(4099, 1));
  check_extremes(std::vector<int>{-7});
}
