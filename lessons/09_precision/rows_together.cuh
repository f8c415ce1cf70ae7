// SPDX-License-Identifier: MIT
// Family rmsnorm, the last rung: long rows that share their weights, and the shape that rows and columns
// decide.
#pragma once

#include "lessons/09_precision/rmsnorm.cuh"

namespace lesson09 {

// The sums of kRows values over the warp at once: the lanes of row k, of which there are 32 / kRows, get
// that of value k. Each step hands half of the values to the other half of the lanes, so that eight
// sums take nine shuffles and not forty.
template <int kRows>
__device__ float warp_totals(float (&mine)[kRows]) {
  unsigned bits = 16;
#pragma unroll
  for (int half = kRows / 2; half > 0; half /= 2, bits /= 2) {
    const bool upper = threadIdx.x & bits;
#pragma unroll
    for (int k = 0; k < half; ++k) {
      const float given = upper ? mine[k] : mine[k + half];
      const float kept = upper ? mine[k + half] : mine[k];
      mine[k] = kept + __shfl_xor_sync(0xffffffffu, given, bits);
    }
  }
#pragma unroll
  for (; bits > 0; bits /= 2) mine[0] += __shfl_xor_sync(0xffffffffu, mine[0], bits);
  return mine[0];
}

// 512 threads with 128 registers each: room for sixteen packs, and for the weights beside them.
constexpr int kTogether = 512;

// A cluster of kRows blocks takes kRows rows, and each block a share of their columns.
template <int kRows, class S>
__global__ void __launch_bounds__(kTogether) rows_together(Rows<S> r) {
#if __CUDA_ARCH__ >= 900
  constexpr int kPacks = 16 / kRows;  // of each row: a thread keeps sixteen
  namespace cg = cooperative_groups;
  __shared__ float of_warp[32][kRows], of_block[kRows][kRows], scale_of[kRows];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), stride = kRows * blockDim.x;
  const unsigned first = rank * blockDim.x + threadIdx.x;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  auto begun = cluster.barrier_arrive();

  const std::size_t row = blockIdx.x / kRows * kRows;
  const auto packs_of = [&](int k) { return row + k < r.rows ? r.columns / kPack<S> : 0u; };
  Part<S, kPacks> x[kRows], weight;
  float squares[kRows];
#pragma unroll
  for (int k = 0; k < kRows; ++k)
    x[k].load(r.x + (row + k) * r.columns, first, stride, packs_of(k));
  weight.load(r.weight, first, stride, packs_of(0));
#pragma unroll
  for (int k = 0; k < kRows; ++k) squares[k] = x[k].squares();

  const float mine = warp_totals(squares);
  if (lane % (32 / kRows) == 0) of_warp[warp][lane / (32 / kRows)] = mine;
  __syncthreads();
  cluster.barrier_wait(std::move(begun));  // all have begun: their shared memory is there
  if (warp < kRows) {
    const float total = lanes_total(lane < blockDim.x / 32 ? of_warp[lane][warp] : 0.0f);
    if (lane < kRows) cluster.map_shared_rank(&of_block[0][0], lane)[rank * kRows + warp] = total;
  }
  cluster.sync();
  if (warp < kRows) {
    const float total = lanes_total(lane < kRows ? of_block[lane][warp] : 0.0f);
    if (lane == 0) scale_of[warp] = r.scale(total);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    x[k].scale(scale_of[k], weight);
    x[k].store(r.out + (row + k) * r.columns, first, stride, packs_of(k));
  }
#endif
}

template <int kRows, class S>
void launch_rows_together(const Rows<S>& r) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {kRows, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = static_cast<unsigned>((r.rows + kRows - 1) / kRows * kRows);
  config.blockDim = kTogether;
  config.attrs = &attribute;
  config.numAttrs = 1;
  COURSE_CHECK(cudaLaunchKernelEx(&config, rows_together<kRows, S>, r));
}

// A row for a whole multiprocessor: 1024 threads with eight packs each.
template <class S>
bool launch_whole_multiprocessors(const Rows<S>& r, const course::Device& device) {
  const std::size_t most = static_cast<std::size_t>(device.multiprocessors);
  const bool fill = 4 * r.rows >= 3 * most && r.rows <= most;
  if (!r.vectors || !fill || r.packs() < kLongRow || r.packs() > 8 * 1024) return false;
  if (device.sm >= 90 && r.residual == nullptr)
    launch_rows_together<4>(r);
  else
    in_registers<8><<<static_cast<unsigned>(r.rows), 1024>>>(r);
  return true;
}

// Changed: rows and columns decide. Where there are about as many long rows as multiprocessors, four
//          blocks of a cluster take four rows together, a quarter of the columns each; a block has two
//          packs per thread where it can.
// Why:     a block that has a row of its own reads all weights for itself, 128 times the same 128 KiB
//          through the second-level cache, as many bytes as the rows have. With a quarter of the columns it
//          reads a quarter of the weights, and has registers to load them before they are needed.
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
