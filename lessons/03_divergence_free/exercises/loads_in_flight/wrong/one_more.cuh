// SPDX-License-Identifier: MIT
// Wrong: one too many where the division leaves nothing.
#pragma once

constexpr unsigned loads_in_flight(unsigned bandwidth, unsigned latency, unsigned threads,
                                   unsigned bytes) {
  return bandwidth * latency / (threads * bytes) + 1;
}
