// SPDX-License-Identifier: MIT
// Numbers of eight bits: floats brought down to them and back, and a matrix times a vector with four products at a time.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kScale = 1 / 64.0f;
__global__ void octets_of_floats(const float4* in, char4* out, unsigned fours) {
  const unsigned i = thread_number();
  if (i >= fours) return;
  const float4 x = in[i];
  const auto down = [](float v) {
    return static_cast<signed char>(min(127, max(-128, __float2int_rn(v / kScale))));
  };
  out[i] = {down(x.x), down(x.y), down(x.z), down(x.w)};
}
__global__ void floats_of_octets(const signed char* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = in[i] * kScale;
}
constexpr unsigned kOctets = 1024;  // of a row
__global__ void octets_by_warp(const int* a, const int* x, int* y, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  int sum = 0;
  for (unsigned k = lane; k < kOctets / 4; k += 32)
    sum = __dp4a(a[r * (kOctets / 4) + k], x[k], sum);
  sum = __reduce_add_sync(kAll, sum);
  if (lane == 0) y[r] = sum;
}
// Sixteen at a time, and a row by a block of two warps.
__global__ void octets_by_block(const int4* a, const int4* x, int* y, unsigned) {
  __shared__ int other;
  const unsigned t = threadIdx.x;
  const int4 u = a[blockIdx.x * (kOctets / 16) + t], v = x[t];
  int sum = __dp4a(u.x, v.x, __dp4a(u.y, v.y, __dp4a(u.z, v.z, __dp4a(u.w, v.w, 0))));
  sum = __reduce_add_sync(kAll, sum);
  if (t == 32) other = sum;
  __syncthreads();
  if (t == 0) y[blockIdx.x] = sum + other;
}

inline signed char octet(unsigned i) { return static_cast<signed char>(mixed(i) % 255 - 127); }
inline Problem down_problem(unsigned rows) {
  const unsigned n = rows * kOctets;
  auto in = array<float>(n, [](unsigned i) { return octet(i) * kScale; });
  auto out = room<signed char>(n);
  return {[=] {
            octets_of_floats<<<blocks_of(n / 4), kBlock>>>(reinterpret_cast<float4*>(in->data()),
                                                           reinterpret_cast<char4*>(out->data()),
                                                           n / 4);
          },
          [=] { return agrees(out, octet, 0); }};
}
inline Problem up_problem(unsigned rows) {
  const unsigned n = rows * kOctets;
  auto in = array<signed char>(n, octet);
  auto out = room<float>(n);
  return {[=] { floats_of_octets<<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
          [=] {
            return agrees(
                out, [](unsigned i) { return octet(i) * kScale; }, 0);
          }};
}
template <class Launch>
std::function<Problem(unsigned)> octets_problem(Launch launch) {
  return [=](unsigned rows) {
    auto a = array<signed char>(rows * kOctets, octet);
    auto x = array<signed char>(kOctets, [](unsigned i) { return octet(i + 77); });
    auto y = room<int>(rows);
    return Problem{[=] { launch(a->data(), x->data(), y->data(), rows); },
                   [=] {
                     return agrees(
                         y,
                         [](unsigned r) {
                           int sum = 0;
                           for (unsigned k = 0; k < kOctets; ++k)
                             sum += octet(r * kOctets + k) * octet(k + 77);
                           return sum;
                         },
                         0);
                   }};
  };
}

inline void add_octets(Set& set) {
  const std::vector<unsigned> sizes = {1 << 6, 1 << 10, 1 << 14};
  set.add("octets_of_floats", sizes, down_problem);
  set.add("floats_of_octets", sizes, up_problem);
  set.add("octets_by_warp", sizes,
          octets_problem([](const void* a, const void* x, int* y, unsigned rows) {
            octets_by_warp<<<blocks_of(rows * 32), kBlock>>>(static_cast<const int*>(a),
                                                             static_cast<const int*>(x), y, rows);
          }));
  set.add("octets_by_block", sizes,
          octets_problem([](const void* a, const void* x, int* y, unsigned rows) {
            octets_by_block<<<rows, 64>>>(static_cast<const int4*>(a), static_cast<const int4*>(x),
                                          y, rows);
          }));
}

}  // namespace timing_set
