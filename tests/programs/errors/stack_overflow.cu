// Recursion without an end runs out of the thread's stack.
// gpu: skip provokes an error that only the emulator explains
// timeout: 60
// expect-stderr: dive_in
// expect-stderr: (?i)stack
#include "../check.cuh"

__device__ __noinline__ int dive(int depth, volatile int* floor) {
  int frame[16];
  for (int i = 0; i < 16; ++i) frame[i] = depth * i + *floor;
  if (depth < 0) return frame[*floor & 15];
  return dive(depth + 1, floor) + frame[depth & 15];
}

__global__ void dive_in(int* cells) { cells[1] = dive(0, cells); }

int main() {
  int* cells = upload(std::vector<int>(2));
  dive_in<<<1, 1>>>(cells);
  const cudaError_t launched = cudaGetLastError(), waited = cudaDeviceSynchronize();
  std::printf("failed: %d\n", launched != cudaSuccess || waited != cudaSuccess);
  return 0;
}
