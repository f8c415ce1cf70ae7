// SPDX-License-Identifier: MIT
// How much of a device one kernel may have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudart/loading/module.hpp"

namespace emu::cudart {

// The most dynamic shared memory a launch may ask for.
std::size_t max_dynamic_shared(const exec::Kernel& kernel, const KernelSettings& settings,
                               int device);
// Blocks of a kernel that fit on one SM.
std::uint32_t occupancy(const exec::Kernel& kernel, int device, std::uint32_t threads,
                        std::size_t dynamic_shared);

}  // namespace emu::cudart
