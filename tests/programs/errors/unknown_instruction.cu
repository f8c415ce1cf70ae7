// A tensor-core instruction: the launch ends with its name, its line and an error, and nothing was
// run.
// gpu: skip runs on a GPU
// expect-stderr: tensor_core
// expect-stderr: unknown_instruction\.cu:\d+
// expect-stderr: mma
#include "../check.cuh"

__global__ void tensor_core(float* out) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, "
      "{%0,%1,%2,%3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "r"(0x3f800000));
  out[threadIdx.x] = d0 + d1 + d2 + d3;
}

int main() {
  float* out = upload(std::vector<float>(32));
  tensor_core<<<1, 32>>>(out);
  const cudaError_t launched = cudaGetLastError(), waited = cudaDeviceSynchronize();
  std::printf("failed: %d\n", launched != cudaSuccess || waited != cudaSuccess);
  return 0;
}
