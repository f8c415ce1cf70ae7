// SPDX-License-Identifier: MIT
// Histogram: the right rung for the sample, the bins and n. Measured on an H200.
#pragma once

#include "lessons/07_vote_and_match/histogram_exchanged.cuh"

namespace lesson07 {

// Bytes: 16 samples in each vector, so counting is the limit, and a counter for each lane pays. The
// table has all 256 values, however few of them are bins: a comparison for each sample would cost more
// than the counters that nobody reads.
inline void launch_bytes(const Histogram& h) {
  const std::size_t bytes = table_bytes(256 * kWarp);
  const auto in = static_cast<const std::uint8_t*>(h.in);
  const std::size_t vectors = h.n / kPerVector<std::uint8_t> / 1024;
  const std::size_t most =
      static_cast<std::size_t>(h.device->multiprocessors) * (h.n < (1 << 25) ? 1 : 2);
  const auto blocks = static_cast<unsigned>(vectors < 1 ? 1 : vectors < most ? vectors : most);
  if (h.n <= 1 << 21) {
    launch_once<std::uint8_t>(h, in, &hist_lanes<std::uint8_t, 256, 1>, blocks, bytes);
  } else {
    launch_once<std::uint8_t>(h, in, &hist_lanes<std::uint8_t, 256, 2>, blocks, bytes);
  }
}

// Words: the memory is the limit, as long as the table is in shared memory. Lanes that meet at one
// counter are counted in one pass (the instruction adds how many they are), so skew does no harm.
inline void launch_hist_best(const Histogram& asked) {
  const Histogram h = in_large_blocks(asked);
  if (h.sample_bytes == 1) return launch_bytes(h);
  const auto in = static_cast<const std::uint32_t*>(h.in);
  const std::size_t bytes = table_bytes(h.bins);
  if (bytes > most_shared_bytes())
    return refuses_exchange(h) == nullptr ? launch_hist_exchanged(h) : launch_hist_packed(h);
  const std::size_t most =
      static_cast<std::size_t>(h.device->multiprocessors) * (h.bins <= 1024 ? 2 : 1);
  const std::size_t needed = h.n / (h.bins <= 1024 ? 4096 : h.bins <= 8192 ? 8192 : 32768);
  const auto blocks = static_cast<unsigned>(needed < 1 ? 1 : needed < most ? needed : most);
  launch_once<std::uint32_t>(h, in, &hist_wide<std::uint32_t, 4>, blocks, bytes);
}

}  // namespace lesson07
