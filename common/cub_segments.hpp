// SPDX-License-Identifier: MIT
// The library's segmented sum.
#pragma once

#include "common/cub_call.hpp"
#include "common/segments.hpp"

namespace course {

// cub::DeviceSegmentedReduce::Sum.
CubCall cub_segments(const Segments& s);

}  // namespace course
