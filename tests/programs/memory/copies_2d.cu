// Pitched memory and two- and three-dimensional copies and memsets; device to device; zero bytes.
#include "../check.cuh"

__global__ void increment(int* data, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height)
    reinterpret_cast<int*>(reinterpret_cast<char*>(data) + y * pitch)[x] += y;
}

int main() {
  const int width = 37, height = 11;
  std::vector<int> values(width * height), want(values);
  for (int i = 0; i < width * height; ++i) values[i] = i, want[i] = i + i / width;
  int* data = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&data, &pitch, width * sizeof(int), height));
  std::printf("pitch is enough: %d, a multiple of 128: %d\n", pitch >= width * sizeof(int),
              pitch % 128 == 0);
  CHECK(cudaMemcpy2D(data, pitch, values.data(), width * sizeof(int), width * sizeof(int), height,
                     cudaMemcpyHostToDevice));
  increment<<<dim3(2, height), 32>>>(data, pitch, width, height);
  CHECK_KERNEL();
  std::vector<int> got(width * height);
  CHECK(cudaMemcpy2D(got.data(), width * sizeof(int), data, pitch, width * sizeof(int), height,
                     cudaMemcpyDeviceToHost));
  report("2D", got, want);

  // A window of the matrix, into another on the device, then back into a larger host array.
  int* window = nullptr;
  CHECK(cudaMalloc(&window, 10 * 5 * sizeof(int)));
  CHECK(cudaMemcpy2D(window, 10 * sizeof(int),
                     reinterpret_cast<char*>(data) + 2 * pitch + 3 * sizeof(int), pitch,
                     10 * sizeof(int), 5, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemset2D(window, 10 * sizeof(int), 0, 2 * sizeof(int), 5));
  std::vector<int> part = download(window, 50), want_part(50);
  for (int y = 0; y < 5; ++y)
    for (int x = 2; x < 10; ++x) want_part[y * 10 + x] = want[(y + 2) * width + x + 3];
  report("window", part, want_part);

  cudaMemcpy3DParms copy = {};
  std::vector<int> cube(4 * 3 * 2), back(cube.size());
  for (size_t i = 0; i < cube.size(); ++i) cube[i] = static_cast<int>(i * i);
  cudaPitchedPtr device = {};
  const cudaExtent extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  CHECK(cudaMalloc3D(&device, extent));
  copy.srcPtr = make_cudaPitchedPtr(cube.data(), 4 * sizeof(int), 4, 3);
  copy.dstPtr = device;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  copy.dstPtr = make_cudaPitchedPtr(back.data(), 4 * sizeof(int), 4, 3);
  copy.srcPtr = device;
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  report("3D", back, cube);

  CHECK(cudaMemcpy(data, values.data(), 0, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(got.data(), data, width * sizeof(int), cudaMemcpyDefault));
  report("first row", std::vector<int>(got.begin(), got.begin() + width),
         std::vector<int>(want.begin(), want.begin() + width));
  show("pitch too small", cudaMemcpy2D(data, 8, values.data(), 8, 16, 2, cudaMemcpyHostToDevice));
  return finish();
}
