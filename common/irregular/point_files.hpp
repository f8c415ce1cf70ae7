// SPDX-License-Identifier: MIT
// Clouds of points in files of other programs: PCD (Point Cloud Library), PLY, and .bin as the KITTI data
// set has it. Whatever is wrong with a file is one line: UsageError.
//
//   .pcd   ascii and binary; not binary_compressed
//   .ply   ascii, binary little endian and big endian; "vertex" must be the first element
//   .bin   four floats for each point: x, y, z, reflectance
//
// Read are x, y, z and, where there is one, the reflectance ("intensity", "reflectance" or "scalar_intensity").
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace course {

std::vector<float4> read_points(const std::string& path);

// Labels come along where they are given: a column "label", -1 for noise; for .bin, which has no room for
// them, a file .label beside it with a number of 32 bits for each point, 0 for noise.
void write_points(const std::string& path, std::span<const float4> points,
                  std::span<const std::uint32_t> labels = {});

}  // namespace course
