// SPDX-License-Identifier: MIT
// The control-flow graph of a function, put in an order in which the split with the lowest program
// counter is the one that lags.
//
// The order is a weak topological one (Bourdoncle 1993): a block comes after everything that leads
// to it, loops stay together with their header first, and what follows a loop comes after the whole
// loop. A post-dominator therefore comes after all it post-dominates: if the lowest program counter
// always runs first, lanes that parted meet again at the latest there.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace emu::exec {

struct BasicBlock {
  std::uint32_t begin = 0, end = 0;        // instruction indices in ptx::Function::code
  std::vector<std::uint32_t> successors;   // block numbers
  std::uint32_t falls_to = ptx::kNoIndex;  // block entered by running off the end
};

struct FlowGraph {
  std::vector<BasicBlock> blocks;       // in text order
  std::vector<std::uint32_t> order;     // block numbers, as they are to be laid out
  std::vector<std::uint32_t> position;  // position[block] in order
  std::vector<std::uint32_t> block_of;  // block of each instruction
  // A loop with several ways back gets a latch, an empty block behind its last one through which
  // all of them lead: there lanes that went different ways wait for each other before the next
  // round.
  std::vector<std::uint32_t> latch;  // by header; kNoIndex: none

  // The block a jump from `from` to the text's block `to` leads to: the latch for a way back.
  std::uint32_t way(std::uint32_t from, std::uint32_t to) const {
    return latch[to] != ptx::kNoIndex && position[to] <= position[from] ? latch[to] : to;
  }
};

FlowGraph analyse(const ptx::Function& function);

// Whether an instruction reads what other threads may change while it is repeated: a loop of such
// reads is a spin loop. True for volatile, relaxed and acquire loads, atomics with a result, mbarrier
// tests and nanosleep.
bool reads_shared_state(const ptx::Instruction& ins);

// For a block that jumps back to an earlier one: whether the loop may be waiting for other threads,
// that is, whether it reads memory they may write.
bool may_spin(const ptx::Function& function, const FlowGraph& graph, std::uint32_t from,
              std::uint32_t to);

}  // namespace emu::exec
