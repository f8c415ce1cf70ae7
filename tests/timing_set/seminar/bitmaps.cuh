// SPDX-License-Identifier: MIT
// Bits in the columns of a table: a filter of two columns is written as a bitmap, a word by each warp; a column whose
// numbers have eleven bits is unpacked; four bitmaps are combined into one, the bits of which are counted; and the numbers
// of the rows that a bitmap selects are written one after the other, a word of it by each thread.
#pragma once
#include <cuda_fp16.h>

#include <bit>

#include "../set.cuh"

namespace timing_set {

__global__ void bitmaps_pack(const float* price, const __half* discount, unsigned* bits, float most,
                             float least, unsigned n) {
  const unsigned row = thread_number();
  bool chosen = false;
  if (row < n) chosen = price[row] < most && __half2float(discount[row]) >= least;
  const unsigned word = __ballot_sync(kAll, chosen);
  if (threadIdx.x % 32 == 0 && row < n) bits[row / 32] = word;
}

constexpr unsigned kBitmapsWidth = 11;

__global__ void bitmaps_unpack(const unsigned* __restrict__ packed, int* __restrict__ value,
                               int least, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = i * kBitmapsWidth / 32, shift = i * kBitmapsWidth % 32;
  unsigned bits = packed[word] >> shift;
  if (shift + kBitmapsWidth > 32) bits |= packed[word + 1] << (32 - shift);
  value[i] = least + static_cast<int>(bits & ((1u << kBitmapsWidth) - 1));
}

__host__ __device__ inline uint4 bitmaps_combined(uint4 a, uint4 b, uint4 c, uint4 d) {
  return make_uint4((a.x & b.x) | (c.x & ~d.x), (a.y & b.y) | (c.y & ~d.y),
                    (a.z & b.z) | (c.z & ~d.z), (a.w & b.w) | (c.w & ~d.w));
}

__global__ void __launch_bounds__(512)
    bitmaps_logic(const uint4* __restrict__ a, const uint4* __restrict__ b,
                  const uint4* __restrict__ c, const uint4* __restrict__ d, uint4* __restrict__ out,
                  unsigned* count, unsigned n) {
  const unsigned i = thread_number();
  int mine = 0;
  if (i < n) {
    const uint4 all = bitmaps_combined(a[i], b[i], c[i], d[i]);
    out[i] = all;
    mine = __popc(all.x) + __popc(all.y) + __popc(all.z) + __popc(all.w);
  }
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(count, static_cast<unsigned>(mine));
}

__global__ void bitmaps_select(const unsigned* bits, const unsigned* places, unsigned* rows,
                               unsigned words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  unsigned left = bits[i], place = places[i];
  while (left != 0) {
    rows[place++] = i * 32 + static_cast<unsigned>(__ffs(static_cast<int>(left)) - 1);
    left &= left - 1;
  }
}

inline Problem bitmaps_pack_problem(unsigned n) {
  auto price = uniform(n, 31);
  auto discount =
      array<__half>(n, [](unsigned i) { return __half(float(mixed(i + 7) % 512) / 512); });
  auto bits = room<unsigned>(blocks_of(n, 32));
  const float most = 0.6f, least = 0.25f;
  return Problem{[=] {
                   bitmaps_pack<<<blocks_of(n, 1024), 1024>>>(price->data(), discount->data(),
                                                              bits->data(), most, least, n);
                 },
                 [=] {
                   const auto wanted = [&](unsigned word) {
                     unsigned all = 0;
                     for (unsigned k = 0; k < 32 && word * 32 + k < n; ++k) {
                       const unsigned row = word * 32 + k;
                       if (price->host[row] < most && __half2float(discount->host[row]) >= least)
                         all |= 1u << k;
                     }
                     return all;
                   };
                   return agrees(bits, wanted, 0);
                 }};
}

inline Problem bitmaps_unpack_problem(unsigned n) {
  const auto number = [](unsigned i) { return mixed(i + 99) >> (32 - kBitmapsWidth); };
  std::vector<unsigned> words(blocks_of(std::size_t{n} * kBitmapsWidth, 32));
  for (unsigned i = 0; i < n; ++i) {
    const unsigned word = i * kBitmapsWidth / 32, shift = i * kBitmapsWidth % 32;
    words[word] |= number(i) << shift;
    if (shift + kBitmapsWidth > 32) words[word + 1] |= number(i) >> (32 - shift);
  }
  auto packed = array(std::move(words));
  auto value = room<int>(n);
  return Problem{
      [=] { bitmaps_unpack<<<blocks_of(n, 320), 320>>>(packed->data(), value->data(), -500, n); },
      [=] {
        return agrees(
            value, [=](unsigned i) { return static_cast<int>(number(i)) - 500; }, 0);
      }};
}

inline Problem bitmaps_logic_problem(unsigned n) {
  const auto bitmap = [=](unsigned seed) {
    return array<uint4>(n, [=](unsigned i) {
      const unsigned x = mixed(4 * i ^ (seed << 26)), y = mixed(x);
      return make_uint4(x, y, x ^ (y << 7), y ^ (x >> 5));
    });
  };
  const auto a = bitmap(1), b = bitmap(2), c = bitmap(3), d = bitmap(4);
  auto out = room<uint4>(n);
  auto count = room<unsigned>(1);
  return Problem{
      [=] {
        bitmaps_logic<<<blocks_of(n, 512), 512>>>(a->data(), b->data(), c->data(), d->data(),
                                                  out->data(), count->data(), n);
      },
      [=] {
        const std::vector<uint4> got = out->device.download();
        unsigned ones = 0;
        for (unsigned i = 0; i < n; ++i) {
          const uint4 all = bitmaps_combined(a->host[i], b->host[i], c->host[i], d->host[i]);
          if (got[i].x != all.x || got[i].y != all.y || got[i].z != all.z || got[i].w != all.w)
            return false;
          ones += std::popcount(all.x) + std::popcount(all.y) + std::popcount(all.z) +
                  std::popcount(all.w);
        }
        return count->device.download()[0] == ones;
      },
      [=] { clear(count); }};
}

inline Problem bitmaps_select_problem(unsigned words) {
  auto bits = array<unsigned>(words, [](unsigned i) {
    const unsigned x = mixed(i), y = mixed(i + 0x10000000u), z = mixed(i + 0x20000000u);
    const unsigned thinned[] = {x, x & y, x & y & z, 0};
    return thinned[mixed(i / 20 + 0x30000000u) % 4];  // a while the same
  });
  std::vector<unsigned> starts(words), selected;
  for (unsigned i = 0; i < words; ++i) {
    starts[i] = static_cast<unsigned>(selected.size());
    for (unsigned left = bits->host[i]; left != 0; left &= left - 1)
      selected.push_back(i * 32 + static_cast<unsigned>(std::countr_zero(left)));
  }
  auto places = array(std::move(starts));
  auto rows = room<unsigned>(selected.size());
  return Problem{[=] {
                   bitmaps_select<<<blocks_of(words, 64), 64>>>(bits->data(), places->data(),
                                                                rows->data(), words);
                 },
                 [=, wanted = std::move(selected)] {
                   return agrees(
                       rows, [&](unsigned i) { return wanted[i]; }, 0);
                 }};
}

inline void add_bitmaps(Set& set) {
  set.add("bitmaps_pack", {20011, 4000000, 18000001}, bitmaps_pack_problem);
  set.add("bitmaps_unpack", {20011, 4000000, 18000001}, bitmaps_unpack_problem);
  set.add("bitmaps_logic", {3000, 400000, 3000000}, bitmaps_logic_problem);
  set.add("bitmaps_select", {2000, 300000, 2500000}, bitmaps_select_problem);
}

}  // namespace timing_set
