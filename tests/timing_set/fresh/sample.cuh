// SPDX-License-Identifier: MIT
// An image looked at between its pixels: made larger, turned, made smaller.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

__host__ __device__ inline float between(const float* image, int side, float x, float y) {
  x = fminf(fmaxf(x, 0.f), side - 1.001f);
  y = fminf(fmaxf(y, 0.f), side - 1.001f);
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const float fx = x - left, fy = y - top;
  const float* const at = image + top * side + left;
  const float upper = at[0] + fx * (at[1] - at[0]);
  const float lower = at[side] + fx * (at[side + 1] - at[side]);
  return upper + fy * (lower - upper);
}
struct Turn {
  float cosine, sine;
};
enum class How { Enlarge, Turn, Shrink };
template <How Kind>
__host__ __device__ inline float pixel(const float* in, int side, int x, int y) {
  if (Kind == How::Enlarge) return between(in, side / 2, 0.5f * x - 0.25f, 0.5f * y - 0.25f);
  if (Kind == How::Turn) {
    const float u = x - 0.5f * side, v = y - 0.5f * side;
    return between(in, side, 0.8f * u - 0.6f * v + 0.5f * side, 0.6f * u + 0.8f * v + 0.5f * side);
  }
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += in[(3 * y + dy) * 3 * side + 3 * x + dx];
  return sum / 9;
}
template <How Kind>
__global__ void sampled(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * side + x] = pixel<Kind>(in, side, x, y);
}

template <How Kind>
Problem sample_problem(unsigned side) {
  const unsigned of_in = Kind == How::Enlarge ? side / 2 : Kind == How::Turn ? side : 3 * side;
  auto in = uniform(of_in * of_in, 1), out = room<float>(side * side);
  const int s = static_cast<int>(side);
  return {[=] {
            sampled<Kind><<<dim3(side / 16, side / 16), dim3(16, 16)>>>(in->data(), out->data(), s);
          },
          [=] {
            return agrees(
                out,
                [=](unsigned i) {
                  return pixel<Kind>(in->host.data(), s, static_cast<int>(i) % s,
                                     static_cast<int>(i) / s);
                },
                2e-3);  // where a product is rounded before it is added, the place moves a little
          }};
}

inline void add_sample(Set& set) {
  const std::vector<unsigned> sizes = {128, 512, 2048};
  set.add("image_larger", sizes, sample_problem<How::Enlarge>);
  set.add("image_turned", sizes, sample_problem<How::Turn>);
  set.add("image_smaller", sizes, sample_problem<How::Shrink>);
}

}  // namespace timing_set
