// SPDX-License-Identifier: MIT
// The library's maximum, and where it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/program/cub_call.hpp"

namespace course {

// cub::DeviceReduce::Max: the largest of n elements to *value. T is float or int.
template <class T>
CubCall cub_max(const T* in, std::size_t n, T* value);

// cub::DeviceReduce::ArgMax: its index too.
template <class T>
CubCall cub_arg_max(const T* in, std::size_t n, T* value, std::int64_t* index);

}  // namespace course
