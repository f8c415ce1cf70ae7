// SPDX-License-Identifier: MIT
// The longest common subsequence of pairs of strings of 64 and 32 letters: by a thread each, by a warp along diagonals
// with shuffles, and by a block along diagonals in shared memory.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

constexpr int kLong = 64, kShort = 32;

__global__ void align_thread(const unsigned char* a, const unsigned char* b, int* out,
                             unsigned pairs) {
  const unsigned p = thread_number();
  if (p >= pairs) return;
  int row[kShort + 1];
  for (int k = 0; k <= kShort; ++k) row[k] = 0;
  for (int i = 0; i < kLong; ++i) {
    const unsigned char letter = a[p * kLong + i];
    int corner = 0;
    for (int k = 1; k <= kShort; ++k) {
      const int above = row[k];
      row[k] = letter == b[p * kShort + k - 1] ? corner + 1 : max(above, row[k - 1]);
      corner = above;
    }
  }
  out[p] = row[kShort];
}
__global__ void align_warp(const unsigned char* a, const unsigned char* b, int* out,
                           unsigned pairs) {
  const unsigned p = thread_number() / 32;
  const int lane = threadIdx.x % 32;
  if (p >= pairs) return;
  const unsigned char own = b[p * kShort + lane];
  int here = 0, before = 0;  // of this column: the row above, and the one above that
  for (int step = 0; step < kLong + kShort - 1; ++step) {
    const int i = step - lane;
    int left = __shfl_up_sync(kAll, here, 1), corner = __shfl_up_sync(kAll, before, 1);
    if (lane == 0) left = corner = 0;
    if (i < 0 || i >= kLong) continue;
    const int value = a[p * kLong + i] == own ? corner + 1 : max(left, here);
    before = here;
    here = value;
  }
  if (lane == 31) out[p] = here;
}
__global__ void align_shared(const unsigned char* a, const unsigned char* b, int* out, unsigned) {
  __shared__ int diagonals[3][kLong + 1];
  __shared__ unsigned char first[kLong], second[kShort];
  const int t = threadIdx.x;  // a row
  first[t] = a[blockIdx.x * kLong + t];
  if (t < kShort) second[t] = b[blockIdx.x * kShort + t];
  for (auto& diagonal : diagonals) {
    diagonal[t + 1] = 0;
    if (t == 0) diagonal[0] = 0;
  }
  __syncthreads();
  for (int step = 0; step < kLong + kShort - 1; ++step) {
    const int k = step - t;
    int* const now = diagonals[step % 3];
    const int* const last = diagonals[(step + 2) % 3];
    const int* const older = diagonals[(step + 1) % 3];
    if (k >= 0 && k < kShort) {
      const int corner = k > 0 ? older[t] : 0, left = k > 0 ? last[t + 1] : 0;
      now[t + 1] = first[t] == second[k] ? corner + 1 : max(last[t], left);
    }
    __syncthreads();
  }
  if (t == kLong - 1) out[blockIdx.x] = diagonals[(kLong + kShort - 2) % 3][kLong];
}

template <class Launch>
std::function<Problem(unsigned)> align_problem(Launch launch) {
  return [=](unsigned pairs) {
    const auto letter = [](unsigned i) { return 'a' + mixed(i) % 4; };
    auto a = array<unsigned char>(pairs * kLong, letter);
    auto b = array<unsigned char>(pairs * kShort, [=](unsigned i) { return letter(i + 999); });
    auto out = room<int>(pairs);
    return Problem{[=] { launch(a->data(), b->data(), out->data(), pairs); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned p) {
                           int row[kShort + 1] = {};
                           for (int i = 0; i < kLong; ++i)
                             for (int k = 1, corner = 0; k <= kShort; ++k) {
                               const int above = row[k];
                               row[k] = a->host[p * kLong + i] == b->host[p * kShort + k - 1]
                                            ? corner + 1
                                            : std::max(above, row[k - 1]);
                               corner = above;
                             }
                           return row[kShort];
                         },
                         0);
                   }};
  };
}

inline void add_align(Set& set) {
  const std::vector<unsigned> sizes = {1 << 8, 1 << 11, 1 << 14};
  using In = const unsigned char*;
  set.add("align_thread", sizes, align_problem([](In a, In b, int* out, unsigned pairs) {
            align_thread<<<blocks_of(pairs, 64), 64>>>(a, b, out, pairs);
          }));
  set.add("align_warp", sizes, align_problem([](In a, In b, int* out, unsigned pairs) {
            align_warp<<<blocks_of(pairs * 32), kBlock>>>(a, b, out, pairs);
          }));
  set.add("align_shared", sizes, align_problem([](In a, In b, int* out, unsigned pairs) {
            align_shared<<<pairs, kLong>>>(a, b, out, pairs);
          }));
}

}  // namespace timing_set
