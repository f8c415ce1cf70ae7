// SPDX-License-Identifier: MIT
// Systems of 64 equations with three diagonals: by a thread each, one system after the other or side by side in memory, and
// by a block that halves them all at once (parallel cyclic reduction).
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kEquations = 64;
struct Diagonals {
  const float *below, *middle, *above, *right;
};
template <bool SideBySide>
__global__ void thomas_thread(Diagonals d, float* out, unsigned systems) {
  const unsigned s = thread_number();
  if (s >= systems) return;
  const auto at = [=](unsigned k) { return SideBySide ? k * systems + s : s * kEquations + k; };
  float factors[kEquations];
  float factor = d.above[at(0)] / d.middle[at(0)], x = d.right[at(0)] / d.middle[at(0)];
  factors[0] = factor;
  out[at(0)] = x;
  for (unsigned k = 1; k < kEquations; ++k) {
    const unsigned i = at(k);
    const float pivot = 1 / (d.middle[i] - d.below[i] * factor);
    factor = d.above[i] * pivot;
    x = (d.right[i] - d.below[i] * x) * pivot;
    factors[k] = factor;
    out[i] = x;
  }
  for (unsigned k = kEquations - 1; k-- > 0;) {
    x = out[at(k)] - factors[k] * x;
    out[at(k)] = x;
  }
}
__global__ void thomas_block(Diagonals d, float* out, unsigned) {
  __shared__ float a[kEquations], b[kEquations], c[kEquations], r[kEquations];
  const unsigned t = threadIdx.x, i = blockIdx.x * kEquations + t;
  float below = t > 0 ? d.below[i] : 0, middle = d.middle[i];
  float above = t + 1 < kEquations ? d.above[i] : 0, right = d.right[i];
  for (unsigned step = 1; step < kEquations; step *= 2) {
    a[t] = below, b[t] = middle, c[t] = above, r[t] = right;
    __syncthreads();
    const unsigned l = t >= step ? t - step : t, u = t + step < kEquations ? t + step : t;
    const float down = t >= step ? below / b[l] : 0, up = u > t ? above / b[u] : 0;
    middle -= down * c[l] + up * a[u];
    right -= down * r[l] + up * r[u];
    below = -down * a[l];
    above = -up * c[u];
    __syncthreads();
  }
  out[i] = right / middle;
}

template <bool SideBySide, class Launch>
std::function<Problem(unsigned)> thomas_problem(Launch launch) {
  return [=](unsigned systems) {
    const unsigned n = systems * kEquations;
    auto below = uniform(n, 1), above = uniform(n, 2), right = uniform(n, 3), out = room<float>(n);
    auto middle = array<float>(n, [](unsigned i) { return 3 + mixed(i) % 64 / 64.0; });
    return Problem{[=] {
                     launch(Diagonals{below->data(), middle->data(), above->data(), right->data()},
                            out->data(), systems);
                   },
                   [=] {  // puts the solution in
                     const std::vector<float> x = out->device.download();
                     for (unsigned s = 0; s < systems; s += systems / 50 | 1)
                       for (unsigned k = 0; k < kEquations; ++k) {
                         const auto at = [=](unsigned j) {
                           return SideBySide ? j * systems + s : s * kEquations + j;
                         };
                         const unsigned i = at(k);
                         double sum = middle->host[i] * x[i];
                         if (k > 0) sum += below->host[i] * x[at(k - 1)];
                         if (k + 1 < kEquations) sum += above->host[i] * x[at(k + 1)];
                         if (!near(sum, right->host[i], 1e-4)) return false;
                       }
                     return true;
                   }};
  };
}

inline void add_thomas(Set& set) {
  const std::vector<unsigned> sizes = {64, 1500, 50000};
  set.add("thomas_one_by_one", sizes, thomas_problem<false>([](Diagonals d, float* x, unsigned n) {
            thomas_thread<false><<<blocks_of(n, 128), 128>>>(d, x, n);
          }));
  set.add("thomas_side_by_side", sizes, thomas_problem<true>([](Diagonals d, float* x, unsigned n) {
            thomas_thread<true><<<blocks_of(n, 128), 128>>>(d, x, n);
          }));
  set.add("thomas_block", sizes, thomas_problem<false>([](Diagonals d, float* x, unsigned n) {
            thomas_block<<<n, kEquations>>>(d, x, n);
          }));
}

}  // namespace timing_set
