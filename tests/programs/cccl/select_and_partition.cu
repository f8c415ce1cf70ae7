// CUB: DeviceSelect If, Flagged and Unique, DevicePartition, DeviceRunLengthEncode.
// long: a dozen seconds of nvcc; in the plain suite the lessons run CUB's select, and unit.common judges it
// timeout: 120
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

#include "storage.cuh"

struct Small {
  __host__ __device__ bool operator()(int v) const { return v < 40; }
};

int main() {
  for (int n : {1, 31, 1000, 20011}) {
    std::vector<int> values(n), small, flagged, unique, rest, lengths;
    std::vector<char> flags(n);
    for (int i = 0; i < n; ++i) {
      values[i] = noise(i / 5) % 100;
      flags[i] = noise(i + 99) % 3 == 0;
      if (values[i] < 40) small.push_back(values[i]);
      if (values[i] >= 40) rest.push_back(values[i]);
      if (flags[i]) flagged.push_back(values[i]);
      if (i == 0 || values[i] != values[i - 1]) unique.push_back(values[i]), lengths.push_back(0);
      ++lengths.back();
    }
    int* in = upload(values);
    char* device_flags = upload(flags);
    int* out = upload(std::vector<int>(n));
    int* count = upload(std::vector<int>{-1});
    int* runs = upload(std::vector<int>(n));
    const auto result = [&] { return download(out, download(count, 1)[0]); };
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceSelect::If(storage, bytes, in, out, count, n, Small{});
    });
    report("If", result(), small);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceSelect::Flagged(storage, bytes, in, device_flags, out, count, n);
    });
    report("Flagged", result(), flagged);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceSelect::Unique(storage, bytes, in, out, count, n);
    });
    report("Unique", result(), unique);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DevicePartition::If(storage, bytes, in, out, count, n, Small{});
    });
    std::vector<int> want = small;  // then the rest, backwards
    want.insert(want.end(), rest.rbegin(), rest.rend());
    report("Partition", download(out, n), want);
    with_storage([&](void* storage, size_t& bytes) {
      return cub::DeviceRunLengthEncode::Encode(storage, bytes, in, out, runs, count, n);
    });
    report("Encode", result(), unique);
    report("  lengths", download(runs, lengths.size()), lengths);
  }
  return finish();
}
