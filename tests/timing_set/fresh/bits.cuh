// SPDX-License-Identifier: MIT
// Bits: how many are set, matrices of 32 x 32 turned by votes and by shuffles, words mirrored.
#pragma once
#include <bit>

#include "../set.cuh"

namespace timing_set {

__global__ void bits_total(const unsigned* in, unsigned* total, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) sum += __popc(in[i]);
  sum = __reduce_add_sync(kAll, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
__global__ void bits_turned_by_votes(const unsigned* in, unsigned* out, unsigned) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32, word = in[i];
  unsigned turned = 0;
#pragma unroll
  for (unsigned k = 0; k < 32; ++k) {
    const unsigned column = __ballot_sync(kAll, word >> k & 1);
    if (lane == k) turned = column;
  }
  out[i] = turned;
}
__global__ void bits_turned_by_shuffles(const unsigned* in, unsigned* out, unsigned) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  unsigned word = in[i];
  unsigned low = 0x0000ffffu;
#pragma unroll
  for (unsigned d = 16; d > 0; d /= 2) {
    const unsigned other = __shfl_xor_sync(kAll, word, d);
    word = lane & d ? (word & ~low) | (other >> d & low) : (word & low) | (other << d & ~low);
    low ^= low << d / 2;
  }
  out[i] = word;
}
__global__ void bits_mirrored(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[n - 1 - i] = __brev(in[i]);
}

inline unsigned turned_at(const std::vector<unsigned>& in, unsigned i) {
  unsigned word = 0;
  for (unsigned k = 0; k < 32; ++k) word |= (in[i / 32 * 32 + k] >> i % 32 & 1) << k;
  return word;
}
inline unsigned mirrored_at(const std::vector<unsigned>& in, unsigned i) {
  unsigned word = 0, from = in[in.size() - 1 - i];
  for (unsigned k = 0; k < 32; ++k) word |= (from >> k & 1) << (31 - k);
  return word;
}
template <class Function, class Wanted>
std::function<Problem(unsigned)> bits_problem(Function kernel, Wanted wanted) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, mixed), out = room<unsigned>(n);
    return Problem{[=] { kernel<<<n / 128, 128>>>(in->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return wanted(in->host, i); }, 0);
                   }};
  };
}
inline Problem total_problem(unsigned n) {
  auto in = array<unsigned>(n, mixed);
  auto total = room<unsigned>(1);
  return {[=] { bits_total<<<std::min(n / 128, 1056u), 128>>>(in->data(), total->data(), n); },
          [=] {
            unsigned wanted = 0;
            for (const unsigned word : in->host) wanted += std::popcount(word);
            return total->device.download()[0] == wanted;
          },
          [=] { clear(total); }};
}

inline void add_bits(Set& set) {
  const std::vector<unsigned> sizes = {1 << 14, 1 << 19, 1 << 23};
  set.add("bits_total", sizes, total_problem);
  set.add("bits_turned_by_votes", sizes, bits_problem(bits_turned_by_votes, turned_at));
  set.add("bits_turned_by_shuffles", sizes, bits_problem(bits_turned_by_shuffles, turned_at));
  set.add("bits_mirrored", sizes, bits_problem(bits_mirrored, mirrored_at));
}

}  // namespace timing_set
