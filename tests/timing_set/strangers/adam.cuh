// SPDX-License-Identifier: MIT
// A step of the Adam optimiser, in place: weights, gradients and two moments in arrays of their own, in an array of
// structs, four at a time in a grid-stride loop; and with gradients and a copy of the weights in half precision, where
// frozen pieces of the weights are left as they are.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr float kAdamFirst = 0.9f, kAdamSecond = 0.99f, kAdamRate = 0.01f, kAdamTiny = 1e-6f;

struct AdamWeight {
  float weight, gradient, first, second;
  int steps;
};

__host__ __device__ inline void adam_step(float& weight, float gradient, float& first,
                                          float& second) {
  first = kAdamFirst * first + (1 - kAdamFirst) * gradient;
  second = kAdamSecond * second + (1 - kAdamSecond) * gradient * gradient;
  weight -= kAdamRate * first / (sqrtf(second) + kAdamTiny);
}

__global__ void adam_plain(float* weight, const float* gradient, float* first, float* second,
                           unsigned n) {
  const unsigned i = thread_number();
  if (i < n) {
    first[i] = kAdamFirst * first[i] + (1 - kAdamFirst) * gradient[i];
    second[i] = kAdamSecond * second[i] + (1 - kAdamSecond) * gradient[i] * gradient[i];
    weight[i] = weight[i] - kAdamRate * first[i] / (sqrtf(second[i]) + kAdamTiny);
  }
}

__global__ void adam_struct(AdamWeight* all, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  AdamWeight& one = all[i];
  adam_step(one.weight, one.gradient, one.first, one.second);
  one.steps += 1;
}

__global__ void __launch_bounds__(512)
    adam_vector(float4* __restrict__ weight, const float4* __restrict__ gradient,
                float4* __restrict__ first, float4* __restrict__ second, unsigned quarter) {
  for (unsigned i = thread_number(); i < quarter; i += gridDim.x * blockDim.x) {
    const float4 g = gradient[i];
    float4 w = weight[i], m = first[i], v = second[i];
    adam_step(w.x, g.x, m.x, v.x);
    adam_step(w.y, g.y, m.y, v.y);
    adam_step(w.z, g.z, m.z, v.z);
    adam_step(w.w, g.w, m.w, v.w);
    weight[i] = w;
    first[i] = m;
    second[i] = v;
  }
}

constexpr unsigned kAdamPiece = 200;  // weights that are frozen together

__global__ void adam_halves(const __half2* gradient, const unsigned char* frozen, float2* weight,
                            float2* first, float2* second, __half2* copy, float unscale,
                            unsigned pairs) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs || frozen[2 * i / kAdamPiece]) return;
  const float2 g = __half22float2(gradient[i]);
  float2 w = weight[i], m = first[i], v = second[i];
  adam_step(w.x, g.x * unscale, m.x, v.x);
  adam_step(w.y, g.y * unscale, m.y, v.y);
  weight[i] = w;
  first[i] = m;
  second[i] = v;
  copy[i] = __float22half2_rn(w);
}

// What the arrays hold at first, and what is to be there after a step.
struct AdamState {
  Shared<float> weight, first, second;
  void restore() const {
    weight->restore();
    first->restore();
    second->restore();
  }
  template <class Gradient>
  bool stepped(Gradient gradient, const std::function<bool(unsigned)>& skipped) const {
    const auto after = [&](unsigned i, int which) {
      float w = weight->host[i], m = first->host[i], v = second->host[i];
      if (!skipped(i)) adam_step(w, gradient(i), m, v);
      return which == 0 ? w : which == 1 ? m : v;
    };
    return agrees(
               weight, [&](unsigned i) { return after(i, 0); }, 1e-5) &&
           agrees(
               first, [&](unsigned i) { return after(i, 1); }, 1e-5) &&
           agrees(
               second, [&](unsigned i) { return after(i, 2); }, 1e-5);
  }
};
inline AdamState adam_state(unsigned n) { return {uniform(n, 11), uniform(n, 12), uniform(n, 13)}; }
inline bool adam_never(unsigned) { return false; }

inline Problem adam_plain_problem(unsigned n) {
  const AdamState state = adam_state(n);
  auto gradient = uniform(n, 14);
  return Problem{
      [=] {
        adam_plain<<<blocks_of(n), kBlock>>>(state.weight->data(), gradient->data(),
                                             state.first->data(), state.second->data(), n);
      },
      [=] { return state.stepped([&](unsigned i) { return gradient->host[i]; }, adam_never); },
      [=] { state.restore(); }};
}

inline Problem adam_vector_problem(unsigned n) {
  const AdamState state = adam_state(n);
  auto gradient = uniform(n, 15);
  const auto fours = [](const Shared<float>& a) { return reinterpret_cast<float4*>(a->data()); };
  return Problem{
      [=] {
        adam_vector<<<std::min(blocks_of(n / 4, 512), 528u), 512>>>(
            fours(state.weight), fours(gradient), fours(state.first), fours(state.second), n / 4);
      },
      [=] { return state.stepped([&](unsigned i) { return gradient->host[i]; }, adam_never); },
      [=] { state.restore(); }};
}

inline Problem adam_struct_problem(unsigned n) {
  const auto part = [](unsigned i, unsigned k) { return (mixed(i * 4 + k) >> 16) / 65536.0f; };
  std::vector<AdamWeight> values(n);
  for (unsigned i = 0; i < n; ++i)
    values[i] = {part(i, 0), part(i, 1), part(i, 2), part(i, 3), static_cast<int>(i % 100)};
  auto all = array(std::move(values));
  return Problem{[=] { adam_struct<<<blocks_of(n, 128), 128>>>(all->data(), n); },
                 [=] {
                   const std::vector<AdamWeight> got = all->device.download();
                   for (unsigned i = 0; i < n; i += (n - 1 - i) / 1000 + 1) {
                     AdamWeight wanted = all->host[i];
                     adam_step(wanted.weight, wanted.gradient, wanted.first, wanted.second);
                     if (!near(got[i].weight, wanted.weight, 1e-5) ||
                         !near(got[i].first, wanted.first, 1e-5) ||
                         !near(got[i].second, wanted.second, 1e-5) ||
                         got[i].gradient != wanted.gradient || got[i].steps != wanted.steps + 1)
                       return false;
                   }
                   return true;
                 },
                 [=] { all->restore(); }};
}

inline Problem adam_halves_problem(unsigned n) {
  const AdamState state = adam_state(n);
  auto gradient = array<__half>(n, [](unsigned i) { return __half(float(mixed(i + 9) % 2048)); });
  auto frozen = array<unsigned char>(blocks_of(n, kAdamPiece),
                                     [](unsigned i) { return mixed(i + 5) % 4 == 0; });
  auto copy = room<__half>(n);
  const float unscale = 1.0f / 1024;
  const auto skipped = [=](unsigned i) { return frozen->host[i / kAdamPiece] != 0; };
  const auto twos = [](const Shared<float>& a) { return reinterpret_cast<float2*>(a->data()); };
  return Problem{[=] {
                   adam_halves<<<blocks_of(n / 2, 1024), 1024>>>(
                       reinterpret_cast<const __half2*>(gradient->data()), frozen->data(),
                       twos(state.weight), twos(state.first), twos(state.second),
                       reinterpret_cast<__half2*>(copy->data()), unscale, n / 2);
                 },
                 [=] {
                   const std::vector<float> weight = state.weight->device.download();
                   const std::vector<__half> halves = copy->device.download();
                   for (unsigned i = 0; i < n; i += n / 1000 | 1)
                     if (!skipped(i) && !near(__half2float(halves[i]), weight[i], 1e-3))
                       return false;
                   return state.stepped(
                       [&](unsigned i) { return __half2float(gradient->host[i]) * unscale; },
                       skipped);
                 },
                 [=] { state.restore(); }};
}

inline void add_adam(Set& set) {
  const std::vector<unsigned> sizes = {6000, 650000, 5200000};  // multiples of four
  set.add("adam_plain", sizes, adam_plain_problem);
  set.add("adam_struct", sizes, adam_struct_problem);
  set.add("adam_vector", sizes, adam_vector_problem);
  set.add("adam_halves", sizes, adam_halves_problem);
}

}  // namespace timing_set
