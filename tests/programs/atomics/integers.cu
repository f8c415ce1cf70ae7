// Every integer atomic on 32 and 64 bits in global and shared memory, atomicInc and atomicDec that
// wrap, and scopes.
#include <algorithm>

#include "../check.cuh"

// Works the same on global and on shared cells.
template <class T>
__device__ void operate(T* cells, int t) {
  atomicAdd(&cells[0], T(t));
  atomicMin(&cells[1], T(t * 7 % 61));
  atomicMax(&cells[2], T(t * 11 % 67));
  atomicAnd(&cells[3], ~(T(1) << (t % 30)));
  atomicOr(&cells[4], T(1) << (t % 29));
  atomicXor(&cells[5], T(1) << (t % 23));
  atomicExch(&cells[6], T(9));
  // A product by a CAS loop. Its first read is atomic as well.
  for (T seen = *const_cast<volatile T*>(&cells[7]), found;; seen = found)
    if ((found = atomicCAS(&cells[7], seen, T(seen * 3))) == seen) break;
}

template <class T>
__global__ void everywhere(T* global) {
  __shared__ T shared[8];
  if (threadIdx.x < 8) shared[threadIdx.x] = global[8 + threadIdx.x];
  __syncthreads();
  operate(global, threadIdx.x);
  operate(shared, threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 8) global[8 + threadIdx.x] = shared[threadIdx.x];
}

__global__ void wrap(unsigned* cells, unsigned* turns) {
  if (atomicInc(&cells[0], 9u) == 9u) atomicAdd(&turns[0], 1u);  // 0..9, then 0 again
  if (atomicDec(&cells[1], 6u) == 0u) atomicAdd(&turns[1], 1u);  // 6..0, then 6 again
  atomicAdd_block(&cells[2], 2u);
  atomicAdd_system(&cells[3], 3u);
  atomicSub(&cells[4], 1u);
}

template <class T>
void run(const char* name, int threads) {
  const std::vector<T> start = {0, T(1000), 0, T(-1), 0, 0, 5, 1};
  std::vector<T> both(start), want(start);
  both.insert(both.end(), start.begin(), start.end());
  for (int t = 0; t < threads; ++t) {
    want[0] += T(t), want[1] = std::min(want[1], T(t * 7 % 61)),
                     want[2] = std::max(want[2], T(t * 11 % 67));
    want[3] &= ~(T(1) << (t % 30)), want[4] |= T(1) << (t % 29), want[5] ^= T(1) << (t % 23),
        want[6] = 9, want[7] *= 3;
  }
  want.insert(want.end(), want.begin(), want.begin() + 8);
  T* cells = upload(both);
  everywhere<<<1, threads>>>(cells);
  CHECK_KERNEL();
  report(name, download(cells, 16), want);
}

int main() {
  for (int threads : {8, 33, 100}) {
    run<int>("int", threads);
    run<unsigned>("unsigned", threads);
    run<unsigned long long>("unsigned long long", threads);
  }
  unsigned* cells = upload(std::vector<unsigned>(8));
  wrap<<<1, 73>>>(cells, cells + 6);
  CHECK_KERNEL();
  const std::vector<unsigned> got = download(cells, 8);
  // 73 steps from 0 upwards modulo 10; 73 steps from 0 downwards modulo 7.
  report("wrap", got, {3, 4, 146, 219, 0u - 73u, 0, 7, 11});
  for (unsigned v : got) std::printf("%u\n", v);
  return finish();
}
