// SPDX-License-Identifier: MIT
#include "common/sums/cub_max.hpp"

#include <cub/device/device_reduce.cuh>

namespace course {

template <class T>
CubCall cub_max(const T* in, std::size_t n, T* value) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Max(scratch, bytes, in, value, n);
  });
}
template CubCall cub_max(const float*, std::size_t, float*);
template CubCall cub_max(const int*, std::size_t, int*);

template <class T>
CubCall cub_arg_max(const T* in, std::size_t n, T* value, std::int64_t* index) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ArgMax(scratch, bytes, in, value, index,
                                     static_cast<std::int64_t>(n));
  });
}
template CubCall cub_arg_max(const float*, std::size_t, float*, std::int64_t*);
template CubCall cub_arg_max(const int*, std::size_t, int*, std::int64_t*);

}  // namespace course
