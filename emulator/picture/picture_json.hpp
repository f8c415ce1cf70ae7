// SPDX-License-Identifier: MIT
// The picture of a launch as JSON (scripts/schemas/picture.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "picture/picture.hpp"

namespace emu::observe {

std::string to_json(const PictureLaunch& launch);
inline constexpr std::string_view kPictureSchema = "warpladder-picture/1";

}  // namespace emu::observe
