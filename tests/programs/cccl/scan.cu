// CUB: DeviceScan inclusive and exclusive sums, a scan with an operator, sums by key. Blocks look
// back at each other.
// long: a dozen seconds of nvcc; in the plain suite the lessons run CUB's scan, and unit.common judges it
// timeout: 120
#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "storage.cuh"

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

int main() {
  for (int n : {1, 31, 1000, 50021}) {
    std::vector<int> values(n), keys(n), inclusive(n), exclusive(n), largest(n), by_key(n);
    for (int i = 0, sum = 0, high = -1000, run = 0; i < n; ++i) {
      values[i] = static_cast<int>(noise(i) % 200) - 90;
      keys[i] = i / 7 * 3 % 50;
      if (i > 0 && keys[i] != keys[i - 1]) run = 0;
      exclusive[i] = sum, sum += values[i], inclusive[i] = sum, run += values[i], by_key[i] = run;
      largest[i] = high = std::max(high, values[i]);
    }
    int* in = upload(values);
    int* out = upload(std::vector<int>(n));
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
    });
    report("InclusiveSum", download(out, n), inclusive);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n);
    });
    report("ExclusiveSum", download(out, n), exclusive);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, Larger{}, n);
    });
    report("InclusiveScan", download(out, n), largest);
    int* device_keys = upload(keys);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceScan::InclusiveSumByKey(storage, bytes, device_keys, in, out, n);
    });
    report("InclusiveSumByKey", download(out, n), by_key);
    std::printf("  %d\n", inclusive.back());
  }
  return finish();
}
