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
  int sm = 0;             // 90 for compute capability 9.0
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
inline std::optional<Device> find_device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return std::nullopt;
  int id = 0;
  COURSE_CHECK(cudaGetDevice(&id));
  cudaDeviceProp properties{};
  COURSE_CHECK(cudaGetDeviceProperties(&properties, id));
  int clock_khz = 0, bus_bits = 0;
  COURSE_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, id));
  COURSE_CHECK(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, id));
  Device d;
  d.name = properties.name;
  d.emulated = d.name.find("Warp Ladder emulator") != std::string::npos;
  d.sm = properties.major * 10 + properties.minor;
  d.multiprocessors = properties.multiProcessorCount;
  d.l2_bytes = properties.l2CacheSize;
  d.bus_gbps = 2.0 * clock_khz * 1e3 * bus_bits / 8 / 1e9;  // two transfers a cycle
  COURSE_CHECK(cudaDriverGetVersion(&d.driver));
  COURSE_CHECK(cudaRuntimeGetVersion(&d.runtime));
  return d;
}

}  // namespace course
