// Clusters fixed at compile time: ranks and indices, shared memory of the neighbours, a split
// barrier, query of the rank.
#include <cooperative_groups.h>

#include "../check.cuh"
namespace cg = cooperative_groups;

// Each block passes its numbers to the next of the cluster, round after round.
__global__ void __cluster_dims__(2, 2, 1) ring(int rounds, int* out) {
  __shared__ int buffer[2][32];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  buffer[0][threadIdx.x] = block * 100 + threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    cluster.sync();
    cluster.map_shared_rank(buffer[(r + 1) % 2], next)[threadIdx.x] = buffer[r % 2][threadIdx.x];
  }
  auto token = cluster.barrier_arrive();
  const unsigned owner = cluster.query_shared_rank(cluster.map_shared_rank(&buffer[0][0], next));
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
  out[block * 32 + threadIdx.x] = buffer[rounds % 2][threadIdx.x] + (owner == next ? 0 : 1000000);
}

__global__ void __cluster_dims__(2, 1, 2) who(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const dim3 index = cluster.block_index(), shape = cluster.dim_blocks();
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0)
    out[block] = cluster.block_rank() * 1000 + index.x * 100 + index.y * 10 + index.z +
                 10000 * (shape.x * 100 + shape.y * 10 + shape.z);
  cluster.sync();
}

int main() {
  for (int rounds : {0, 1, 3, 4}) {
    // Grid 4 x 2, clusters 2 x 2: rank = x % 2 + 2 * (y % 2).
    std::vector<int> want(8 * 32);
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 4; ++x) {
        const int rank = x % 2 + 2 * y, from = (rank + 4 * rounds - rounds) % 4;
        const int source = from / 2 * 4 + x / 2 * 2 + from % 2;
        for (int t = 0; t < 32; ++t) want[(y * 4 + x) * 32 + t] = source * 100 + t;
      }
    int* out = upload(std::vector<int>(want.size()));
    ring<<<dim3(4, 2), 32>>>(rounds, out);
    CHECK_KERNEL();
    report("ring", download(out, want.size()), want);
  }
  int* out = upload(std::vector<int>(8));
  who<<<dim3(2, 2, 2), 64>>>(out);
  CHECK_KERNEL();
  std::vector<int> want(8);
  for (int b = 0; b < 8; ++b)
    want[b] = 2120000 + (b % 2 + 2 * (b / 4)) * 1000 + b % 2 * 100 + b / 4;
  const std::vector<int> got = download(out, 8);
  report("who", got, want);
  for (int v : got) std::printf("%d\n", v);
  return finish();
}
