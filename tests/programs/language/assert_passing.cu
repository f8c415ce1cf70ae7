// alone: each time <cassert> is included it declares its functions, also in a namespace
// Assertions that hold, with and without side conditions, cost nothing visible.
#undef NDEBUG  // the assertion must be there in every build
#include <cassert>

#include "../check.cuh"

__global__ void halve(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(blockDim.x == 64);
  if (i >= n) return;
  assert(in[i] % 2 == 0 && "only even numbers");
  out[i] = in[i] / 2;
  assert(out[i] * 2 == in[i]);
}

int main() {
  for (int n : kSizes) {
    std::vector<int> values(n), want(n);
    for (int i = 0; i < n; ++i) values[i] = 2 * (want[i] = noise(i) % 10000);
    int* out = upload(std::vector<int>(n));
    halve<<<blocks_for(n, 64), 64>>>(upload(values), n, out);
    CHECK_KERNEL();
    report("halve", download(out, n), want);
  }
  return finish();
}
