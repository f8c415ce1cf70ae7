// SPDX-License-Identifier: MIT
// Wrong: a load brings more than one byte.
#pragma once

constexpr unsigned loads_in_flight(unsigned bandwidth, unsigned latency, unsigned threads,
                                   unsigned bytes) {
  return (bandwidth * latency + threads - 1) / threads;
}
