// A read past the end of an array: thread 2 of block 1 is the first to leave it.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: read_past_end\(int const\*, int\*\)
// expect-stderr: block \(1,0,0\)
// expect-stderr: thread \(2,0,0\)
// expect-stderr: out_of_bounds_read\.cu:12
// expect-stderr: right behind the end of a 40-byte allocation
#include "../check.cuh"

__global__ void read_past_end(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;  // here
}

int main() {
  int *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 10 * sizeof(int)));
  CHECK(cudaMalloc(&out, 16 * sizeof(int)));
  CHECK(cudaMemset(in, 0, 10 * sizeof(int)));
  read_past_end<<<2, 8>>>(in, out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}
