// SPDX-License-Identifier: MIT
// The memory roof: how fast this device really reads, measured on this device, in this run. A sum
// must read every element once, so no kernel that computes one can be faster than a kernel that
// reads and does nothing else.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/timing.cuh"

namespace course {

struct Roof {
  double copy_gbps = 0;  // device to device, bytes read + bytes written
  double read_gbps = 0;
  double gbps() const { return std::max(copy_gbps, read_gbps); }
};

namespace detail {

// Reads everything, four loads in flight; writes only if the data is what it never is.
__global__ void read_only(const uint4* in, std::size_t n, unsigned* never) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  unsigned seen = 0;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < n; i += 4 * stride) {
    const uint4 a = in[i], b = in[i + stride], c = in[i + 2 * stride], d = in[i + 3 * stride];
    seen |= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^
            d.z ^ d.w;
  }
  for (; i < n; i += stride) seen |= in[i].x;
  if (seen == 0x5eed5eedu) *never = seen;
}

}  // namespace detail

// `bytes` should be several times the L2 cache on a GPU; the emulator takes a small piece.
inline Roof measure_roof(const Device& device, Stopwatch& watch) {
  const std::size_t bytes = device.emulated ? std::size_t{1} << 20 : std::size_t{1} << 30;
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
  const int blocks = device.multiprocessors * (device.emulated ? 1 : 16);
  roof.read_gbps = gbps(static_cast<double>(bytes),
                        watch.measure(
                            [&] {
                              detail::read_only<<<blocks, device.emulated ? 256 : 1024>>>(
                                  reinterpret_cast<const uint4*>(from.data()),
                                  bytes / sizeof(uint4), never.data());
                              COURSE_CHECK(cudaGetLastError());
                            },
                            kSamples));
  return roof;
}

}  // namespace course
