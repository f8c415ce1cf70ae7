// SPDX-License-Identifier: MIT
// Exercise loads_in_flight: how many loads each thread must have in flight to keep a memory busy.
//
// bandwidth: bytes per nanosecond. latency: nanoseconds from a load to its answer. threads: on the
// whole GPU at the same time. bytes: what one load of one thread brings.
#pragma once

constexpr unsigned loads_in_flight(unsigned bandwidth, unsigned latency, unsigned threads,
                                   unsigned bytes) {
  // <solution>
  const unsigned needed = bandwidth * latency, at_once = threads * bytes;
  return (needed + at_once - 1) / at_once;
  // <starter>
  //| // TODO: one load for each thread is not always enough.
  //| return 1;
  // </solution>
}
