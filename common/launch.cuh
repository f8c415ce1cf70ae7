// SPDX-License-Identifier: MIT
// Shapes of launches that several lessons use.
#pragma once

#include <cstddef>
#include <type_traits>

#include "common/device.cuh"

namespace course {

// Blocks for a kernel whose threads loop over their share: enough to fill the GPU (2048 threads on
// each multiprocessor), no more than there is work for, and at least one.
inline unsigned full_grid(const Device& device, std::size_t elements, int block) {
  const std::size_t most = static_cast<std::size_t>(device.multiprocessors) * (2048 / block);
  const std::size_t needed = (elements + block - 1) / block;
  return static_cast<unsigned>(needed < 1 ? 1 : needed < most ? needed : most);
}

// Calls f with the block size as a compile-time constant, std::integral_constant<int, ...>.
template <class F>
void with_block(int block, F&& f) {
  switch (block) {
    case 32:
      return f(std::integral_constant<int, 32>{});
    case 64:
      return f(std::integral_constant<int, 64>{});
    case 128:
      return f(std::integral_constant<int, 128>{});
    case 256:
      return f(std::integral_constant<int, 256>{});
    case 512:
      return f(std::integral_constant<int, 512>{});
    default:
      return f(std::integral_constant<int, 1024>{});
  }
}

}  // namespace course
