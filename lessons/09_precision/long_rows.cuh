// SPDX-License-Identifier: MIT
// Family rmsnorm, the last rung: the shape that rows and columns decide.
#pragma once

#include "lessons/09_precision/rmsnorm.cuh"
#include "lessons/09_precision/weights_beside.cuh"

namespace lesson09 {

template <class S>
bool launch_whole_multiprocessors(const Rows<S>& r, const course::Device& device) {
  const std::size_t most = static_cast<std::size_t>(device.multiprocessors);
  const bool fill = 4 * r.rows >= 3 * most && r.rows <= most;
  if (!r.vectors || !fill || r.packs() < kLongRow || r.packs() > kWholePacks * kWholeThreads)
    return false;
  if (!launch_weights_beside(r))
    in_registers<kWholePacks><<<static_cast<unsigned>(r.rows), kWholeThreads>>>(r);
  return true;
}

// Changed: rows and columns decide; a block has two packs per thread where it can.
// Why:     a cluster is slower to launch than blocks are. If there are about as many rows as
//          multiprocessors, each of them takes a row, and nobody has to wait for a neighbour.
// Cost:    shapes to measure, and to measure again on the next GPU.
inline void launch_any_shape(const RmsNorm& t) {
  with_rows(t, [&](const auto& r) {
    const unsigned block = r.packs() <= 512 ? 256 : r.packs() <= 1024 ? 512 : 1024;
    if (!launch_whole_multiprocessors(r, *t.device) && !launch_long_rows(r, *t.device) &&
        !launch_several_rows(r, 256) && !launch_in_registers(r, block))
      launch_vector_loads(r, 1024);
  });
}

}  // namespace lesson09
