// SPDX-License-Identifier: MIT
// Sums of segments of unlike length: by a thread each, by eight lanes each, and by element with sums within each warp.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void segments_by_thread(const unsigned* begin, const float* in, float* out,
                                   unsigned segments) {
  const unsigned s = thread_number();
  if (s >= segments) return;
  float sum = 0;
  for (unsigned k = begin[s]; k < begin[s + 1]; ++k) sum += in[k];
  out[s] = sum;
}
__global__ void segments_by_eight(const unsigned* begin, const float* in, float* out,
                                  unsigned segments) {
  const unsigned s = thread_number() / 8, lane = threadIdx.x % 8;
  if (s >= segments) return;
  float sum = 0;
  for (unsigned k = begin[s] + lane; k < begin[s + 1]; k += 8) sum += in[k];
  for (unsigned d = 4; d > 0; d /= 2) sum += __shfl_down_sync(kAll, sum, d, 8);
  if (lane == 0) out[s] = sum;
}
// `of`: the segment of each element. The last lane of each run in a warp has its sum.
__global__ void segments_by_element(const unsigned* of, const float* in, float* out, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const unsigned own = i < n ? of[i] : 0xffffffffu;
  float sum = i < n ? in[i] : 0;
  for (unsigned d = 1; d < 32; d *= 2) {
    const float other = __shfl_up_sync(kAll, sum, d);
    const unsigned segment = __shfl_up_sync(kAll, own, d);
    if (lane >= d && segment == own) sum += other;
  }
  const unsigned next = __shfl_down_sync(kAll, own, 1);
  if (i < n && (lane == 31 || next != own)) atomicAdd(&out[own], sum);
}

template <bool ByElement, class Launch>
std::function<Problem(unsigned)> segments_problem(Launch launch) {
  return [=](unsigned segments) {
    std::vector<unsigned> begin(1, 0), of;
    for (unsigned s = 0; s < segments; ++s) {
      const unsigned r = mixed(s), length = r % 10 ? 1 + r % 24 : 40 + r / 16 % 90;
      begin.push_back(begin.back() + length);
      of.insert(of.end(), length, s);
    }
    const unsigned n = begin.back();
    auto index = array(ByElement ? of : begin);
    auto in = uniform(n, 1), out = room<float>(segments);
    return Problem{
        [=] { launch(index->data(), in->data(), out->data(), ByElement ? n : segments); },
        [=] {
          return agrees(out, [&](unsigned s) {
            double sum = 0;
            for (unsigned k = begin[s]; k < begin[s + 1]; ++k) sum += in->host[k];
            return sum;
          });
        },
        [=] { clear(out); }};
  };
}

inline void add_segments(Set& set) {
  const std::vector<unsigned> sizes = {1 << 11, 1 << 15, 1 << 18};
  using Index = const unsigned*;
  using In = const float*;
  set.add("segments_by_thread", sizes,
          segments_problem<false>([](Index begin, In in, float* out, unsigned n) {
            segments_by_thread<<<blocks_of(n), kBlock>>>(begin, in, out, n);
          }));
  set.add("segments_by_eight", sizes,
          segments_problem<false>([](Index begin, In in, float* out, unsigned n) {
            segments_by_eight<<<blocks_of(n * 8), kBlock>>>(begin, in, out, n);
          }));
  set.add("segments_by_element", sizes,
          segments_problem<true>([](Index of, In in, float* out, unsigned n) {
            segments_by_element<<<blocks_of(n), kBlock>>>(of, in, out, n);
          }));
}

}  // namespace timing_set
