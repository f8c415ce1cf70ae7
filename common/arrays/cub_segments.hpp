// SPDX-License-Identifier: MIT
// The library's segmented sum.
#pragma once

#include "common/arrays/segments.hpp"
#include "common/program/cub_call.hpp"

namespace course {

// cub::DeviceSegmentedReduce::Sum.
CubCall cub_segments(const Segments& s);

}  // namespace course
