// Machine code for every GPU and PTX for the newest only, as -arch=all-major makes it.
// arch: 75-real 80-real 90-real 120-virtual
#include "../check.cuh"

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  int* data = upload(std::vector<int>(32, 21));
  twice<<<1, 32>>>(data);
  CHECK_KERNEL();
  report("value", 32, download(data, 32)[31], 42);
  return finish();
}
