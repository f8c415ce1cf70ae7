// SPDX-License-Identifier: MIT
// A device described in numbers, from its profile.
#include "cudart/devices/attributes.hpp"

#include <cstdio>
#include <cstring>
#include <string>

#include "devices/timing.hpp"

namespace emu::cudart {

std::optional<int> device_attribute(const devices::Profile& gpu, int device,
                                    cudaDeviceAttr attribute) {
  switch (attribute) {
#define ATTRIBUTE(name, value) \
  case name:                   \
    return static_cast<int>(value);
#include "cudart/devices/attributes.def"
#undef ATTRIBUTE
    default:
      return std::nullopt;
  }
}

cudaDeviceProp device_properties(const devices::Profile& gpu, int device) {
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  // Nobody shall take a modelled GPU for a real one, nor a guessed time for a calibrated one.
  const bool calibrated = devices::timing(gpu).calibrated;
  const std::string name =
      std::string(gpu.name) +
      (calibrated ? " (Warp Ladder emulator)" : " (Warp Ladder emulator, times not calibrated)");
  std::snprintf(p.name, sizeof p.name, "%s", name.c_str());
  std::snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "WarpLadder-%d", device);
  p.totalGlobalMem = gpu.global_memory_bytes;
  p.unifiedFunctionPointers = 0;
#define PROPERTY(field, attribute) \
  p.field =                        \
      static_cast<decltype(p.field + 0)>(*device_attribute(gpu, device, cudaDevAttr##attribute));
#include "cudart/devices/properties.def"
#undef PROPERTY
  return p;
}

}  // namespace emu::cudart
