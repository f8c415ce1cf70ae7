// SPDX-License-Identifier: MIT
// The library's compaction.
#pragma once

#include "common/arrays/select.hpp"
#include "common/program/cub_call.hpp"

namespace course {

// cub::DeviceSelect::If.
CubCall cub_select(const Select& s);

}  // namespace course
