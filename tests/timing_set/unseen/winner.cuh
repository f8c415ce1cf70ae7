// SPDX-License-Identifier: MIT
// Which of 1000 classes has the largest score, of each row of a matrix: by a thread, a warp or a block.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kClasses = 1000;
struct Winner {
  float score;
  unsigned at;
};
__device__ inline Winner better(Winner a, Winner b) {
  return b.score > a.score || (b.score == a.score && b.at < a.at) ? b : a;
}
__device__ inline Winner better_of_warp(Winner best) {
  for (unsigned d = 16; d > 0; d /= 2)
    best =
        better(best, {__shfl_down_sync(kAll, best.score, d), __shfl_down_sync(kAll, best.at, d)});
  return best;
}
__global__ void winner_by_thread(const float* in, unsigned* out, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  Winner best = {in[r * kClasses], 0};
  for (unsigned k = 1; k < kClasses; ++k) best = better(best, {in[r * kClasses + k], k});
  out[r] = best.at;
}
__global__ void winner_by_warp(const float* in, unsigned* out, unsigned rows) {
  const unsigned r = thread_number() / 32;
  if (r >= rows) return;
  Winner best = {-1, 0};
  for (unsigned k = threadIdx.x % 32; k < kClasses; k += 32)
    best = better(best, {in[r * kClasses + k], k});
  best = better_of_warp(best);
  if (threadIdx.x % 32 == 0) out[r] = best.at;
}
__global__ void winner_by_block(const float* in, unsigned* out, unsigned) {
  __shared__ float scores[kBlock];
  __shared__ unsigned places[kBlock];
  const unsigned t = threadIdx.x;
  Winner best = {-1, 0};
  for (unsigned k = t; k < kClasses; k += kBlock)
    best = better(best, {in[blockIdx.x * kClasses + k], k});
  scores[t] = best.score;
  places[t] = best.at;
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) {
      best = better(best, {scores[t + half], places[t + half]});
      scores[t] = best.score;
      places[t] = best.at;
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = best.at;
}

template <class Launch>
std::function<Problem(unsigned)> winner_problem(Launch launch) {
  return [=](unsigned rows) {
    auto in = uniform(rows * kClasses, 2);
    auto out = room<unsigned>(rows);
    return Problem{[=] { launch(in->data(), out->data(), rows); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned r) {
                           const float* const row = &in->host[r * kClasses];
                           return std::max_element(row, row + kClasses) - row;
                         },
                         0);
                   }};
  };
}

inline void add_winner(Set& set) {
  const std::vector<unsigned> sizes = {32, 600, 12000};
  using In = const float*;
  set.add("winner_by_thread", sizes, winner_problem([](In in, unsigned* out, unsigned rows) {
            winner_by_thread<<<blocks_of(rows, 64), 64>>>(in, out, rows);
          }));
  set.add("winner_by_warp", sizes, winner_problem([](In in, unsigned* out, unsigned rows) {
            winner_by_warp<<<blocks_of(rows * 32, 128), 128>>>(in, out, rows);
          }));
  set.add("winner_by_block", sizes, winner_problem([](In in, unsigned* out, unsigned rows) {
            winner_by_block<<<rows, kBlock>>>(in, out, rows);
          }));
}

}  // namespace timing_set
