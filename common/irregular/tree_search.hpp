// SPDX-License-Identifier: MIT
// A forest whose trees nobody knows before walking through them: how many children a node has is found out by
// hashing it, as in the benchmark UTS (unbalanced tree search). Every node is a task; all are counted.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/program/family.cuh"

namespace course {

// What decides a tree. On average a node has less than one child, so every tree ends.
struct TreeRule {
  std::uint32_t chance = 0;  // of 2^32: that a node has children at all
  std::uint32_t kids = 8;    // so many then; up to kMostKids
  std::uint32_t rounds = 8;  // of the hash: the work of a task
};
inline constexpr std::uint32_t kMostKids = 8;

// The core of the cipher ChaCha: 12 operations for each of 4 columns in a round, and no memory. 20 rounds
// are about as much work as the SHA-1 that UTS computes for each node.
__host__ __device__ inline void chacha_quarter(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c,
                                               std::uint32_t& d) {
  const auto turned = [](std::uint32_t x, int k) { return x << k | x >> (32 - k); };
  a += b, d = turned(d ^ a, 16);
  c += d, b = turned(b ^ c, 12);
  a += b, d = turned(d ^ a, 8);
  c += d, b = turned(b ^ c, 7);
}
__host__ __device__ inline std::uint64_t tree_hash(std::uint64_t id, std::uint32_t rounds) {
  std::uint32_t x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8};
  x[12] = x[14] = static_cast<std::uint32_t>(id);
  x[13] = x[15] = static_cast<std::uint32_t>(id >> 32);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (std::uint32_t r = 0; r < rounds; r += 2) {
    chacha_quarter(x[0], x[4], x[8], x[12]);
    chacha_quarter(x[1], x[5], x[9], x[13]);
    chacha_quarter(x[2], x[6], x[10], x[14]);
    chacha_quarter(x[3], x[7], x[11], x[15]);
    chacha_quarter(x[0], x[5], x[10], x[15]);
    chacha_quarter(x[1], x[6], x[11], x[12]);
    chacha_quarter(x[2], x[7], x[8], x[13]);
    chacha_quarter(x[3], x[4], x[9], x[14]);
  }
  return std::uint64_t{x[0] + x[7] + x[10] + x[13]} << 32 | (x[1] + x[4] + x[11] + x[14]);
}

// Of a node that has been hashed: how many children, and what they are called.
__host__ __device__ inline std::uint32_t tree_kids(std::uint64_t hash, const TreeRule& rule) {
  return static_cast<std::uint32_t>(hash) < rule.chance ? rule.kids : 0;
}
__host__ __device__ inline std::uint64_t tree_child(std::uint64_t hash, std::uint32_t i) {
  return hash + (i + 1) * 0x9e3779b97f4a7c15ull;
}

// What is asked: how many nodes there are, and the sum of their hashes modulo 2^64. A node that is left out
// or taken twice changes both; one instead of another changes the sum.
struct TreeTotals {
  unsigned long long count = 0, sum = 0;
};

// Pointers are device memory.
struct TreeSearch {
  const std::uint64_t* roots = nullptr;
  std::size_t root_count = 0;
  TreeRule rule;
  // Every node, in any order: what nobody has before the search. Only for comparison.
  const std::uint64_t* nodes = nullptr;
  std::size_t node_count = 0;
  TreeTotals* totals = nullptr;
  // Room for lists and queues, aligned to 256 bytes: 48 for each node, and kTreeRoom.
  std::byte* memory = nullptr;
  std::size_t memory_bytes = 0;
  const void** owner = nullptr;  // who left the memory as it is; null: nobody who lives
  int block = 256;
  const Device* device = nullptr;
};
inline constexpr std::size_t kTreeRoom = std::size_t{1} << 20;

// --tree, --rounds.
std::span<const Choice> tree_choices();
std::unique_ptr<families::ProblemOf<TreeSearch>> make_tree(const families::Setup& setup);

// The trees of --tree.
TreeRule tree_rule(const std::string& name, std::uint32_t rounds);
// Roots with n / 4 nodes below them, or somewhat more: a task has 8 bytes, and is written once and read once, so
// about n words of 32 bits move. Most trees are tiny and few are huge; one that would be far too large is passed over.
std::vector<std::uint64_t> tree_roots(const TreeRule& rule, std::size_t n, std::uint64_t seed);
// Nodes of one tree; some number above `limit` if it has more.
std::uint64_t tree_size(std::uint64_t root, const TreeRule& rule, std::uint64_t limit);

// The CPU's answer. Where `nodes` is given, every node is written down.
TreeTotals cpu_tree(std::span<const std::uint64_t> roots, const TreeRule& rule, unsigned threads,
                    std::vector<std::uint64_t>* nodes = nullptr);

}  // namespace course
