// SPDX-License-Identifier: MIT
// Grey from red, green and blue of a byte each: by a thread for a pixel, by a thread for four pixels in three words, and
// with the words brought to shared memory first.
#pragma once
#include "../set.cuh"

namespace timing_set {

__host__ __device__ inline unsigned grey_of(unsigned red, unsigned green, unsigned blue) {
  return (77 * red + 150 * green + 29 * blue) >> 8;
}
__global__ void grey_pixels(const unsigned char* in, unsigned char* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  out[i] = static_cast<unsigned char>(grey_of(in[3 * i], in[3 * i + 1], in[3 * i + 2]));
}
__global__ void grey_fours(const unsigned* in, unsigned* out, unsigned n) {
  for (unsigned i = thread_number(); i < n / 4; i += gridDim.x * blockDim.x) {
    const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out[i] = grey_of(a & 255, a >> 8 & 255, a >> 16 & 255) |
             grey_of(a >> 24, b & 255, b >> 8 & 255) << 8 |
             grey_of(b >> 16 & 255, b >> 24, c & 255) << 16 |
             grey_of(c >> 8 & 255, c >> 16 & 255, c >> 24) << 24;
  }
}
__global__ void grey_shared(const unsigned* in, unsigned char* out, unsigned n) {
  __shared__ unsigned words[kBlock * 3];
  const unsigned first = blockIdx.x * kBlock * 3, all = n / 4 * 3;
  for (unsigned k = threadIdx.x; k < kBlock * 3; k += kBlock)
    if (first + k < all) words[k] = in[first + k];
  __syncthreads();
  const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(words);
  for (unsigned k = threadIdx.x; k < kBlock * 4; k += kBlock)
    if (const unsigned i = blockIdx.x * kBlock * 4 + k; i < n)
      out[i] =
          static_cast<unsigned char>(grey_of(bytes[3 * k], bytes[3 * k + 1], bytes[3 * k + 2]));
}

template <class Launch>
std::function<Problem(unsigned)> grey_problem(Launch launch) {
  return [=](unsigned n) {
    auto in = array<unsigned char>(3 * n, [](unsigned i) { return mixed(i) & 255; });
    auto out = room<unsigned char>(n);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           const unsigned char* const pixel = &in->host[3 * i];
                           return grey_of(pixel[0], pixel[1], pixel[2]);
                         },
                         0);
                   }};
  };
}

inline void add_grey(Set& set) {
  const std::vector<unsigned> sizes = {20000, 300000, 16000000};
  using In = const unsigned char*;
  using Words = const unsigned*;
  set.add("grey_pixels", sizes, grey_problem([](In in, unsigned char* out, unsigned n) {
            grey_pixels<<<blocks_of(n, 512), 512>>>(in, out, n);
          }));
  set.add("grey_fours", sizes, grey_problem([](In in, unsigned char* out, unsigned n) {
            grey_fours<<<std::min(blocks_of(n / 4), 1056u), kBlock>>>(
                reinterpret_cast<Words>(in), reinterpret_cast<unsigned*>(out), n);
          }));
  set.add("grey_shared", sizes, grey_problem([](In in, unsigned char* out, unsigned n) {
            grey_shared<<<blocks_of(n / 4), kBlock>>>(reinterpret_cast<Words>(in), out, n);
          }));
}

}  // namespace timing_set
