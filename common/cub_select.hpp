// SPDX-License-Identifier: MIT
// The library's compaction.
#pragma once

#include "common/cub_call.hpp"
#include "common/select.hpp"

namespace course {

// cub::DeviceSelect::If.
CubCall cub_select(const Select& s);

}  // namespace course
