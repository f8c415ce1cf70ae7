// SPDX-License-Identifier: MIT
// Liveness by iteration over the blocks, backwards, until nothing changes.
#include "analysis/liveness.hpp"

namespace emu::exec {

Bits Liveness::out(const FlowGraph& graph, std::uint32_t block) const {
  Bits alive(in[block].size());
  for (const std::uint32_t s : graph.blocks[block].successors) {
    for (std::size_t w = 0; w < alive.size(); ++w) alive[w] |= in[s][w];
  }
  return alive;
}

std::optional<Liveness> find_liveness(const ptx::Function& function, const FlowGraph& graph) {
  const std::size_t words = (function.registers.size() + 63) / 64, blocks = graph.blocks.size();
  constexpr std::size_t kMostWords = std::size_t{1} << 22;  // 32 MB for each of the sets below
  if (blocks * words > kMostWords) return std::nullopt;
  std::vector<Bits> gen(blocks, Bits(words)), kill(blocks, Bits(words));
  Liveness found{gen};
  for (const std::uint32_t b : graph.order) {
    for (std::uint32_t i = graph.blocks[b].end; i-- > graph.blocks[b].begin;) {
      visit(
          function.code[i], [](std::uint32_t) {},
          [&](std::uint32_t r) {
            clear(gen[b], r);
            set(kill[b], r);
          });
      visit(
          function.code[i], [&](std::uint32_t r) { set(gen[b], r); }, [](std::uint32_t) {});
    }
    found.in[b] = gen[b];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = graph.order.rbegin(); it != graph.order.rend(); ++it) {
      const Bits out = found.out(graph, *it);
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t next = gen[*it][w] | (out[w] & ~kill[*it][w]);
        changed |= next != found.in[*it][w];
        found.in[*it][w] = next;
      }
    }
  }
  return found;
}

}  // namespace emu::exec
