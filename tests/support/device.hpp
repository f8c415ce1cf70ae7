// SPDX-License-Identifier: MIT
// The device that a test runs on; without one every test that asks for it fails with one sentence.
#pragma once

#include <stdexcept>

#include "common/device.cuh"

namespace support {

inline const course::Device& device() {
  static const course::Device found = [] {
    const auto device = course::find_device();
    if (!device) throw std::runtime_error(course::kNoDevice);
    return *device;
  }();
  return found;
}

}  // namespace support
