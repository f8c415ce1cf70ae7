// SPDX-License-Identifier: MIT
// Wrong: the last part has not been everywhere.
#pragma once

#include "lessons/14_multi_gpu/signals.cuh"

using lesson14::block_raises;
using lesson14::block_waits;
using lesson14::each;
using lesson14::part_of;
using lesson14::Span;
using lesson14::SystemScope;
using lesson14::Team;

// in[r] are the n numbers of rank r, scratch[r] room for n numbers, out[r] where the finished part goes: as many numbers as the
// part has, in their places. The part of rank r is part (r + 1) % count of part_of({0, n}, part, count).
__global__ void reduce_scatter(Team team) {
  const float* const mine = team.in[team.rank];
  const float* const got = team.scratch[team.rank];     // what the rank before has sent
  float* const send = team.scratch[team.next()];        // where the next rank looks
  unsigned& heard = team.signals[team.rank]->ring[0];   // the rank before raises it
  unsigned& told = team.signals[team.next()]->ring[0];  // the next rank waits for it
  unsigned number = team.number;
  for (int step = 0; step < team.count - 2; ++step) {
    if (step > 0 && !block_waits<SystemScope>(heard, number, team, team.before())) return;
    const int part = (team.rank - step + team.count) % team.count;
    each(part_of({0, team.n}, part, team.count),
         [&](std::size_t i) { send[i] = step == 0 ? mine[i] : mine[i] + got[i]; });
    block_raises<SystemScope>(told, ++number);
  }
  if (!block_waits<SystemScope>(heard, number, team, team.before())) return;
  const int last = (team.rank + 1) % team.count;
  each(part_of({0, team.n}, last, team.count),
       [&](std::size_t i) { team.out[team.rank][i] = mine[i] + got[i]; });
}
