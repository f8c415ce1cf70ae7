// SPDX-License-Identifier: MIT
// Wrong: that is what arrives in one nanosecond.
#pragma once

constexpr unsigned loads_in_flight(unsigned bandwidth, unsigned latency, unsigned threads,
                                   unsigned bytes) {
  const unsigned at_once = threads * bytes;
  return (bandwidth + at_once - 1) / at_once;
}
