// Shuffles in all four modes and all widths, out-of-range sources included, on 32-bit, 64-bit,
// float, double and half values.
#include <cuda_fp16.h>

#include "../check.cuh"

constexpr int kModes = 4, kWidths = 6;

__device__ __host__ int source(int mode, int lane, int width, int delta) {
  const int first = lane / width * width, last = first + width - 1, in = lane - first;
  switch (mode) {
    case 0:
      return first + (delta % width);  // idx
    case 1:
      return in >= delta ? lane - delta : lane;  // up
    case 2:
      return lane + delta <= last ? lane + delta : lane;  // down
    default:
      return (lane ^ delta) <= last ? lane ^ delta : lane;  // xor
  }
}

__global__ void modes(int delta, int* out) {
  const int lane = threadIdx.x;
  int k = 0;
  for (int width = 1; width <= 32; width *= 2) {
    out[32 * k++ + lane] = __shfl_sync(~0u, lane * 3 + 1, delta, width);
    out[32 * k++ + lane] = __shfl_up_sync(~0u, lane * 3 + 1, delta, width);
    out[32 * k++ + lane] = __shfl_down_sync(~0u, lane * 3 + 1, delta, width);
    out[32 * k++ + lane] = __shfl_xor_sync(~0u, lane * 3 + 1, delta, width);
  }
}

__global__ void types(double* out) {
  const int lane = threadIdx.x;
  out[lane] = static_cast<double>(__shfl_xor_sync(~0u, (1LL << 40) + lane, 5));
  out[32 + lane] = __shfl_down_sync(~0u, lane * 0.5f, 3);
  out[64 + lane] = __shfl_up_sync(~0u, lane * 1e100, 2);
  out[96 + lane] = __half2float(__shfl_sync(~0u, __float2half(lane * 0.25f), 31 - lane));
  out[128 + lane] = static_cast<double>(__shfl_sync(~0u, 0xffffffffffffffull - lane, lane / 2));
}

int main() {
  int* out = upload(std::vector<int>(32 * kModes * kWidths));
  for (int delta : {0, 1, 3, 8, 17, 31}) {
    std::vector<int> want;
    for (int width = 1; width <= 32; width *= 2)
      for (int mode = 0; mode < kModes; ++mode)
        for (int lane = 0; lane < 32; ++lane)
          want.push_back(source(mode, lane, width, delta) * 3 + 1);
    modes<<<1, 32>>>(delta, out);
    CHECK_KERNEL();
    report("modes", download(out, want.size()), want);
  }
  std::vector<double> want(160);
  for (int lane = 0; lane < 32; ++lane) {
    want[lane] = static_cast<double>((1LL << 40) + (lane ^ 5));
    want[32 + lane] = (lane + 3 < 32 ? lane + 3 : lane) * 0.5f;
    want[64 + lane] = (lane >= 2 ? lane - 2 : lane) * 1e100;
    want[96 + lane] = (31 - lane) * 0.25f;
    want[128 + lane] = static_cast<double>(0xffffffffffffffull - lane / 2);
  }
  double* doubles = upload(std::vector<double>(160));
  types<<<1, 32>>>(doubles);
  CHECK_KERNEL();
  report("types", download(doubles, 160), want);
  return finish();
}
