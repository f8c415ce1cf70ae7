// SPDX-License-Identifier: MIT
#include "analysis/spin_exits.hpp"

#include <algorithm>

#include "analysis/liveness.hpp"

namespace emu::exec {
namespace {

// Places in the order, from its header to the last block that leads back there.
struct Loop {
  std::uint32_t first, last;
};

std::vector<Loop> find_loops(const FlowGraph& graph) {
  std::vector<Loop> loops;
  for (std::uint32_t at = 0; at < graph.order.size(); ++at)
    for (const std::uint32_t to : graph.blocks[graph.order[at]].successors)
      if (graph.position[to] <= at) loops.push_back({graph.position[to], at});
  return loops;
}

template <class Each>
void each_instruction(const ptx::Function& function, const FlowGraph& graph, Loop loop, Each each) {
  for (std::uint32_t at = loop.first; at <= loop.last; ++at) {
    const BasicBlock& block = graph.blocks[graph.order[at]];
    for (std::uint32_t i = block.begin; i < block.end; ++i) each(function.code[i]);
  }
}

// Registers that follow, within a loop, from what such instructions there gave.
template <class Reads>
Bits following(const ptx::Function& function, const FlowGraph& graph, Loop loop, Reads reads) {
  Bits found((function.registers.size() + 63) / 64);
  const auto ignore = [](std::uint32_t) {};
  for (bool changed = true; changed;) {
    const Bits before = found;
    each_instruction(function, graph, loop, [&](const ptx::Instruction& ins) {
      bool follows = reads(ins);
      visit(
          ins, [&](std::uint32_t reg) { follows |= test(found, reg); }, ignore);
      if (follows) visit(ins, ignore, [&](std::uint32_t reg) { set(found, reg); });
    });
    changed = found != before;
  }
  return found;
}

bool reads_memory(const ptx::Instruction& ins) {
  const ptx::Others others = ptx::info(ins.row).others;
  return others == ptx::Others::Load || others == ptx::Others::Atomic;
}

struct Exit {
  std::uint32_t block, guard;
  Leaving who;
};

std::vector<Exit> find_exits(const ptx::Function& function, const FlowGraph& graph, Loop loop) {
  const auto inside = [&](std::uint32_t block) {
    return graph.position[block] >= loop.first && graph.position[block] <= loop.last;
  };
  std::vector<Exit> exits;
  for (std::uint32_t at = loop.first; at <= loop.last; ++at) {
    const std::uint32_t b = graph.order[at];
    const BasicBlock& block = graph.blocks[b];
    if (block.begin == block.end || block.falls_to == ptx::kNoIndex) continue;
    const ptx::Instruction& last = function.code[block.end - 1];
    if (ptx::info(last.row).flow != ptx::Flow::Branch || last.guard == ptx::kNoIndex) continue;
    if (std::all_of(block.successors.begin(), block.successors.end(), inside)) continue;
    exits.push_back({b, last.guard, inside(block.falls_to) ? Leaving::Taken : Leaving::Others});
  }
  return exits;
}

}  // namespace

SpinExits find_spin_exits(const ptx::Function& function, const FlowGraph& graph) {
  SpinExits found{std::vector<Leaving>(graph.blocks.size(), Leaving::Nobody),
                  std::vector<bool>(graph.blocks.size())};
  for (const Loop loop : find_loops(graph)) {
    bool asks = false;
    each_instruction(function, graph, loop,
                     [&](const ptx::Instruction& ins) { asks |= reads_shared_state(ins); });
    if (!asks) continue;
    const auto exits = find_exits(function, graph, loop);
    const Bits read = following(function, graph, loop, reads_memory);
    if (!std::all_of(exits.begin(), exits.end(),
                     [&](const Exit& e) { return test(read, e.guard); }))
      continue;  // it ends by itself
    const Bits decided = following(function, graph, loop, reads_shared_state);
    for (const Exit& exit : exits) {
      if (!test(decided, exit.guard)) continue;
      found.leaving[exit.block] = exit.who;
      found.heads[graph.order[loop.first]] = true;
    }
  }
  return found;
}

}  // namespace emu::exec
