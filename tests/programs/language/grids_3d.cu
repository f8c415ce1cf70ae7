// Grids and blocks of one to three dimensions, with odd sizes: every thread writes its own place
// exactly once.
#include "../check.cuh"

__global__ void places(int* out, int* visits) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  out[i] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x +
           10000 * blockIdx.y + 100000 * blockIdx.z;
  atomicAdd(&visits[i], 1);
}

void run(dim3 grid, dim3 block) {
  std::vector<int> want;
  for (unsigned bz = 0; bz < grid.z; ++bz)
    for (unsigned by = 0; by < grid.y; ++by)
      for (unsigned bx = 0; bx < grid.x; ++bx)
        for (unsigned z = 0; z < block.z; ++z)
          for (unsigned y = 0; y < block.y; ++y)
            for (unsigned x = 0; x < block.x; ++x)
              want.push_back(x + 10 * y + 100 * z + 1000 * bx + 10000 * by + 100000 * bz);
  int* out = upload(std::vector<int>(want.size()));
  int* visits = upload(std::vector<int>(want.size()));
  places<<<grid, block>>>(out, visits);
  CHECK_KERNEL();
  std::printf("(%u,%u,%u) x (%u,%u,%u)\n", grid.x, grid.y, grid.z, block.x, block.y, block.z);
  report("places", download(out, want.size()), want);
  report("visits", download(visits, want.size()), std::vector<int>(want.size(), 1));
}

int main() {
  run(dim3(1), dim3(1));
  run(dim3(3), dim3(33));
  run(dim3(2), dim3(1000));
  run(dim3(2, 3), dim3(5, 7));
  run(dim3(2, 3, 4), dim3(3, 5, 7));
  run(dim3(1, 1, 5), dim3(1, 1, 64));
  run(dim3(1, 7, 1), dim3(1, 1024, 1));
  return finish();
}
