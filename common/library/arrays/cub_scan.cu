// SPDX-License-Identifier: MIT
#include "common/arrays/cub_scan.hpp"

#include <cub/device/device_scan.cuh>

namespace course {

namespace {

template <class T>
CubCall typed(const Scan& s) {
  const auto* const in = static_cast<const T*>(s.in);
  auto* const out = static_cast<T*>(s.out);
  const auto n = static_cast<std::int64_t>(s.n);
  return cub_call([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
  });
}

}  // namespace

CubCall cub_scan(const Scan& s) { return s.floats ? typed<float>(s) : typed<int>(s); }

}  // namespace course
