// SPDX-License-Identifier: MIT
// A cloud of points as a picture: from above, or as somebody sees it who stands behind the sensor. Each
// cluster has a colour, noise is grey.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace course {

// Rows from the top, three bytes for each pixel.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};
Picture picture_from_above(std::span<const float4> points, std::span<const std::uint32_t> labels);
Picture picture_in_perspective(std::span<const float4> points,
                               std::span<const std::uint32_t> labels);

// A PNG file, not compressed: any program reads it, and nothing is needed to write it. UsageError where it
// cannot be written.
void write_png(const std::string& path, const Picture& picture);

}  // namespace course
