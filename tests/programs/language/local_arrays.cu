// Arrays in local memory with an index known at run time only; pointers to locals passed to
// functions.
#include <algorithm>

#include "../check.cuh"

__host__ __device__ __noinline__ void rotate(int* values, int count, int by) {
  for (int r = 0; r < by; ++r) {
    const int first = values[0];
    for (int i = 1; i < count; ++i) values[i - 1] = values[i];
    values[count - 1] = first;
  }
}

struct Pair {
  short key;
  double value;
};

__host__ __device__ int shuffle(int seed) {
  int digits[20];
  for (int i = 0; i < 20; ++i) digits[i] = i * i;
  for (int i = 19; i > 0; --i) {
    const int j = noise(seed * 31 + i) % (i + 1), held = digits[i];
    digits[i] = digits[j];
    digits[j] = held;
  }
  rotate(digits, 20, seed % 5);
  Pair pairs[4];
  for (int i = 0; i < 4; ++i) pairs[i] = {static_cast<short>(digits[i]), digits[i + 4] * 0.5};
  unsigned char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[(i * 7 + seed) % 16] = static_cast<unsigned char>(digits[i]);
  const Pair& picked = pairs[digits[8] % 4];
  return picked.key * 1000 + static_cast<int>(picked.value * 2) + bytes[seed % 16] * 1000000;
}

__global__ void run(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = shuffle(i);
}

int main() {
  for (int n : {1, 33, 1000}) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = shuffle(i);
    int* out = upload(std::vector<int>(n));
    run<<<blocks_for(n, 96), 96>>>(n, out);
    CHECK_KERNEL();
    report("shuffle", download(out, n), want);
  }
  return finish();
}
