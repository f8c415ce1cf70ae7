// SPDX-License-Identifier: MIT
#include "common/arrays/cub_select.hpp"

#include <cub/device/device_select.cuh>

namespace course {

namespace {

struct Wanted {
  std::uint32_t threshold;
  __host__ __device__ bool operator()(std::uint32_t v) const { return v >> 1 < threshold; }
};

}  // namespace

CubCall cub_select(const Select& s) {
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, s.in, s.out, s.kept,
                                 static_cast<std::int64_t>(s.n), Wanted{s.threshold});
  });
}

}  // namespace course
