// SPDX-License-Identifier: MIT
// Rung exact: no rounding at all, until the last step.
#pragma once

#include <cuda/atomic>

#include "lessons/09_precision/add_up.cuh"
#include "lessons/09_precision/rounding.cuh"

namespace lesson09 {

// A float is an integer of 24 bits, moved by its exponent. Sixteen exponents share a bin: an integer of
// 64 bits, in units of 2^(16 bin - 150). An element takes at most 39 of its bits, so a thread can add 2^23
// elements before it must look after the rest.
constexpr int kBins = 16;
// With carries brought up, a bin has 16 bits; what is above all bins is the last limb.
constexpr int kLimbs = kBins + 1;

// Carries go up: limbs 0 to 15 become numbers of 16 bits, the last one has the sign.
template <class Limbs>
__device__ void bring_up_carries(Limbs&& limb) {
  long long carry = 0;
#pragma unroll
  for (int i = 0; i < kBins; ++i) {
    const long long sum = limb(i) + carry;
    limb(i) = sum & 0xffff;
    carry = sum >> 16;
  }
  limb(kBins) += carry;
}

// The sum of limbs whose carries were brought up, as the bits of the nearest float.
__device__ inline unsigned rounded_limbs(const long long (&limb)[kLimbs]) {
  const bool negative = limb[kBins] < 0;
  unsigned short digit[kLimbs + 3];
  auto above = static_cast<unsigned long long>(limb[kBins]);
  for (int i = 0; i < kLimbs + 3; ++i) {
    digit[i] = static_cast<unsigned short>(i < kBins ? limb[i] : above >> (16 * (i - kBins)));
  }
  unsigned carry = 1;
  for (int i = 0; negative && i < kLimbs + 3; ++i) {
    const unsigned flipped = (~digit[i] & 0xffffu) + carry;
    digit[i] = static_cast<unsigned short>(flipped);
    carry = flipped >> 16;
  }
  int first = kLimbs + 2;
  while (first > 0 && digit[first] == 0) --first;
  // The four highest digits; what lies below them only matters as being something.
  cuda::std::uint64_t top = 0;
  bool rest = false;
  for (int i = first; i > first - 4; --i) top = top << 16 | (i >= 0 ? digit[i] : 0);
  for (int i = first - 4; i >= 0; --i) rest = rest || digit[i] != 0;
  if (top == 0) return 0;
  return nearest_float(top, rest, 16 * (first - 3) - 150) | (negative ? 0x80000000u : 0u);
}

// A thread's bins, in shared memory: registers have no index, and a column of its own has no bank
// conflicts and no other thread in it.
template <int kThreads>
struct Bins {
  long long (&bin)[kLimbs][kThreads];
  unsigned special;

  template <int kN>
  __device__ void add(const float (&x)[kN]) {
#pragma unroll
    for (const float v : x) add_one(__float_as_uint(v));
  }
  __device__ void add_one(unsigned bits) {
    const unsigned magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x7f800000u) {
      special |= special_of(bits);
      return;
    }
    // Subnormal numbers have the exponent of the smallest others, and no leading one.
    const unsigned exponent = max(magnitude >> 23, 1u);
    const unsigned leading = magnitude >= 0x800000u ? 0x800000u : 0u;
    const int fraction = static_cast<int>((magnitude & 0x7fffffu) | leading);
    const int with_sign = bits >> 31 ? -fraction : fraction;
    bin[exponent / 16][threadIdx.x] += static_cast<long long>(with_sign) << exponent % 16;
  }
};

// Changed: every element goes to an integer, whole. Integers are added: per thread, per block, and by
//          atomics for the grid.
// Why:     the nearest float to the true sum, whatever the elements are. In every order, too.
// Cost:    shared memory is read and written for every element, and 34 KiB of it are a block's.
template <int kThreads, class S>
__global__ void __launch_bounds__(kThreads)
    exact(Packs<S> packs, unsigned long long* total, unsigned* ticket, float* out) {
  __shared__ long long bin[kLimbs][kThreads];
  __shared__ bool is_last;
  const unsigned me = threadIdx.x;
#pragma unroll
  for (int i = 0; i < kLimbs; ++i) bin[i][me] = 0;
  Bins<kThreads> mine{bin, 0};
  go_through(packs, mine);
  bring_up_carries([&](int i) -> long long& { return bin[i][me]; });
  if (mine.special != 0) atomicOr(total + kLimbs, static_cast<unsigned long long>(mine.special));
  __syncthreads();

  // A warp for each limb.
  for (unsigned i = me / 32; i < kLimbs; i += kThreads / 32) {
    long long sum = 0;
#pragma unroll
    for (int t = 0; t < kThreads; t += 32) sum += bin[i][t + me % 32];
#pragma unroll
    for (unsigned bits = 16; bits > 0; bits /= 2) sum += __shfl_xor_sync(kAllLanes, sum, bits);
    if (me % 32 == 0) atomicAdd(total + i, static_cast<unsigned long long>(sum));
  }
  __syncthreads();
  if (me == 0) is_last = lesson05::take_last_ticket(ticket, gridDim.x);
  __syncthreads();
  if (!is_last || me != 0) return;

  long long limb[kLimbs];
  for (int i = 0; i < kLimbs; ++i) limb[i] = static_cast<long long>(atomicExch(total + i, 0));
  const auto found = static_cast<unsigned>(atomicExch(total + kLimbs, 0));
  bring_up_carries([&](int i) -> long long& { return limb[i]; });
  *out = __uint_as_float(found != 0 ? special_sum(found) : rounded_limbs(limb));
}

constexpr int kExactThreads = 256;

inline void launch_exact(const Sums& s) {
  static_assert(kLimbs < course::kSumWords);
  with_stored(s, [&](auto* in) {
    const Packs packs(in, s.n);
    // Several waves: blocks that clear or merge their bins are covered by others that read.
    exact<kExactThreads><<<blocks_for(packs.count, kExactThreads, *s.device, 3), kExactThreads>>>(
        packs, reinterpret_cast<unsigned long long*>(s.words), s.ticket, &s.out->rounded);
    COURSE_CHECK(cudaGetLastError());
  });
}

}  // namespace lesson09
