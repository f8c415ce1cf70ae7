// A ticket lock: threads enter in the order of their tickets, so each finds exactly its own number
// of earlier visitors.
#include "../check.cuh"

struct TicketLock {
  unsigned next = 0;
  volatile unsigned serving = 0;

  __device__ unsigned acquire() {
    const unsigned ticket = atomicAdd(&next, 1u);
    while (serving != ticket) {
    }
    __threadfence();
    return ticket;
  }
  __device__ void release() {
    __threadfence();
    serving = serving + 1;
  }
};

__global__ void visit(TicketLock* lock, volatile unsigned* visitors, unsigned* out_of_order,
                      unsigned long long* sum) {
  const unsigned ticket = lock->acquire();
  if (*visitors != ticket) atomicAdd(out_of_order, 1u);
  *visitors = *visitors + 1;
  *sum += ticket;
  lock->release();
}

int main() {
  for (const auto& shape : {dim3(1, 1), dim3(1, 20), dim3(4, 32), dim3(2, 65)}) {
    const unsigned n = shape.x * shape.y;
    TicketLock* lock = nullptr;
    CHECK(cudaMalloc(&lock, sizeof(TicketLock)));
    CHECK(cudaMemset(lock, 0, sizeof(TicketLock)));
    unsigned* counts = upload(std::vector<unsigned>(2));
    auto* sum = upload(std::vector<unsigned long long>{0});
    visit<<<shape.x, shape.y>>>(lock, counts, counts + 1, sum);
    CHECK_KERNEL();
    report("visitors", n, download(counts, 1)[0], n);
    report("out of order", n, download(counts + 1, 1)[0], 0);
    report("sum of tickets", n, download(sum, 1)[0], 1ull * n * (n - 1) / 2);
  }
  return finish();
}
