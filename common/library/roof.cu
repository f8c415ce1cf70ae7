// SPDX-License-Identifier: MIT
#include "common/roof.cuh"

#include <cstddef>

namespace course {

namespace {

// Reads everything, four loads in flight; writes only if the data is what it never is.
__global__ void read_only(const uint4* in, std::size_t n, unsigned* never) {
  constexpr int kLoads = 4;
  const std::size_t tile = std::size_t{kLoads} * blockDim.x;
  unsigned seen = 0;
  for (std::size_t i = blockIdx.x * tile + threadIdx.x; i < n; i += gridDim.x * tile) {
    uint4 v[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) v[k] = in[min(i + k * blockDim.x, n - 1)];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) seen |= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  if (seen == 0x5eed5eedu) *never = seen;
}

// 4 GiB are read: the more, the less the start and the end of the kernel count. Less where the GPU
// has less to spare, and 64 MiB on the emulator: enough for its model, and read in a fraction of a second.
std::size_t bytes_for_roof(const Device& device) {
  if (device.emulated) return std::size_t{64} << 20;
  std::size_t free_bytes = 0, total_bytes = 0;
  COURSE_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  return std::min(std::size_t{4} << 30, free_bytes / 4 & ~std::size_t{0xffff});
}

}  // namespace

Roof measure_roof(const Device& device, Stopwatch& watch) {
  const std::size_t bytes = bytes_for_roof(device);
  DeviceBuffer<unsigned char> from(bytes), to(bytes);
  DeviceBuffer<unsigned> never(1);
  COURSE_CHECK(cudaMemset(from.data(), 0, bytes));
  const auto gbps = [](double moved, const Timing& t) {
    return t.median_us > 0 ? moved / t.median_us / 1e3 : 0;
  };
  constexpr int kSamples = 21;
  Roof roof;
  roof.copy_gbps = gbps(
      2.0 * static_cast<double>(bytes),
      watch.measure(
          [&] {
            COURSE_CHECK(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice));
          },
          kSamples));
  const int blocks = device.multiprocessors * (device.emulated ? 8 : 32);
  roof.read_gbps =
      gbps(static_cast<double>(bytes), watch.measure(
                                           [&] {
                                             read_only<<<blocks, device.emulated ? 256 : 1024>>>(
                                                 reinterpret_cast<const uint4*>(from.data()),
                                                 bytes / sizeof(uint4), never.data());
                                             COURSE_CHECK(cudaGetLastError());
                                           },
                                           kSamples));
  return roof;
}

}  // namespace course
