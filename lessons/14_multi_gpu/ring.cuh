// SPDX-License-Identifier: MIT
// All-reduce in a ring: every rank talks to the next one only.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

namespace lesson14 {

// Changed: all GPUs add at once. The numbers are cut into as many parts as there are ranks. Each part goes round the ring
//          twice: first it gathers everybody's numbers, then the finished part is handed on to all.
// Why:     every link carries something in every step, and a rank sends 2 (count - 1) / count of its numbers in all,
//          however many ranks there are: no way needs less.
// Cost:    2 (count - 1) steps, each of which waits for a word from the rank before.
template <class How = SystemScope>
__global__ void ring(Team team) {
  const Span all = span_of_block(team.n);
  const int count = team.count;
  const auto part = [&](int step) {
    return part_of(all, (team.rank + 2 * count - step) % count, count);
  };
  const float* const mine = team.in[team.rank];
  float* const got = team.scratch[team.rank];
  float* const out = team.out[team.rank];
  float* const send = team.scratch[team.next()];
  float* const hand_on = team.out[team.next()];
  unsigned& heard = team.signals[team.rank]->ring[blockIdx.x];
  unsigned& told = team.signals[team.next()]->ring[blockIdx.x];
  unsigned number = team.number;

  // Gather: the part of step 0 starts here; what comes in step k was started k ranks before.
  for (int step = 0; step < count - 1; ++step) {
    if (step > 0 && !block_waits<How>(heard, number, team, team.before())) return;
    each(part(step), [&](std::size_t i) { send[i] = step == 0 ? mine[i] : mine[i] + got[i]; });
    block_raises<How>(told, ++number);
  }
  // The part that has been everywhere but here. With one rank there is no other.
  if (count > 1 && !block_waits<How>(heard, number, team, team.before())) return;
  each(part(count - 1), [&](std::size_t i) { out[i] = count == 1 ? mine[i] : mine[i] + got[i]; });
  // Hand on: the finished part, then each that comes.
  for (int step = count - 1; step < 2 * count - 2; ++step) {
    if (step >= count && !block_waits<How>(heard, number, team, team.before())) return;
    each(part(step), [&](std::size_t i) { hand_on[i] = out[i]; });
    block_raises<How>(told, ++number);
  }
  // The last part is written by the rank before; the launch must not end without it.
  if (count > 1) block_waits<How>(heard, number, team, team.before());
}

}  // namespace lesson14
