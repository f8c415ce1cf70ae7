// SPDX-License-Identifier: MIT
// Groups of threads that do not all come, each beside its cure. Of lesson 05: `groups NAME` runs a kernel.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstring>

namespace cg = cooperative_groups;

__global__ void group_in_a_branch(float* out) {
  const auto block = cg::this_thread_block();
  if (block.thread_rank() < 20) {
    const auto warp = cg::tiled_partition<32>(block);  // wrong: lanes 20 to 31 do not come here
    out[block.thread_rank()] = cg::reduce(warp, 1.0f, cg::plus<float>());
  }
  block.sync();
}

// The same, and nobody waits behind the branch: it comes to an end.
__global__ void group_in_the_last_branch(float* out) {
  const auto block = cg::this_thread_block();
  if (block.thread_rank() < 20) {
    const auto warp = cg::tiled_partition<32>(block);  // wrong
    out[block.thread_rank()] = cg::reduce(warp, 1.0f, cg::plus<float>());
  }
}

__global__ void group_in_a_branch_cured(float* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto mine = cg::binary_partition(warp, block.thread_rank() < 20);  // all are here
  if (block.thread_rank() < 20) {
    out[block.thread_rank()] = cg::reduce(mine, 1.0f, cg::plus<float>());
  }
  block.sync();
}

__global__ void grid_barrier(float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cg::this_grid().sync();
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* name) { return argc > 1 && !std::strcmp(argv[1], name); };
  float* out = nullptr;
  cudaMalloc(&out, 128 * sizeof(float));
  void* arguments[] = {&out};
  if (asked("group_in_a_branch")) group_in_a_branch<<<1, 32>>>(out);
  if (asked("group_in_the_last_branch")) group_in_the_last_branch<<<1, 32>>>(out);
  if (asked("group_in_a_branch_cured")) group_in_a_branch_cured<<<1, 32>>>(out);
  if (asked("grid_barrier")) grid_barrier<<<4, 32>>>(out);
  if (asked("grid_barrier_cured")) {
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barrier), 4, 32, arguments, 0,
                                nullptr);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error == cudaSuccess ? 0 : 1;
}
