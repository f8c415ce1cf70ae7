// SPDX-License-Identifier: MIT
// The memory roof: how fast this device really reads, measured on this device, in this run. A sum
// must read every element once, so it cannot beat a kernel that reads as well as can be done and
// does nothing else. (By a percent or two it can: nobody knows the best way to read.)
#pragma once

#include <algorithm>

#include "common/timing.cuh"

namespace course {

struct Roof {
  double copy_gbps = 0;  // device to device, bytes read + bytes written
  double read_gbps = 0;
  double gbps() const { return std::max(copy_gbps, read_gbps); }
};

// Reads 4 GiB, or less where the GPU has less to spare; on the emulator 64 MiB.
Roof measure_roof(const Device& device, Stopwatch& watch);

}  // namespace course
