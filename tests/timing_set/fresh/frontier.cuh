// SPDX-License-Identifier: MIT
// A graph's next vertices: a list of vertices puts its neighbours on a list, by a thread or a warp each; or those that were
// not seen look for a neighbour that was.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

struct Links {
  const unsigned *begin, *to;
};
__device__ inline void visit(unsigned v, unsigned* seen, unsigned* list) {
  if (seen[v] == 0 && atomicExch(&seen[v], 1u) == 0) list[1 + atomicAdd(list, 1u)] = v;
}
__global__ void frontier_by_thread(Links links, const unsigned* from, unsigned count,
                                   unsigned* seen, unsigned* list) {
  const unsigned i = thread_number();
  if (i >= count) return;
  const unsigned v = from[i];
  for (unsigned e = links.begin[v]; e < links.begin[v + 1]; ++e) visit(links.to[e], seen, list);
}
__global__ void frontier_by_warp(Links links, const unsigned* from, unsigned count, unsigned* seen,
                                 unsigned* list) {
  const unsigned i = thread_number() / 32;
  if (i >= count) return;
  const unsigned v = from[i];
  for (unsigned e = links.begin[v] + threadIdx.x % 32; e < links.begin[v + 1]; e += 32)
    visit(links.to[e], seen, list);
}
// The links of a vertex lead both ways here, as far as the kernel is concerned.
__global__ void frontier_pulled(Links links, const unsigned* seen, unsigned* found,
                                unsigned vertices) {
  const unsigned v = thread_number();
  if (v >= vertices) return;
  unsigned got = 0;
  if (seen[v] == 0)
    for (unsigned e = links.begin[v]; e < links.begin[v + 1] && !got; ++e) got = seen[links.to[e]];
  found[v] = got;
}

struct Network {
  Shared<unsigned> begin, to;
  Links links() const { return {begin->data(), to->data()}; }
};
inline Network network_of(unsigned vertices) {
  std::vector<unsigned> begin(1, 0), to;
  for (unsigned v = 0; v < vertices; ++v) {
    const unsigned r = mixed(v + 3), count = r % 32 == 0 ? 100 : 1 + r % 13;
    for (unsigned e = 0; e < count; ++e) {
      const unsigned s = mixed(v * 257 + e);
      to.push_back(s % 2 ? (v + s / 2 % 64) % vertices : s / 2 % vertices);  // many are near
    }
    begin.push_back(static_cast<unsigned>(to.size()));
  }
  return {array(begin), array(to)};
}
inline bool was_seen(unsigned v) { return mixed(v + 17) % 8 == 0; }
template <unsigned Threads, class Function>
std::function<Problem(unsigned)> push_problem(Function kernel) {
  return [=](unsigned vertices) {
    const Network net = network_of(vertices);
    auto seen = array<unsigned>(vertices, was_seen);
    std::vector<unsigned> start, wanted = {0};
    for (unsigned v = 0; v < vertices; ++v)
      if (was_seen(v)) start.push_back(v);
    std::vector<unsigned> after = seen->host;
    for (const unsigned v : start)
      for (unsigned e = net.begin->host[v]; e < net.begin->host[v + 1]; ++e)
        if (unsigned& at = after[net.to->host[e]]; at == 0)
          at = 1, wanted.push_back(net.to->host[e]);
    wanted[0] = static_cast<unsigned>(wanted.size() - 1);
    auto from = array(start);
    auto list = room<unsigned>(vertices + 1);
    const auto count = static_cast<unsigned>(start.size());
    return Problem{[=] {
                     kernel<<<blocks_of(std::size_t{count} * Threads), kBlock>>>(
                         net.links(), from->data(), count, seen->data(), list->data());
                   },
                   [=] {
                     std::vector<unsigned> got = list->device.download(), all = wanted;
                     if (got[0] != all[0]) return false;
                     got.resize(all.size());
                     std::sort(got.begin() + 1, got.end());
                     std::sort(all.begin() + 1, all.end());
                     return got == all;
                   },
                   [=] {
                     seen->restore();
                     COURSE_CHECK(cudaMemset(list->data(), 0, sizeof(unsigned)));
                   }};
  };
}
inline Problem pull_problem(unsigned vertices) {
  const Network net = network_of(vertices);
  auto seen = array<unsigned>(vertices, was_seen);
  auto found = room<unsigned>(vertices);
  return {[=] {
            frontier_pulled<<<blocks_of(vertices), kBlock>>>(net.links(), seen->data(),
                                                             found->data(), vertices);
          },
          [=] {
            return agrees(
                found,
                [=](unsigned v) {
                  bool got = false;
                  for (unsigned e = net.begin->host[v]; e < net.begin->host[v + 1]; ++e)
                    got |= was_seen(net.to->host[e]);
                  return got && !was_seen(v);
                },
                0);
          }};
}

inline void add_frontier(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 19};
  set.add("frontier_by_thread", sizes, push_problem<1>(frontier_by_thread));
  set.add("frontier_by_warp", sizes, push_problem<32>(frontier_by_warp));
  set.add("frontier_pulled", sizes, pull_problem);
}

}  // namespace timing_set
