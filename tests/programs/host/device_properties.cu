// What the device says of itself: properties and attributes agree, and the numbers every program
// counts on.
#include "../check.cuh"

__global__ void ask(int* out) {
  out[0] = warpSize;
#ifdef __CUDA_ARCH__
  out[1] = __CUDA_ARCH__ >= 750;
#endif
}

int main() {
  int count = 0, device = -1;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&device));
  std::printf("some device: %d, using %d\n", count >= 1, device);
  cudaDeviceProp p = {};
  CHECK(cudaGetDeviceProperties(&p, device));
  const auto same = [&](const char* name, cudaDeviceAttr attribute, long long value) {
    int answer = -1;
    CHECK(cudaDeviceGetAttribute(&answer, attribute, device));
    report(name, 0, static_cast<long long>(answer), value);
  };
  same("major", cudaDevAttrComputeCapabilityMajor, p.major);
  same("minor", cudaDevAttrComputeCapabilityMinor, p.minor);
  same("warp", cudaDevAttrWarpSize, p.warpSize);
  same("threads per block", cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock);
  same("threads per multiprocessor", cudaDevAttrMaxThreadsPerMultiProcessor,
       p.maxThreadsPerMultiProcessor);
  same("shared memory per block", cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock);
  same("opt-in", cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin);
  same("registers per block", cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock);
  same("grid x", cudaDevAttrMaxGridDimX, p.maxGridSize[0]);
  same("grid y", cudaDevAttrMaxGridDimY, p.maxGridSize[1]);
  same("block z", cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]);
  same("cooperative", cudaDevAttrCooperativeLaunch, p.cooperativeLaunch);
  same("managed", cudaDevAttrManagedMemory, p.managedMemory);
  same("multiprocessors", cudaDevAttrMultiProcessorCount, p.multiProcessorCount);
  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  std::printf("memory: %d\n", free_bytes <= total_bytes && total_bytes > (1ull << 30));
  int runtime = 0, driver = 0;
  CHECK(cudaRuntimeGetVersion(&runtime));
  CHECK(cudaDriverGetVersion(&driver));
  std::printf("runtime %d, driver is not older: %d\n", runtime / 1000, driver >= runtime);
  int* out = upload(std::vector<int>(2));
  ask<<<1, 1>>>(out);
  CHECK_KERNEL();
  report("in a kernel", download(out, 2), {32, 1});
  return finish();
}
