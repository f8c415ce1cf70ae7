// SPDX-License-Identifier: MIT
// How many blocks of a kernel fit on one SM at once. Pure arithmetic over a device profile.
#pragma once

#include <cstddef>
#include <cstdint>

#include "devices/profile.hpp"

namespace emu::cudart {

struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers = 0;   // per thread
  std::size_t shared_bytes = 0;  // static and dynamic together
};

// 0: not even one block fits.
std::uint32_t blocks_per_sm(const devices::Profile& profile, const BlockNeeds& needs);

// PTX has no register allocation, so a kernel's register count is an estimate. It must never refuse
// a launch that the real compiler would have made possible: this is the estimate, lowered where a
// block of that size would not fit otherwise.
std::uint32_t plausible_registers(const devices::Profile& profile, std::uint32_t estimate,
                                  std::uint32_t threads);

// Shared memory each of `blocks` blocks on one SM can have (static and dynamic). The driver does
// not subtract its own reserve here, so neither do we.
std::size_t shared_share(const devices::Profile& profile, std::uint32_t blocks);

}  // namespace emu::cudart
