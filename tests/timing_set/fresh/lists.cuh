// SPDX-License-Identifier: MIT
// Pointers followed by many threads: a step of pointer jumping, walks along a list, and searches in a tree that is laid
// out level by level.
#pragma once
#include <algorithm>
#include <numeric>

#include "../set.cuh"

namespace timing_set {

__global__ void list_jump(const uint2* in, uint2* out, unsigned n) {  // next, distance
  const unsigned i = thread_number();
  if (i >= n) return;
  const uint2 own = in[i], next = in[own.x];
  out[i] = {next.x, own.y + next.y};
}
constexpr unsigned kSteps = 24;
__global__ void list_walk(const unsigned* next, unsigned* out, unsigned n) {
  unsigned at = thread_number();
  if (at >= n) return;
  for (unsigned k = 0; k < kSteps; ++k) at = next[at];
  out[thread_number()] = at;
}
// Node k has the nodes 2k and 2k + 1 below it; node 0 is not used.
__global__ void tree_search(const unsigned* tree, unsigned* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned key = mixed(i) % n;
  unsigned node = 1;
  while (node < n) node = 2 * node + (tree[node] <= key);
  out[i] = node;
}

// Every element's successor, in one circle.
inline std::vector<unsigned> circle(unsigned n) {
  std::vector<unsigned> order(n), next(n);
  std::iota(order.begin(), order.end(), 0u);
  for (unsigned i = n - 1; i > 0; --i) std::swap(order[i], order[mixed(i) % (i + 1)]);
  for (unsigned i = 0; i < n; ++i) next[order[i]] = order[(i + 1) % n];
  return next;
}
inline Problem jump_problem(unsigned n) {
  const std::vector<unsigned> next = circle(n);
  std::vector<uint2> pairs(n);
  for (unsigned i = 0; i < n; ++i) pairs[i] = {next[i], 1 + i % 3};
  auto in = array(pairs), out = room<uint2>(n);
  return {[=] { list_jump<<<blocks_of(n, 128), 128>>>(in->data(), out->data(), n); },
          [=] {
            const std::vector<uint2> got = out->device.download();
            for (unsigned i = 0; i < n; ++i) {
              const uint2 own = in->host[i], other = in->host[own.x];
              if (got[i].x != other.x || got[i].y != own.y + other.y) return false;
            }
            return true;
          }};
}
inline Problem walk_problem(unsigned n) {
  auto next = array(circle(n)), out = room<unsigned>(n);
  return {[=] { list_walk<<<blocks_of(n, 128), 128>>>(next->data(), out->data(), n); },
          [=] {
            return agrees(
                out,
                [=](unsigned at) {
                  for (unsigned k = 0; k < kSteps; ++k) at = next->host[at];
                  return at;
                },
                0);
          }};
}
inline Problem tree_problem(unsigned n) {
  std::vector<unsigned> tree(n);
  for (unsigned node = 1; node < n; ++node) {  // the middle of what the node is for, of n values
    const unsigned level = std::bit_width(node) - 1, width = n >> level;
    tree[node] = (node - (1u << level)) * width + width / 2;
  }
  auto on = array(tree);
  auto out = room<unsigned>(n);
  return {[=] { tree_search<<<blocks_of(n, 128), 128>>>(on->data(), out->data(), n); },
          [=] {
            return agrees(
                out, [=](unsigned i) { return n + mixed(i) % n; }, 0);
          }};
}

inline void add_lists(Set& set) {
  const std::vector<unsigned> sizes = {1 << 13, 1 << 17, 1 << 21};
  set.add("list_jump", sizes, jump_problem);
  set.add("list_walk", sizes, walk_problem);
  set.add("tree_search", sizes, tree_problem);
}

}  // namespace timing_set
