// SPDX-License-Identifier: MIT
// Wrong: what is left over must be in flight, too.
#pragma once

constexpr unsigned loads_in_flight(unsigned bandwidth, unsigned latency, unsigned threads,
                                   unsigned bytes) {
  const unsigned loads = bandwidth * latency / (threads * bytes);
  return loads > 0 ? loads : 1;
}
