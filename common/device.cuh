// SPDX-License-Identifier: MIT
// The GPU a lesson runs on, or the emulator that stands in for one.
#pragma once

#include <optional>
#include <string>

#include "common/check.cuh"

namespace course {

struct Device {
  std::string name;
  bool emulated = false;  // its times are modelled, not measured
  bool small =
      false;   // experiments run in small: on the emulator, and where WARPLADDER_SMALL is set
               // (for tools that slow everything down, such as compute-sanitizer)
  int sm = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  int l2_bytes = 0;
  double bus_gbps = 0;          // clock x width x 2: what the bus could carry, GB/s
  int driver = 0, runtime = 0;  // 13000 for 13.0

  const char* backend() const { return emulated ? "emulator" : "gpu"; }
  // "measured" or "modelled": every time that is printed says which.
  const char* time_kind() const { return emulated ? "modelled" : "measured"; }
};

inline constexpr const char* kNoDevice =
    "no usable GPU here; `./course run` builds the emulator and runs every lesson on it";

// The current device; nothing if there is none that can be used.
std::optional<Device> find_device();

}  // namespace course
