// SPDX-License-Identifier: MIT
// Each of several GPUs has n numbers; number i of the result is the sum of their numbers i. Two families share the
// task: one wants the result on the first GPU, the other on all of them (an all-reduce).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "common/program/family.cuh"
#include "common/several_gpus/ranks.hpp"

namespace course {

inline constexpr int kMostBlocks = 1024;  // of a rank that waits for others

// Words by which ranks tell each other how far they are, in the memory of the rank that waits for them. Each is
// written by one rank only, and never goes back: a launch uses numbers that none before it has used.
struct Signals {
  unsigned arrived[kMostBlocks][kMostRanks];       // block b of rank r has come to this meeting
  unsigned ring[kMostBlocks];                      // what the rank before has sent
  unsigned up[kMostBlocks][2], down[kMostBlocks];  // in a tree: from both children, from the parent
};

// Pointers are memory of the rank they are indexed by; pinned memory where it says host.
struct AllReduce {
  const Ranks* ranks = nullptr;
  std::size_t n = 0;  // numbers of each rank
  const float* in[kMostRanks] = {};
  float* out[kMostRanks] = {};
  float* scratch[kMostRanks] = {};     // room for 2 n numbers
  Signals* signals[kMostRanks] = {};   // all zero at first
  unsigned* gave_up[kMostRanks] = {};  // 1 + the rank that it waited for in vain; 0: it did not
  float* host = nullptr;               // room for n numbers of each rank
  unsigned* numbers = nullptr;         // on the host: the next number that no launch has used
  unsigned patience = 0;               // how often a thread looks at most before it gives up
  int block = 256;
  int blocks = 1;  // of each rank's kernel, as many on all
};

std::span<const Choice> all_reduce_choices();  // --ranks
std::unique_ptr<families::ProblemOf<AllReduce>> make_sum_of_ranks(const families::Setup& setup);
std::unique_ptr<families::ProblemOf<AllReduce>> make_all_reduce(const families::Setup& setup);

// Adds `ranks` arrays of n numbers that lie behind each other into the first.
void add_arrays(float* arrays, std::size_t n, int ranks);

}  // namespace course
