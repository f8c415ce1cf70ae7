// SPDX-License-Identifier: MIT
#include "common/arrays/cub_segments.hpp"

#include <cub/device/device_segmented_reduce.cuh>

namespace course {

CubCall cub_segments(const Segments& s) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(scratch, bytes, s.in, s.out,
                                           static_cast<std::int64_t>(s.segments), s.offsets,
                                           s.offsets + 1);
  });
}

}  // namespace course
