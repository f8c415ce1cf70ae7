// The launch forgets the size of the dynamic shared memory.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: past the 0 bytes of shared memory
// expect-stderr: kernel<<<blocks, threads, bytes>>>
#include "../check.cuh"

__global__ void reverse(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int* out = upload(std::vector<int>(32));
  reverse<<<1, 32>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}
