// SPDX-License-Identifier: MIT
// Arithmetic and little memory: greatest common divisors, sequences of unlike length, trial division, a polynomial,
// roots by Newton in doubles, words that are turned and mixed.
#pragma once
#include <numeric>

#include "../set.cuh"

namespace timing_set {

struct Divisor {
  __host__ __device__ static unsigned of(unsigned x) {
    unsigned a = x | 1, b = mixed(x) | 1;
    while (b) {
      const unsigned rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};
struct Sequence {
  __host__ __device__ static unsigned of(unsigned x) {
    unsigned long long value = x % 100000 + 1;
    unsigned steps = 0;
    for (; value != 1; ++steps) value = value % 2 ? 3 * value + 1 : value / 2;
    return steps;
  }
};
struct Prime {
  __host__ __device__ static unsigned of(unsigned x) {
    const unsigned n = x % 20000 + 2;
    for (unsigned d = 2; d * d <= n; ++d)
      if (n % d == 0) return 0;
    return 1;
  }
};
struct Polynomial {
  __host__ __device__ static float of(unsigned x) {
    const float at = (x >> 8) / 16777216.0f;
    float sum = 0;
    for (int round = 0; round < 4; ++round)
      for (int k = 0; k < 24; ++k) sum = sum * at + 0.01f * k;
    return sum;
  }
};
struct Root {
  __host__ __device__ static double of(unsigned x) {
    const double a = 1 + (x >> 8) / 16777216.0;
    double root = 1;
    for (int k = 0; k < 8; ++k) root -= (root * root * root - a) / (3 * root * root);
    return root;
  }
};
struct Mixture {
  __host__ __device__ static unsigned of(unsigned x) {
    unsigned a = x, b = ~x, c = x ^ 0x55555555u;
    for (unsigned k = 0; k < 64; ++k) {
      const unsigned sum = ((b & c) | (~b & a)) + (a << 7 | a >> 25) + k * 0x9e3779b9u;
      a = b;
      b = c ^ (sum << 11 | sum >> 21);
      c = sum;
    }
    return a ^ b ^ c;
  }
};
template <class Number, class T>
__global__ void numbers(const unsigned* in, T* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = Number::of(in[i]);
}

template <class Number>
Problem numbers_problem(unsigned n) {
  using T = decltype(Number::of(0u));
  auto in = array<unsigned>(n, mixed);
  auto out = room<T>(n);
  return {[=] { numbers<Number><<<blocks_of(n, 192), 192>>>(in->data(), out->data(), n); },
          [=] { return agrees(out, [=](unsigned i) { return Number::of(in->host[i]); }); }};
}

inline void add_numbers(Set& set) {
  const std::vector<unsigned> sizes = {1 << 11, 1 << 15, 1 << 19};
  set.add("common_divisor", sizes, numbers_problem<Divisor>);
  set.add("sequence_length", sizes, numbers_problem<Sequence>);
  set.add("trial_division", sizes, numbers_problem<Prime>);
  set.add("polynomial", sizes, numbers_problem<Polynomial>);
  set.add("cube_root", sizes, numbers_problem<Root>);
  set.add("turned_and_mixed", sizes, numbers_problem<Mixture>);
}

}  // namespace timing_set
