// SPDX-License-Identifier: MIT
// Options priced by binomial trees of 127 steps: by a block each in shared memory, by a warp each with four leaves to a lane,
// and by a thread each in its local memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kLeaves = 128;
constexpr float kUp = 0.51f, kDown = 0.485f;
struct Option {
  float price, strike;
};
__host__ __device__ inline float leaf(Option option, unsigned k) {
  const float step = 0.02f * (2 * static_cast<float>(k) - (kLeaves - 1));
#ifdef __CUDA_ARCH__
  return fmaxf(0, option.price * __expf(step) - option.strike);
#else
  return std::max(0.0f, option.price * std::exp(step) - option.strike);
#endif
}
__global__ void binomial_by_block(const Option* options, float* out, unsigned) {
  __shared__ float values[kLeaves + 1];
  const unsigned t = threadIdx.x;
  float own = leaf(options[blockIdx.x], t);
  values[t] = own;
  for (unsigned left = kLeaves - 1; left > 0; --left) {
    __syncthreads();
    const float upper = values[t + 1 < kLeaves ? t + 1 : t];
    __syncthreads();
    if (t < left) {
      own = kUp * upper + kDown * own;
      values[t] = own;
    }
  }
  if (t == 0) out[blockIdx.x] = own;
}
// What is above the leaves that are left is worked out too, and does no harm.
__global__ void binomial_by_warp(const Option* options, float* out, unsigned n) {
  const unsigned o = thread_number() / 32, lane = threadIdx.x % 32;
  if (o >= n) return;
  float own[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) own[k] = leaf(options[o], lane * 4 + k);
  for (unsigned left = kLeaves - 1; left > 0; --left) {
    const float upper = __shfl_down_sync(kAll, own[0], 1);
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) own[k] = kUp * own[k + 1] + kDown * own[k];
    own[3] = kUp * upper + kDown * own[3];
  }
  if (lane == 0) out[o] = own[0];
}
__global__ void binomial_by_thread(const Option* options, float* out, unsigned n) {
  const unsigned o = thread_number();
  if (o >= n) return;
  float values[kLeaves];
  for (unsigned k = 0; k < kLeaves; ++k) values[k] = leaf(options[o], k);
  for (unsigned left = kLeaves - 1; left > 0; --left)
    for (unsigned k = 0; k < left; ++k) values[k] = kUp * values[k + 1] + kDown * values[k];
  out[o] = values[0];
}

template <unsigned Threads, unsigned Block, class Function>
std::function<Problem(unsigned)> binomial_problem(Function kernel) {
  return [=](unsigned n) {
    std::vector<Option> some(n);
    for (unsigned i = 0; i < n; ++i)
      some[i] = {50 + static_cast<float>(mixed(i) % 50), 50 + static_cast<float>(mixed(~i) % 50)};
    auto options = array(std::move(some));
    auto out = room<float>(n);
    return Problem{
        [=] { kernel<<<blocks_of(n * Threads, Block), Block>>>(options->data(), out->data(), n); },
        [=] {
          return agrees(
              out,
              [=](unsigned o) {
                std::vector<double> values(kLeaves);
                for (unsigned k = 0; k < kLeaves; ++k) values[k] = leaf(options->host[o], k);
                for (unsigned left = kLeaves - 1; left > 0; --left)
                  for (unsigned k = 0; k < left; ++k)
                    values[k] = kUp * values[k + 1] + kDown * values[k];
                return values[0];
              },
              1e-3);
        }};
  };
}

inline void add_binomial(Set& set) {
  const std::vector<unsigned> sizes = {24, 250, 4000};
  set.add("binomial_by_block", sizes, binomial_problem<kLeaves, kLeaves>(binomial_by_block));
  set.add("binomial_by_warp", sizes, binomial_problem<32, 128>(binomial_by_warp));
  set.add("binomial_by_thread", sizes, binomial_problem<1, 64>(binomial_by_thread));
}

}  // namespace timing_set
