// CUB: DeviceRadixSort of keys, of pairs, descending, of signed numbers and of a few bits.
// timeout: 180
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <numeric>

#include "storage.cuh"

int main() {
  for (int n : {1, 31, 1000, 20011}) {
    std::vector<int> keys(n), order(n), sorted, pairs(n);
    for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(noise(i)) >> 8;
    sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    std::iota(order.begin(), order.end(), 0);
    std::vector<int> numbered = order;
    int* in = upload(keys);
    int* out = upload(std::vector<int>(n));
    int* values = upload(numbered);
    int* values_out = upload(std::vector<int>(n));
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
    });
    report("SortKeys", download(out, n), sorted);

    // Equal keys keep their order: sort by the low bits only and look where each came from.
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return (keys[a] & 0xff) < (keys[b] & 0xff); });
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(storage, bytes, reinterpret_cast<unsigned*>(in),
                                             reinterpret_cast<unsigned*>(out), values, values_out,
                                             n, 0, 8);
    });
    report("SortPairs", download(values_out, n), order);

    std::reverse(sorted.begin(), sorted.end());
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in, out, n);
    });
    report("SortKeysDescending", download(out, n), sorted);
    std::printf("  %d to %d\n", sorted.back(), sorted.front());
  }
  return finish();
}
