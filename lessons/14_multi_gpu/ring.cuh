// SPDX-License-Identifier: MIT
// All-reduce in a ring: every rank talks to the next one only.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

namespace lesson14 {

// Changed: all GPUs add at once. The numbers are cut into as many parts as there are ranks. Each part goes round the ring
//          twice: first it gathers everybody's numbers, then the finished part is handed on to all.
// Why:     every link carries something in every step, and a rank sends 2 (count - 1) / count of its numbers in all,
//          however many ranks there are: as long as GPUs add, no way needs less (README.md).
// Cost:    2 (count - 1) steps, each of which waits for a word from the rank before.
template <class How = SystemScope>
__global__ void __launch_bounds__(kMostThreads, 1) ring(Team team) {
  const Span all = span_of_block(team.n);
  const int count = team.count;
  const auto part = [&](int step) {
    return part_of(all, (team.rank + 2 * count - step) % count, count);
  };
  const float* const mine = team.in[team.rank];
  float* const out = team.out[team.rank];
  if (count == 1) return copy(all, out, mine);  // nobody to send to
  float* const got = team.scratch[team.rank];
  float* const send = team.scratch[team.next()];
  float* const hand_on = team.out[team.next()];
  unsigned& heard = team.signals[team.rank]->ring[blockIdx.x];
  unsigned& told = team.signals[team.next()]->ring[blockIdx.x];
  unsigned number = team.number;

  // Gather: the part of step 0 starts here; what comes in step k was started k ranks before.
  for (int step = 0; step < count - 1; ++step) {
    if (step > 0 && !block_waits<How>(heard, number, team, team.before())) return;
    if (step == 0)
      copy(part(step), send, mine);
    else
      add(part(step), send, mine, got);
    block_raises<How>(told, ++number);
  }
  // The part that has been everywhere but here.
  if (!block_waits<How>(heard, number, team, team.before())) return;
  add(part(count - 1), out, mine, got);
  // Hand on: the finished part, then each that comes.
  for (int step = count - 1; step < 2 * count - 2; ++step) {
    if (step >= count && !block_waits<How>(heard, number, team, team.before())) return;
    copy(part(step), hand_on, out);
    block_raises<How>(told, ++number);
  }
  // The last part is written by the rank before; the launch must not end without it.
  block_waits<How>(heard, number, team, team.before());
}

}  // namespace lesson14
