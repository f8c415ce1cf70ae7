// SPDX-License-Identifier: MIT
#include "analysis/control_flow.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace emu::exec {
namespace {

using ptx::Flow;
using ptx::kNoIndex;

bool ends_block(const ptx::Instruction& ins) {
  switch (ptx::info(ins.row).flow) {
    case Flow::Branch:
    case Flow::BranchTable:
    case Flow::Return:
    case Flow::Exit:
      return true;
    case Flow::Trap:
      return ins.guard == kNoIndex;
    default:  // what waits or calls comes back to the next
      return false;
  }
}

const std::vector<std::uint32_t>* table_targets(const ptx::Function& function,
                                                const ptx::Instruction& ins) {
  if (ins.operands.size() < 2) return nullptr;
  const auto found = function.branch_targets.find(ins.operands[1].symbol);
  return found == function.branch_targets.end() ? nullptr : &found->second;
}

// Bourdoncle's algorithm; recursion depth is at most the number of blocks.
class WeakOrder {
 public:
  explicit WeakOrder(const FlowGraph& graph) : graph_(graph), number_(graph.blocks.size(), 0) {}

  // Headers of the loops that need a latch; the n-th latch is block blocks.size() + n of the order.
  const std::vector<std::uint32_t>& latched() const { return latched_; }

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> reversed;
    if (!graph_.blocks.empty()) visit(0, reversed);
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
  }

 private:
  static constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();

  // Appends to `out` in reverse; returns the lowest number reached.
  std::uint32_t visit(std::uint32_t v, std::vector<std::uint32_t>& out) {
    stack_.push_back(v);
    std::uint32_t head = number_[v] = ++count_;
    bool loop = false;
    for (const std::uint32_t s : graph_.blocks[v].successors) {
      const std::uint32_t low = number_[s] == 0 ? visit(s, out) : number_[s];
      if (low <= head) {
        head = low;
        loop = true;
      }
    }
    if (head == number_[v]) {
      number_[v] = kDone;
      std::uint32_t top = stack_.back();
      stack_.pop_back();
      if (loop) {
        while (top != v) {
          number_[top] = 0;
          top = stack_.back();
          stack_.pop_back();
        }
        component(v, out);
      } else {
        out.push_back(v);
      }
    }
    return head;
  }

  void component(std::uint32_t v, std::vector<std::uint32_t>& out) {
    const std::size_t start = out.size();
    for (const std::uint32_t s : graph_.blocks[v].successors) {
      if (number_[s] == 0) visit(s, out);
    }
    out.push_back(v);
    // A way back that does not start at the loop's last block, or starts in an inner loop, would
    // let its lanes run ahead of those behind them.
    bool early = ways(out[start], v) > (looped_.contains(out[start]) ? 0 : 1);
    for (std::size_t i = start + 1; i < out.size(); ++i) early |= ways(out[i], v) > 0;
    looped_.insert(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
    if (!early) return;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(start),
               static_cast<std::uint32_t>(graph_.blocks.size() + latched_.size()));
    latched_.push_back(v);
  }

  std::ptrdiff_t ways(std::uint32_t from, std::uint32_t to) const {
    if (from >= graph_.blocks.size()) return 0;  // a latch of an inner loop
    const auto& next = graph_.blocks[from].successors;
    return std::count(next.begin(), next.end(), to);
  }

  const FlowGraph& graph_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> latched_;
  std::set<std::uint32_t> looped_;  // blocks of finished, that is inner, loops
  std::uint32_t count_ = 0;
};

// Adds the latches as empty blocks and leads the ways back through them.
void add_latches(FlowGraph& graph, const std::vector<std::uint32_t>& headers) {
  const auto count = static_cast<std::uint32_t>(graph.blocks.size());
  for (std::uint32_t n = 0; n < headers.size(); ++n) {
    BasicBlock latch;
    latch.begin = latch.end = graph.blocks[headers[n]].begin;
    latch.successors = {headers[n]};
    latch.falls_to = headers[n];
    graph.blocks.push_back(latch);
    graph.latch[headers[n]] = count + n;
  }
  for (std::uint32_t b = 0; b < count; ++b) {
    BasicBlock& block = graph.blocks[b];
    for (std::uint32_t& s : block.successors) s = graph.way(b, s);
    if (block.falls_to != kNoIndex) block.falls_to = graph.way(b, block.falls_to);
  }
}

std::set<std::uint32_t> block_starts(const ptx::Function& function) {
  std::set<std::uint32_t> starts{0};
  const auto size = static_cast<std::uint32_t>(function.code.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto& ins = function.code[i];
    if (!ends_block(ins)) continue;
    if (i + 1 < size) starts.insert(i + 1);
    if (ptx::info(ins.row).flow == Flow::Branch && !ins.operands.empty())
      starts.insert(ins.operands[0].label);
    if (ptx::info(ins.row).flow == Flow::BranchTable) {
      if (const auto* targets = table_targets(function, ins)) {
        starts.insert(targets->begin(), targets->end());
      }
    }
  }
  // A label behind the last instruction names the end of the function, not a block.
  starts.erase(starts.lower_bound(size), starts.end());
  return starts;
}

}  // namespace

FlowGraph analyse(const ptx::Function& function) {
  FlowGraph graph;
  const auto size = static_cast<std::uint32_t>(function.code.size());
  if (size == 0) return graph;
  graph.block_of.resize(size);
  const auto starts = block_starts(function);
  for (auto it = starts.begin(); it != starts.end(); ++it) {
    BasicBlock block;
    block.begin = *it;
    block.end = std::next(it) == starts.end() ? size : *std::next(it);
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      graph.block_of[i] = static_cast<std::uint32_t>(graph.blocks.size());
    }
    graph.blocks.push_back(block);
  }
  const auto count = static_cast<std::uint32_t>(graph.blocks.size());
  for (std::uint32_t b = 0; b < count; ++b) {
    BasicBlock& block = graph.blocks[b];
    const auto& last = function.code[block.end - 1];
    const bool always_leaves = ends_block(last) && last.guard == kNoIndex;
    // The taken side first: what is visited last is laid out first, and that is the code that
    // follows in the text.
    if (ptx::info(last.row).flow == Flow::Branch && last.operands[0].label < size) {
      block.successors.push_back(graph.block_of[last.operands[0].label]);
    } else if (ptx::info(last.row).flow == Flow::BranchTable) {
      if (const auto* targets = table_targets(function, last)) {
        for (auto it = targets->rbegin(); it != targets->rend(); ++it) {
          if (*it < size) block.successors.push_back(graph.block_of[*it]);
        }
      }
    }
    if (!always_leaves && b + 1 < count) {
      block.falls_to = b + 1;
      block.successors.push_back(b + 1);
    }
  }
  // Far beyond anything a compiler emits, the text's own order will do.
  constexpr std::uint32_t kMostBlocks = 10000;
  WeakOrder weak(graph);
  if (count <= kMostBlocks) graph.order = weak.run();
  graph.latch.assign(count, kNoIndex);
  graph.position.assign(count + weak.latched().size(), kNoIndex);
  for (std::uint32_t i = 0; i < graph.order.size(); ++i) graph.position[graph.order[i]] = i;
  add_latches(graph, weak.latched());
  for (std::uint32_t b = 0; count > kMostBlocks && b < count; ++b) {
    graph.position[b] = b;
    graph.order.push_back(b);
  }
  return graph;  // blocks nothing leads to are in neither: they are not laid out
}

bool reads_shared_state(const ptx::Instruction& ins) {
  const ptx::RowInfo& row = ptx::info(ins.row);
  switch (row.others) {
    case ptx::Others::Load:
      return ins.has("volatile") || ins.has("relaxed") || ins.has("acquire") || ins.has("mmio") ||
             ins.has("cv");
    case ptx::Others::Atomic:
      return row.result != ptx::Result::None;
    case ptx::Others::Wait:
    case ptx::Others::Sleep:
      return true;
    default:  // it reads nothing, or nothing that others change
      return false;
  }
}

bool may_spin(const ptx::Function& function, const FlowGraph& graph, std::uint32_t from,
              std::uint32_t to) {
  for (std::uint32_t at = graph.position[to]; at <= graph.position[from]; ++at) {
    const BasicBlock& block = graph.blocks[graph.order[at]];
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      if (reads_shared_state(function.code[i])) return true;
    }
  }
  return false;
}

}  // namespace emu::exec
