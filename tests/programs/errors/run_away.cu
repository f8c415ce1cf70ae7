// A loop that counts for ever makes progress, so only the instruction limit stops it.
// env: WARPLADDER_INSTRUCTION_LIMIT=1000000
// gpu: skip never ends there
// timeout: 60
// expect-stderr: count_for_ever
// expect-stderr: run_away\.cu:(11|12)
// expect-stderr: 1000000|1 ?000 ?000|1,000,000
#include "../check.cuh"

__global__ void count_for_ever(unsigned* counter, unsigned step) {
  for (unsigned i = 1; i != 0; i += 2 * step)  // loop
    atomicAdd(counter, i);                     // loop
}

int main() {
  unsigned* counter = upload(std::vector<unsigned>{0});
  count_for_ever<<<1, 32>>>(counter, 1);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}
