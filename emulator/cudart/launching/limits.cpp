// SPDX-License-Identifier: MIT
// From a kernel's needs and the device's profile.
#include "cudart/launching/limits.hpp"

#include "cudart/environment/startup.hpp"
#include "cudart/launching/occupancy.hpp"

namespace emu::cudart {

std::uint32_t occupancy(const exec::Kernel& kernel, int device, std::uint32_t threads,
                        std::size_t dynamic_shared) {
  const devices::Profile& gpu = profile(device);
  return blocks_per_sm(gpu, {threads, plausible_registers(gpu, kernel.registers, threads),
                             kernel.static_shared + dynamic_shared});
}

std::size_t max_dynamic_shared(const exec::Kernel& kernel, const KernelSettings& settings,
                               int device) {
  if (settings.max_dynamic_shared >= 0)
    return static_cast<std::size_t>(settings.max_dynamic_shared);
  const std::size_t all = profile(device).shared_per_block;
  return all > kernel.static_shared ? all - kernel.static_shared : 0;
}

}  // namespace emu::cudart
