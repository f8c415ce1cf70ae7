// Recursion with a different depth in each lane: Fibonacci, Ackermann, mutual recursion, and a
// quicksort in local memory.
#include <algorithm>

#include "../check.cuh"

__host__ __device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__host__ __device__ __noinline__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__host__ __device__ bool is_odd(int n);
__host__ __device__ __noinline__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__host__ __device__ __noinline__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }

__host__ __device__ __noinline__ void quicksort(int* values, int low, int high) {
  if (low >= high) return;
  const int pivot = values[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i > j) break;
    const int held = values[i];
    values[i++] = values[j];
    values[j--] = held;
  }
  quicksort(values, low, j);
  quicksort(values, i, high);
}

__host__ __device__ int work(int t) {
  int values[24];
  for (int i = 0; i < 24; ++i) values[i] = noise(t * 24 + i) % 1000;
  quicksort(values, 0, 23);
  int inversions = 0;
  for (int i = 0; i < 23; ++i) inversions += values[i] > values[i + 1];
  return fibonacci(t % 13) + 1000 * ackermann(t % 3, t % 4) + 100000 * is_even(t % 20) +
         1000000 * (values[11] % 1000) + inversions * 7;
}

__global__ void recurse(int n, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = work(t);
}

int main() {
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  for (int n : {1, 31, 100}) {
    std::vector<int> want(n);
    for (int t = 0; t < n; ++t) want[t] = work(t);
    int* out = upload(std::vector<int>(n));
    recurse<<<blocks_for(n, 64), 64>>>(n, out);
    CHECK_KERNEL();
    report("recurse", download(out, n), want);
  }
  return finish();
}
