// A sum per cluster of four blocks: each block's sum lies in its shared memory, and the first block
// reads the others'.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "sums.cuh"
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) cluster_sum(const int* in, int n, int* sum) {
  __shared__ int block_sum;
  cg::cluster_group cluster = cg::this_cluster();
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  mine = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) atomicAdd(&block_sum, mine);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int total = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      total += *cluster.map_shared_rank(&block_sum, rank);
    atomicAdd(sum, total);
  }
  cluster.sync();  // a block's shared memory must outlive its readers
}

int main() {
  sum_all_sizes("cluster_sum",
                [](const int* in, int n, int* sum) { cluster_sum<<<8, 64>>>(in, n, sum); });
  return finish();
}
