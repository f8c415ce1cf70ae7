// Built with -G: no optimisation, locals in memory, functions not inlined; the result is the same.
// nvcc: -G
#include "../check.cuh"

struct Point {
  int x, y;
  __device__ int length() const { return x * x + y * y; }
};

__device__ int sum_points(const Point* points, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += points[i].length();
  return sum;
}

__global__ void debug(int n, int* out) {
  __shared__ int s[64];
  Point points[5];
  for (int i = 0; i < 5; ++i) points[i] = Point{static_cast<int>(threadIdx.x) + i, i * 2};
  s[threadIdx.x] = sum_points(points, threadIdx.x % 6);
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  int v = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(~0u, v, step);
  if (threadIdx.x == 0) out[blockIdx.x] = s[0] * n + v;
}

int main() {
  int want = 0;
  for (int t = 0; t < 64; ++t)
    for (int i = 0; i < t % 6; ++i) want += (t + i) * (t + i) + 4 * i * i;
  int* out = upload(std::vector<int>(3));
  debug<<<3, 64>>>(2, out);
  CHECK_KERNEL();
  report("debug", download(out, 3), std::vector<int>(3, want * 2 + 496));
  std::printf("%d\n", want);
  return finish();
}
