// SPDX-License-Identifier: MIT
// Chains through one unit each: fused multiply-add, double, special functions, integer division, 64-bit multiplication.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kChain = 64;

struct FloatStep {
  using T = float;
  __host__ __device__ T operator()(T x) const { return x * 0.999f + 0.25f; }
};
struct DoubleStep {
  using T = double;
  __host__ __device__ T operator()(T x) const { return x * 0.999 + 0.25; }
};
struct SpecialStep {
  using T = float;
  __host__ __device__ T operator()(T x) const {
#ifdef __CUDA_ARCH__
    return __expf(-x) + rsqrtf(x + 1.f);
#else
    return std::exp(-x) + 1 / std::sqrt(x + 1);
#endif
  }
};
struct DivisionStep {
  using T = unsigned;
  __host__ __device__ T operator()(T x) const { return 4000000007u / (x | 1) + x % (x / 2 + 77); }
};
struct WideStep {
  using T = unsigned long long;
  __host__ __device__ T operator()(T x) const { return x * 6364136223846793005ull + (x >> 33); }
};

template <class Step>
__global__ void chain(const typename Step::T* in, typename Step::T* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  typename Step::T x = in[i];
#pragma unroll 8
  for (unsigned k = 0; k < kChain; ++k) x = Step()(x);
  out[i] = x;
}
template <class Step>
Problem chain_problem(unsigned n) {
  using T = typename Step::T;
  auto in = array<T>(n, [](unsigned i) {
    return static_cast<T>(0.5) == 0 ? static_cast<T>(mixed(i)) : static_cast<T>(i % 1000) / 500;
  });
  auto out = room<T>(n);
  return {[=] { chain<Step><<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
          [=] {
            return agrees(
                out,
                [=](unsigned i) {
                  T x = in->host[i];
                  for (unsigned k = 0; k < kChain; ++k) x = Step()(x);
                  return x;
                },
                1e-3);
          }};
}

inline void add_units(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 20};
  set.add("chain_float", sizes, chain_problem<FloatStep>);
  set.add("chain_double", sizes, chain_problem<DoubleStep>);
  set.add("chain_special", sizes, chain_problem<SpecialStep>);
  set.add("chain_division", sizes, chain_problem<DivisionStep>);
  set.add("chain_wide", sizes, chain_problem<WideStep>);
}

}  // namespace timing_set
