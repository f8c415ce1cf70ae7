// CUB: DeviceMergeSort of pairs with an order of one's own, stable.
// timeout: 180
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <numeric>

#include "storage.cuh"

struct ByLastDigits {
  __host__ __device__ bool operator()(int a, int b) const { return a % 1000 < b % 1000; }
};

int main() {
  for (int n : {1, 31, 1000, 10007}) {
    std::vector<int> keys(n), order(n);
    for (int i = 0; i < n; ++i) keys[i] = noise(i) % 1000000;
    std::iota(order.begin(), order.end(), 0);
    int* device_keys = upload(keys);
    int* values = upload(order);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceMergeSort::StableSortPairs(storage, bytes, device_keys, values, n,
                                                   ByLastDigits{});
    });
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return keys[a] % 1000 < keys[b] % 1000; });
    report("values", download(values, n), order);
    std::stable_sort(keys.begin(), keys.end(), ByLastDigits{});
    report("keys", download(device_keys, n), keys);
  }
  return finish();
}
