// SPDX-License-Identifier: MIT
// Groups of 32 keys brought into order: by exchanges of neighbours, by a network, by counting who is smaller, by insertion.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void order_neighbours(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  if (i >= n) return;
  unsigned x = in[i];
  for (unsigned round = 0; round < 32; ++round) {
    const bool lower = lane % 2 == round % 2;
    const unsigned other = lower ? lane + 1 : lane - 1;
    const unsigned y = __shfl_sync(kAll, x, other);
    if (other < 32) x = lower ? min(x, y) : max(x, y);
  }
  out[i] = x;
}
__global__ void order_network(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  if (i >= n) return;
  unsigned x = in[i];
#pragma unroll
  for (unsigned size = 2; size <= 32; size *= 2)
#pragma unroll
    for (unsigned d = size / 2; d > 0; d /= 2) {
      const unsigned y = __shfl_xor_sync(kAll, x, d);
      x = ((lane & d) == 0) == ((lane & size) == 0) ? min(x, y) : max(x, y);
    }
  out[i] = x;
}
__global__ void order_ranks(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned keys[128];
  const unsigned i = thread_number(), group = threadIdx.x & ~31u;
  if (i < n) keys[threadIdx.x] = in[i];
  __syncthreads();
  if (i >= n) return;
  const unsigned x = keys[threadIdx.x];
  unsigned rank = 0;
  for (unsigned k = group; k < group + 32; ++k)
    rank += keys[k] < x || (keys[k] == x && k < threadIdx.x);
  out[(i & ~31u) + rank] = x;
}
__global__ void order_insertion(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned group = thread_number();
  if (group * 32 >= n) return;
  unsigned keys[32];
  for (int k = 0; k < 32; ++k) {
    const unsigned x = in[group * 32 + k];
    int at = k;
    for (; at > 0 && keys[at - 1] > x; --at) keys[at] = keys[at - 1];
    keys[at] = x;
  }
  for (unsigned k = 0; k < 32; ++k) out[group * 32 + k] = keys[k];
}

template <unsigned Each, unsigned Block, class Function>
std::function<Problem(unsigned)> order_problem(Function kernel) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, [](unsigned i) { return mixed(i) % 10007; });
    auto out = room<unsigned>(n);
    return Problem{
        [=] { kernel<<<blocks_of(n / Each, Block), Block>>>(in->data(), out->data(), n); },
        [=] {
          std::vector<unsigned> wanted = in->host;
          for (auto group = wanted.begin(); group != wanted.end(); group += 32)
            std::sort(group, group + 32);
          return out->device.download() == wanted;
        }};
  };
}

inline void add_order(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 22};
  set.add("order_neighbours", sizes, order_problem<1, 256>(order_neighbours));
  set.add("order_network", sizes, order_problem<1, 256>(order_network));
  set.add("order_ranks", sizes, order_problem<1, 128>(order_ranks));
  set.add("order_insertion", sizes, order_problem<32, 64>(order_insertion));
}

}  // namespace timing_set
