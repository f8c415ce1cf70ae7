// SPDX-License-Identifier: MIT
// The library's prefix sum.
#pragma once

#include "common/arrays/scan.hpp"
#include "common/program/cub_call.hpp"

namespace course {

// cub::DeviceScan::InclusiveSum.
CubCall cub_scan(const Scan& s);

}  // namespace course
