// SPDX-License-Identifier: MIT
#include "common/device.cuh"

#include <cstdlib>

namespace course {

std::optional<Device> find_device() {
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
  d.small = d.emulated || std::getenv("WARPLADDER_SMALL") != nullptr;
  d.sm = properties.major * 10 + properties.minor;
  d.multiprocessors = properties.multiProcessorCount;
  d.l2_bytes = properties.l2CacheSize;
  d.bus_gbps = 2.0 * clock_khz * 1e3 * bus_bits / 8 / 1e9;  // two transfers a cycle
  COURSE_CHECK(cudaDriverGetVersion(&d.driver));
  COURSE_CHECK(cudaRuntimeGetVersion(&d.runtime));
  return d;
}

}  // namespace course
