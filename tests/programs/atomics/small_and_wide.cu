// Atomics on 8, 16 and 128 bits: bytes and half-words by atomic_ref, 16-byte compare-and-swap and
// exchange.
#include <cuda/atomic>

#include "../check.cuh"

__global__ void narrow(unsigned char* bytes, unsigned short* halves) {
  cuda::atomic_ref<unsigned char, cuda::thread_scope_device> byte(bytes[threadIdx.x % 4]);
  byte.fetch_add(1);
  cuda::atomic_ref<unsigned short, cuda::thread_scope_device> half(halves[threadIdx.x % 3]);
  half.fetch_add(static_cast<unsigned short>(threadIdx.x));
  cuda::atomic_ref<unsigned short, cuda::thread_scope_device>(halves[3]).fetch_max(
      static_cast<unsigned short>(threadIdx.x * 3));
}

struct alignas(16) Pair {
  unsigned long long count, sum;
};

// Count and sum change together: no thread ever sees a pair that does not belong together.
__global__ void wide(Pair* pair, unsigned* torn) {
  const unsigned long long mine = blockIdx.x * blockDim.x + threadIdx.x + 1;
  Pair seen = atomicExch(pair + 1, Pair{mine, mine * mine});
  if (seen.count * seen.count != seen.sum) atomicAdd(torn, 1u);
  seen = {0, 0};
  for (;;) {
    const Pair found = atomicCAS(pair, seen, Pair{seen.count + 1, seen.sum + mine});
    if (found.count == seen.count && found.sum == seen.sum) break;
    seen = found;
  }
}

int main() {
  unsigned char* bytes = upload(std::vector<unsigned char>(4));
  unsigned short* halves = upload(std::vector<unsigned short>(4));
  narrow<<<1, 100>>>(bytes, halves);
  CHECK_KERNEL();
  report("bytes", download(bytes, 4), {25, 25, 25, 25});
  std::vector<unsigned short> want(4);
  for (int t = 0; t < 100; ++t) want[t % 3] += t;
  want[3] = 297;
  report("halves", download(halves, 4), want);

  Pair* pairs = nullptr;
  CHECK(cudaMalloc(&pairs, 2 * sizeof(Pair)));
  CHECK(cudaMemset(pairs, 0, 2 * sizeof(Pair)));
  unsigned* torn = upload(std::vector<unsigned>{0});
  wide<<<3, 40>>>(pairs, torn);
  CHECK_KERNEL();
  const std::vector<Pair> got = download(pairs, 2);
  report("count", 120, got[0].count, 120);
  report("sum", 120, got[0].sum, 120 * 121 / 2);
  report("torn", 120, download(torn, 1)[0], 0);
  return finish();
}
