// Thrust: sort with and without an order, sort_by_key, unique, on device vectors.
// long: half a minute of nvcc for kernels that are those of CUB, which has its own programs here; what else it needs of
// the emulator (abs.s32, ld.shared.s32 into 64 bits) is in numeric/distances.cu
// timeout: 180
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "../check.cuh"

struct Farther {
  __host__ __device__ bool operator()(int a, int b) const {
    return (a < 0 ? -a : a) > (b < 0 ? -b : b);
  }
};

template <class T>
std::vector<T> host(const thrust::device_vector<T>& device) {
  std::vector<T> values(device.size());
  thrust::copy(device.begin(), device.end(), values.begin());
  return values;
}

int main() {
  for (int n : {0, 1, 31, 1000, 10007}) {
    std::vector<int> values(n), order(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<int>(noise(i) % 4000) - 2000;
    thrust::device_vector<int> device(values.begin(), values.end());
    thrust::sort(device.begin(), device.end());
    std::vector<int> want = values;
    std::sort(want.begin(), want.end());
    report("sort", host(device), want);

    device.erase(thrust::unique(device.begin(), device.end()), device.end());
    want.erase(std::unique(want.begin(), want.end()), want.end());
    report("unique", host(device), want);

    device = values;
    thrust::device_vector<int> numbers(n);
    std::iota(order.begin(), order.end(), 0);
    numbers = order;
    thrust::stable_sort_by_key(device.begin(), device.end(), numbers.begin(), Farther{});
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return Farther{}(values[a], values[b]); });
    report("stable_sort_by_key", host(numbers), order);
  }
  return finish();
}
