// The ABA error of a stack of indices: the first seed that shows it, its steps, and the same seed
// once more.
// alone: the trace has the names of variables in columns, as a program of a reader would have them
// gpu: skip the schedule and the trace are the emulator's
#include <stdlib.h>

#include <cuda/atomic>
#include <string>

#include "../check.cuh"

constexpr unsigned kNodes = 4, kEnd = ~0u;

__device__ unsigned head;
__device__ unsigned next[kNodes];

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned pop() {
  unsigned top = Word(head).load(cuda::memory_order_acquire);
  while (top != kEnd) {
    const unsigned below = Word(next[top]).load(cuda::memory_order_relaxed);
    if (Word(head).compare_exchange_strong(top, below, cuda::memory_order_acq_rel)) break;
  }
  return top;
}

__device__ void push(unsigned node) {
  unsigned top = Word(head).load(cuda::memory_order_relaxed);
  do {
    Word(next[node]).store(top, cuda::memory_order_relaxed);
  } while (!Word(head).compare_exchange_weak(top, node, cuda::memory_order_release));
}

// Takes two nodes, gives the first one back.
__global__ void take_one(unsigned* taken) {
  const unsigned first = pop(), second = pop();
  if (first != kEnd) push(first);
  taken[blockIdx.x] = second;
}

// Whether every node is in one place.
bool is_sound(unsigned* taken) {
  const unsigned start = 0, links[kNodes] = {1, 2, 3, kEnd};
  CHECK(cudaMemcpyToSymbol(head, &start, sizeof start));
  CHECK(cudaMemcpyToSymbol(next, links, sizeof links));
  take_one<<<2, 1>>>(taken);
  CHECK_KERNEL();
  unsigned top = 0, below[kNodes], seen[kNodes] = {};
  CHECK(cudaMemcpyFromSymbol(&top, head, sizeof top));
  CHECK(cudaMemcpyFromSymbol(below, next, sizeof below));
  for (const unsigned node : download(taken, 2)) {
    if (node != kEnd) ++seen[node];
  }
  for (unsigned steps = 0; top != kEnd && steps < kNodes; ++steps, top = below[top]) ++seen[top];
  for (const unsigned times : seen) {
    if (times != 1) return false;
  }
  return true;
}

int main() {
  unsigned* taken = upload(std::vector<unsigned>(2));
  for (const std::string policy : {"random:", "pct:"}) {
    int seed = 0, wrong = 0;
    for (int s = 1000; s-- > 0;) {
      setenv("WARPLADDER_SCHEDULE", (policy + std::to_string(s)).c_str(), 1);
      if (!is_sound(taken)) seed = s, ++wrong;
    }
    std::printf("%s %d of 1000 seeds lose a node, the first is %d\n", policy.c_str(), wrong, seed);
    if (wrong == 0) return 1;
    setenv("WARPLADDER_SCHEDULE", (policy + std::to_string(seed)).c_str(), 1);
    setenv("WARPLADDER_TRACE", "/dev/stdout", 1);
    const bool sound = is_sound(taken);
    unsetenv("WARPLADDER_TRACE");
    if (sound) return 1;
  }
  return finish();
}
