// SPDX-License-Identifier: MIT
// Rung reproducible: the same bits for every grid, every block size and every order, in one pass
// (after Demmel and Nguyen, "Parallel Reproducible Summation", 2015). rounded_sum.hpp of common/ says what
// it computes.
#pragma once

#include "lessons/09_precision/add_up.cuh"
#include "lessons/09_precision/rounding.cuh"

namespace lesson09 {

// A magnitude belongs to a class of 30 powers of two; classes are numbered from 0, which holds all that
// is below 2^-140. Its coarse unit is 2^coarse_exponent, the fine one 2^30 times smaller, and that is the
// coarse unit of the class below.
constexpr int kClassBits = 30;
__device__ constexpr int coarse_exponent(int k) { return kClassBits * (k - 5) - 19; }
// The first magnitude above the class, as bits of a float; class 9 goes beyond all of them.
__device__ constexpr unsigned class_end(int k) {
  const int exponent = kClassBits * (k - 5) + 10;  // 2^exponent; below 2^-126 there are subnormals
  if (k >= 9) return 0x7f800000u;
  return exponent < -126 ? 1u << (exponent + 149) : static_cast<unsigned>(exponent + 127) << 23;
}
__device__ inline double power_of_two(int exponent) {
  return __hiloint2double((exponent + 1023) << 20, 0);
}
// To this number multiples of the unit can be added: the last bit of the double is worth just one unit,
// so an addition rounds what is added to whole units, and the sum stays exact. There is room for 2^51
// units on both sides: an element has at most 2^29, so a thread can add four million of them.
__device__ inline double shelf(int unit) { return 1.5 * power_of_two(52 + unit); }
// Never a tie: a bit in the very last place makes it a little larger in magnitude.
__device__ inline double no_tie(double x) {
  return __hiloint2double(__double2hiint(x), __double2loint(x) | 1);
}

// What many elements come to: coarse and fine units, and what is no ordinary number. 2^34 elements fit.
struct Units {
  long long coarse, fine;
  int top_class;
  unsigned special;
};

// Changed: an element is cut at two fixed places, and the pieces are added as integers, which do not
//          care about the order. A double does both in one addition: see shelf(). The places depend on
//          the largest element so far; a larger one moves them up, and what falls off at the bottom would
//          not have counted had the larger one come first.
// Why:     the same bits on every GPU, for every launch, and on the CPU.
// Cost:    four additions of doubles and the search for the largest.
struct Reproducible {
  using Value = Units;

  struct Share {
    double coarse, fine;  // 0, 0: nothing has been added yet
    int top_class;
    unsigned end;  // of top_class
    unsigned special;

    template <int kN>
    __device__ void add(const float (&x)[kN]) {
      unsigned largest = 0;
#pragma unroll
      for (const float v : x) largest = max(largest, __float_as_uint(v) & 0x7fffffffu);
      if (largest >= 0x7f800000u) return add_with_special(x);
      if (largest >= end) raise(largest);
#pragma unroll
      for (const float v : x) add_one(v);
    }
    __device__ void add_one(float x) {
      const double whole = x, sum = coarse + no_tie(whole);
      const double rest = whole - (sum - coarse);
      coarse = sum;
      fine += no_tie(rest);
    }
    // Slow, and rare: one at a time, without those that are no numbers.
    template <int kN>
    __device__ void add_with_special(const float (&x)[kN]) {
#pragma unroll
      for (const float v : x) {
        const unsigned magnitude = __float_as_uint(v) & 0x7fffffffu;
        if (magnitude >= 0x7f800000u) {
          special |= special_of(__float_as_uint(v));
        } else {
          if (magnitude >= end) raise(magnitude);
          add_one(v);
        }
      }
    }
    // The coarse shelf of a class is the fine one of the next.
    __device__ void raise(unsigned largest) {
      if (end == 0) {
        top_class = -1;
        coarse = shelf(coarse_exponent(-1));
      }
      while (top_class < 0 || largest >= class_end(top_class)) {
        ++top_class;
        fine = coarse;
        coarse = shelf(coarse_exponent(top_class));
      }
      end = class_end(top_class);
    }
    __device__ Value value() const {
      if (end == 0) return {0, 0, 0, special};
      const int unit = coarse_exponent(top_class);
      return {units_on(coarse, unit), units_on(fine, unit - kClassBits), top_class, special};
    }
    __device__ static long long units_on(double sum, int unit) {
      return static_cast<long long>((sum - shelf(unit)) * power_of_two(-unit));
    }
  };

  __device__ static Value merge(Value a, Value b) {
    lift(a, b.top_class);
    lift(b, a.top_class);
    return {a.coarse + b.coarse, a.fine + b.fine, a.top_class, a.special | b.special};
  }
  __device__ static void lift(Value& v, int top_class) {
    if (v.top_class >= top_class) return;
    v.fine = v.top_class + 1 == top_class ? v.coarse : 0;
    v.coarse = 0;
    v.top_class = top_class;
  }
  __device__ static float result(const Value& v) {
    if (v.special != 0) return __uint_as_float(special_sum(v.special));
    const __int128 sum = (static_cast<__int128>(v.coarse) << kClassBits) + v.fine;
    const auto magnitude = static_cast<unsigned __int128>(sum < 0 ? -sum : sum);
    auto top = static_cast<cuda::std::uint64_t>(magnitude >> 64);
    int unit = coarse_exponent(v.top_class) - kClassBits;
    bool rest = false;
    if (top == 0) {
      top = static_cast<cuda::std::uint64_t>(magnitude);
    } else {
      const int up = 64 - cuda::std::countl_zero(top);
      rest = (magnitude & ((static_cast<unsigned __int128>(1) << up) - 1)) != 0;
      top = static_cast<cuda::std::uint64_t>(magnitude >> up);
      unit += up;
    }
    const unsigned bits = nearest_float(top, rest, unit);
    return __uint_as_float(bits | (sum < 0 ? 0x80000000u : 0u));
  }
};

inline void launch_reproducible(const Sums& s) { launch_add_up<Reproducible>(s, &s.out->same); }

}  // namespace lesson09
