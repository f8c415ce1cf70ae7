// SPDX-License-Identifier: MIT
#include "exec/control_flow.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "exec/access.hpp"

namespace emu::exec {
namespace {

using ptx::kNoIndex;
using ptx::Row;

bool ends_block(const ptx::Instruction& ins) {
  switch (ins.row) {
    case Row::bra:
    case Row::brx:
    case Row::ret:
    case Row::exit:
      return true;
    case Row::trap:
      return ins.guard == kNoIndex;
    default:
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
    for (const std::uint32_t s : graph_.blocks[v].successors) {
      if (number_[s] == 0) visit(s, out);
    }
    out.push_back(v);
  }

  const FlowGraph& graph_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> stack_;
  std::uint32_t count_ = 0;
};

std::set<std::uint32_t> block_starts(const ptx::Function& function) {
  std::set<std::uint32_t> starts{0};
  const auto size = static_cast<std::uint32_t>(function.code.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto& ins = function.code[i];
    if (!ends_block(ins)) continue;
    if (i + 1 < size) starts.insert(i + 1);
    if (ins.row == Row::bra && !ins.operands.empty()) starts.insert(ins.operands[0].label);
    if (ins.row == Row::brx) {
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
    // The taken side first: what is visited last is laid out first, and that is the code that follows in the text.
    if (last.row == Row::bra && last.operands[0].label < size) {
      block.successors.push_back(graph.block_of[last.operands[0].label]);
    } else if (last.row == Row::brx) {
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
  constexpr std::uint32_t kMostBlocks = 20000;
  if (count <= kMostBlocks) graph.order = WeakOrder(graph).run();
  graph.position.assign(count, kNoIndex);
  for (std::uint32_t i = 0; i < graph.order.size(); ++i) graph.position[graph.order[i]] = i;
  for (std::uint32_t b = 0; count > kMostBlocks && b < count; ++b) {
    graph.position[b] = b;
    graph.order.push_back(b);
  }
  return graph;  // blocks nothing leads to are in neither: they are not laid out
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
