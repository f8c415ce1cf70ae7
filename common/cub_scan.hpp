// SPDX-License-Identifier: MIT
// The library's prefix sum.
#pragma once

#include "common/cub_call.hpp"
#include "common/scan.hpp"

namespace course {

// cub::DeviceScan::InclusiveSum.
CubCall cub_scan(const Scan& s);

}  // namespace course
