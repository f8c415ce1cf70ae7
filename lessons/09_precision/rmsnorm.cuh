// SPDX-License-Identifier: MIT
// Family rmsnorm: a row is read, its squares are added up, and every element is scaled. Two streams, one
// in and one out: it can be as fast as a copy.
#pragma once

#include <cooperative_groups.h>

#include <type_traits>
#include <utility>

#include "lessons/09_precision/row_part.cuh"

namespace lesson09 {

// The element, with the residual where there is one; the sum is rounded as it will be stored.
template <class S>
__device__ float element(const Rows<S>& r, std::size_t i) {
  if (r.residual == nullptr) return widened(r.x[i]);
  return widened(narrowed<S>(widened(r.x[i]) + widened(r.residual[i])));
}

// Changed: (the first rung) a block per row, an element per load. Once for the squares, once more for
//          the result.
// Why:     it is the definition.
// Cost:    loads of 2 bytes, and every row is read twice: the second time from a cache, if it is there.
template <class S>
__global__ void two_passes(Rows<S> r) {
  __shared__ float of_warp[32];
  const std::size_t row = blockIdx.x * std::size_t{r.columns};
  float squares = 0;
  for (unsigned c = threadIdx.x; c < r.columns; c += blockDim.x) {
    const float h = element(r, row + c);
    squares += h * h;
  }
  const float scale = r.scale(block_total(squares, of_warp));
  for (unsigned c = threadIdx.x; c < r.columns; c += blockDim.x) {
    const float h = element(r, row + c);
    if (r.residual != nullptr) r.sum[row + c] = narrowed<S>(h);
    r.out[row + c] = narrowed<S>(h * scale * widened(r.weight[c]));
  }
}

inline void launch_two_passes(const RmsNorm& t) {
  with_rows(t, [&](auto r) { two_passes<<<static_cast<unsigned>(r.rows), t.block>>>(r); });
}

// One pack of a row, with the residual where there is one.
template <class S>
__device__ uint4 pack_of(const Rows<S>& r, std::size_t row, unsigned p) {
  const uint4 x = load_pack(r.x + row, p, r.columns, r.vectors);
  if (r.residual == nullptr) return x;
  return sum_of<S>(x, load_pack(r.residual + row, p, r.columns, r.vectors));
}

// Changed: loads and stores of 16 bytes, where rows are aligned.
// Why:     an eighth of the instructions for bf16, and eight times the bytes on their way.
// Cost:    rows that are not aligned take the slow way.
template <class S>
__global__ void vector_loads(Rows<S> r) {
  __shared__ float of_warp[32];
  const std::size_t row = blockIdx.x * std::size_t{r.columns};
  const unsigned packs = (r.columns + kPack<S> - 1) / kPack<S>;
  float squares = 0;
  for (unsigned p = threadIdx.x; p < packs; p += blockDim.x)
    squares += squares_of<S>(pack_of(r, row, p));
  const float scale = r.scale(block_total(squares, of_warp));
  for (unsigned p = threadIdx.x; p < packs; p += blockDim.x) {
    const uint4 h = pack_of(r, row, p);
    if (r.residual != nullptr) store_pack(r.sum + row, p, r.columns, r.vectors, h);
    const uint4 w = load_pack(r.weight, p, r.columns, r.vectors);
    store_pack(r.out + row, p, r.columns, r.vectors, scaled<S>(h, scale, w));
  }
}

template <class S>
void launch_vector_loads(const Rows<S>& r, int block) {
  vector_loads<<<static_cast<unsigned>(r.rows), block>>>(r);
}
inline void launch_vector_loads(const RmsNorm& t) {
  with_rows(t, [&](const auto& r) { launch_vector_loads(r, t.block); });
}

// What a thread does with its part of an aligned row, but for the sum over all parts, which `total`
// gives. The weights are on their way together with the row, if there are registers for both.
template <int kPacks, class S, class Total>
__device__ void normalise(const Rows<S>& r, std::size_t row, unsigned first, unsigned stride,
                          Total total) {
  const unsigned packs =
      row < r.rows ? r.columns / kPack<S> : 0;  // a thread without a row has none
  const std::size_t begin = row * r.columns;
  Part<S, kPacks> x, weight;
  x.load(r.x + begin, first, stride, packs);
  if (r.residual != nullptr) {
    weight.load(r.residual + begin, first, stride, packs);
    x.add(weight);
    x.store(r.sum + begin, first, stride, packs);
  }
  if constexpr (kPacks <= 4) weight.load(r.weight, first, stride, packs);
  const float scale = r.scale(total(x.squares()));
  if constexpr (kPacks <= 4) {
    x.scale(scale, weight);
    x.store(r.out + begin, first, stride, packs);
  } else {
    x.store_scaled(r.out + begin, scale, r.weight, first, stride, packs);
  }
}

// Changed: a thread keeps its part of the row in registers, from the load to the store.
// Why:     every row is read once.
// Cost:    a row must fit into the registers of a block. Longer ones, and those that are not aligned,
//          are read twice as before.
// A block of 1024 threads has 64 registers for each of them. With fewer, more blocks fit.
__host__ __device__ constexpr int registers_for(int packs) {
  return packs > 2 ? 64 : packs > 1 ? 40 : 32;
}

template <int kPacks, class S>
__global__ void __maxnreg__(registers_for(kPacks)) in_registers(Rows<S> r) {
  __shared__ float of_warp[32];
  normalise<kPacks>(r, blockIdx.x, threadIdx.x, blockDim.x,
                    [&](float squares) { return block_total(squares, of_warp); });
}

// Calls body with the smallest of 1, 2, 4 packs with which `threads` cover `packs`; false: too many.
template <class Body>
bool with_packs(unsigned packs, unsigned threads, Body body) {
  const unsigned each = (packs + threads - 1) / threads;
  if (each <= 1)
    body(std::integral_constant<int, 1>{});
  else if (each <= 2)
    body(std::integral_constant<int, 2>{});
  else if (each <= 4)
    body(std::integral_constant<int, 4>{});
  return each <= 4;
}

template <class S>
bool launch_in_registers(const Rows<S>& r, unsigned block) {
  return r.vectors && with_packs(r.packs(), block, [&](auto packs) {
           const unsigned needed = (r.packs() + packs - 1) / packs;
           const unsigned threads = (needed + 31) / 32 * 32;
           in_registers<packs><<<static_cast<unsigned>(r.rows), threads>>>(r);
         });
}
inline void launch_in_registers(const RmsNorm& t) {
  with_rows(t, [&](const auto& r) {
    if (!launch_in_registers(r, static_cast<unsigned>(t.block))) launch_vector_loads(r, t.block);
  });
}

// Changed: a short row has a few lanes of a warp, not a block.
// Why:     128 columns are 16 packs: a block per row would be one load and one barrier. Shuffles add
//          over a group of lanes, and no barrier is needed at all.
// Cost:    none; longer rows go the way they went before.
template <int kPacks, class S>
__global__ void __maxnreg__(registers_for(kPacks)) several_rows(Rows<S> r, unsigned lanes) {
  const std::size_t group = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / lanes;
  normalise<kPacks>(r, group, threadIdx.x % lanes, lanes,
                    [&](float squares) { return lanes_total(squares, lanes); });
}

constexpr unsigned kShortRow = 128;  // packs that a warp takes

template <class S>
bool launch_several_rows(const Rows<S>& r, unsigned block) {
  if (!r.vectors || r.packs() > kShortRow) return false;
  // A pack per lane, and more only where 32 lanes are not enough.
  unsigned lanes = 1;
  while (lanes < 32 && lanes < r.packs()) lanes *= 2;
  return with_packs(r.packs(), lanes, [&](auto packs) {
    const std::size_t rows_of_block = block / lanes;
    const std::size_t blocks = (r.rows + rows_of_block - 1) / rows_of_block;
    several_rows<packs><<<static_cast<unsigned>(blocks), block>>>(r, lanes);
  });
}
inline void launch_several_rows(const RmsNorm& t) {
  with_rows(t, [&](const auto& r) {
    const auto block = static_cast<unsigned>(t.block);
    if (!launch_several_rows(r, block) && !launch_in_registers(r, block))
      launch_vector_loads(r, t.block);
  });
}

// Changed: a long row has a cluster of blocks. Each of them writes its sum into the shared memory of all.
// Why:     128 rows of 65536 columns are 128 blocks, each of which would load, wait, and store. With eight
//          blocks per row some store while others load.
// Cost:    a barrier over the cluster, and a GPU that has clusters.
constexpr unsigned kClusterThreads = 512;

template <int kPacks, class S>
__global__ void __launch_bounds__(kClusterThreads) clusters(Rows<S> r) {
#if __CUDA_ARCH__ >= 900
  namespace cg = cooperative_groups;
  __shared__ float of_warp[32], of_block[8];
  const auto cluster = cg::this_cluster();
  const unsigned size = cluster.num_blocks(), rank = cluster.block_rank();
  auto begun = cluster.barrier_arrive();
  normalise<kPacks>(
      r, blockIdx.x / size, rank * blockDim.x + threadIdx.x, size * blockDim.x, [&](float squares) {
        const float mine = block_total(squares, of_warp);
        cluster.barrier_wait(std::move(begun));  // all have begun: their shared memory is there
        if (threadIdx.x < size) cluster.map_shared_rank(&of_block[0], threadIdx.x)[rank] = mine;
        cluster.sync();
        return lanes_total(threadIdx.x % 32 < size ? of_block[threadIdx.x % 32] : 0.0f);
      });
#endif
}

template <class S>
bool launch_clusters(const Rows<S>& r, unsigned blocks) {
  return r.vectors && with_packs(r.packs(), blocks * kClusterThreads, [&](auto packs) {
           cudaLaunchAttribute attribute{};
           attribute.id = cudaLaunchAttributeClusterDimension;
           attribute.val.clusterDim = {blocks, 1, 1};
           cudaLaunchConfig_t config{};
           config.gridDim = static_cast<unsigned>(r.rows) * blocks;
           config.blockDim = kClusterThreads;
           config.attrs = &attribute;
           config.numAttrs = 1;
           COURSE_CHECK(cudaLaunchKernelEx(
               &config, clusters<packs, std::remove_cvref_t<decltype(*r.out)>>, r));
         });
}

constexpr unsigned kLongRow = 2048;  // packs from which on a row has a cluster

template <class S>
bool launch_long_rows(const Rows<S>& r, const course::Device& device) {
  if (r.packs() < kLongRow || device.sm < 90) return false;
  return launch_clusters(r, 4) || launch_clusters(r, 8);
}
inline void launch_with_clusters(const RmsNorm& t) {
  with_rows(t, [&](const auto& r) {
    const auto block = static_cast<unsigned>(t.block);
    if (!launch_long_rows(r, *t.device) && !launch_several_rows(r, block) &&
        !launch_in_registers(r, block))
      launch_vector_loads(r, t.block);
  });
}

}  // namespace lesson09
