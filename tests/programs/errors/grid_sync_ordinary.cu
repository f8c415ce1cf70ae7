// grid.sync in an ordinary launch: there is no barrier to wait at, and the kernel traps.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: needs_cooperation
// expect-stderr: block \(0,0,0\)
// expect-stderr: (?i)trap|cooperative
#include <cooperative_groups.h>

#include "../check.cuh"

__global__ void needs_cooperation(int* out) {
  cooperative_groups::this_grid().sync();
  *out = 1;
}

int main() {
  int* out = upload(std::vector<int>{0});
  needs_cooperation<<<2, 32>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}
