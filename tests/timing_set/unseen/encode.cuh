// SPDX-License-Identifier: MIT
// Base 64, four letters for three bytes: by a thread for each letter, for three bytes, and for twelve with the letters in
// shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

__host__ __device__ inline unsigned char letter_of(unsigned six) {
  const unsigned letter = six < 26   ? 'A' + six
                          : six < 52 ? 'a' + six - 26
                          : six < 62 ? '0' + six - 52
                          : six < 63 ? '+'
                                     : '/';
  return static_cast<unsigned char>(letter);
}
__global__ void encode_letters(const unsigned char* in, unsigned char* out, unsigned groups) {
  const unsigned i = thread_number();
  if (i >= groups * 4) return;
  const unsigned at = i / 4 * 3, k = i % 4;
  const unsigned high = k > 0 ? in[at + k - 1] : 0u, low = k < 3 ? in[at + k] : 0u;
  out[i] = letter_of((high << 8 | low) >> (2 * k + 2) & 63);
}
__global__ void encode_threes(const unsigned char* in, uchar4* out, unsigned groups) {
  const unsigned i = thread_number();
  if (i >= groups) return;
  const unsigned x = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = {letter_of(x >> 18), letter_of(x >> 12 & 63), letter_of(x >> 6 & 63), letter_of(x & 63)};
}
__global__ void encode_twelves(const unsigned* in, uint4* out, unsigned groups) {
  __shared__ unsigned char letters[64];
  if (threadIdx.x < 64) letters[threadIdx.x] = letter_of(threadIdx.x);
  __syncthreads();
  const unsigned i = thread_number();
  if (i >= groups / 4) return;
  const auto four = [&](unsigned x) {  // the first byte is the highest
    return letters[x >> 26] | letters[x >> 20 & 63] << 8 | letters[x >> 14 & 63] << 16 |
           static_cast<unsigned>(letters[x >> 8 & 63]) << 24;
  };
  const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  out[i] = {four(__byte_perm(a, b, 0x0123)), four(__byte_perm(a, b, 0x3456)),
            four(__byte_perm(b, c, 0x2345)), four(__byte_perm(c, 0, 0x1234))};
}

template <class Launch>
std::function<Problem(unsigned)> encode_problem(Launch launch) {
  return [=](unsigned groups) {
    auto in = array<unsigned char>(groups * 3, [](unsigned i) { return mixed(i) & 255; });
    auto out = room<unsigned char>(groups * 4);
    return Problem{[=] { launch(in->data(), out->data(), groups); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           const unsigned char* const at = &in->host[i / 4 * 3];
                           const unsigned x = at[0] << 16 | at[1] << 8 | at[2];
                           return letter_of(x >> (18 - i % 4 * 6) & 63);
                         },
                         0);
                   }};
  };
}

inline void add_encode(Set& set) {
  const std::vector<unsigned> sizes = {4000, 64000, 4000000};
  using In = const unsigned char*;
  set.add("encode_letters", sizes, encode_problem([](In in, unsigned char* out, unsigned n) {
            encode_letters<<<blocks_of(n * 4, 512), 512>>>(in, out, n);
          }));
  set.add("encode_threes", sizes, encode_problem([](In in, unsigned char* out, unsigned n) {
            encode_threes<<<blocks_of(n), kBlock>>>(in, reinterpret_cast<uchar4*>(out), n);
          }));
  set.add("encode_twelves", sizes, encode_problem([](In in, unsigned char* out, unsigned n) {
            encode_twelves<<<blocks_of(n / 4, 128), 128>>>(reinterpret_cast<const unsigned*>(in),
                                                           reinterpret_cast<uint4*>(out), n);
          }));
}

}  // namespace timing_set
