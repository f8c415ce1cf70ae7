// SPDX-License-Identifier: MIT
// All-reduce where everybody reads everybody's memory.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

namespace lesson14 {

__device__ inline void add_up_all(const Team& team, Span span, float* out) {
  add_up(
      span, team.count, [&](int r) { return team.in[r]; },
      [=](std::size_t i, float sum) { out[i] = sum; });
}

// Changed: a rank adds its own part of the numbers, reading it from all others (reduce-scatter); then it reads the other
//          parts where they are finished (all-gather).
// Why:     three meetings instead of 2 (count - 1) steps; as many bytes as in the ring.
// Cost:    every rank needs access to every other, and all links are busy at once: a switch, not a ring of cables.
template <class How = SystemScope>
__global__ void __launch_bounds__(kMostThreads, 1) two_step(Team team) {
  const Span all = span_of_block(team.n);
  float* const out = team.out[team.rank];
  if (!meet<How>(team, team.number)) return;  // nobody's numbers are still being made
  add_up_all(team, part_of(all, team.rank, team.count), out);
  if (!meet<How>(team, team.number + 1)) return;  // all parts are finished
  for (int k = 1; k < team.count; ++k) {
    const int r = (team.rank + k) % team.count;  // each begins with another one
    copy(part_of(all, r, team.count), out, team.out[r]);
  }
  meet<How>(team, team.number + 2);  // nobody reads any more: what comes next may overwrite it
}

// Changed: every rank adds all numbers itself.
// Why:     one step: for a few numbers the waiting is all that counts.
// Cost:    each rank reads count - 1 times n numbers over the links, count / 2 times as many as in two steps: no more with
//          two ranks, four times as many with eight.
template <class How = SystemScope>
__global__ void __launch_bounds__(kMostThreads, 1) one_shot(Team team) {
  if (!meet<How>(team, team.number)) return;
  add_up_all(team, span_of_block(team.n), team.out[team.rank]);
  meet<How>(team, team.number + 1);  // nobody reads our numbers any more
}

}  // namespace lesson14
