// SPDX-License-Identifier: MIT
// Ways to add whose error depends on the order: one after the other, in pairs, with Kahan's
// compensation, with an error that is kept, in double.
#pragma once

#include "lessons/09_precision/add_up.cuh"

namespace lesson09 {

// The compiler may not turn a multiplication and an addition into one instruction here, nor change the
// order: __fadd_rn is an addition, and nothing else. (nvcc never reorders sums by itself; with
// -use_fast_math it does not either, but it does much else that a careful sum does not want.)
__device__ inline float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ inline float minus(float a, float b) { return __fsub_rn(a, b); }

// Changed: (the first rung) each thread adds its share one after the other; then trees, as in lesson 05.
// Why:     it is the sum of the lessons before.
// Cost:    an element goes through as many additions as a thread has elements. Each may lose half a unit
//          of the last place of a sum that grows.
struct Running {
  using Value = float;
  struct Share {
    float sum;
    template <int kN>
    __device__ void add(const float (&x)[kN]) {
#pragma unroll
      for (const float v : x) sum = plus(sum, v);
    }
    __device__ Value value() const { return sum; }
  };
  __device__ static Value merge(Value a, Value b) { return plus(a, b); }
  __device__ static float result(Value sum) { return sum; }
};

// Changed: a thread adds in pairs too. A sum of 2^k tiles waits until another of the same size is there:
//          where it waits is the k-th digit of a binary counter.
// Why:     every element goes through log2(n) additions, nearly, and not through n / threads.
// Cost:    a few registers, and an addition or two per tile more.
struct Pairwise {
  using Value = float;
  static constexpr int kDigits = 8;
  struct Share {
    float waiting[kDigits];
    unsigned tiles;
    template <int kN>
    __device__ static float in_pairs(const float* x) {
      if constexpr (kN == 1)
        return x[0];
      else
        return plus(in_pairs<kN / 2>(x), in_pairs<kN / 2>(x + kN / 2));
    }
    template <int kN>
    __device__ void add(const float (&x)[kN]) {
      carry(in_pairs<kN>(x));
    }
    // All digits full: the last one keeps its sum and gets more.
    __device__ void carry(float sum) {
      bool going = true;
#pragma unroll
      for (int d = 0; d < kDigits; ++d) {
        const bool full = tiles >> d & 1;
        if (going && (!full || d == kDigits - 1)) {
          waiting[d] = d == kDigits - 1 ? plus(waiting[d], sum) : sum;
          going = false;
        } else if (going) {
          sum = plus(sum, waiting[d]);
          waiting[d] = 0;
        }
      }
      ++tiles;
    }
    __device__ Value value() const {
      float sum = 0;
#pragma unroll
      for (const float w : waiting) sum = plus(sum, w);
      return sum;
    }
  };
  __device__ static Value merge(Value a, Value b) { return plus(a, b); }
  __device__ static float result(Value sum) { return sum; }
};

// Changed: Kahan's sum in every thread. What an addition has lost is subtracted from the next element.
// Why:     within a thread the error no longer grows with the number of elements.
// Cost:    four additions for one. And most of what was won is lost again: a thread hands over its sum
//          and not what it still owes, and the tree above adds without compensation.
struct Kahan {
  using Value = float;
  struct Share {
    float sum, lost;
    template <int kN>
    __device__ void add(const float (&x)[kN]) {
#pragma unroll
      for (const float v : x) {
        const float corrected = minus(v, lost);
        const float next = plus(sum, corrected);
        lost = minus(minus(next, sum), corrected);
        // Infinity minus infinity: the sum is infinite and owes nothing.
        if (!(fabsf(next) < INFINITY)) lost = 0;
        sum = next;
      }
    }
    __device__ Value value() const { return sum; }
  };
  __device__ static Value merge(Value a, Value b) { return plus(a, b); }
  __device__ static float result(Value sum) { return sum; }
};

// The rounded sum of two floats, and exactly what the rounding has lost (Knuth's TwoSum): a + b =
// sum + error, whichever is larger. Nothing here may be "simplified": in real numbers the error is 0.
struct Exactly {
  float sum, error;
};
__device__ inline Exactly two_sum(float a, float b) {
  const float sum = plus(a, b);
  const float b_there = minus(sum, a), a_there = minus(sum, b_there);
  return {sum, plus(minus(a, a_there), minus(b, b_there))};
}

// Changed: what is lost is kept, and goes along: a value is a pair (sum, error), in registers, through
//          the shuffles, the blocks and the grid.
// Why:     the result is as good as if all had been added with twice the digits, and then rounded.
// Cost:    seven additions for one, and two words where there was one. The memory is slower than that.
struct TwoSum {
  using Value = Exactly;
  struct Share {
    float sum, error;
    template <int kN>
    __device__ void add(const float (&x)[kN]) {
#pragma unroll
      for (const float v : x) {
        const Exactly both = two_sum(sum, v);
        sum = both.sum;
        error = plus(error, both.error);
      }
    }
    __device__ Value value() const { return {sum, error}; }
  };
  __device__ static Value merge(Value a, Value b) {
    const Exactly both = two_sum(a.sum, b.sum);
    return {both.sum, plus(both.error, plus(a.error, b.error))};
  }
  // The error of an infinite sum is not a number, and of no interest.
  __device__ static float result(Value v) {
    return fabsf(v.sum) < INFINITY ? plus(v.sum, v.error) : v.sum;
  }
};

// Changed: the sum is a double.
// Why:     29 more digits, and nothing to understand.
// Cost:    this GPU adds doubles at half the rate of floats; a gaming GPU at a 64th, and there it shows.
struct InDouble {
  using Value = double;
  struct Share {
    double sum;
    template <int kN>
    __device__ void add(const float (&x)[kN]) {
#pragma unroll
      for (const float v : x) sum += v;
    }
    __device__ Value value() const { return sum; }
  };
  __device__ static Value merge(Value a, Value b) { return a + b; }
  __device__ static float result(Value sum) { return static_cast<float>(sum); }
};

template <class Way>
void launch_near(const Sums& s) {
  launch_add_up<Way>(s, &s.out->near);
}

}  // namespace lesson09
