// SPDX-License-Identifier: MIT
// A launch with what was counted and modelled, as JSON (scripts/schemas/counters.schema.json).
#pragma once

#include <string>
#include <string_view>

#include "counters/counters.hpp"
#include "timing/model.hpp"

namespace emu::observe {

inline constexpr std::string_view kCountersSchema = "warpladder-counters/1";

// One launch as a JSON object, with its modelled time if there is one. Zero counters of a line are
// left out.
std::string to_json(const LaunchCounts& launch, const Modelled* modelled = nullptr);

}  // namespace emu::observe
