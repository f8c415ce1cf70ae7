// SPDX-License-Identifier: MIT
// Exercise aba: eight threads take and give, and keep a book on who has which node. Then one thread
// takes all that is left.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

constexpr unsigned kRounds = 12;

struct Book {
  unsigned* owner;   // of each node: 0 nobody, else the thread's number + 1
  unsigned* faults;  // nodes that somebody had already, nodes that are none
  unsigned size;

  __device__ bool enter(unsigned node, unsigned me) {
    if (node == kNone) return false;
    if (node >= size) {
      atomicAdd(faults + 1, 1u);
      return false;
    }
    if (atomicCAS(owner + node, 0u, me + 1) == 0) return true;
    atomicAdd(faults, 1u);
    return false;  // not ours: it is not given back
  }
  __device__ void leave(unsigned node) { atomicExch(owner + node, 0u); }
};

__global__ void take_and_give(Pool pool, Book book) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < kRounds; ++round) {
    const unsigned a = pool.take();
    const bool have_a = book.enter(a, me);
    const unsigned b = pool.take();
    const bool have_b = book.enter(b, me);
    if (have_a) book.leave(a), pool.give(a);
    if (have_b) book.leave(b), pool.give(b);
  }
}

__global__ void take_the_rest(Pool pool, unsigned* left, unsigned most) {
  for (unsigned i = 0; i < most; ++i) {
    left[i] = pool.take();
    if (left[i] == kNone) break;
  }
}

static void run_case(Run& run) {
  auto head = run.input<unsigned long long>("head");
  auto next = run.input<unsigned>("next");
  const unsigned size = static_cast<unsigned>(next.size()), nodes = run.one<unsigned>("nodes");
  auto owner = run.output_zero<unsigned>("owner", size);
  auto faults = run.output_zero<unsigned>("faults", 2);
  auto left = run.output_zero<unsigned>("left", nodes + 1);
  const Pool pool{head.data(), next.data()};
  take_and_give<<<4, 2>>>(pool, Book{owner.data(), faults.data(), size});
  take_the_rest<<<1, 1>>>(pool, left.data(), nodes + 1);
}

EXERCISE_MAIN(run_case)
