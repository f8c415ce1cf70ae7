// SPDX-License-Identifier: MIT
// The Mandelbrot set: neighbours go round very unequal numbers of times. A pixel per thread, a line per warp, in double.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRounds = 96;

template <class T>
__host__ __device__ unsigned rounds_of(unsigned x, unsigned y, unsigned side) {
  const T re = T(-2) + T(2.5) * x / side, im = T(-1.25) + T(2.5) * y / side;
  T a = 0, b = 0;
  unsigned k = 0;
  for (; k < kRounds && a * a + b * b <= 4; ++k) {
    const T next = a * a - b * b + re;
    b = 2 * a * b + im;
    a = next;
  }
  return k;
}
template <class T>
__global__ void fractal_pixels(unsigned* out, unsigned side) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * side + x] = rounds_of<T>(x, y, side);
}
__global__ void fractal_lines(unsigned* out, unsigned side) {
  const unsigned y = thread_number() / 32;
  for (unsigned x = threadIdx.x % 32; x < side; x += 32)
    out[y * side + x] = rounds_of<float>(x, y, side);
}

// A few points on the rim come out otherwise where a product and a sum are one operation.
inline bool fractal_right(const Shared<unsigned>& out, unsigned side) {
  const std::vector<unsigned> got = out->device.download();
  unsigned wrong = 0;
  for (unsigned i = 0; i < got.size(); i += 7) {
    const int wanted = static_cast<int>(rounds_of<float>(i % side, i / side, side));
    wrong += std::abs(static_cast<int>(got[i]) - wanted) > 1;
  }
  return wrong * 7 * 20 <= got.size();
}
template <class Launch>
std::function<Problem(unsigned)> fractal_problem(Launch launch) {
  return [=](unsigned side) {
    auto out = room<unsigned>(side * side);
    return Problem{[=] { launch(out->data(), side); }, [=] { return fractal_right(out, side); }};
  };
}

inline void add_fractal(Set& set) {
  const std::vector<unsigned> sizes = {64, 256, 1024};
  set.add("fractal_pixels", sizes, fractal_problem([](unsigned* out, unsigned side) {
            fractal_pixels<float><<<dim3(side / 16, side / 16), dim3(16, 16)>>>(out, side);
          }));
  set.add("fractal_double", sizes, fractal_problem([](unsigned* out, unsigned side) {
            fractal_pixels<double><<<dim3(side / 16, side / 16), dim3(16, 16)>>>(out, side);
          }));
  set.add("fractal_lines", sizes, fractal_problem([](unsigned* out, unsigned side) {
            fractal_lines<<<blocks_of(side * 32, 64), 64>>>(out, side);
          }));
}

}  // namespace timing_set
