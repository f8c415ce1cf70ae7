// A cluster whose size is given at launch: a histogram spread over the shared memory of its blocks,
// atomics on the others' bins.
#include <cooperative_groups.h>

#include "../check.cuh"
namespace cg = cooperative_groups;

constexpr int kBins = 64;

__global__ void spread_histogram(const int* in, int n, unsigned* bins) {
  extern __shared__ unsigned own[];
  cg::cluster_group cluster = cg::this_cluster();
  const int ranks = cluster.num_blocks(), per_block = kBins / ranks, rank = cluster.block_rank();
  for (int b = threadIdx.x; b < per_block; b += blockDim.x) own[b] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned* theirs = cluster.map_shared_rank(own, in[i] / per_block);
    atomicAdd(theirs + in[i] % per_block, 1u);
  }
  cluster.sync();
  for (int b = threadIdx.x; b < per_block; b += blockDim.x)
    atomicAdd(&bins[rank * per_block + b], own[b]);
}

int main() {
  for (int size : {1, 2, 4, 8}) {
    for (int n : {0, 1, 1001}) {
      std::vector<int> values(n);
      std::vector<unsigned> want(kBins);
      for (int i = 0; i < n; ++i) ++want[values[i] = noise(i) % kBins];
      unsigned* bins = upload(std::vector<unsigned>(kBins));

      cudaLaunchConfig_t config = {};
      config.gridDim = dim3(8);
      config.blockDim = dim3(48);
      config.dynamicSmemBytes = kBins / size * sizeof(unsigned);
      cudaLaunchAttribute attribute = {};
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = size;
      attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
      config.attrs = &attribute;
      config.numAttrs = 1;
      CHECK(cudaLaunchKernelEx(&config, spread_histogram, static_cast<const int*>(upload(values)),
                               n, bins));
      CHECK_KERNEL();
      std::printf("clusters of %d, n=%d\n", size, n);
      report("spread_histogram", download(bins, kBins), want);
    }
  }
  return finish();
}
