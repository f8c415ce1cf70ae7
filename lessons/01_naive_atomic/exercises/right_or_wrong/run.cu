// SPDX-License-Identifier: MIT
// Exercise right_or_wrong: four sums of the same array, of which one is right. One element is added
// once, or not at all, or twice; the fourth sum is NaN.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __global__ void sum_all(const float* x, std::size_t n, std::size_t special, int times,
                               float* total) {
  __shared__ float block_total;
  if (threadIdx.x == 0) block_total = 0;
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (int k = i == special ? times : 1; i < n && k > 0; --k) atomicAdd(&block_total, x[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, block_total);
}

static void run_case(Run& run) {
  auto x = run.input<float>("x");
  const auto on_host = run.host<float>("x");
  const auto additions = run.one<double>("additions");
  const std::size_t n = x.size(), special = run.one<unsigned>("special");
  const unsigned blocks = n == 0 ? 1 : static_cast<unsigned>((n + 31) / 32);
  auto total = run.output_zero<float>("totals", 3);
  const int times[] = {1, 0, 2};
  for (int k = 0; k < 3; ++k)
    sum_all<<<blocks, 32>>>(x.data(), n, special, times[k], total.data() + k);
  float sums[4] = {0, 0, 0, __builtin_nanf("")};
  cudaMemcpy(sums, total.data(), 3 * sizeof(float), cudaMemcpyDeviceToHost);
  unsigned accepted[4];
  for (int k = 0; k < 4; ++k) accepted[k] = sum_is_right(on_host.data(), n, sums[k], additions);
  run.output_host("accepted", accepted, 4);
}

EXERCISE_MAIN(run_case)
