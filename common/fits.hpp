// SPDX-License-Identifier: MIT
// Does an array fit into memory? Told before, not killed in the middle.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "common/device.cuh"

namespace course {

// More elements than this machine can hold.
struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws TooLarge where n elements do not fit that take this many bytes on the device, and as many on the host.
void check_bytes_fit(double needed, std::size_t n, const Device& device);

}  // namespace course
