// SPDX-License-Identifier: MIT
// Sizes as people write them: 1000000, 1e6, 2^20, 16Mi, 64k.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace course {

// The number of elements a text means; nothing if it means none, is negative, has a fraction, or is
// over 2^40.
std::optional<std::uint64_t> parse_size(std::string_view text);

// "2^20" for a power of two from 2^10 on, else the plain number.
std::string format_size(std::uint64_t n);

}  // namespace course
