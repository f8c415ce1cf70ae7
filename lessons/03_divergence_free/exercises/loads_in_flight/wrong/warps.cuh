// SPDX-License-Identifier: MIT
// Wrong: each of the 32 lanes of a warp has a load of its own.
#pragma once

constexpr unsigned loads_in_flight(unsigned bandwidth, unsigned latency, unsigned threads,
                                   unsigned bytes) {
  const unsigned at_once = threads / 32 * bytes;
  return (bandwidth * latency + at_once - 1) / at_once;
}
