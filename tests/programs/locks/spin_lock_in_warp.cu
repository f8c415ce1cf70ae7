// The naive spin lock, taken by every lane of a warp: works only where lanes of one warp make
// progress independently.
#include "../check.cuh"

__device__ int lock = 0;

__global__ void naive(volatile int* counter) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter = *counter + 1;  // no atomic: the lock protects it
  __threadfence();
  atomicExch(&lock, 0);
}

// The form that never needed independent lanes: the critical section lies inside the loop.
__global__ void inside_loop(volatile int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      *counter = *counter + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

// The form to prefer: one lane takes the lock for its whole warp.
__global__ void one_lane(volatile int* counter) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
    __threadfence();
  }
  __syncwarp();
  for (int lane = 0; lane < 32; ++lane) {
    if (threadIdx.x % 32 == lane) *counter = *counter + 1;
    __syncwarp();
  }
  if (threadIdx.x % 32 == 0) {
    __threadfence();
    atomicExch(&lock, 0);
  }
}

template <class Kernel>
void run(const char* name, Kernel kernel, int blocks, int threads) {
  int* counter = upload(std::vector<int>{0});
  kernel<<<blocks, threads>>>(counter);
  CHECK_KERNEL();
  report(name, blocks * threads, download(counter, 1)[0], blocks * threads);
  CHECK(cudaFree(counter));
}

int main() {
  for (const auto& shape : {dim3(1, 1), dim3(1, 32), dim3(1, 33), dim3(3, 96)}) {
    run("naive", naive, shape.x, shape.y);
    run("inside_loop", inside_loop, shape.x, shape.y);
    if (shape.y % 32 == 0) run("one_lane", one_lane, shape.x, shape.y);
  }
  return finish();
}
