// SPDX-License-Identifier: MIT
#include "common/sums/cub_sum.hpp"

#include <cub/device/device_reduce.cuh>

namespace course {

template <class T>
CubCall cub_sum(const T* in, std::size_t n, T* out) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
  });
}
template CubCall cub_sum(const float*, std::size_t, float*);
template CubCall cub_sum(const int*, std::size_t, int*);

}  // namespace course
