// A failed assertion: message, file, line, block and thread on stderr, and an error that stays.
// alone: each time <cassert> is included it declares its functions, also in a namespace
// gpu: skip provokes an error that stays
// expect-stderr: assert_failing\.cu:16
// expect-stderr: check_positive
// expect-stderr: block:? [\[(]1,0,0[\])]
// expect-stderr: thread:? [\[(]3,0,0[\])]
// expect-stderr: Assertion .value > 0. failed
#undef NDEBUG  // the assertion must be there in every build
#include <cassert>

#include "../check.cuh"

__global__ void check_positive(const int* in) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  assert(value > 0);  // here
}

int main() {
  std::vector<int> values(32, 5);
  values[16 + 3] = -1;
  int* in = upload(values);
  check_positive<<<2, 16>>>(in);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  show("afterwards", cudaMemset(in, 0, 4));
  return 0;
}
