// SPDX-License-Identifier: MIT
// Family rmsnorm, the last rung: a long row for a whole multiprocessor, and the shape that rows and columns
// decide.
#pragma once

#include <cuda_pipeline.h>

#include "lessons/09_precision/rmsnorm.cuh"

namespace lesson09 {

constexpr unsigned kWholeThreads = 1024, kWholePacks = 8;

// A thread keeps eight packs of the row, which are half of its registers: there is no room for the
// weights. So these are copied into shared memory while the row is in flight. A thread copies those that
// it needs itself, and waits for nobody but its own copies.
template <class S>
__global__ void __launch_bounds__(kWholeThreads) weights_beside(Rows<S> r) {
  extern __shared__ uint4 weights[];
  __shared__ float of_warp[32];
  const unsigned packs = r.columns / kPack<S>;
  const std::size_t row = blockIdx.x * std::size_t{r.columns};
  Part<S, kWholePacks> x;
  x.load(r.x + row, threadIdx.x, kWholeThreads, packs);
  const auto* from = reinterpret_cast<const uint4*>(r.weight);
#pragma unroll
  for (unsigned k = 0; k < kWholePacks; ++k) {
    const unsigned p = threadIdx.x + k * kWholeThreads;
    if (p < packs) __pipeline_memcpy_async(weights + p, from + p, sizeof(uint4));
  }
  __pipeline_commit();
  const float scale = r.scale(block_total(x.squares(), of_warp));
  __pipeline_wait_prior(0);
  auto* const out = reinterpret_cast<uint4*>(r.out + row);
#pragma unroll
  for (unsigned k = 0; k < kWholePacks; ++k) {
    const unsigned p = threadIdx.x + k * kWholeThreads;
    if (p < packs) out[p] = scaled<S>(x.pack[k], scale, weights[p]);
  }
}

template <class S>
bool launch_weights_beside(const Rows<S>& r) {
  const std::size_t bytes = r.packs() * sizeof(uint4);
  if (!r.vectors || r.residual != nullptr || r.packs() > kWholePacks * kWholeThreads) return false;
  // A GPU with less shared memory refuses, and the row goes another way.
  if (cudaFuncSetAttribute(weights_beside<S>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes)) != cudaSuccess) {
    cudaGetLastError();  // it is known now
    return false;
  }
  weights_beside<<<static_cast<unsigned>(r.rows), kWholeThreads, bytes>>>(r);
  return true;
}

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
