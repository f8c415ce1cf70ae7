// SPDX-License-Identifier: MIT
// Sums that do not depend on the order: what the kernels of lesson 09 are compared with, bit by bit.
//
// The rule for what is no ordinary number, here and in those kernels: a NaN, or infinities of both
// signs, give NaN; infinities of one sign give that infinity; a sum of zero is +0. Subnormal numbers
// count like all others. A sum beyond the largest float, rounded, is infinite.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace course {

// An integer of 384 bits in units of 2^-149, the smallest float: every sum of up to 2^100 floats fits.
class WideSum {
 public:
  void add(float x);
  void add(std::span<const float> x);
  float rounded() const;      // to the nearest float, ties to even
  double to_double() const;   // to the nearest double: what errors are measured against
  double magnitudes() const;  // the sum of |x|, nearly

 private:
  static constexpr std::size_t kWords = 6;
  template <class F>
  F rounded_to(int digits) const;

  std::array<std::uint64_t, kWords> words_{};  // two's complement, the lowest first
  bool nan_ = false, above_ = false, below_ = false;
  double magnitudes_ = 0;
};

// The nearest float to the exact sum.
float rounded_sum(std::span<const float> x);

// The sum of elements that are each rounded to a multiple of one unit, which depends only on the
// largest of them: so it is the same in every order. The unit is at least 2^29 times smaller than the
// largest element. Its definition, once more and shorter than in the kernel:
//
//   Magnitudes are divided into classes, [2^(30 k - 20), 2^(30 k + 10)). With the largest element in
//   class k, the coarse unit is 2^(30 k - 19) and the fine one 2^(30 k - 49). An element counts as its
//   nearest multiple of the coarse unit and the nearest multiple of the fine one to what is left, ties
//   away from zero. The sum of all is exact, and rounded once.
float reproducible_sum(std::span<const float> x);

}  // namespace course
