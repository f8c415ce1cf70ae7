// SPDX-License-Identifier: MIT
// A step of page rank: pages take from those that link to them, by a thread or by eight threads each, or every link gives by
// an atomic.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kDamping = 0.85f;
struct Web {
  const unsigned *begin, *from, *to;  // links by the page that they lead to
  const float* share;                 // what a page gives along each of its links
};
__global__ void ranks_taken(Web web, float* next, unsigned pages, unsigned) {
  const unsigned p = thread_number();
  if (p >= pages) return;
  float sum = 0;
  for (unsigned e = web.begin[p]; e < web.begin[p + 1]; ++e) sum += web.share[web.from[e]];
  next[p] += kDamping * sum;
}
__global__ void ranks_taken_by_eight(Web web, float* next, unsigned pages, unsigned) {
  const unsigned p = thread_number() / 8;
  float sum = 0;
  if (p < pages)
    for (unsigned e = web.begin[p] + threadIdx.x % 8; e < web.begin[p + 1]; e += 8)
      sum += web.share[web.from[e]];
  for (int d = 4; d > 0; d /= 2) sum += __shfl_xor_sync(kAll, sum, d);
  if (p < pages && threadIdx.x % 8 == 0) next[p] += kDamping * sum;
}
__global__ void ranks_given(Web web, float* next, unsigned, unsigned links) {
  const unsigned e = thread_number();
  if (e < links) atomicAdd(&next[web.to[e]], kDamping * web.share[web.from[e]]);
}

// Threads: of each page, 0: one of each link.
template <unsigned Threads, class Function>
std::function<Problem(unsigned)> ranks_problem(Function kernel) {
  return [=](unsigned pages) {
    std::vector<unsigned> begins(1, 0), from, to, out(pages, 1);
    for (unsigned p = 0; p < pages; ++p) {
      const unsigned r = mixed(p + 5), count = r % 64 == 0 ? 150 : 2 + r % 11;
      for (unsigned e = 0; e < count; ++e) {
        const unsigned s = mixed(p * 151 + e) % pages;
        from.push_back(mixed(s) % 8 == 0 ? s / 16 : s);  // some give much
        to.push_back(p);
        ++out[from.back()];
      }
      begins.push_back(static_cast<unsigned>(from.size()));
    }
    auto share = array<float>(pages, [&](unsigned p) { return 1.0 / out[p]; });
    auto begin = array(std::move(begins)), of = array(std::move(from)), into = array(std::move(to));
    auto next = array<float>(pages, [](unsigned) { return 1 - kDamping; });
    const unsigned links = of->size(), block = Threads == 1 ? 128 : 256;
    return Problem{[=] {
                     kernel<<<blocks_of(Threads ? pages * Threads : links, block), block>>>(
                         Web{begin->data(), of->data(), into->data(), share->data()}, next->data(),
                         pages, links);
                   },
                   [=] {
                     return agrees(next, [=](unsigned p) {
                       double sum = 0;
                       for (unsigned e = begin->host[p]; e < begin->host[p + 1]; ++e)
                         sum += share->host[of->host[e]];
                       return 1 - kDamping + kDamping * sum;
                     });
                   },
                   [=] { next->restore(); }};
  };
}

inline void add_ranks(Set& set) {
  const std::vector<unsigned> sizes = {2000, 20000, 400000};
  set.add("ranks_taken", sizes, ranks_problem<1>(ranks_taken));
  set.add("ranks_taken_by_eight", sizes, ranks_problem<8>(ranks_taken_by_eight));
  set.add("ranks_given", sizes, ranks_problem<0>(ranks_given));
}

}  // namespace timing_set
