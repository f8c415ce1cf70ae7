// Calls through pointers: a table of device functions, a pointer passed from the host, lanes that
// call different functions.
// nvcc: --extended-lambda
#include "../check.cuh"

using Operation = int (*)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int power(int a, int b) {
  int r = 1;
  while (b-- > 0) r *= a;
  return r;
}
__device__ Operation table[] = {add, subtract, multiply, power};
__device__ Operation chosen = multiply;

__global__ void divergent(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[i % 4](i, i % 7);
}

__global__ void uniform(Operation operation, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = operation(i, 3);
}

template <class F>
__global__ void apply(F f, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(i);
}

int main() {
  for (int n : kSizes) {
    std::vector<int> want(n), scaled(n), lambda(n);
    for (int i = 0; i < n; ++i) {
      unsigned p = 1;
      for (int k = 0; k < i % 7; ++k) p *= i;
      const int b = i % 7, results[] = {i + b, i - b, i * b, static_cast<int>(p)};
      want[i] = results[i % 4], scaled[i] = i * 3, lambda[i] = i * 5 + n;
    }
    int* out = upload(std::vector<int>(n));
    divergent<<<blocks_for(n, 64), 64>>>(n, out);
    CHECK_KERNEL();
    report("divergent", download(out, n), want);
    Operation operation = nullptr;  // a device address: the host can pass it on, not call it
    CHECK(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
    uniform<<<blocks_for(n, 64), 64>>>(operation, n, out);
    CHECK_KERNEL();
    report("uniform", download(out, n), scaled);
    apply<<<blocks_for(n, 64), 64>>>([n] __device__(int i) { return i * 5 + n; }, n, out);
    CHECK_KERNEL();
    report("lambda", download(out, n), lambda);
  }
  return finish();
}
