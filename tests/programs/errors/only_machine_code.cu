// A program built without PTX: the emulator cannot run it and says why.
// arch: 90-real
// gpu: skip runs on a GPU
// expect-stderr: PTX
#include "../check.cuh"

__global__ void plain(int* out) { *out = 1; }

int main() {
  int* out = upload(std::vector<int>{0});
  plain<<<1, 1>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  report("result", 1, download(out, 1)[0], 0);
  return finish();
}
