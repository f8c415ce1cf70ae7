// One block hands numbers to another through a ring in global memory: volatile flags and
// __threadfence.
#include "../check.cuh"

constexpr int kSlots = 4;

struct Ring {
  volatile int value[kSlots];
  volatile int written;  // how many the producer has put in
  volatile int taken;    // how many the consumer has taken out
};

__global__ void producer_consumer(Ring* ring, int n, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; ++i) {
      while (i - ring->taken >= kSlots) {
      }
      __threadfence();
      ring->value[i % kSlots] = i * i + 1;
      __threadfence();  // the value before the count
      ring->written = i + 1;
    }
  } else {
    for (int i = 0; i < n; ++i) {
      while (ring->written <= i) {
      }
      __threadfence();
      out[i] = ring->value[i % kSlots];
      __threadfence();
      ring->taken = i + 1;
    }
  }
}

int main() {
  for (int n : {0, 1, 4, 5, 100}) {
    Ring* ring = nullptr;
    CHECK(cudaMalloc(&ring, sizeof(Ring)));
    CHECK(cudaMemset(ring, 0, sizeof(Ring)));
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = i * i + 1;
    int* out = upload(std::vector<int>(n));
    producer_consumer<<<2, 32>>>(ring, n, out);
    CHECK_KERNEL();
    report("ring", download(out, n), want);
    CHECK(cudaFree(ring));
  }
  return finish();
}
