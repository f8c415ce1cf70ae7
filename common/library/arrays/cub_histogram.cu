// SPDX-License-Identifier: MIT
#include "common/arrays/cub_histogram.hpp"

#include <cub/device/device_histogram.cuh>

namespace course {

namespace {

template <class T>
CubCall call_of(const Histogram& h) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    const int bins = static_cast<int>(h.bins);
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, static_cast<const T*>(h.in),
                                               h.counts, bins + 1, 0, bins,
                                               static_cast<std::int64_t>(h.n));
  });
}

}  // namespace

CubCall cub_histogram(const Histogram& h) {
  return h.sample_bytes == 1 ? call_of<std::uint8_t>(h) : call_of<std::uint32_t>(h);
}

}  // namespace course
