// SPDX-License-Identifier: MIT
// The library's histogram.
#pragma once

#include "common/arrays/histogram.hpp"
#include "common/program/cub_call.hpp"

namespace course {

// cub::DeviceHistogram::HistogramEven, with one bin for each value from 0 to bins - 1.
CubCall cub_histogram(const Histogram& h);

}  // namespace course
