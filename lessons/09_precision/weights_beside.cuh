// SPDX-License-Identifier: MIT
// RMSNorm of a long row by a whole multiprocessor, whose registers the row fills.
#pragma once

#include <cuda_pipeline.h>

#include "lessons/09_precision/row_part.cuh"

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

}  // namespace lesson09
