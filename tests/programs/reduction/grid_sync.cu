// A whole sum in one cooperative launch: partial sums, grid.sync, then a tree over the blocks with
// a barrier per step.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "sums.cuh"
namespace cg = cooperative_groups;

__global__ void grid_sum(const int* in, int n, int* sum, int* partial) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0) partial[blockIdx.x] = 0;
  block.sync();
  int mine = 0;
  for (long long i = grid.thread_rank(); i < n; i += grid.num_threads()) mine += in[i];
  mine = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) atomicAdd(&partial[blockIdx.x], mine);
  grid.sync();
  for (unsigned step = 1; step < gridDim.x; step *= 2) {
    if (block.thread_rank() == 0 && blockIdx.x % (2 * step) == 0 && blockIdx.x + step < gridDim.x)
      partial[blockIdx.x] += partial[blockIdx.x + step];
    grid.sync();
  }
  if (grid.thread_rank() == 0) *sum = partial[0];
}

int main() {
  int* partial = upload(std::vector<int>(64));
  for (int blocks : {1, 5, 16}) {
    std::printf("%d blocks\n", blocks);
    sum_all_sizes("grid_sum", [&](const int* in, int n, int* sum) {
      void* args[] = {&in, &n, &sum, &partial};
      CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sum), blocks, 96, args, 0,
                                        nullptr));
    });
  }
  return finish();
}
