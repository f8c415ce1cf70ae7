// Host memory the device can use: page-locked, mapped, registered; pointer attributes and
// asynchronous copies.
#include "../check.cuh"

__global__ void square(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

const char* kind(const void* pointer) {
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, pointer));
  switch (attributes.type) {
    case cudaMemoryTypeUnregistered:
      return "unregistered";
    case cudaMemoryTypeHost:
      return "host";
    case cudaMemoryTypeDevice:
      return "device";
    default:
      return "managed";
  }
}

int main() {
  const int n = 1001;
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i * i;

  // The kernel reads and writes host memory through its device address.
  int *in = nullptr, *out = nullptr, *device_in = nullptr, *device_out = nullptr;
  CHECK(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMallocHost(&out, n * sizeof(int)));
  CHECK(cudaHostGetDevicePointer(&device_in, in, 0));
  CHECK(cudaHostGetDevicePointer(&device_out, out, 0));
  for (int i = 0; i < n; ++i) in[i] = i;
  square<<<blocks_for(n, 128), 128>>>(device_in, n, device_out);
  CHECK_KERNEL();
  report("mapped", std::vector<int>(out, out + n), want);

  // Copies in a stream, in and out.
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* device = nullptr;
  CHECK(cudaMalloc(&device, 2 * n * sizeof(int)));
  for (int i = 0; i < n; ++i) out[i] = 0;
  CHECK(cudaMemcpyAsync(device, in, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  square<<<blocks_for(n, 128), 128, 0, stream>>>(device, n, device + n);
  CHECK(cudaMemcpyAsync(out, device + n, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  report("copied", std::vector<int>(out, out + n), want);

  // Ordinary memory, registered for a while.
  std::vector<int> plain(4096, 3);
  CHECK(cudaHostRegister(plain.data(), plain.size() * sizeof(int), cudaHostRegisterMapped));
  int* device_plain = nullptr;
  CHECK(cudaHostGetDevicePointer(&device_plain, plain.data(), 0));
  square<<<8, 512>>>(device_plain, 4096, device_plain);
  CHECK_KERNEL();
  std::printf("registered: %s, device memory: %s, pinned: %s\n", kind(plain.data()), kind(device),
              kind(in));
  CHECK(cudaHostUnregister(plain.data()));
  std::printf("unregistered: %s\n", kind(plain.data()));
  report("registered", plain, std::vector<int>(4096, 9));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFree(device));
  CHECK(cudaStreamDestroy(stream));
  return finish();
}
