// SPDX-License-Identifier: MIT
#include "common/roof.cuh"

#include <cstddef>

#include "common/reading.cuh"

namespace course {

namespace {

// 4 GiB are read: the more, the less the start and the end of the kernel count. Less where the GPU
// has less to spare, and 64 MiB on the emulator: enough for its model, and read in a fraction of a second.
std::size_t bytes_for_roof(const Device& device) {
  if (device.small) return std::size_t{64} << 20;
  std::size_t free_bytes = 0, total_bytes = 0;
  COURSE_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  return std::min(std::size_t{4} << 30, free_bytes / 4 & ~std::size_t{0xffff});
}

}  // namespace

Roof measure_roof(const Device& device, Stopwatch& watch) {
  const std::size_t bytes = bytes_for_roof(device);
  DeviceBuffer<unsigned char> from(bytes), to(bytes);
  Reading reading(device);
  COURSE_CHECK(cudaMemset(from.data(), Reading::kFill, bytes));
  const auto gbps = [](double moved, const Timing& t) {
    return t.median_us > 0 ? moved / t.median_us / 1e3 : 0;
  };
  constexpr int kSamples = 21;
  const double size = static_cast<double>(bytes);
  const auto copy = [&] {
    COURSE_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice));
  };
  Roof roof;
  roof.copy_gbps = gbps(2 * size, watch.measure(copy, kSamples));
  const auto read = [&] { reading.launch(from.data(), bytes); };
  roof.read_gbps = gbps(size, watch.measure(read, kSamples));
  reading.check();  // a roof that was not read would be too high, and nobody would see it
  return roof;
}

}  // namespace course
