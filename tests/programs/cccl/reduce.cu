// CUB: DeviceReduce Sum, Min, Max, ArgMax, Reduce with an operator; segmented sums.
// long: a dozen seconds of nvcc; in the plain suite the lessons run CUB's sums, maxima and segmented sums, and unit.common judges it
// timeout: 120
#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <numeric>

#include "storage.cuh"

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

int main() {
  for (int n : {1, 31, 1000, 20011}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<int>(noise(i) % 20000) - 10000;
    int* in = upload(values);
    int* out = upload(std::vector<int>{0});
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceReduce::Sum(storage, bytes, in, out, n);
    });
    report("Sum", n, download(out, 1)[0], std::accumulate(values.begin(), values.end(), 0));
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceReduce::Max(storage, bytes, in, out, n);
    });
    report("Max", n, download(out, 1)[0], *std::max_element(values.begin(), values.end()));
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceReduce::Reduce(storage, bytes, in, out, n, Larger{}, -5);
    });
    report("Reduce", n, download(out, 1)[0],
           std::max(-5, *std::max_element(values.begin(), values.end())));
    long long* index = upload(std::vector<long long>{-1});
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceReduce::ArgMax(storage, bytes, in, out, index, n);
    });
    report("ArgMax", n, download(index, 1)[0],
           std::max_element(values.begin(), values.end()) - values.begin());
    report("  value", n, download(out, 1)[0], *std::max_element(values.begin(), values.end()));

    const std::vector<int> ends = {0, n / 3, n / 3, n};
    int* offsets = upload(ends);
    int* sums = upload(std::vector<int>(3));
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceSegmentedReduce::Sum(storage, bytes, in, sums, 3, offsets, offsets + 1);
    });
    std::vector<int> want;
    for (int s = 0; s < 3; ++s)
      want.push_back(std::accumulate(values.begin() + ends[s], values.begin() + ends[s + 1], 0));
    report("Segmented", download(sums, 3), want);
  }
  return finish();
}
