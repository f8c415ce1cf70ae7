// SPDX-License-Identifier: MIT
// Loads that the compiler behind the PTX makes no instruction of: another one brings what they want.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/code.hpp"

namespace emu::observe {

inline constexpr std::uint32_t kOnItsOwn = ~0u;

// For each instruction, which other load of global memory brings what it loads; kOnItsOwn: none. Both count from the same register,
// nothing branches or meets in between, and nobody stores unless it is memory that nobody writes (ld.nc). ptxas 13 joins them where
// one wants words that the other one loads (bytes and halves that are elements of a vector come in words, 64 bits are none),
// and two halves of a word if another load from the same register shows that it is aligned and all that reads them are conversions of signed
// numbers, which take either half of a word.
std::vector<std::uint32_t> joined_loads(const exec::Code& code);

}  // namespace emu::observe
