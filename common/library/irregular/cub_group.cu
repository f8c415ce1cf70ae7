// SPDX-License-Identifier: MIT
#include "common/irregular/cub_group.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

namespace course {

namespace {

// Word i of the input, as key or as what is added up.
struct KeyOf {
  using value_type = unsigned long long;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = const value_type*;
  using iterator_category = std::random_access_iterator_tag;
  const unsigned long long* words;
  int low_bit;
  bool value;

  __host__ __device__ value_type operator[](difference_type i) const {
    if (!value) return words[i] >> low_bit;
    return low_bit == 0 ? 1 : words[i] & ((1ull << low_bit) - 1);
  }
  __host__ __device__ KeyOf operator+(difference_type i) const {
    return {words + i, low_bit, value};
  }
};

}  // namespace

CubCall cub_sort(const unsigned long long* in, std::size_t n, int low_bit,
                 unsigned long long* sorted) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, in, sorted, static_cast<int>(n), low_bit,
                                          64);
  });
}

CubCall cub_group(const unsigned long long* sorted, std::size_t n, int low_bit,
                  const Groups& groups) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, KeyOf{sorted, low_bit, false},
                                          groups.keys, KeyOf{sorted, low_bit, true}, groups.sums,
                                          groups.count, cuda::std::plus<>{}, static_cast<int>(n));
  });
}

}  // namespace course
