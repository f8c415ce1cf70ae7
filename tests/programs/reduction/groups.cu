// Sums through cooperative groups: a tile of 32, tiles of 8, and the lanes that happen to be
// together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "sums.cuh"
namespace cg = cooperative_groups;

template <int Size>
__global__ void tile_reduce(const int* in, int n, int* sum) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  mine = cg::reduce(tile, mine, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(sum, mine);
}

// Negative and other numbers are summed by whichever lanes hold them.
__global__ void coalesced(const int* in, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int v = in[i];
  if (v < 0) {
    auto group = cg::coalesced_threads();
    const int total = cg::reduce(group, v, cg::plus<int>());
    if (group.thread_rank() == 0) atomicAdd(sum, total);
  } else {
    auto group = cg::coalesced_threads();
    int total = v;
    for (int step = 1; step < static_cast<int>(group.size()); step *= 2) {
      const int other = group.shfl_down(total, step);
      if (static_cast<int>(group.thread_rank()) + step < static_cast<int>(group.size()))
        total += other;
    }
    if (group.thread_rank() == 0) atomicAdd(sum, total);
  }
}

int main() {
  sum_all_sizes("tile_reduce<32>",
                [](const int* in, int n, int* sum) { tile_reduce<32><<<2, 128>>>(in, n, sum); });
  sum_all_sizes("tile_reduce<8>",
                [](const int* in, int n, int* sum) { tile_reduce<8><<<2, 72>>>(in, n, sum); });
  sum_all_sizes("coalesced", [](const int* in, int n, int* sum) {
    coalesced<<<blocks_for(n, 96), 96>>>(in, n, sum);
  });
  return finish();
}
