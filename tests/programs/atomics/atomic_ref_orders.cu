// cuda::atomic_ref in every memory order and scope: each operation does the same arithmetic
// whatever its order.
#include <algorithm>
#include <cuda/atomic>

#include "../check.cuh"
using namespace cuda::std;

// Cells 0 to 10: add, sub, and, or, xor, min, max, exchange, CAS loop, a CAS that must fail, and a
// check of the values read.
template <class T, cuda::thread_scope Scope>
__device__ void operations(T* cells, memory_order order, memory_order failure) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  using Ref = cuda::atomic_ref<T, Scope>;
  const T before = Ref(cells[0]).fetch_add(T(t + 1), order);
  Ref(cells[1]).fetch_sub(T(t), order);
  Ref(cells[2]).fetch_and(T(~(1 << (t % 20))), order);
  Ref(cells[3]).fetch_or(T(1 << (t % 27)), order);
  Ref(cells[4]).fetch_xor(T(1 << (t % 31)), order);
  Ref(cells[5]).fetch_min(T(100 - t), order);
  Ref(cells[6]).fetch_max(T(t), order);
  Ref(cells[7]).exchange(T(7), order);
  T seen = Ref(cells[8]).load(memory_order_relaxed);
  while (!Ref(cells[8]).compare_exchange_weak(seen, seen + 2, order, failure)) {
  }
  T expected = 12345;  // never there
  if (Ref(cells[9]).compare_exchange_strong(expected, T(1), order, failure))
    Ref(cells[9]).store(T(-1), memory_order_relaxed);
  Ref(cells[10]).fetch_add(before > T(1000000) ? T(1) : T(0), order);
}

template <class T, cuda::thread_scope Scope>
__global__ void every_order(T* cells) {
  operations<T, Scope>(cells, memory_order_relaxed, memory_order_relaxed);
  operations<T, Scope>(cells + 16, memory_order_acquire, memory_order_acquire);
  operations<T, Scope>(cells + 32, memory_order_release, memory_order_relaxed);
  operations<T, Scope>(cells + 48, memory_order_acq_rel, memory_order_acquire);
  operations<T, Scope>(cells + 64, memory_order_seq_cst, memory_order_seq_cst);
  using Ref = cuda::atomic_ref<T, Scope>;
  Ref(cells[80]).store(T(1), memory_order_relaxed);
  Ref(cells[81]).store(T(2), memory_order_release);
  Ref(cells[82]).store(T(3), memory_order_seq_cst);
  cuda::atomic_thread_fence(memory_order_seq_cst, Scope);
  const T sum = Ref(cells[80]).load(memory_order_relaxed) +
                Ref(cells[81]).load(memory_order_acquire) +
                Ref(cells[82]).load(memory_order_seq_cst);
  cuda::atomic_thread_fence(memory_order_acq_rel, Scope);
  Ref(cells[83]).store(sum, memory_order_relaxed);
}

template <class T, cuda::thread_scope Scope>
void run(const char* name, int blocks, int threads) {
  const int n = blocks * threads;
  std::vector<T> cells(84), want(84);
  for (int set = 0; set < 5; ++set) {
    for (int k : {2, 5, 7}) cells[16 * set + k] = T(k == 2 ? 0xfffff : k == 5 ? 1000 : 5);
    T* w = &want[16 * set];
    w[2] = T(0xfffff), w[5] = T(1000);
    for (int t = 0; t < n; ++t) {
      w[0] += T(t + 1), w[1] -= T(t), w[2] &= T(~(1 << (t % 20))), w[3] |= T(1 << (t % 27)),
          w[4] ^= T(1 << (t % 31));
      w[5] = std::min(w[5], T(100 - t)), w[6] = std::max(w[6], T(t)), w[7] = T(7), w[8] += 2;
    }
  }
  want[80] = 1, want[81] = 2, want[82] = 3, want[83] = 6;
  T* device = upload(cells);
  every_order<T, Scope><<<blocks, threads>>>(device);
  CHECK_KERNEL();
  report(name, download(device, want.size()), want);
  CHECK(cudaFree(device));
}

int main() {
  run<int, cuda::thread_scope_block>("int block", 1, 70);
  run<int, cuda::thread_scope_device>("int device", 3, 33);
  run<int, cuda::thread_scope_system>("int system", 2, 32);
  run<unsigned long long, cuda::thread_scope_block>("u64 block", 1, 70);
  run<unsigned long long, cuda::thread_scope_device>("u64 device", 3, 33);
  run<long long, cuda::thread_scope_system>("s64 system", 2, 32);
  run<int, cuda::thread_scope_thread>("int thread", 1, 1);
  return finish();
}
